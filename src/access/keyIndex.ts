// All keys in memory for the team's list: counts of use at most 10 s old, changes by the team at once.

import { read } from './audit.ts';
import type { KeyInfo, Keys } from './keys.ts';
import type { RedisClient } from './redis/connection.ts';
import { KEY_IDS } from './redis/keyNames.ts';

/** Counts of use may be so old; the list is read again before that while somebody looks at it. */
const LONGEST_AGE_MS = 10_000;
const REFRESH_MS = 7_000;
/** Without a look for so long, nobody pays for refreshing. */
const WATCHED_MS = 5 * 60_000;

/**
 * An act is recorded before it takes effect, so the keys of the last acts are read again though their entries were seen.
 */
const SETTLING_MS = 3_000;
/** More acts than this since the last look, and all keys are read again. */
const MOST_ACTS = 500;

export interface KeyIndex {
  /** All keys, oldest first. */
  list(): Promise<readonly KeyInfo[]>;
}

export interface KeyIndexOptions {
  /** Milliseconds of a clock that never steps back. */
  readonly nowMs?: () => number;
}

/**
 * The keys as Redis has them. Every key is read again at most every 10 s; between these reads the audit log names the
 * keys that changed, on whichever server, and they alone are read.
 */
export function keyIndexOf(
  redis: RedisClient,
  keys: Pick<Keys, 'list' | 'find'>,
  { nowMs = () => performance.now() }: KeyIndexOptions = {},
): KeyIndex {
  let held: { byId: Map<string, KeyInfo>; sorted: readonly KeyInfo[]; readAtMs: number } | null = null;
  let reading: Promise<void> | null = null;
  let seenEntry = '';
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let isWatching = false;

  function readAll(): Promise<void> {
    reading ??= (async () => {
      try {
        const readAtMs = nowMs();
        const [newest] = await read(redis, { count: 1 });
        const sorted = await keys.list();
        held = { byId: new Map(sorted.map((key) => [key.id, key])), sorted, readAtMs };
        seenEntry = newest?.entry ?? '';
      } finally {
        reading = null;
      }
    })();
    return reading;
  }

  /** Reads the keys again that the audit log names since the last look. */
  async function readChanged(): Promise<void> {
    if (held === null) return;
    const entries = await read(redis, { count: MOST_ACTS });
    const newest = entries[0];
    if (newest === undefined) return readAll();
    const from = Math.min(Number(seenEntry.split('-')[0] || 0), newest.at) - SETTLING_MS;
    const recent = entries.filter(({ at, entry }) => at >= from || entry > seenEntry);
    if (recent.length === MOST_ACTS) return readAll();
    const changed = new Set(
      recent.flatMap(({ keyId, details }) => [keyId, details.newKeyId].filter((id) => id !== undefined)),
    );
    const found = await Promise.all([...changed].map(async (id) => [id, await keys.find(id)] as const));
    if (held === null) return;
    for (const [id, key] of found)
      if (key === null) held.byId.delete(id);
      else held.byId.set(id, key);
    // Keys that came or went without an act, as by a restored backup.
    if ((await redis.hlen(KEY_IDS)) !== held.byId.size) return readAll();
    if (found.length > 0) held.sorted = [...held.byId.values()].sort(byAge);
    seenEntry = newest.entry;
  }

  /** Keeps the index fresh while somebody looks at it. */
  function watch(): void {
    if (isWatching) return;
    isWatching = true;
    const refresh = () => {
      isWatching = false;
      if (nowMs() - lookedAtMs > WATCHED_MS) held = null;
      // The next look reads again what could not be read now.
      else
        void readAll()
          .catch(() => {})
          .finally(watch);
    };
    setTimeout(refresh, REFRESH_MS).unref();
  }

  return {
    async list() {
      lookedAtMs = nowMs();
      watch();
      if (held === null || nowMs() - held.readAtMs > LONGEST_AGE_MS) await readAll();
      else await readChanged();
      return held?.sorted ?? [];
    },
  };
}

const byAge = (a: KeyInfo, b: KeyInfo): number => a.created - b.created || (a.id < b.id ? -1 : 1);
