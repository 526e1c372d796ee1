// Brings a key into being so that nothing half done is ever let in: first pending, then listed, then active.

import { setTimeout as sleep } from 'node:timers/promises';
import { mintKey } from './keyForm.ts';
import type { RedisClient } from './redis/connection.ts';
import { KEY_IDS, keyRecord } from './redis/keyNames.ts';
import { hashOf, newId } from './secret.ts';

/** A key that nobody has been shown and the gate does not let in. */
export interface PendingKey {
  readonly key: string;
  readonly id: string;
  readonly hash: string;
  readonly label: string;
}

export interface KeyTerms {
  readonly label: string;
  /** `null`: the settings of the server that answers. */
  readonly perMinute: number | null;
  readonly perDay: number | null;
}

/** A pending key vanishes by itself: whoever was to activate it has failed. */
const PENDING_MS = 5000;

/**
 * Mints a key, keeps its record as pending, and lists it.
 *
 * The record comes first: an id whose record is gone can never be activated any more, so a list may drop it.
 */
export async function prepareKey(redis: RedisClient, terms: KeyTerms): Promise<PendingKey> {
  const { label, perMinute, perDay } = terms;
  const key = mintKey();
  const id = newId('key');
  const hash = hashOf(key);
  const optional = Object.entries({ perMinute, perDay }).flatMap(([name, value]) =>
    value === null ? [] : [name, value],
  );
  const fields = ['id', id, 'label', label, 'state', 'pending', 'last4', key.slice(-4), ...optional];
  await redis.eval(PREPARE, 1, keyRecord(hash), PENDING_MS, ...fields);
  if ((await redis.hsetnx(KEY_IDS, id, hash)) === 0) throw new Error(`the id ${id} is taken; try again`);
  return { key, id, hash, label };
}

const PREPARE = `
local time = redis.call('TIME')
local created = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
redis.call('HSET', KEYS[1], 'created', created, unpack(ARGV, 2))
redis.call('PEXPIRE', KEYS[1], ARGV[1])`;

/**
 * Lets a pending key in, for good.
 *
 * @throws when it took so long that the pending key has vanished.
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

/** Removes a key that nobody has been shown. */
export async function forgetKey(redis: RedisClient, { id, hash }: PendingKey): Promise<void> {
  await redis.del(keyRecord(hash));
  await redis.hdel(KEY_IDS, id);
}

/**
 * Does the steps that lead from a pending key to one that is shown.
 *
 * When one fails, nobody knows what Redis has done of it: the key, which nobody has seen, is removed as soon as
 * Redis allows, and what failed is thrown.
 */
export async function orForget<Result>(
  redis: RedisClient,
  key: PendingKey,
  steps: () => Promise<Result>,
): Promise<Result> {
  try {
    return await steps();
  } catch (error) {
    void forgetWhenPossible(redis, key);
    throw error;
  }
}

const [RETRY_MS, RETRIES] = [250, 240];

async function forgetWhenPossible(redis: RedisClient, key: PendingKey): Promise<void> {
  for (let tries = 0; tries < RETRIES; tries++) {
    const isForgotten = await forgetKey(redis, key).then(
      () => true,
      () => false,
    );
    if (isForgotten) return;
    await sleep(RETRY_MS, undefined, { ref: false });
  }
}
