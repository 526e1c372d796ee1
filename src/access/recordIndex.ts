// An index of all records of one kind in memory. It reads again only the records that the audit log names as changed.

import { type AuditEntry, readAudit } from './audit.ts';
import { sortedInSlices } from './inSlices.ts';
import type { RedisClient } from './redis/connection.ts';

/** Records that can be indexed: every change of one is an act that the audit log names. */
export interface IndexedKind<Item> {
  /** The Redis key of the hash that leads from the id of each record to its hash. */
  readonly ids: string;
  /** The ids of the records that an act may have changed. */
  readonly changedBy: (entry: AuditEntry) => readonly (string | undefined)[];
  /** Records that change without an act, which are read again each time. */
  readonly isUnsettled?: (item: Item) => boolean;
  /** Whether an id without a record is removed: records are written first, so a missing one has expired. */
  readonly removesExpiredIds?: boolean;
  /** The records that exist, of these hashes. */
  readonly read: (redis: RedisClient, hashes: readonly string[]) => Promise<readonly Item[]>;
  readonly compare: (a: Item, b: Item) => number;
}

/** The records as they were read last. */
export interface RecordIndex<Item> {
  /** The hash of every id, also of records that are not complete. */
  readonly hashes: ReadonlyMap<string, string>;
  /** In their order. */
  readonly items: readonly Item[];
  /** The newest act that was seen, in epoch milliseconds by Redis's clock; 0 for none. */
  readonly seenMs: number;
}

/**
 * An act is recorded before it takes effect, and the last read may have come between the two. So the records of acts up
 * to this long before the newest one are read again.
 */
const SETTLING_MS = 3_000;
/** After more acts than this since the last read, all records are read again. */
const MAX_ACTS = 500;
/** How many records are read in one turn of the event loop. */
const SLICE_ITEMS = 400;

/** The index as it is now, with as few reads as possible. */
export async function updateIndex<Item extends { readonly id: string }>(
  redis: RedisClient,
  kind: IndexedKind<Item>,
  before: RecordIndex<Item> | null,
): Promise<RecordIndex<Item>> {
  return (before && (await rereadChanged(redis, kind, before))) ?? readAll(redis, kind);
}

async function readAll<Item extends { readonly id: string }>(
  redis: RedisClient,
  kind: IndexedKind<Item>,
): Promise<RecordIndex<Item>> {
  const seenMs = seenIn(await readAudit(redis, { count: 1 }), 0);
  const hashes = new Map(Object.entries(await redis.hgetall(kind.ids)));
  const items = await readInSlices(redis, kind, [...hashes.values()]);
  if (kind.removesExpiredIds) await removeExpired(redis, kind, hashes, items);
  return { hashes, items: await sortedInSlices(items, kind.compare), seenMs };
}

async function removeExpired<Item extends { readonly id: string }>(
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

const seenIn = (entries: readonly AuditEntry[], otherwise: number): number => entries[0]?.at ?? otherwise;

async function readInSlices<Item>(redis: RedisClient, kind: IndexedKind<Item>, hashes: readonly string[]) {
  const items: Item[] = [];
  for (let at = 0; at < hashes.length; at += SLICE_ITEMS)
    items.push(...(await kind.read(redis, hashes.slice(at, at + SLICE_ITEMS))));
  return items;
}

/** Reads the records again that the audit log names since the last read; null when all have to be read. */
async function rereadChanged<Item extends { readonly id: string }>(
  redis: RedisClient,
  kind: IndexedKind<Item>,
  index: RecordIndex<Item>,
): Promise<RecordIndex<Item> | null> {
  const sinceMs = Math.max(0, index.seenMs - SETTLING_MS);
  const [entries, count] = await Promise.all([
    readAudit(redis, { count: MAX_ACTS, sinceMs }),
    redis.hlen(kind.ids),
  ]);
  // The log no longer has the last act: it was cut, or replaced by a backup.
  const isLost = entries.length === 0 && index.seenMs > 0;
  if (isLost || entries.length === MAX_ACTS) return null;
  const named = entries.flatMap(kind.changedBy).filter((id) => id !== undefined);
  const unsettled = kind.isUnsettled === undefined ? [] : index.items.filter(kind.isUnsettled);
  const ids = [...new Set([...named, ...unsettled.map(({ id }) => id)])];
  const found = ids.length === 0 ? [] : await redis.hmget(kind.ids, ...ids);
  const hashes = mergeHashes(index.hashes, ids, found);
  // Records came or went without an act, as by a restored backup.
  if (hashes.size !== count) return null;
  const seenMs = seenIn(entries, index.seenMs);
  if (ids.length === 0) return { ...index, seenMs };
  const present = found.filter((hash) => hash !== null);
  const fresh = new Map((await readInSlices(redis, kind, present)).map((item) => [item.id, item]));
  return { hashes, items: await mergeItems(index.items, new Set(ids), fresh, kind), seenMs };
}

/** The same map where no id came, went or changed. */
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

/** Sorts only when records were added, because an act does not change the place of a record in the order. */
async function mergeItems<Item extends { readonly id: string }>(
  before: readonly Item[],
  ids: ReadonlySet<string>,
  fresh: Map<string, Item>,
  { compare }: IndexedKind<Item>,
): Promise<readonly Item[]> {
  const items = before.flatMap((item) => {
    if (!ids.has(item.id)) return item;
    const now = fresh.get(item.id);
    fresh.delete(item.id);
    return now ?? [];
  });
  return fresh.size === 0 ? items : sortedInSlices([...items, ...fresh.values()], compare);
}
