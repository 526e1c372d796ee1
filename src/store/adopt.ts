// Brings a data directory to the state of a store: its history, then `current`.

import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { currentId } from '../catalog/dataDirectory.ts';
import { enteredHistory, HISTORY_FILE, type HistoryEntry, history } from '../catalog/history.ts';
import type { ObjectStore } from './objectStore.ts';
import { StoreFailed } from './s3Client.ts';
import { divergedMessage, isOlder, mergedHistory, olderMessage, type SharedState } from './sharedState.ts';
import { switchCurrent, sync } from './switchCurrent.ts';

/**
 * What a data directory lacks of a store's state; null when it lacks nothing.
 *
 * @throws {StoreFailed} when the directory has a history of its own.
 */
export async function lacking(
  dataDir: string,
  state: SharedState,
  store: ObjectStore,
): Promise<{ readonly history: readonly HistoryEntry[]; readonly current: string } | null> {
  const local = await history(dataDir);
  const merged = mergedHistory(local, state.history);
  if (merged === null)
    throw new StoreFailed(
      isOlder(state.history, local) ? olderMessage(dataDir, state, store) : divergedMessage(dataDir, store),
    );
  const isSame =
    isDeepStrictEqual(merged, await enteredHistory(dataDir)) && (await currentId(dataDir)) === state.current;
  return isSame ? null : { history: merged, current: state.current };
}

/**
 * Writes the history, then switches `current`. The current snapshot must be there already, and no command may run. A
 * process that is killed in between leaves a history that is ahead of `current`; the next look at the store completes it.
 */
export async function adopt(
  dataDir: string,
  { history: entries, current }: { readonly history: readonly HistoryEntry[]; readonly current: string },
): Promise<void> {
  const fresh = path.join(dataDir, `${HISTORY_FILE}.new`);
  await writeFile(fresh, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''), { flush: true });
  await rename(fresh, path.join(dataDir, HISTORY_FILE));
  await sync(dataDir);
  await switchCurrent(dataDir, current);
}
