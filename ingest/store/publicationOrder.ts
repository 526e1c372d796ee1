// Reads from the history the order in which the snapshots were published, and the next revision of a month.

import { idParts, inOrderOfIds, snapshotIds } from '../../src/catalog/dataDirectory.ts';
import { orderOfPublication, publicationTimes } from '../../src/catalog/publications.ts';
import { type HistoryEntry, readHistory } from '../../src/catalog/readHistory.ts';

export interface PublicationOrder {
  /** The snapshots that exist, in the order of publication. */
  readonly retained: readonly string[];
  /**
   * The last existing snapshot published before this one; null when there is none. A rollback does not change this order.
   */
  previousOf(id: string): string | null;
}

/**
 * The order of the snapshots, as `orderOfPublication` gives it.
 *
 * @param stored The ids of the snapshots in the store. They count as existing too.
 */
export async function publicationOrder(
  dataDir: string,
  stored: readonly string[] = [],
): Promise<PublicationOrder> {
  const existing = inOrderOfIds([...new Set([...(await snapshotIds(dataDir)), ...stored])]);
  const order = orderOfPublication(existing, await publicationTimes(dataDir));
  const exists = (id: string) => existing.includes(id);
  return {
    retained: order.filter(exists),
    previousOf: (id) => order.slice(0, Math.max(0, order.indexOf(id))).findLast(exists) ?? null,
  };
}

/**
 * The next revision of a month. It is higher than all former ones here and among the ids `elsewhere`: no id is used twice.
 */
export async function nextRevision(
  dataDir: string,
  month: string,
  elsewhere: readonly string[] = [],
): Promise<number> {
  const used = [
    ...(await snapshotIds(dataDir)),
    ...(await readHistory(dataDir)).map(({ id }) => id),
    ...elsewhere,
  ];
  const revisions = used.map(idParts).flatMap((parts) => (parts?.[0] === month ? [parts[1]] : []));
  return Math.max(0, ...revisions) + 1;
}

/**
 * The time at which each snapshot last ceased to be current, in milliseconds since 1970. An entry with an earlier time than
 * the entries before it gets the latest of their times. Otherwise, after a clock was set back, a snapshot would seem to
 * have ceased to be current earlier than it did, and `prune` would not warn of it. A snapshot is left out if no time up
 * to then can be read.
 */
export function supersededMsById(entries: readonly HistoryEntry[]): ReadonlyMap<string, number> {
  const superseded = new Map<string, number>();
  let current: string | null = null;
  let latestMs = Number.NEGATIVE_INFINITY;
  for (const { event, id, at, from } of entries) {
    const ms = Date.parse(at);
    if (Number.isFinite(ms)) latestMs = Math.max(latestMs, ms);
    if (event !== 'published' && event !== 'rolled-back') continue;
    const previous: string | null = from ?? current;
    if (previous !== null && previous !== id && Number.isFinite(latestMs)) superseded.set(previous, latestMs);
    superseded.delete(id);
    current = id;
  }
  return superseded;
}
