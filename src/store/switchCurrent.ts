// Switches the link `current` atomically, and flushes files to disk.

import { open, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';

/** Points `current` at a snapshot, atomically for every reader. */
export async function switchCurrent(dataDir: string, id: string): Promise<void> {
  const fresh = path.join(dataDir, FRESH);
  await rm(fresh, { force: true });
  await symlink(path.join('snapshots', id), fresh);
  await rename(fresh, path.join(dataDir, 'current'));
  await sync(dataDir);
}

/** The name of the folder of unfinished work, beside the snapshots. */
export const TEMPORARY = 'tmp';

/** The name of the link that becomes `current`. */
export const FRESH = 'current.new';

/** Flushes a file or folder to disk. */
export async function sync(target: string): Promise<void> {
  const handle = await open(target, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
