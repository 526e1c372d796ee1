// Finds out in which order the retained snapshots were published, and which one was published on which.

import { isSnapshotId, snapshotIds } from './dataDirectory.ts';
import { type HistoryEntry, readHistory } from './readHistory.ts';

export interface Publication {
  readonly id: string;
  /** The time in ISO 8601; null when the history does not have the publication. */
  readonly publishedAt: string | null;
}

/**
 * The snapshots that exist, newest publication first. Those that are not in the history come last, in descending order
 * of their ids.
 */
export async function publications(dataDir: string): Promise<Publication[]> {
  const published = await publicationTimes(dataDir);
  const ids = await snapshotIds(dataDir);
  return orderOfPublication(ids, published)
    .toReversed()
    .filter((id) => ids.includes(id))
    .map((id) => ({ id, publishedAt: published.get(id) ?? null }));
}

/**
 * These ids and all published ones, in the order of publication. Those of `unrecordedIds` come first.
 *
 * @param published The times of publications, as `publicationTimes` gives them.
 */
export const orderOfPublication = (
  ids: readonly string[],
  published: ReadonlyMap<string, string>,
): readonly string[] => [...unrecordedIds(ids, published), ...published.keys()];

/**
 * The ids that are not in the history, in their given order. Somebody copied these snapshots here, or they are older than
 * the history. They count as published before all others.
 */
const unrecordedIds = (ids: readonly string[], published: ReadonlyMap<string, string>): string[] =>
  ids.filter((id) => !published.has(id));

/**
 * The times at which snapshots were published, in ISO 8601, by id and in the order of publication. Snapshots that no
 * longer exist are among them.
 */
export const publicationTimes = async (dataDir: string): Promise<ReadonlyMap<string, string>> =>
  publicationTimesIn(await readHistory(dataDir));

function publicationTimesIn(history: readonly HistoryEntry[]): ReadonlyMap<string, string> {
  const published = new Map<string, string>();
  for (const { event, id, at } of history) {
    if (event !== 'published' || !isSnapshotId(id)) continue;
    // A snapshot that was published again counts from its last publication.
    published.delete(id);
    published.set(id, at);
  }
  return published;
}

/**
 * The ids of the current snapshot, of the one that was current when it was published, and so on back to the first one. Only
 * existing snapshots are given, in ascending order. A damaged history counts as empty, so that all snapshots are given:
 * commands that need the history report the damage.
 *
 * @param until The ids begin with the snapshot that was current when this one was published. Null begins with the current
 *   one.
 */
export async function publishedOneOnAnother(dataDir: string, until: string | null): Promise<string[]> {
  const existing = await snapshotIds(dataDir);
  const history = await readHistory(dataDir).catch((): HistoryEntry[] => []);
  const unrecorded = unrecordedIds(existing, publicationTimesIn(history));
  const predecessors = new Map<string, string | null>();
  let current: string | null = null;
  for (const { event, id } of [...unrecorded.map((id) => ({ event: 'published', id })), ...history]) {
    if (event === 'published' && id === until) break;
    if (event !== 'published' && event !== 'rolled-back') continue;
    if (!predecessors.has(id)) predecessors.set(id, current);
    current = id;
  }
  const counted = new Set<string>();
  for (let id = current; id !== null; id = predecessors.get(id) ?? null) counted.add(id);
  return existing.filter((id) => counted.has(id));
}
