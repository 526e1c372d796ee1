// Creates a key in three steps, so that a key whose creation is cut short is never admitted: pending, listed, active.

import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisClient } from '../redis/connection.ts';
import { KEY_IDS, keyRecord } from '../redis/keyNames.ts';
import { hashOf, newId } from '../secret.ts';
import { mintKey } from './keyForm.ts';

/** A key that is not complete: nobody has seen it, and the gate refuses it. */
export interface PendingKey {
  readonly key: string;
  readonly id: string;
  readonly hash: string;
  readonly label: string;
  /** When the key ends, in epoch milliseconds by Redis's clock; null for a key without an end. */
  readonly expires: number | null;
}

export interface KeyTerms {
  readonly label: string;
  /** `null`: the settings of the server that answers. */
  readonly perMinute: number | null;
  readonly perDay: number | null;
  /** The team's note about the key. */
  readonly note?: string | null;
  /** When the key ends: some milliseconds after it is made, or at a moment in epoch milliseconds; with neither, never. */
  readonly endsAfterMs?: number | null;
  readonly expires?: number | null;
}

/** Redis deletes a pending key after this time: the process that was to activate it has failed. */
const PENDING_MS = 5000;

/**
 * Mints a key, stores its record as pending, and adds its id to the list.
 *
 * The record is written first. An id without a record can then never become active, so a list may remove it.
 */
export async function prepareKey(redis: RedisClient, terms: KeyTerms): Promise<PendingKey> {
  const { label, perMinute, perDay, note = null, expires = null, endsAfterMs = null } = terms;
  const key = mintKey();
  const id = newId('key');
  const hash = hashOf(key);
  const optional = Object.entries({ perMinute, perDay, note, expires, end: expires }).flatMap(
    ([name, value]) => (value === null ? [] : [name, value]),
  );
  const fields = ['id', id, 'label', label, 'state', 'pending', 'last4', key.slice(-4), ...optional];
  const ends = await redis.eval(PREPARE, 1, keyRecord(hash), PENDING_MS, endsAfterMs ?? '', ...fields);
  if ((await redis.hsetnx(KEY_IDS, id, hash)) === 0) throw new Error(`the id ${id} is taken; try again`);
  return { key, id, hash, label, expires: ends === null ? expires : Number(ends) };
}

const PREPARE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[1], 'created', string.format('%.0f', now), unpack(ARGV, 3))
local ends = nil
if ARGV[2] ~= '' then
  ends = string.format('%.0f', now + ARGV[2])
  redis.call('HSET', KEYS[1], 'expires', ends, 'end', ends)
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return ends`;

/**
 * Makes a pending key active, for good.
 *
 * @throws when Redis has deleted the pending key meanwhile.
 */
export async function activateKey(redis: RedisClient, { hash }: PendingKey): Promise<void> {
  if ((await redis.eval(ACTIVATE, 1, keyRecord(hash))) === 1) return;
  throw new Error('Redis took too long to make a key; try again');
}

const ACTIVATE = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'state', 'active')
redis.call('PERSIST', KEYS[1])
return 1`;

/** Deletes a key that nobody has seen. */
export async function deletePendingKey(redis: RedisClient, { id, hash }: PendingKey): Promise<void> {
  await redis.del(keyRecord(hash));
  await redis.hdel(KEY_IDS, id);
}

/**
 * Runs the steps from a pending key to one that is shown.
 *
 * When a step fails, Redis may or may not have done it. The key, which nobody has seen, is deleted as soon as Redis
 * answers, and the failure is thrown.
 */
export async function deleteUnlessDone<Result>(
  redis: RedisClient,
  key: PendingKey,
  steps: () => Promise<Result>,
): Promise<Result> {
  try {
    return await steps();
  } catch (error) {
    void deleteWhenPossible(redis, key);
    throw error;
  }
}

const [RETRY_MS, RETRIES] = [250, 240];

async function deleteWhenPossible(redis: RedisClient, key: PendingKey): Promise<void> {
  for (let tries = 0; tries < RETRIES; tries++) {
    const isDeleted = await deletePendingKey(redis, key).then(
      () => true,
      () => false,
    );
    if (isDeleted) return;
    await sleep(RETRY_MS, undefined, { ref: false });
  }
}
