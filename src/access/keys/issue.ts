// Creates a key in three steps: pending, listed, active. If the creation is interrupted, the key is never admitted.

import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisClient } from '../redis/connection.ts';
import { KEY_IDS, keyRecord } from '../redis/keyNames.ts';
import { LUA_NOW } from '../redis/serverClock.ts';
import { hashOf, newId } from '../secret.ts';
import { mintKey } from './keyText.ts';

/** A key that is being created. Nobody has seen it, and the gate refuses it. */
export interface PendingKey {
  readonly key: string;
  readonly id: string;
  readonly hash: string;
  readonly label: string;
  /** When the key ends, in epoch milliseconds by Redis's clock; null for a key without an end. */
  readonly expiresMs: number | null;
}

export interface KeyTerms {
  readonly label: string;
  /** The limits of the key; null for those of the settings. */
  readonly perMinute: number | null;
  readonly perDay: number | null;
  /** The team's note about the key; null or left out without one. */
  readonly note?: string | null;
  /** How long the key works; null or left out when `expiresMs` says it, or when the key never ends. */
  readonly endsAfterMs?: number | null;
  /** When the key ends, in epoch milliseconds; null or left out when `endsAfterMs` says it, or when the key never ends. */
  readonly expiresMs?: number | null;
}

/** How long a key may be pending. Then Redis deletes it, because the process that creates it must have failed. */
export const PENDING_MS = 5000;

/**
 * Mints a key, stores its record as pending, and adds its id to `KEY_IDS`.
 *
 * The record is written before the id. So an id without a record can never become an active key, and lists may remove
 * it.
 *
 * @throws {Error} when another key has the new random id.
 */
export async function prepareKey(redis: RedisClient, terms: KeyTerms): Promise<PendingKey> {
  const { label, perMinute, perDay, note = null, expiresMs = null, endsAfterMs = null } = terms;
  const key = mintKey();
  const id = newId('key');
  const hash = hashOf(key);
  const optional = Object.entries({ perMinute, perDay, note, expires: expiresMs, end: expiresMs }).flatMap(
    ([name, value]) => (value === null ? [] : [name, value]),
  );
  const fields = ['id', id, 'label', label, 'state', 'pending', 'last4', key.slice(-4), ...optional];
  const ends = await redis.eval(PREPARE, 1, keyRecord(hash), PENDING_MS, endsAfterMs ?? '', ...fields);
  if ((await redis.hsetnx(KEY_IDS, id, hash)) === 0) throw new Error(`the id ${id} is taken; try again`);
  return { key, id, hash, label, expiresMs: ends === null ? expiresMs : Number(ends) };
}

const PREPARE = `${LUA_NOW}
redis.call('HSET', KEYS[1], 'created', string.format('%.0f', now), unpack(ARGV, 3))
local ends = nil
if ARGV[2] ~= '' then
  ends = string.format('%.0f', now + ARGV[2])
  redis.call('HSET', KEYS[1], 'expires', ends, 'end', ends)
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return ends`;

/**
 * Makes a pending key active. Redis keeps it from then on.
 *
 * @throws {Error} when Redis has already deleted the pending key.
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
 * Runs the remaining steps of creating a key. When one of them fails, deletes the key and throws the failure.
 *
 * Redis may have carried out the step that failed. Nobody has seen the key, so it is deleted as soon as Redis answers.
 *
 * @param undo undoes the other effects of the steps. It may be called several times.
 */
export async function deleteUnlessDone<Result>(
  redis: RedisClient,
  key: PendingKey,
  steps: () => Promise<Result>,
  undo: () => Promise<unknown> = async () => {},
): Promise<Result> {
  try {
    return await steps();
  } catch (error) {
    void untilDone(async () => {
      await undo();
      await deletePendingKey(redis, key);
    });
    throw error;
  }
}

/** The pause between two attempts to clean up, and the number of attempts. They go on for a minute. */
const [RETRY_MS, RETRIES] = [250, 240];

async function untilDone(cleanUp: () => Promise<void>): Promise<void> {
  for (let tries = 0; tries < RETRIES; tries++) {
    const isDone = await cleanUp().then(
      () => true,
      () => false,
    );
    if (isDone) return;
    await sleep(RETRY_MS, undefined, { ref: false });
  }
}
