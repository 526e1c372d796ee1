// An index in memory of all records of one kind. After the first read, it reads only records that the audit log names.

import { type AuditEntry, readAudit } from './audit.ts';
import { PENDING_MS } from './keys/issue.ts';
import type { RedisClient } from './redis/connection.ts';
import { sortedInSlices } from './slicedLists.ts';

interface Indexed {
  readonly id: string;
  /** In epoch milliseconds by Redis's clock. */
  readonly createdMs: number;
}

/** Sorts records, the oldest first. */
export const byAge = (a: Indexed, b: Indexed): number => a.createdMs - b.createdMs || (a.id < b.id ? -1 : 1);

/** A kind of records that can be indexed. The audit log must name every record that an act changes. */
export interface IndexedKind<Item> {
  /**
   * The Redis key of the table that maps the id of each record to its hash. The hash is a part of the record's Redis key.
   */
  readonly ids: string;
  /** The ids of the records that an act may have changed. */
  readonly changedBy: (entry: AuditEntry) => readonly (string | undefined)[];
  /** Whether a record may change without an act. Such records are read again each time. */
  readonly isUnsettled?: (item: Item) => boolean;
  /**
   * Whether ids without a record are removed from the table. A record is written before its id, so a missing record has
   * expired.
   */
  readonly removesExpiredIds?: boolean;
  /** Reads the records with these hashes. Hashes without a record are left out. */
  readonly read: (redis: RedisClient, hashes: readonly string[]) => Promise<readonly Item[]>;
}

/** An index as of its last update. */
export interface RecordIndex<Item> {
  /** The hash of every id, also for records that are not complete yet. */
  readonly hashes: ReadonlyMap<string, string>;
  /** The records, oldest first. */
  readonly items: readonly Item[];
  /** The time of the newest act that was seen, in epoch milliseconds by Redis's clock; 0 when there was none. */
  readonly seenMs: number;
}

/**
 * An act is recorded before it takes effect, and the last read may have happened in between. So the records of all acts
 * within this time before the newest act are read again. Of all acts, making a key may take the longest.
 */
const SETTLING_MS = PENDING_MS + 1_000;
/** When there were this many acts since the last read, all records are read again. */
const MAX_ACTS = 500;
/** How many records are read in one turn of the event loop. */
const SLICE_ITEMS = 400;

/**
 * Brings an index up to date. Reads all records when there is no index yet, or when the audit log does not name all records
 * that have changed.
 */
export async function updateIndex<Item extends Indexed>(
  redis: RedisClient,
  kind: IndexedKind<Item>,
  before: RecordIndex<Item> | null,
): Promise<RecordIndex<Item>> {
  return (before && (await rereadChanged(redis, kind, before))) ?? readAll(redis, kind);
}

async function readAll<Item extends Indexed>(
  redis: RedisClient,
  kind: IndexedKind<Item>,
): Promise<RecordIndex<Item>> {
  const seenMs = newestActMs(await readAudit(redis, { count: 1 }), 0);
  const hashes = new Map(Object.entries(await redis.hgetall(kind.ids)));
  const items = await readInSlices(redis, kind, [...hashes.values()]);
  if (kind.removesExpiredIds) await removeExpired(redis, kind, hashes, items);
  return { hashes, items: await sortedInSlices(items, byAge), seenMs };
}

async function removeExpired<Item extends Indexed>(
  redis: RedisClient,
  { ids }: IndexedKind<Item>,
  hashes: Map<string, string>,
  items: readonly Item[],
): Promise<void> {
  const present = new Set(items.map(({ id }) => id));
  const gone = [...hashes.keys()].filter((id) => !present.has(id));
  for (const id of gone) hashes.delete(id);
  if (gone.length > 0) await redis.hdel(ids, ...gone);
}

const newestActMs = (entries: readonly AuditEntry[], defaultMs: number): number =>
  entries[0]?.atMs ?? defaultMs;

async function readInSlices<Item>(redis: RedisClient, kind: IndexedKind<Item>, hashes: readonly string[]) {
  const items: Item[] = [];
  for (let start = 0; start < hashes.length; start += SLICE_ITEMS)
    items.push(...(await kind.read(redis, hashes.slice(start, start + SLICE_ITEMS))));
  return items;
}

/** Reads the records again that the audit log has named since the last read; null when all records must be read. */
async function rereadChanged<Item extends Indexed>(
  redis: RedisClient,
  kind: IndexedKind<Item>,
  index: RecordIndex<Item>,
): Promise<RecordIndex<Item> | null> {
  const sinceMs = Math.max(0, index.seenMs - SETTLING_MS);
  const [entries, count] = await Promise.all([
    readAudit(redis, { count: MAX_ACTS, sinceMs }),
    redis.hlen(kind.ids),
  ]);
  // The log no longer has the act that was seen last: somebody has trimmed the log, or restored a backup.
  const isLost = entries.length === 0 && index.seenMs > 0;
  if (isLost || entries.length === MAX_ACTS) return null;
  const named = entries.flatMap(kind.changedBy).filter((id) => id !== undefined);
  const unsettled = kind.isUnsettled === undefined ? [] : index.items.filter(kind.isUnsettled);
  const ids = [...new Set([...named, ...unsettled.map(({ id }) => id)])];
  const found = ids.length === 0 ? [] : await redis.hmget(kind.ids, ...ids);
  const hashes = mergeHashes(index.hashes, ids, found);
  // Records came or went without an act, as by a restored backup.
  if (hashes.size !== count) return null;
  const seenMs = newestActMs(entries, index.seenMs);
  if (ids.length === 0) return { ...index, seenMs };
  const present = found.filter((hash) => hash !== null);
  const reread = new Map((await readInSlices(redis, kind, present)).map((item) => [item.id, item]));
  return { hashes, items: await mergeItems(index.items, new Set(ids), reread), seenMs };
}

/**
 * Updates the hashes of `ids`: `found` has the hash of each, or null for a removed one. Returns `before` if nothing has
 * changed.
 */
function mergeHashes(
  before: ReadonlyMap<string, string>,
  ids: readonly string[],
  found: readonly (string | null)[],
): ReadonlyMap<string, string> {
  if (ids.every((id, i) => (before.get(id) ?? null) === (found[i] ?? null))) return before;
  const hashes = new Map(before);
  for (const [i, id] of ids.entries()) {
    const hash = found[i] ?? null;
    if (hash === null) hashes.delete(id);
    else hashes.set(id, hash);
  }
  return hashes;
}

/**
 * Replaces records by their fresh versions. Sorts the records only when some were added, because no act changes the order.
 */
async function mergeItems<Item extends Indexed>(
  before: readonly Item[],
  ids: ReadonlySet<string>,
  fresh: Map<string, Item>,
): Promise<readonly Item[]> {
  const items = before.flatMap((item) => {
    if (!ids.has(item.id)) return item;
    const now = fresh.get(item.id);
    fresh.delete(item.id);
    return now ?? [];
  });
  return fresh.size === 0 ? items : sortedInSlices([...items, ...fresh.values()], byAge);
}
