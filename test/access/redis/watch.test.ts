import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { watchRedis } from '../../../src/access/redis/watch.ts';
import { openDatabase } from '../../support/redis.ts';

it('Redis counts as away until it has answered once', async () => {
  const redis = await openDatabase();
  const watch = watchRedis(redis.client);
  expect(watch.isUp()).toBe(false);
  while (!watch.isUp()) await sleep(5);
  watch.stop();
  await redis.close();
});

it('Redis counts as away while it is connected and does not answer', async () => {
  const redis = await openDatabase();
  const silent: typeof redis.client = Object.create(redis.client, {
    ping: { value: () => new Promise(() => {}) },
  });
  const watch = watchRedis(silent);
  await sleep(1100);
  expect([silent.status, watch.isUp()]).toEqual(['ready', false]);
  watch.stop();
  await redis.close();
});
