// Reads the facts about a key that change without an act of the team: its use, and whether it has expired.

import type { RedisClient } from '../redis/connection.ts';
import { dayLog, keyRecord } from '../redis/keyNames.ts';
import { readInBatches } from '../redis/readInBatches.ts';
import { LUA_NOW } from '../redis/serverClock.ts';
import { ADMITTED, type KeyInfo, stateByExpiry } from './keyRecords.ts';

type Hashed = KeyInfo & { readonly hash: string };

/** Keys with their use at a moment. */
export interface CountedKeys<Key extends Hashed> {
  readonly keys: readonly Key[];
  /** The moment, in epoch milliseconds by Redis's clock. */
  readonly countedMs: number;
}

/** One call reads the last uses of this many keys. It keeps Redis busy for less than half a millisecond. */
const BATCH_KEYS = 400;
/** One call reads the counts of this many keys. A count takes Redis longer than a last use. */
const BATCH_COUNTS = 100;

/**
 * Brings the use of keys up to date. It reads the last use of each key, and the count only of keys whose count may have
 * changed.
 */
export async function withFreshUse<Key extends Hashed>(
  redis: RedisClient,
  { keys, countedMs }: CountedKeys<Key>,
): Promise<CountedKeys<Key>> {
  let earliestReadMs = Number.POSITIVE_INFINITY;
  const counted = await readInBatches(
    redis,
    keys,
    async (_, batch) => {
      const { nowMs, used } = await lastUses(redis, batch);
      earliestReadMs = Math.min(earliestReadMs, nowMs);
      const stale = batch.filter((key, i) => mayDiffer(key, used[i] ?? null, { nowMs, countedMs }));
      const fresh = await withCounts(redis, stale);
      return batch.map((key) => withStateAt(nowMs, fresh.get(key.id) ?? key));
    },
    BATCH_KEYS,
  );
  return { keys: counted, countedMs: Math.min(earliestReadMs, Number.MAX_SAFE_INTEGER) };
}

/**
 * When a key was used within this time before the last read, its count may have changed although its last use has not. The
 * gate records the last use only once a second.
 */
const LAST_USE_LAG_MS = 3_000;

const mayDiffer = (
  { usedMs, dayUseFallsMs }: KeyInfo,
  usedNow: number | null,
  { nowMs, countedMs }: { readonly nowMs: number; readonly countedMs: number },
): boolean =>
  usedMs !== usedNow ||
  (usedMs !== null && usedMs > countedMs - LAST_USE_LAG_MS) ||
  (dayUseFallsMs !== null && dayUseFallsMs <= nowMs);

function withStateAt<Key extends Hashed>(nowMs: number, key: Key): Key {
  if (key.state !== 'active') return key;
  const end = stateByExpiry(key.expiresMs, nowMs);
  return end.state === 'active' ? key : { ...key, ...end };
}

async function lastUses(redis: RedisClient, keys: readonly Hashed[]) {
  const names = keys.map(({ hash }) => keyRecord(hash));
  const [now = '', ...used] = String(await redis.eval(LAST_USES, names.length, ...names)).split(',');
  return { nowMs: Number(now), used: used.map((last) => (last === '' ? null : Number(last))) };
}

/** Id of a key → the key with its new count. */
async function withCounts<Key extends Hashed>(
  redis: RedisClient,
  keys: readonly Key[],
): Promise<ReadonlyMap<string, Key>> {
  const counted = new Map<string, Key>();
  for (let start = 0; start < keys.length; start += BATCH_COUNTS) {
    const part = keys.slice(start, start + BATCH_COUNTS);
    const names = part.flatMap(({ hash }) => [keyRecord(hash), dayLog(hash)]);
    const values = (await redis.eval(COUNTS, names.length, ...names)) as (number | string)[];
    for (const [i, key] of part.entries()) {
      const [dayUse, dayUseFallsMs, usedMs] = [0, 1, 2].map((place) => Number(values[3 * i + place]));
      counted.set(key.id, {
        ...key,
        dayUse: Math.max(0, dayUse ?? 0),
        ...(dayUse === -1 && { state: 'damaged' as const }),
        dayUseFallsMs: dayUseFallsMs || null,
        usedMs: usedMs || null,
      });
    }
  }
  return counted;
}

/** Gives Redis's time in epoch milliseconds, then the last use of each key, as one text with commas between. */
const LAST_USES = `${LUA_NOW}
local found = {string.format('%.0f', now)}
for i = 1, #KEYS do
  -- The reply for a damaged record is a table with the error.
  local used = redis.pcall('HGET', KEYS[i], 'used')
  found[i + 1] = type(used) == 'string' and tonumber(used) and used or ''
end
return table.concat(found, ',')`;

/**
 * Gives for each key the admissions of the last 24 hours, when the oldest of them leaves, and the last use. The admissions
 * of a damaged key are -1.
 */
const COUNTS = `${ADMITTED}
local found = {}
for i = 1, #KEYS, 2 do
  local isReadable, dayUse, fallsMs = pcall(admitted, KEYS[i], KEYS[i + 1], 86400)
  local used = redis.pcall('HGET', KEYS[i], 'used') or 0
  found[#found + 1] = isReadable and type(used) ~= 'table' and dayUse or -1
  found[#found + 1] = isReadable and fallsMs or 0
  found[#found + 1] = type(used) ~= 'table' and used or 0
end
return found`;
