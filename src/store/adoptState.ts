// Brings a data directory to the state of a store: its history, then `current`.

import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { currentId } from '../catalog/dataDirectory.ts';
import { HISTORY_FILE, type HistoryEntry, readHistory, readHistoryFile } from '../catalog/readHistory.ts';
import { flushToDisk } from '../system/flushToDisk.ts';
import { namingFile } from '../system/systemError.ts';
import type { ObjectStore } from './objectStore.ts';
import { StoreFailed } from './s3Client.ts';
import {
  divergedMessage,
  earlierHistoryMessage,
  isEarlierHistory,
  mergedHistory,
  type SharedState,
} from './sharedState.ts';
import { switchCurrent } from './switchCurrent.ts';

/**
 * The state that a data directory has to take over from a store: the merged history, and the current snapshot. Null when it
 * has both already.
 *
 * @throws {StoreFailed} when the histories of the directory and the store contradict each other.
 */
export async function missingState(
  dataDir: string,
  state: SharedState,
  store: ObjectStore,
): Promise<{ readonly history: readonly HistoryEntry[]; readonly current: string } | null> {
  const local = await readHistory(dataDir);
  const merged = mergedHistory(local, state.history);
  if (merged === null)
    throw new StoreFailed(
      isEarlierHistory(state.history, local)
        ? earlierHistoryMessage(dataDir, state, store)
        : divergedMessage(dataDir, store),
    );
  const isSame =
    isDeepStrictEqual(merged, await readHistoryFile(dataDir)) && (await currentId(dataDir)) === state.current;
  return isSame ? null : { history: merged, current: state.current };
}

/** The name of the file that becomes the history. */
export const NEW_HISTORY_FILE = `${HISTORY_FILE}.new`;

/**
 * Writes the history, then switches `current`. The snapshot must have been downloaded, and no command may run
 * meanwhile. If the process is killed between the two steps, the history is ahead of `current` until the next poll of
 * the store.
 */
export async function adoptState(
  dataDir: string,
  { history: entries, current }: { readonly history: readonly HistoryEntry[]; readonly current: string },
): Promise<void> {
  const newFile = path.join(dataDir, NEW_HISTORY_FILE);
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`);
  await namingFile(newFile, writeFile(newFile, lines.join(''), { flush: true }));
  await rename(newFile, path.join(dataDir, HISTORY_FILE));
  await flushToDisk(dataDir);
  await switchCurrent(dataDir, current);
}
