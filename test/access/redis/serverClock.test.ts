// The gate learns the clock of Redis from its replies.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { serverClock } from '../../../src/access/redis/serverClock.ts';
import { openDatabase, type TestDatabase } from '../../support/redis.ts';

const nowMs = () => performance.now();
let redis: TestDatabase;
beforeAll(async () => {
  redis = await openDatabase();
});
afterAll(() => redis.close());

it('is not known before Redis has answered TIME', () => {
  expect(serverClock(redis.client, nowMs).at(nowMs())).toBeNull();
});

it('is asked for when the connection is ready, also where that comes later', async () => {
  const { client, close } = redis.connect();
  expect(client.status).not.toBe('ready');
  for (const clock of [serverClock(client, nowMs), serverClock(redis.client, nowMs)]) {
    while (clock.at(nowMs()) === null) await sleep(1);
    const [seconds = 0] = (await redis.client.time()).map(Number);
    expect(Math.abs((clock.at(nowMs()) ?? 0) - 1000 * seconds)).toBeLessThan(60_000);
  }
  await close();
});

it('keeps the smallest difference that it has seen, until the clock of Redis is set', () => {
  const clock = serverClock(redis.client, nowMs);
  clock.learn(5000, 100);
  expect(clock.at(200)).toBe(5100);
  clock.learn(5200, 250);
  expect(clock.at(200)).toBe(5100);
  clock.learn(5200, 350);
  expect(clock.at(200)).toBe(5050);
  clock.relearn(9000, 400);
  expect(clock.at(200)).toBe(8800);
});
