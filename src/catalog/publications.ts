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
  const order = [...ids.filter((id) => !published.has(id)), ...published.keys()];
  return order
    .toReversed()
    .filter((id) => ids.includes(id))
    .map((id) => ({ id, publishedAt: published.get(id) ?? null }));
}

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
