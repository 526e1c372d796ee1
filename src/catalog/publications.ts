// Lists the retained snapshots in the order of their publication.

import { isSnapshotId, snapshotIds } from './dataDirectory.ts';
import { readHistory } from './readHistory.ts';

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
 * These ids and all published ones, in the order of publication. Ids that are not in the history come first, in their given
 * order: somebody copied these snapshots here, or they are older than the history.
 *
 * @param published The times of publications, as `publicationTimes` gives them.
 */
export const orderOfPublication = (
  ids: readonly string[],
  published: ReadonlyMap<string, string>,
): readonly string[] => [...ids.filter((id) => !published.has(id)), ...published.keys()];

/**
 * The times at which snapshots were published, in ISO 8601, by id and in the order of publication. Snapshots that no
 * longer exist are among them.
 */
export async function publicationTimes(dataDir: string): Promise<ReadonlyMap<string, string>> {
  const published = new Map<string, string>();
  for (const { event, id, at } of await readHistory(dataDir)) {
    if (event !== 'published' || !isSnapshotId(id)) continue;
    // A snapshot that was published again counts from its last publication.
    published.delete(id);
    published.set(id, at);
  }
  return published;
}
