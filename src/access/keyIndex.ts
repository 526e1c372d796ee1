// All keys in memory for the team's list: counts of use at most 10 s old, changes by the team at once.

import { type AuditEntry, read } from './audit.ts';
import { isThere, type KeyInfo, readKeys, readUse } from './keyRecords.ts';
import { byAge } from './keys.ts';
import type { RedisClient } from './redis/connection.ts';
import { KEY_IDS } from './redis/keyNames.ts';

/** A key with what the list searches and sorts by. */
export interface IndexedKey extends KeyInfo {
  readonly hash: string;
  /** The label without case, accents, widths of letters and runs of spaces. */
  readonly text: string;
  /** The same with padded numbers, so that `desk 9` sorts before `desk 10` when texts are compared. */
  readonly order: string;
}

export interface KeyIndex {
  /** All keys, oldest first. */
  list(): Promise<readonly IndexedKey[]>;
  /** Reads all keys for the first look to come. Never fails. */
  warm(): void;
}

export interface KeyIndexOptions {
  /** Milliseconds of a clock that never steps back. */
  readonly nowMs?: () => number;
}

/** The counts of an answer are at most 10 s old. While somebody looks at the list, they are read again before that. */
const LONGEST_AGE_MS = 9_500;
const REFRESH_MS = 7_000;
/** Counts are no longer refreshed after so long without a look. */
const WATCHED_MS = 5 * 60_000;

/** An act is recorded before it takes effect. The keys of acts that were so recent at the last look are read again. */
const SETTLING_MS = 3_000;
/** After more acts than this since the last look, all keys are read again. */
const MOST_ACTS = 500;

/**
 * The index reads every key once, in batches. From then on the audit log names the keys that changed, on whichever
 * server, and only these are read again. Use changes without an act: the use of all keys is read every few seconds while
 * somebody looks, and at the first look after idle minutes.
 */
export function keyIndexOf(
  redis: RedisClient,
  { nowMs = () => performance.now() }: KeyIndexOptions = {},
): KeyIndex {
  let known: Known | null = null;
  let reading: Promise<void> | null = null;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let isWatching = false;

  /** Callers that ask while a read is under way share it. */
  function refresh(longestAgeMs: number): Promise<void> {
    reading ??= next(known, longestAgeMs).finally(() => {
      reading = null;
    });
    return reading;
  }

  async function next(before: Known | null, longestAgeMs: number): Promise<void> {
    const atMs = nowMs();
    const isFresh = before !== null && atMs - before.countedAtMs <= longestAgeMs;
    const counted = before === null || isFresh ? before : await withUse(redis, before, atMs);
    known = (counted && (await withChanges(redis, counted))) ?? (await readAll(redis, atMs));
  }

  /** Keeps the counts fresh while somebody looks at the list. */
  function watch(): void {
    if (isWatching) return;
    isWatching = true;
    setTimeout(() => {
      isWatching = false;
      if (nowMs() - lookedAtMs > WATCHED_MS) return;
      // The next look reads again what could not be read now.
      void refresh(0)
        .catch(() => {})
        .finally(watch);
    }, REFRESH_MS).unref();
  }

  return {
    async list() {
      lookedAtMs = nowMs();
      watch();
      // A read that began before this look may lack the act that led to it.
      await reading?.catch(() => {});
      await refresh(LONGEST_AGE_MS);
      return known?.sorted ?? [];
    },
    warm() {
      if (known === null) void refresh(LONGEST_AGE_MS).catch(() => {});
    },
  };
}

/** What the index knows after a read. */
interface Known {
  /** The hash of every id, also of keys that are not completely issued. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Oldest first. */
  readonly sorted: readonly IndexedKey[];
  /** When the use of all keys was read. */
  readonly countedAtMs: number;
  /** The newest act that was seen, in epoch milliseconds by Redis's clock; 0 for none. */
  readonly seenMs: number;
}

const seenIn = (entries: readonly AuditEntry[], otherwise: number): number => entries[0]?.at ?? otherwise;

async function readAll(redis: RedisClient, atMs: number): Promise<Known> {
  const seenMs = seenIn(await read(redis, { count: 1 }), 0);
  const hashes = new Map(Object.entries(await redis.hgetall(KEY_IDS)));
  const sorted = (await readIndexed(redis, [...hashes.values()])).sort(byAge);
  return { hashes, sorted, countedAtMs: atMs, seenMs };
}

async function withUse(redis: RedisClient, known: Known, atMs: number): Promise<Known> {
  return { ...known, sorted: await readUse(redis, known.sorted), countedAtMs: atMs };
}

/** Reads the keys again that the audit log names since the last look; null when all have to be read. */
async function withChanges(redis: RedisClient, known: Known): Promise<Known | null> {
  const sinceMs = Math.max(0, known.seenMs - SETTLING_MS);
  const [entries, count] = await Promise.all([
    read(redis, { count: MOST_ACTS, sinceMs }),
    redis.hlen(KEY_IDS),
  ]);
  // The log no longer has the last act: it was cut, or replaced by a backup.
  const isLost = entries.length === 0 && known.seenMs > 0;
  if (isLost || entries.length === MOST_ACTS) return null;
  const acted = entries.flatMap(({ keyId, details }) => [keyId, details.newKeyId]);
  const ids = [...new Set(acted.filter((id) => id !== undefined))];
  const hashes = new Map(known.hashes);
  const found = ids.length === 0 ? [] : await redis.hmget(KEY_IDS, ...ids);
  for (const [i, id] of ids.entries()) {
    const hash = found[i] ?? null;
    if (hash === null) hashes.delete(id);
    else hashes.set(id, hash);
  }
  // Keys came or went without an act, as by a restored backup.
  if (hashes.size !== count) return null;
  const changed = new Set(ids);
  const fresh = await readIndexed(
    redis,
    found.filter((hash) => hash !== null),
  );
  const sorted =
    ids.length === 0
      ? known.sorted
      : [...known.sorted.filter(({ id }) => !changed.has(id)), ...fresh].sort(byAge);
  return { ...known, hashes, sorted, seenMs: seenIn(entries, known.seenMs) };
}

/** How many keys are folded in one turn of the event loop. */
const TURN_KEYS = 400;

async function readIndexed(redis: RedisClient, hashes: readonly string[]): Promise<IndexedKey[]> {
  const keys: IndexedKey[] = [];
  for (let at = 0; at < hashes.length; at += TURN_KEYS) {
    const part = hashes.slice(at, at + TURN_KEYS);
    for (const [i, key] of (await readKeys(redis, part)).entries())
      if (isThere(key)) keys.push(indexed(key, part[i] ?? ''));
  }
  return keys;
}

function indexed(key: KeyInfo, hash: string): IndexedKey {
  const text = folded(key.label);
  return { ...key, hash, text, order: text.replace(/\d+/g, (digits) => digits.padStart(12, '0')) };
}

/** The text without case, accents, widths of letters and runs of spaces, for comparison. */
export const folded = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim().replace(/\s+/g, ' ');
