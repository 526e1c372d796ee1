// Issues, lists, limits, revokes and rotates API keys in Redis.

import { carryOut } from '../audit.ts';
import { byAge } from '../recordIndex.ts';
import type { RedisClient } from '../redis/connection.ts';
import { dayLog, dayOf, KEY_IDS, keyRecord, minuteLog } from '../redis/keyNames.ts';
import { LUA_NOW, timeOf } from '../redis/serverClock.ts';
import { isWellFormedId } from '../secret.ts';
import { type DayOfUse, dateOf, usageOf } from './dailyUsage.ts';
import { activateKey, deletePendingKey, deleteUnlessDone, prepareKey } from './issue.ts';
import {
  admittedInMinute,
  isRecorded,
  type KeyInfo,
  type OwnLimits,
  readKey,
  readKeys,
} from './keyRecords.ts';

/** A new key in plain text. It is shown once. Only its SHA-256 and its last four characters are stored. */
export interface IssuedKey {
  readonly key: string;
  readonly id: string;
  readonly label: string;
}

/**
 * The outcome of a rotation: the new key and when the old one ends (`oldExpiresMs`, epoch milliseconds), or why there is
 * none.
 */
export type Rotation =
  | ({ readonly outcome: 'rotated'; readonly oldExpiresMs: number } & IssuedKey)
  | { readonly outcome: 'unknown' | 'revoked' | 'expired' | 'damaged' };

export interface Keys {
  /** A new key without limits of its own (ruling 20). */
  issue(terms: { readonly label: string; readonly by: string }): Promise<IssuedKey>;
  /** All keys, oldest first. */
  list(): Promise<readonly KeyInfo[]>;
  /** The key with this id; null when there is none. */
  find(id: string): Promise<KeyInfo | null>;
  /** The requests of the last 31 days. The last day is today by Redis's clock. An unknown id has no requests. */
  usage(id: string): Promise<{ readonly lastDay: string; readonly days: readonly DayOfUse[] }>;
  /** How many requests were admitted in the last minute. They count against the limit per minute. */
  minuteUse(id: string): Promise<number>;
  /**
   * Revokes a key. Every server refuses its next request (ruling 21). A damaged record is replaced, and its key then
   * counts as created now.
   */
  revoke(id: string, by: string): Promise<'revoked' | 'already' | 'unknown'>;
  /** Revokes a key that was never used, such as one that nobody saw. Leaves a used key as it is, and returns `used`. */
  revokeUnused(id: string, by: string): Promise<'revoked' | 'used' | 'already' | 'unknown'>;
  /**
   * Issues a new key with the label and limits of the old one. The old key ends after `graceMs`, or earlier at its planned
   * end.
   */
  rotate(id: string, terms: { readonly graceMs: number; readonly by: string }): Promise<Rotation>;
  /** Changes the limits of a key. A limit that is left out stays as it is. Null restores the limit of the settings. */
  changeLimits(
    id: string,
    limits: Partial<OwnLimits>,
    by: string,
  ): Promise<'changed' | 'same' | 'unknown' | 'damaged'>;
}

/** The keys that are stored in this Redis. Every change is recorded in the audit log. */
export const keysOf = (redis: RedisClient): Keys => ({
  async issue({ label, by }) {
    const pending = await prepareKey(redis, { label, perMinute: null, perDay: null });
    const { key, id } = pending;
    const act = { by, act: 'issue', keyId: id, details: { label } } as const;
    await deleteUnlessDone(redis, pending, () => carryOut(redis, act, () => activateKey(redis, pending)));
    return { key, id, label };
  },

  async list() {
    const hashes = await redis.hgetall(KEY_IDS);
    const ids = Object.keys(hashes);
    const found = await readKeys(redis, Object.values(hashes));
    // An id has no record when the creation of its key failed: `prepareKey` writes the record before the id, and Redis
    // deletes a record that stays pending.
    const gone = ids.filter((_, i) => found[i] === 'gone');
    if (gone.length > 0) await redis.hdel(KEY_IDS, ...gone);
    return found.filter(isRecorded).sort(byAge);
  },

  async find(id) {
    return (await find(redis, id))?.key ?? null;
  },

  async usage(id) {
    const nowMs = await timeOf(redis);
    const hash = await hashOfId(redis, id);
    const days = hash === null ? [] : await usageOf(redis, hash, nowMs);
    return { lastDay: dateOf(dayOf(nowMs)), days };
  },

  async minuteUse(id) {
    const hash = await hashOfId(redis, id);
    return hash === null ? 0 : admittedInMinute(redis, hash);
  },

  async revoke(id, by) {
    const outcome = await revoke(redis, id, by, 'any');
    return outcome === 'used' ? 'already' : outcome;
  },

  revokeUnused: (id, by) => revoke(redis, id, by, 'unused'),
  rotate: (id, terms) => rotate(redis, id, terms),
  changeLimits: (id, limits, by) => limit(redis, id, limits, by),
});

async function revoke(
  redis: RedisClient,
  id: string,
  by: string,
  keyUse: 'any' | 'unused',
): Promise<'revoked' | 'used' | 'already' | 'unknown'> {
  const found = await find(redis, id);
  if (found === null) return 'unknown';
  const { key, hash } = found;
  if (key.state === 'revoked') return 'already';
  if (keyUse === 'unused' && key.usedMs !== null) return 'used';
  const act = { by, act: 'revoke', keyId: id, details: { label: key.label } } as const;
  const names = [keyRecord(hash), minuteLog(hash), dayLog(hash)];
  // When two people revoke the key at the same time, the script lets only one of them do it.
  const outcome = await carryOut(redis, act, () =>
    key.state === 'damaged'
      ? redis.eval(REPLACE, names.length, ...names, id, key.label, key.last4)
      : redis.eval(REVOKE, 1, keyRecord(hash), keyUse),
  );
  return outcome as 'revoked' | 'used' | 'already';
}

async function rotate(
  redis: RedisClient,
  id: string,
  { graceMs, by }: { readonly graceMs: number; readonly by: string },
): Promise<Rotation> {
  const found = await find(redis, id);
  if (found === null) return { outcome: 'unknown' };
  const { key: old, hash } = found;
  if (old.state !== 'active') return { outcome: old.state };
  const { label: oldLabel, perMinute, perDay, note, plannedEndMs } = old;
  const terms = { label: oldLabel, perMinute, perDay, note, expiresMs: plannedEndMs };
  const pending = await prepareKey(redis, terms);
  const { key, id: newKeyId, label } = pending;
  const restoreOld = () => redis.eval(RESTORE_END, 1, keyRecord(hash), newKeyId);
  const steps = async (): Promise<Rotation> => {
    const details = { label, newKeyId, graceSeconds: Math.round(graceMs / 1000) };
    const oldExpiresMs = await carryOut(redis, { by, act: 'rotate', keyId: id, details }, async () => {
      // The new key is activated first: if the rotation is interrupted, the client still has the old key.
      await activateKey(redis, pending);
      return redis.eval(END_AFTER, 1, keyRecord(hash), graceMs, newKeyId);
    });
    if (oldExpiresMs !== null)
      return { outcome: 'rotated', key, id: newKeyId, label, oldExpiresMs: Number(oldExpiresMs) };
    await deletePendingKey(redis, pending);
    return { outcome: 'revoked' };
  };
  return deleteUnlessDone(redis, pending, steps, restoreOld);
}

async function limit(
  redis: RedisClient,
  id: string,
  limits: Partial<OwnLimits>,
  by: string,
): Promise<'changed' | 'same' | 'unknown' | 'damaged'> {
  const found = await find(redis, id);
  if (found === null) return 'unknown';
  if (found.key.state === 'damaged') return 'damaged';
  const isSame = (name: keyof OwnLimits) => limits[name] === undefined || limits[name] === found.key[name];
  if (isSame('perMinute') && isSame('perDay')) return 'same';
  const shown = Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, value ?? 'default']));
  const act = { by, act: 'limits', keyId: id, details: { label: found.key.label, ...shown } } as const;
  const changes = Object.entries(limits).flatMap(([name, value]) => [name, value ?? '']);
  const isThere = await carryOut(redis, act, () => redis.eval(CHANGE, 1, keyRecord(found.hash), ...changes));
  return isThere === 1 ? 'changed' : 'unknown';
}

/** The hash of the key with this id. A text that cannot be an id is not sent to Redis, because it may be a mistyped key. */
const hashOfId = async (redis: RedisClient, id: string): Promise<string | null> =>
  isWellFormedId(id) ? redis.hget(KEY_IDS, id) : null;

async function find(redis: RedisClient, id: string) {
  const hash = await hashOfId(redis, id);
  const key = hash === null ? 'gone' : await readKey(redis, hash);
  return hash !== null && isRecorded(key) ? { key, hash } : null;
}

/** Sets fields of an existing key. An empty value deletes the field. */
const CHANGE = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
for i = 1, #ARGV, 2 do
  if ARGV[i + 1] == '' then redis.call('HDEL', KEYS[1], ARGV[i])
  else redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
end
return 1`;

/**
 * Revokes a key, and records since when it is refused: now, or since its end if it has expired. With the argument
 * `unused` it leaves a used key as it is.
 */
const REVOKE = `${LUA_NOW}
local key = redis.call('HMGET', KEYS[1], 'state', 'expires', 'used')
if not key[1] or key[1] == 'revoked' then return 'already' end
if ARGV[1] == 'unused' and key[3] then return 'used' end
local ended = key[2] and math.min(now, key[2]) or now
redis.call('HSET', KEYS[1], 'state', 'revoked', 'revoked', string.format('%.0f', ended))
return 'revoked'`;

/** Replaces a damaged record with the record of a revoked key. */
const REPLACE = `${LUA_NOW}
local text = string.format('%.0f', now)
redis.call('DEL', unpack(KEYS))
redis.call('HSET', KEYS[1], 'id', ARGV[1], 'label', ARGV[2], 'state', 'revoked', 'last4', ARGV[3], 'created', text,
  'revoked', text)
return 'revoked'`;

/**
 * Sets the end of an active key, unless it ends earlier already. Gives the end, or nil if the key is not active. The
 * record keeps the end before the rotation until the next one, so that `RESTORE_END` can undo this one.
 */
const END_AFTER = `${LUA_NOW}
local key = redis.call('HMGET', KEYS[1], 'state', 'expires')
if key[1] ~= 'active' then return nil end
local ends = string.format('%.0f', key[2] and math.min(now + ARGV[1], key[2]) or now + ARGV[1])
redis.call('HSET', KEYS[1], 'expires', ends, 'rotatedTo', ARGV[2], 'endBefore', key[2] or '')
return ends`;

/** Undoes `END_AFTER` for the same new key, unless another rotation came later. */
const RESTORE_END = `
local key = redis.call('HMGET', KEYS[1], 'rotatedTo', 'endBefore')
if key[1] ~= ARGV[1] then return 0 end
if key[2] == '' then redis.call('HDEL', KEYS[1], 'expires') else redis.call('HSET', KEYS[1], 'expires', key[2]) end
redis.call('HDEL', KEYS[1], 'rotatedTo', 'endBefore')
return 1`;
