// Reads the records of keys from Redis: a hundred in one call, so that ten thousand take a fraction of a second.

import type { RedisClient } from '../redis/connection.ts';
import { dayLog, KEY_FIELDS, KEY_IDS, keyRecord, minuteLog } from '../redis/keyNames.ts';
import { readInBatches } from '../redis/readInBatches.ts';

/** A key, as lists and pages show it. */
export interface KeyInfo extends OwnLimits {
  readonly id: string;
  readonly label: string;
  /**
   * `damaged` means that Redis holds something that this program has not written. The gate refuses such a key if its state,
   * its end, its limits or its windows are damaged. A missing label is an empty text, and an unknown time of creation is 0.
   */
  readonly state: 'active' | 'expired' | 'revoked' | 'damaged';
  /** The last four characters of the key. */
  readonly last4: string;
  /** Times are epoch milliseconds by Redis's clock. */
  readonly createdMs: number;
  /** When the key ends: at its planned end, or earlier after a rotation; null for a key without an end. */
  readonly expiresMs: number | null;
  /** The end with which the key was issued. A rotation passes it on to the new key. Null for a key without an end. */
  readonly plannedEndMs: number | null;
  /** Since when a revoked or expired key is refused; null for an active key, or if this time was not recorded. */
  readonly endedMs: number | null;
  /** The time of the last admission; null for a key that was never used. */
  readonly usedMs: number | null;
  /** Admissions in the last 24 hours, which count against the day's limit. */
  readonly dayUse: number;
  /** When the oldest of these admissions becomes 24 hours old, so that the count falls; null without an admission. */
  readonly dayUseFallsMs: number | null;
  /** The team's note about the key; null without one. */
  readonly note: string | null;
}

/** The limits of one key. A limit that is null is that of the settings. */
export interface OwnLimits {
  readonly perMinute: number | null;
  readonly perDay: number | null;
}

/** `pending` means that the key is being created, `gone` that Redis has no record of it. */
export type ReadKey = KeyInfo | 'pending' | 'gone';

/** The keys with these hashes, in their order. */
export async function readKeys(redis: RedisClient, hashes: readonly string[]): Promise<ReadKey[]> {
  const found = await readInBatches(redis, hashes, readBatch);
  return found.some(isDamaged) ? withListedIds(redis, hashes, found) : found;
}

/** The key with this hash. */
export async function readKey(redis: RedisClient, hash: string): Promise<ReadKey> {
  const [key = 'gone'] = await readKeys(redis, [hash]);
  return key;
}

/** How many requests of the key with this hash were admitted in the last minute, by the key's own time (see gate.lua). */
export async function admittedInMinute(redis: RedisClient, hash: string): Promise<number> {
  return Number(await redis.eval(COUNT_IN_MINUTE, 2, keyRecord(hash), minuteLog(hash)));
}

/** Whether Redis has the complete record of a key. The record may be damaged. */
export const isRecorded = (key: ReadKey): key is KeyInfo => typeof key !== 'string';

const isDamaged = (key: ReadKey): key is KeyInfo => isRecorded(key) && key.state === 'damaged';

/** Gives each damaged key the id under which it is listed, because its record may have no id or a wrong one. */
async function withListedIds(
  redis: RedisClient,
  hashes: readonly string[],
  keys: readonly ReadKey[],
): Promise<ReadKey[]> {
  const idByHash = new Map(Object.entries(await redis.hgetall(KEY_IDS)).map(([id, hash]) => [hash, id]));
  return keys.map((key, i) =>
    isDamaged(key) ? { ...key, id: idByHash.get(hashes[i] ?? '') ?? key.id } : key,
  );
}

async function readBatch(redis: RedisClient, hashes: readonly string[]): Promise<ReadKey[]> {
  const names = hashes.flatMap((hash) => [keyRecord(hash), minuteLog(hash), dayLog(hash)]);
  const json = (await redis.eval(READ, names.length, ...names, ...KEY_FIELDS)) as string;
  const [nowMs, ...records] = JSON.parse(json) as [number, ...(StoredKey | false | 'unreadable')[]];
  return records.map((record) => {
    if (record === false) return 'gone';
    return record === 'unreadable' ? DAMAGED : keyFrom(record, nowMs);
  });
}

/**
 * The reply of `READ` for a key. It has the number of requests in the last 24 hours, the time at which the oldest of them
 * leaves the 24 hours, and the fields of `KEY_FIELDS`. A field that the record does not have is false.
 */
type StoredKey = readonly [dayUse: number, dayUseFallsMs: number, ...fields: (string | false)[]];

/** A key whose record cannot be read at all. */
const DAMAGED: KeyInfo = {
  id: '',
  label: '',
  state: 'damaged',
  last4: '',
  createdMs: 0,
  expiresMs: null,
  plannedEndMs: null,
  endedMs: null,
  usedMs: null,
  dayUse: 0,
  dayUseFallsMs: null,
  perMinute: null,
  perDay: null,
  note: null,
};

const NUMBERS = ['created', 'expires', 'used', 'revoked', 'perMinute', 'perDay', 'end'] as const;

/** The last time that a `Date` can hold, in epoch milliseconds. */
export const LAST_MS = 8.64e15;

function keyFrom([dayUse, dayUseFallsMs, ...values]: StoredKey, nowMs: number): ReadKey {
  const stored = (field: (typeof KEY_FIELDS)[number]) => values[KEY_FIELDS.indexOf(field)] ?? false;
  const text = (field: (typeof KEY_FIELDS)[number]) => stored(field) || '';
  const number = (field: (typeof KEY_FIELDS)[number]) => numberIn(stored(field));
  const recordedState = text('state');
  if (recordedState === 'pending') return 'pending';
  const areNumbers = NUMBERS.every((field) => isWholeNumber(number(field) ?? 0));
  const isComplete = areNumbers && text('id') !== '' && text('created') !== '';
  if (!isComplete || (recordedState !== 'active' && recordedState !== 'revoked'))
    return { ...DAMAGED, id: text('id'), label: text('label'), last4: text('last4') };
  const expiresMs = number('expires');
  return {
    id: text('id'),
    label: text('label'),
    // A revoked key stays revoked when it expires.
    ...(recordedState === 'revoked'
      ? { state: recordedState, endedMs: number('revoked') }
      : stateByExpiry(expiresMs, nowMs)),
    last4: text('last4'),
    createdMs: number('created') ?? 0,
    expiresMs,
    usedMs: number('used'),
    perMinute: number('perMinute'),
    perDay: number('perDay'),
    dayUse,
    dayUseFallsMs: dayUseFallsMs || null,
    note: text('note') === '' ? null : text('note'),
    plannedEndMs: number('end'),
  };
}

/** Whether a key that was not revoked works, and since when it does not. */
export const stateByExpiry = (expiresMs: number | null, nowMs: number): Pick<KeyInfo, 'state' | 'endedMs'> =>
  expiresMs !== null && expiresMs <= nowMs
    ? { state: 'expired', endedMs: expiresMs }
    : { state: 'active', endedMs: null };

/** A number in a record: null when the field is absent, and NaN when it is empty or no number. */
function numberIn(stored: string | false): number | null {
  if (stored === false) return null;
  return stored === '' ? Number.NaN : Number(stored);
}

/** Whether gate.lua accepts this number in a record. Any other number means that the record is damaged. */
export const isWholeNumber = (number: number): boolean =>
  Number.isInteger(number) && number >= 0 && number <= LAST_MS;

/**
 * A Lua function that counts the admissions of the last `seconds`. The list is sorted by time, so a binary search finds
 * `low`, the first admission that counts. The function also returns when that admission leaves the window, in epoch
 * milliseconds; 0 when there is none.
 */
export const ADMITTED = `
local time = redis.call('TIME')
-- Lua reads nan and inf as numbers, which JSON cannot hold.
local function timeOf(entry)
  local microseconds = tonumber(entry)
  if not (microseconds and microseconds < ${LAST_MS * 1000}) then error('damaged') end
  return microseconds
end
local function admitted(record, log, seconds)
  local length = redis.call('LLEN', log)
  if length == 0 then return 0, 0 end
  local ahead = redis.call('HGET', record, 'ahead') or 0
  local cut = (time[1] - seconds) * 1000000 + time[2] + ahead
  local low, high = 0, length
  local oldest = timeOf(redis.call('LINDEX', log, 0))
  -- The gate trims the list of a key in use, so usually every entry counts.
  if oldest > cut then high = 0 end
  while low < high do
    local middle = math.floor((low + high) / 2)
    if tonumber(redis.call('LINDEX', log, middle)) <= cut then low = middle + 1 else high = middle end
  end
  if low == length then return 0, 0 end
  if low > 0 then oldest = timeOf(redis.call('LINDEX', log, low)) end
  return length - low, math.ceil((oldest - ahead) / 1000) + seconds * 1000
end`;

const COUNT_IN_MINUTE = `${ADMITTED}
return (admitted(KEYS[1], KEYS[2], 60))`;

/**
 * Gives Redis's time in epoch milliseconds, then each key, as one JSON text, which is parsed ten times as fast as a list.
 */
const READ = `${ADMITTED}
local found = {time[1] * 1000 + math.floor(time[2] / 1000)}
local function read(record, minute, log)
  local fields = redis.call('HMGET', record, unpack(ARGV))
  if not fields[1] and redis.call('EXISTS', record) == 0 then return false end
  -- This fails for a log of another type, or with a first entry that is no time, because the gate cannot count in it.
  local first = redis.call('LINDEX', minute, 0)
  if first then timeOf(first) end
  local dayUse, fallsMs = admitted(record, log, 86400)
  return {dayUse, fallsMs, unpack(fields, 1, #ARGV)}
end
for i = 1, #KEYS, 3 do
  -- One damaged record must not hide all others.
  local isReadable, key = pcall(read, KEYS[i], KEYS[i + 1], KEYS[i + 2])
  found[#found + 1] = isReadable and key
  if not isReadable then found[#found] = 'unreadable' end
end
return cjson.encode(found)`;
