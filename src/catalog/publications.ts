// Tells in which order the retained snapshots were published, and when.

import { isSnapshotId, snapshotIds } from './dataDirectory.ts';
import { history } from './history.ts';

export interface Publication {
  readonly id: string;
  /** ISO 8601; null when the history does not know it. */
  readonly publishedAt: string | null;
}

/**
 * The snapshots that exist, newest publication first. Those that the history does not know count as published before
 * all others, in the order of their ids.
 */
export async function publications(dataDir: string): Promise<Publication[]> {
  const published = new Map<string, string>();
  for (const { event, id, at } of await history(dataDir)) {
    if (event !== 'published' || !isSnapshotId(id)) continue;
    // A snapshot published again takes its new place.
    published.delete(id);
    published.set(id, at);
  }
  const ids = await snapshotIds(dataDir);
  const order = [...ids.filter((id) => !published.has(id)), ...published.keys()];
  return order
    .toReversed()
    .filter((id) => ids.includes(id))
    .map((id) => ({ id, publishedAt: published.get(id) ?? null }));
}
