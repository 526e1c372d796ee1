// All keys in memory for the team's list: counts of use at most 10 s old, changes by the team at once.

import { type IndexedKind, type RecordIndex, updateIndex } from '../recordIndex.ts';
import type { RedisClient } from '../redis/connection.ts';
import { KEY_IDS } from '../redis/keyNames.ts';
import { isThere, type KeyInfo, readKeys } from './keyRecords.ts';
import { byAge } from './keys.ts';
import { withUse } from './keyUse.ts';

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
  /** Reads all keys ahead of the first look. Never fails. */
  warm(): void;
}

export interface KeyIndexOptions {
  /** Milliseconds of a clock that never steps back. */
  readonly nowMs?: () => number;
  /** How long after a read the counts are read again. */
  readonly refreshMs?: number;
}

/** The counts of an answer are at most 10 s old. While somebody looks at the list, they are read again before that. */
const MAX_AGE_MS = 9_500;
const REFRESH_MS = 7_000;
/** Counts are no longer refreshed after this time without a look. */
const WATCHED_MS = 5 * 60_000;

/**
 * The index reads every key once, in batches. From then on the audit log names the keys that changed. Use changes without
 * an act: it is read again every few seconds while somebody looks, and at the first look after idle minutes.
 */
export function keyIndexOf(
  redis: RedisClient,
  { nowMs = () => performance.now(), refreshMs = REFRESH_MS }: KeyIndexOptions = {},
): KeyIndex {
  let index: CountedIndex | null = null;
  let reading: Promise<void> | null = null;
  // A failed refresh changes nothing, and the next look reads again.
  const noteLook = whileWatched(() => refresh(0).catch(() => {}), { nowMs, refreshMs });

  /** Callers that ask while a read is under way share it. */
  function refresh(maxAgeMs: number): Promise<void> {
    reading ??= read(index, maxAgeMs).finally(() => {
      reading = null;
    });
    return reading;
  }

  async function read(before: CountedIndex | null, maxAgeMs: number): Promise<void> {
    const atMs = nowMs();
    if (before === null) {
      index = await firstCount(redis, atMs);
      return;
    }
    const isFresh = atMs - before.countedAtMs <= maxAgeMs;
    const counted = isFresh ? before : await nextCount(redis, before, atMs);
    const changed = await updateIndex(redis, KEYS, counted);
    index = { ...counted, ...changed };
  }

  return {
    async list() {
      noteLook();
      // A read that has begun may lack an act that was done before this call.
      await reading?.catch(() => {});
      await refresh(MAX_AGE_MS);
      return index?.items ?? [];
    },
    warm() {
      if (index === null) void refresh(MAX_AGE_MS).catch(() => {});
    },
  };
}

/**
 * Calls `refresh` again and again while somebody looks at the list: `refreshMs` after a look, and after each call.
 *
 * @returns a function to call at each look.
 */
function whileWatched(
  refresh: () => Promise<void>,
  { nowMs, refreshMs }: Required<KeyIndexOptions>,
): () => void {
  /** When somebody looked last, by `nowMs()`. */
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let isWatching = false;
  const watch = () => {
    if (isWatching) return;
    isWatching = true;
    setTimeout(() => {
      isWatching = false;
      if (nowMs() - lookedAtMs > WATCHED_MS) return;
      void refresh().finally(watch);
    }, refreshMs).unref();
  };
  return () => {
    lookedAtMs = nowMs();
    watch();
  };
}

/** The keys, and when their use was counted. */
interface CountedIndex extends RecordIndex<IndexedKey> {
  /** By the clock of the options. */
  readonly countedAtMs: number;
  /** By Redis's clock. */
  readonly countedMs: number;
}

async function firstCount(redis: RedisClient, atMs: number): Promise<CountedIndex> {
  const [seconds] = await redis.time();
  const known = await updateIndex(redis, KEYS, null);
  return { ...known, countedAtMs: atMs, countedMs: Number(seconds) * 1000 };
}

async function nextCount(redis: RedisClient, known: CountedIndex, atMs: number): Promise<CountedIndex> {
  const { keys, countedMs } = await withUse(redis, { keys: known.items, countedMs: known.countedMs });
  return { ...known, items: keys, countedAtMs: atMs, countedMs };
}

const KEYS: IndexedKind<IndexedKey> = {
  ids: KEY_IDS,
  changedBy: ({ keyId, details }) => [keyId, details.newKeyId],
  async read(redis, hashes) {
    const found = await readKeys(redis, hashes);
    return found.flatMap((key, i) => (isThere(key) ? indexed(key, hashes[i] ?? '') : []));
  },
  compare: byAge,
};

function indexed(key: KeyInfo, hash: string): IndexedKey {
  const text = folded(key.label);
  return { ...key, hash, text, order: text.replace(/\d+/g, (digits) => digits.padStart(12, '0')) };
}

/** The text without case, accents, widths of letters and runs of spaces, for comparison. */
export const folded = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim().replace(/\s+/g, ' ');
