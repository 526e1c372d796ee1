// Visits to the pages are counted by address, on all servers together.

import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Options } from 'express-rate-limit';
import { visitStore } from '../../src/access/visits.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.close());
beforeEach(() => redis.empty());

/** A store of visit counts, as express-rate-limit makes one in each server. */
async function aStore() {
  const store = visitStore(redis.client);
  await store.init({ windowMs: 60_000 } as Options);
  return store;
}

it('counts the visits of each address on all servers together, for a minute after the first', async () => {
  const [one, other] = [await aStore(), await aStore()];
  const hits = [];
  for (const store of [one, other, one]) hits.push((await store.increment('192.0.2.1')).totalHits);
  expect(hits).toEqual([1, 2, 3]);
  const { totalHits, resetTime } = await other.increment('192.0.2.2');
  expect(totalHits).toBe(1);
  expect(Math.abs(Number(resetTime) - Date.now() - 60_000)).toBeLessThan(10_000);
  expect((await redis.client.keys('*')).sort()).toEqual(['visits:192.0.2.1', 'visits:192.0.2.2']);
  expect(await redis.client.pttl('visits:192.0.2.1')).toBeLessThanOrEqual(60_000);
});

it('begins without Redis, and counts on a Redis that has lost its scripts', async () => {
  await redis.kill();
  const store = await aStore();
  await expect(store.increment('192.0.2.1')).rejects.toThrow();
  await redis.start();
  while (redis.client.status !== 'ready') await new Promise((resolve) => redis.client.once('ready', resolve));
  expect((await store.increment('192.0.2.1')).totalHits).toBe(1);
  await redis.client.script('FLUSH');
  expect((await store.increment('192.0.2.1')).totalHits).toBe(2);
});

it("counts anew after Redis's clock was set back, and shuts nobody out until it is where it was", async () => {
  const store = await aStore();
  for (let i = 0; i < 3; i++) await store.increment('192.0.2.1');
  // This is what a clock that stepped back by a day leaves: the count ends in a day and a minute.
  await redis.client.pexpire('visits:192.0.2.1', 86_400_000 + 60_000);
  const { totalHits, resetTime } = await store.increment('192.0.2.1');
  expect(totalHits).toBe(1);
  expect(Math.abs(Number(resetTime) - Date.now() - 60_000)).toBeLessThan(10_000);
  expect((await store.increment('192.0.2.1')).totalHits).toBe(2);
});
