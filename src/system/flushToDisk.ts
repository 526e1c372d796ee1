// Flushes files and folders to disk, so that a power cut does not undo what was written.

import { open } from 'node:fs/promises';

/** Flushes a file or folder to disk. */
export async function flushToDisk(target: string): Promise<void> {
  const handle = await open(target, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
