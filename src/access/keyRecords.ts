// Reads what Redis stores of keys: a hundred in one call, so that ten thousand take a fraction of a second.

import type { RedisClient } from './redis/connection.ts';
import { dayLog, KEY_FIELDS, keyRecord, minuteLog } from './redis/keyNames.ts';

export interface KeyInfo extends OwnLimits {
  readonly id: string;
  readonly label: string;
  readonly state: 'active' | 'expired' | 'revoked';
  /** The last four characters of the key. */
  readonly last4: string;
  /** Times are epoch milliseconds by Redis's clock. */
  readonly created: number;
  /** When a rotated key's grace ends; `null` for a key without an end. */
  readonly expires: number | null;
  /** When the key was to end from the beginning, which a rotation hands on; `null` for a key without an end. */
  readonly plannedEnd: number | null;
  /** Since when a revoked or expired key is refused; `null` for an active key, and where it was not recorded. */
  readonly ended: number | null;
  /** The last admission. */
  readonly used: number | null;
  /** Admissions in the last 24 hours, which count against the day's limit. */
  readonly today: number;
  /** What the team noted about the key. */
  readonly note: string | null;
}

export interface OwnLimits {
  /** `null`: the settings of the server that answers. */
  readonly perMinute: number | null;
  readonly perDay: number | null;
}

/** `pending`: the key is not completely issued. `gone`: Redis has no record of it. */
export type ReadKey = KeyInfo | 'pending' | 'gone';

/**
 * How many keys one call reads: enough to spare most of the round trips and of the parsing, few enough that Redis is
 * busy for half a millisecond at most, and that no turn of the event loop takes longer than two.
 */
const BATCH_KEYS = 100;
/** A request of the API waits behind so many calls at most. */
const CALLS_AT_ONCE = 4;

/** The keys with these hashes, in their order. */
export const readKeys = (redis: RedisClient, hashes: readonly string[]): Promise<ReadKey[]> =>
  inBatches(redis, hashes, readBatch);

/** The key with this hash. */
export async function readKey(redis: RedisClient, hash: string): Promise<ReadKey> {
  const [key = 'gone'] = await readBatch(redis, [hash]);
  return key;
}

/**
 * The same keys with what changes without an act of the team: use, and whether they have expired. It takes a fraction of
 * the time that `readKeys` takes.
 */
export const readUse = <Key extends KeyInfo>(
  redis: RedisClient,
  keys: readonly (Key & { readonly hash: string })[],
): Promise<(Key & { readonly hash: string })[]> =>
  inBatches(redis, keys, async (_, batch) => {
    const names = namesOf(batch.map(({ hash }) => hash));
    const reply = (await redis.eval(USE, names.length, ...names)) as [number, ...(number | string)[]];
    const [now, ...values] = reply;
    return batch.map((key, i) => {
      const [today, used] = [Number(values[2 * i]), Number(values[2 * i + 1]) || null];
      const hasEnded = key.state === 'active' && key.expires !== null && key.expires <= now;
      if (key.today === today && key.used === used && !hasEnded) return key;
      return { ...key, today, used, ...(hasEnded && { state: 'expired' as const, ended: key.expires }) };
    });
  });

/** Calls `read` for a batch after another, a few of them at once. */
async function inBatches<Item, Result>(
  redis: RedisClient,
  items: readonly Item[],
  read: (redis: RedisClient, batch: readonly Item[]) => Promise<Result[]>,
): Promise<Result[]> {
  // The keys of a batch lie on different nodes of a cluster, which no script may use together.
  const [batchKeys, callsAtOnce] = redis.isCluster ? [1, 200] : [BATCH_KEYS, CALLS_AT_ONCE];
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += batchKeys * callsAtOnce) {
    const batches = Array.from({ length: callsAtOnce }, (_, i) => {
      const from = at + i * batchKeys;
      return items.slice(from, from + batchKeys);
    }).filter((batch) => batch.length > 0);
    for (const found of await Promise.all(batches.map((batch) => read(redis, batch)))) results.push(...found);
  }
  return results;
}

/** How many requests the key with this hash admitted in the last so many seconds of its own time. */
export async function admittedSince(redis: RedisClient, hash: string, seconds: number): Promise<number> {
  return Number(await redis.eval(COUNT_SINCE, 2, keyRecord(hash), minuteLog(hash), seconds));
}

export const isThere = (key: ReadKey): key is KeyInfo => typeof key !== 'string';

async function readBatch(redis: RedisClient, hashes: readonly string[]): Promise<ReadKey[]> {
  const names = namesOf(hashes);
  const json = (await redis.eval(READ, names.length, ...names, ...KEY_FIELDS)) as string;
  const [now, ...records] = JSON.parse(json) as [number, ...(StoredKey | false)[]];
  return records.map((record) => (record === false ? 'gone' : keyFrom(record, now)));
}

const namesOf = (hashes: readonly string[]) => hashes.flatMap((hash) => [keyRecord(hash), dayLog(hash)]);

/** Admissions in the last day, then the fields of `KEY_FIELDS`; false for a field that is absent. */
type StoredKey = readonly [today: number, ...fields: (string | false)[]];

function keyFrom([today, ...values]: StoredKey, now: number): ReadKey {
  const text = (field: (typeof KEY_FIELDS)[number]) => values[KEY_FIELDS.indexOf(field)] || '';
  const number = (field: (typeof KEY_FIELDS)[number]) => (text(field) === '' ? null : Number(text(field)));
  const state = text('state');
  if (state === 'pending') return 'pending';
  const expires = number('expires');
  const hasExpired = expires !== null && expires <= now;
  return {
    id: text('id'),
    label: text('label'),
    state: state === 'revoked' ? 'revoked' : hasExpired ? 'expired' : 'active',
    last4: text('last4'),
    created: number('created') ?? 0,
    expires,
    ended: state === 'revoked' ? number('revoked') : hasExpired ? expires : null,
    used: number('used'),
    perMinute: number('perMinute'),
    perDay: number('perDay'),
    today,
    note: text('note') === '' ? null : text('note'),
    plannedEnd: number('end'),
  };
}

/** Counts the admissions in the last so many seconds: the places from `low` on, in a list sorted by time. */
const ADMITTED = `
local time = redis.call('TIME')
local function admitted(record, log, seconds)
  local length = redis.call('LLEN', log)
  if length == 0 then return 0 end
  local ahead = redis.call('HGET', record, 'ahead') or 0
  local cut = (time[1] - seconds) * 1000000 + time[2] + ahead
  local low, high = 0, length
  while low < high do
    local middle = math.floor((low + high) / 2)
    if tonumber(redis.call('LINDEX', log, middle)) <= cut then low = middle + 1 else high = middle end
  end
  return length - low
end`;

const COUNT_SINCE = `${ADMITTED}
return admitted(KEYS[1], KEYS[2], ARGV[1])`;

/** The time, then every key, as one JSON text, which is parsed ten times as fast as a reply with every field. */
const READ = `${ADMITTED}
local found = {time[1] * 1000 + math.floor(time[2] / 1000)}
for i = 1, #KEYS, 2 do
  local fields = redis.call('HMGET', KEYS[i], unpack(ARGV))
  local key = false
  if redis.call('EXISTS', KEYS[i]) == 1 then
    key = {admitted(KEYS[i], KEYS[i + 1], 86400), unpack(fields, 1, #ARGV)}
  end
  found[#found + 1] = key
end
return cjson.encode(found)`;

/** The time, then of every key its admissions in the last day and its last admission. */
const USE = `${ADMITTED}
local found = {time[1] * 1000 + math.floor(time[2] / 1000)}
for i = 1, #KEYS, 2 do
  found[#found + 1] = admitted(KEYS[i], KEYS[i + 1], 86400)
  found[#found + 1] = redis.call('HGET', KEYS[i], 'used') or 0
end
return found`;
