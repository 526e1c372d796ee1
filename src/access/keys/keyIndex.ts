// Holds all keys in memory for the team's list. Shows acts of the team at once, and counts of use at most 10 s old.

import { type IndexedKind, type RecordIndex, updateIndex } from '../recordIndex.ts';
import type { RedisClient } from '../redis/connection.ts';
import { KEY_IDS } from '../redis/keyNames.ts';
import { isRecorded, type KeyInfo, readKeys } from './keyRecords.ts';
import { withFreshUse } from './keyUse.ts';

/** A key, and the texts by which the list searches and sorts it. */
export interface IndexedKey extends KeyInfo {
  readonly hash: string;
  /** The label in the form of `folded`. */
  readonly foldedLabel: string;
  /** `foldedLabel` with zeros before its numbers, so that `desk 9` sorts before `desk 10`. */
  readonly sortKey: string;
}

export interface KeyIndex {
  /** All keys, oldest first. */
  list(): Promise<readonly IndexedKey[]>;
  /** Reads all keys in the background, before somebody looks at the list. Never fails. */
  warm(): void;
}

export interface KeyIndexOptions {
  /** A monotonic clock in milliseconds. */
  readonly nowMs?: () => number;
  /** How often the counts are read again while somebody looks at the list. */
  readonly refreshMs?: number;
}

/**
 * The greatest age of the counts that `list` returns at once. It reads older counts again first. Together with the time of
 * this read, counts are at most 10 s old.
 */
const MAX_AGE_MS = 9_500;
/** How often counts are read in the background while somebody looks at the list, so that answers need not wait. */
const REFRESH_MS = 7_000;
/** How long after the last look at the list the counts are still read in the background. */
const WATCHED_MS = 5 * 60_000;

/**
 * Makes the index. It reads all keys once. From then on it reads those that the audit log names. The use of keys changes
 * without an act. While somebody looks at the list, the use is read again every few seconds. Otherwise it is read at the
 * next look.
 */
export function keyIndexOf(
  redis: RedisClient,
  { nowMs = () => performance.now(), refreshMs = REFRESH_MS }: KeyIndexOptions = {},
): KeyIndex {
  let index: CountedIndex | null = null;
  let reading: Promise<void> | null = null;
  // A failed refresh changes nothing, and the next call of `list` reads again.
  const onLook = whileWatched(() => refresh(0).catch(() => {}), { nowMs, refreshMs });

  /** Reads the keys again, and their counts if these are older than `maxAgeMs`. Concurrent callers share one read. */
  function refresh(maxAgeMs: number): Promise<void> {
    reading ??= read(index, maxAgeMs).finally(() => {
      reading = null;
    });
    return reading;
  }

  async function read(before: CountedIndex | null, maxAgeMs: number): Promise<void> {
    const monotonicMs = nowMs();
    if (before === null) {
      index = await readWithCounts(redis, monotonicMs);
      return;
    }
    const isFresh = monotonicMs - before.countedMonotonicMs <= maxAgeMs;
    const counted = isFresh ? before : await recount(redis, before, monotonicMs);
    const changed = await updateIndex(redis, KEYS, counted);
    index = { ...counted, ...changed };
  }

  return {
    async list() {
      onLook();
      // A read that is under way may lack an act that came before this call, so another read follows it.
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
 * Calls `refresh` every `refreshMs`, until nobody has looked at the list for `WATCHED_MS`.
 *
 * @returns the function that must be called at each look.
 */
function whileWatched(
  refresh: () => Promise<void>,
  { nowMs, refreshMs }: Required<KeyIndexOptions>,
): () => void {
  /** When somebody looked at the list last, in milliseconds of the clock `nowMs`. */
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

/** The keys, and the time at which their use was counted. */
interface CountedIndex extends RecordIndex<IndexedKey> {
  /** When the use was counted, in milliseconds of the clock `nowMs`. */
  readonly countedMonotonicMs: number;
  /** The same moment by Redis's clock, in epoch milliseconds. */
  readonly countedMs: number;
}

async function readWithCounts(redis: RedisClient, monotonicMs: number): Promise<CountedIndex> {
  const [seconds] = await redis.time();
  const known = await updateIndex(redis, KEYS, null);
  return { ...known, countedMonotonicMs: monotonicMs, countedMs: Number(seconds) * 1000 };
}

async function recount(redis: RedisClient, known: CountedIndex, monotonicMs: number): Promise<CountedIndex> {
  const { keys, countedMs } = await withFreshUse(redis, { keys: known.items, countedMs: known.countedMs });
  return { ...known, items: keys, countedMonotonicMs: monotonicMs, countedMs };
}

const KEYS: IndexedKind<IndexedKey> = {
  ids: KEY_IDS,
  changedBy: ({ keyId, details }) => [keyId, details.newKeyId],
  async read(redis, hashes) {
    const found = await readKeys(redis, hashes);
    return found.flatMap((key, i) => (isRecorded(key) ? indexedKey(key, hashes[i] ?? '') : []));
  },
};

function indexedKey(key: KeyInfo, hash: string): IndexedKey {
  const foldedLabel = folded(key.label);
  return {
    ...key,
    hash,
    foldedLabel,
    sortKey: foldedLabel.replace(/\d+/g, (digits) => digits.padStart(12, '0')),
  };
}

/** A text for comparison: in lower case, without accents, with letters of normal width and single spaces. */
export const folded = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim().replace(/\s+/g, ' ');
