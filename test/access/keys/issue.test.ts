// A key is pending until its issue is complete.

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  activateKey,
  deletePendingKey,
  deleteUnlessDone,
  type PendingKey,
  prepareKey,
} from '../../../src/access/keys/issue.ts';
import { KEY_IDS, keyRecord } from '../../../src/access/redis/keyNames.ts';
import { openDatabase, type TestDatabase } from '../../support/redis.ts';

let redis: TestDatabase;
let pending: PendingKey;
beforeAll(async () => {
  redis = await openDatabase();
});
afterAll(() => redis.close());
beforeEach(async () => {
  await redis.empty();
  pending = await prepareKey(redis.client, { label: 'Acme', perMinute: null, perDay: null });
});

const record = () => keyRecord(pending.hash);

describe('a pending key', () => {
  it('is listed, is not active, and expires after five seconds', async () => {
    expect(await redis.client.hget(record(), 'state')).toBe('pending');
    expect(await redis.client.hgetall(KEY_IDS)).toEqual({ [pending.id]: pending.hash });
    const left = await redis.client.pttl(record());
    expect(left).toBeGreaterThan(4000);
    expect(left).toBeLessThanOrEqual(5000);
  });

  it('stays active after repeated activation', async () => {
    await activateKey(redis.client, pending);
    await activateKey(redis.client, pending);
    expect(await redis.client.hget(record(), 'state')).toBe('active');
    expect(await redis.client.pttl(record())).toBe(-1);
  });

  it('cannot be activated after it has expired', async () => {
    await redis.client.del(record());
    await expect(activateKey(redis.client, pending)).rejects.toThrow('Redis took too long to make a key');
    expect(await redis.client.exists(record())).toBe(0);
  });

  it('of a failed step is removed as soon as Redis answers again, and only then', async () => {
    const own = redis.connect();
    const { client } = own;
    await own.untilAnswered(60_000);
    const steps = async () => {
      client.disconnect();
      await once(client, 'end');
      throw new Error('cut off');
    };
    await expect(deleteUnlessDone(client, pending, steps)).rejects.toThrow('cut off');
    expect(await redis.client.hexists(KEY_IDS, pending.id)).toBe(1);
    await client.connect();
    while (await redis.client.dbsize()) await sleep(20);
    await redis.client.hset(KEY_IDS, pending.id, 'later');
    // This is longer than the pause between two attempts to remove the key.
    await sleep(300);
    expect(await redis.client.hget(KEY_IDS, pending.id)).toBe('later');
    await own.close();
  });

  it('leaves nothing behind when it is removed', async () => {
    await deletePendingKey(redis.client, pending);
    expect(await redis.client.dbsize()).toBe(0);
  });
});
