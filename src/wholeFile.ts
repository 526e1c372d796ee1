// Writes a file in one step: after a failure there is what was there before, never a part of a file.

import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';

/**
 * Replaces a file, or the file that a link leads to. `mode` is that of the new file. A pipe or a device, such as
 * `/dev/stdout`, is written to: a file in its place would break whatever else uses it.
 */
export async function writeWhole(file: string, content: string, mode = 0o666): Promise<void> {
  if (await isPipeOrDevice(file)) return writeFile(file, content);
  const target = await realpath(file).catch(() => file);
  const fresh = `${target}.new`;
  try {
    await writeFile(fresh, content, { mode, flush: true });
    await rename(fresh, target);
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => {});
    throw error;
  }
}

async function isPipeOrDevice(file: string): Promise<boolean> {
  const status = await stat(file).catch(() => null);
  return status !== null && !status.isFile() && !status.isDirectory();
}
