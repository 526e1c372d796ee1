// Replaces a file in one step. After a failure the old file is still there, never a part of the new one.

import { randomUUID } from 'node:crypto';
import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Replaces a file, or the file to which a link leads. A pipe or a device, such as `/dev/stdout`, is not replaced but
 * written to, because others use it.
 *
 * @param mode the permissions of the new file.
 */
export async function writeWhole(file: string, content: string, mode = 0o666): Promise<void> {
  if (await isPipeOrDevice(file)) return writeFile(file, content);
  const target = await realpath(file).catch(() => file);
  // A name of its own: two writers at the same time, or what another one has left, must not get into the file.
  const fresh = path.join(path.dirname(target), `.${randomUUID()}.new`);
  try {
    await writeFile(fresh, content, { mode, flag: 'wx', flush: true });
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
