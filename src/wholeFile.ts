// Writes a file in one step: after a failure there is what was there before, never a part of a file.

import { realpath, rename, rm, writeFile } from 'node:fs/promises';

/** Replaces a file, or the file that a link leads to. `mode` is that of the new file. */
export async function writeWhole(file: string, content: string, mode = 0o666): Promise<void> {
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
