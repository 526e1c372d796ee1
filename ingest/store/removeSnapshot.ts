// Removes the folder of a snapshot, so that nobody ever finds a part of it.

import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { snapshotDirectory } from '../../src/catalog/dataDirectory.ts';
import { UNFINISHED_FOLDER } from '../../src/store/switchCurrent.ts';
import { flushToDisk } from '../../src/system/flushToDisk.ts';

/**
 * Moves a snapshot out of `snapshots/` in one step, then deletes it. After an interruption, the next command deletes the
 * rest. A server that follows a store would take over a folder that is deleted in part.
 *
 * It replaces the folder of unfinished work, because a full disk has no room for another one.
 */
export async function removeSnapshot(dataDir: string, id: string): Promise<void> {
  const directory = snapshotDirectory(dataDir, id);
  const aside = path.join(dataDir, UNFINISHED_FOLDER);
  await rm(aside, { recursive: true, force: true });
  await rename(directory, aside);
  await flushToDisk(path.dirname(directory));
  await rm(aside, { recursive: true, force: true });
}
