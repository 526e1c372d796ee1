// How many requests a key has made on each UTC day.

import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { keyUsage, usageOf } from '../../../src/access/keys/dailyUsage.ts';
import { keysOf } from '../../../src/access/keys/keys.ts';
import { dayOf, keyRecord, usageOfDay } from '../../../src/access/redis/keyNames.ts';
import { hashOf } from '../../../src/access/secret.ts';
import { patientGate } from '../../support/patientGate.ts';
import { startRedis, type TestRedis } from '../../support/redis.ts';
import { inOneDay } from '../../support/wholeDay.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
beforeEach(inOneDay);
beforeEach(() => redis.empty());
afterAll(() => redis.close());

const aKey = async () => hashOf((await keysOf(redis.client).issue({ label: 'a', by: 'a' })).key);

describe('the usage of a key', () => {
  it('counts admitted and limited requests of today, and none of other keys', async () => {
    const [hash, other] = [await aKey(), await aKey()];
    const gate = patientGate(redis.client, { perMinute: 3, perDay: 10 });
    for (let i = 0; i < 5; i++) await gate.admit(hash);
    const date = new Date().toISOString().slice(0, 10);
    expect(await usageOf(redis.client, hash, Date.now())).toEqual([{ date, requests: 3, refused: 2 }]);
    expect(await usageOf(redis.client, other, Date.now())).toEqual([]);
  });

  it('is given with the id, the label, the beginning and the end of the key', async () => {
    const keys = keysOf(redis.client);
    const { key, id } = await keys.issue({ label: 'Acme', by: 'a' });
    const createdMs = (await keys.find(id))?.createdMs;
    const usage = () => keyUsage(redis.client, hashOf(key), Date.now());
    expect(await usage()).toEqual({ id, label: 'Acme', createdMs, expiresMs: null, days: [] });
    await redis.client.hset(keyRecord(hashOf(key)), 'expires', 1_900_000_000_000);
    expect((await usage()).expiresMs).toBe(1_900_000_000_000);
  });

  it.each(['abc', '', '-1', '1e20'])(
    'is 503 for a key whose time of creation is damaged: %j',
    async (created) => {
      const hash = await aKey();
      await redis.client.hset(keyRecord(hash), 'created', created);
      await expect(keyUsage(redis.client, hash, Date.now())).rejects.toMatchObject({ status: 503 });
    },
  );

  it('counts each of the requests that are checked together, by key', async () => {
    const [one, other] = [await aKey(), await aKey()];
    const gate = patientGate(redis.client, { perMinute: 3, perDay: 10 });
    // The requests of one turn of the event loop are sent to Redis in one call.
    await Promise.all([one, other, one, one, one, other, one].map((hash) => gate.admit(hash)));
    const date = new Date().toISOString().slice(0, 10);
    expect(await usageOf(redis.client, one, Date.now())).toEqual([{ date, requests: 3, refused: 2 }]);
    expect(await usageOf(redis.client, other, Date.now())).toEqual([{ date, requests: 2, refused: 0 }]);
    for (const hash of [one, other])
      expect(await redis.client.pttl(usageOfDay(hash, dayOf(Date.now())))).toBeGreaterThan(0);
  });

  it('counts nothing for a key that is revoked or not known, and keeps what was counted before', async () => {
    const gate = patientGate(redis.client, { perMinute: 3, perDay: 10 });
    await gate.admit('f'.repeat(64));
    expect(await redis.client.keys('usage:*')).toEqual([]);
    const { key, id } = await keysOf(redis.client).issue({ label: 'a', by: 'a' });
    const hash = hashOf(key);
    await gate.admit(hash);
    await keysOf(redis.client).revoke(id, 'test');
    await gate.admit(hash);
    const date = new Date().toISOString().slice(0, 10);
    expect(await usageOf(redis.client, hash, Date.now())).toEqual([{ date, requests: 1, refused: 0 }]);
  });

  it('counts a request after midnight UTC for the new day', async () => {
    const hash = await aKey();
    const gate = patientGate(redis.client, { perMinute: 10, perDay: 10 });
    await gate.admit(hash);
    await gate.admit(hash);
    const dayMs = 86_400_000;
    const untilMidnightMs = dayMs - (Date.now() % dayMs);
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + untilMidnightMs);
    try {
      await gate.admit(hash);
    } finally {
      clock.mockRestore();
    }
    const [tomorrow, today] = await usageOf(redis.client, hash, Date.now() + untilMidnightMs);
    expect([tomorrow?.requests, today?.requests]).toEqual([1, 2]);
    expect(Date.parse(tomorrow?.date ?? '') - Date.parse(today?.date ?? '')).toBe(dayMs);
  });

  it('lists the last 31 UTC days, newest first, without days that had no request', async () => {
    const hash = await aKey();
    const now = Date.UTC(2026, 10, 22, 23, 59, 59);
    const today = dayOf(now);
    for (const [ago, count] of [
      [0, 7n],
      [1, (4n << 32n) + 9n],
      [30, 5n << 32n],
      [31, 1n],
    ] as const)
      await redis.client.set(usageOfDay(hash, today - ago), String(count));
    expect(await usageOf(redis.client, hash, now)).toEqual([
      { date: '2026-11-22', requests: 7, refused: 0 },
      { date: '2026-11-21', requests: 9, refused: 4 },
      { date: '2026-10-23', requests: 0, refused: 5 },
    ]);
  });

  it('takes at most 200 bytes a key and day, and expires after the last day on which it is listed', async () => {
    const hash = await aKey();
    const gate = patientGate(redis.client, { perMinute: 2, perDay: 10 });
    for (let i = 0; i < 4; i++) await gate.admit(hash);
    const name = usageOfDay(hash, dayOf(Date.now()));
    expect(await redis.client.memory('USAGE', name, 'SAMPLES', 0)).toBeLessThanOrEqual(200);
    const days = Number(await redis.client.pttl(name)) / 86_400_000;
    expect(days).toBeGreaterThan(31);
    expect(days).toBeLessThanOrEqual(32);
  });

  it.each([
    ['fails', () => Promise.reject(new Error('Connection is closed'))],
    ['does not answer', () => new Promise(() => {})],
  ])('is 503 when Redis %s', async (_, mget) => {
    const away: typeof redis.client = Object.create(redis.client, { mget: { value: mget } });
    await expect(keyUsage(away, await aKey(), Date.now())).rejects.toMatchObject({ status: 503 });
  });
});
