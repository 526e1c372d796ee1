// The use of keys in the index is that of the records.

import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createGate } from '../../../src/access/gate/gate.ts';
import { type KeyInfo, stateByExpiry } from '../../../src/access/keys/keyRecords.ts';
import { type Keys, keysOf } from '../../../src/access/keys/keys.ts';
import { withFreshUse } from '../../../src/access/keys/keyUse.ts';
import { dayLog, keyRecord } from '../../../src/access/redis/keyNames.ts';
import { hashOf } from '../../../src/access/secret.ts';
import { openDatabase, type TestDatabase } from '../../support/redis.ts';
import { retryThrown } from '../../support/retryUnavailable.ts';
import { inOneDay } from '../../support/wholeDay.ts';

let redis: TestDatabase;
let keys: Keys;
beforeAll(async () => {
  redis = await openDatabase();
  keys = keysOf(redis.client);
});
afterAll(() => redis.close());
beforeEach(inOneDay);
beforeEach(() => redis.empty());

const now = async () => 1000 * Number((await redis.client.time())[0]);

it('the use of many keys is what a new list of them says', async () => {
  const hashes = new Map<string, string>();
  for (let i = 0; i < 150; i++) {
    const { id, key } = await keys.issue({ label: `${i}`, by: 'ada' });
    hashes.set(id, hashOf(key));
  }
  const listed = async () => (await keys.list()).map((key) => ({ ...key, hash: hashes.get(key.id) ?? '' }));
  const before = { keys: await listed(), countedMs: await now() };
  const gate = createGate(redis.client, { perMinute: 1000, perDay: 1000 });
  // Every third key makes one request, every fifth one makes two.
  for (const [i, { hash }] of before.keys.entries())
    for (let times = 0; times < Number(i % 3 === 0) + 2 * Number(i % 5 === 0); times++)
      await retryThrown(() => gate.admit(hash));
  const counted = await withFreshUse(redis.client, before);
  expect(counted.keys).toEqual(await listed());
  expect(counted.keys.filter(({ dayUse }) => dayUse > 0).length).toBe(70);
  expect(counted.countedMs).toBeGreaterThanOrEqual(before.countedMs);
  expect(counted.countedMs).toBeLessThanOrEqual((await now()) + 1000);
  expect(await withFreshUse(redis.client, { keys: [], countedMs: 0 })).toMatchObject({ keys: [] });
});

it('the count of a key is read again when it may have changed since, and only then', async () => {
  const { id, key } = await keys.issue({ label: 'Acme', by: 'ada' });
  const hash = hashOf(key);
  const listed = await keys.find(id);
  if (listed === null) throw new Error('the key is not listed');
  const nowMs = await now();
  const [earlier, justNow] = [nowMs - 60_000, nowMs - 1000];
  /** Counts a key whose stored count, 7, is wrong. Returns 7 when the stored count is used, and 0 when it is read again. */
  const countOf = async (usedNow: number | null, known: Partial<KeyInfo>) => {
    await redis.client.hdel(keyRecord(hash), 'used');
    if (usedNow !== null) await redis.client.hset(keyRecord(hash), 'used', usedNow);
    const before = {
      keys: [{ ...listed, dayUseFallsMs: null, dayUse: 7, ...known, hash }],
      countedMs: nowMs,
    };
    return (await withFreshUse(redis.client, before)).keys[0]?.dayUse;
  };
  expect(await countOf(null, { usedMs: null })).toBe(7);
  expect(await countOf(earlier, { usedMs: earlier })).toBe(7);
  expect(await countOf(earlier, { usedMs: earlier, dayUseFallsMs: nowMs + 60_000 })).toBe(7);
  expect(await countOf(earlier, { usedMs: null })).toBe(0);
  expect(await countOf(earlier, { usedMs: earlier - 5000 })).toBe(0);
  // The last use is recorded once a second. Later requests of that second may be missing, so the count is read again.
  expect(await countOf(justNow, { usedMs: justNow })).toBe(0);
  expect(await countOf(earlier, { usedMs: earlier, dayUseFallsMs: nowMs - 5 })).toBe(0);
});

it('a key whose log is damaged is listed as damaged, and other keys are listed as they are', async () => {
  const issued = await Promise.all(['Acme', 'Other'].map((label) => keys.issue({ label, by: 'ada' })));
  const listed = (await keys.list()).map((key) => {
    const { key: own = '' } = issued.find(({ id }) => id === key.id) ?? {};
    // The record has no use at 5 ms, so the key counts as changed and is counted again.
    return { ...key, hash: hashOf(own), usedMs: 5 };
  });
  const damaged = listed.find(({ label }) => label === 'Acme')?.hash ?? '';
  await redis.client.rpush(dayLog(damaged), 'nan');
  const counted = await withFreshUse(redis.client, { keys: listed, countedMs: await now() });
  expect(
    Object.fromEntries(counted.keys.map(({ label, state, dayUse }) => [label, [state, dayUse]])),
  ).toEqual({
    Acme: ['damaged', 0],
    Other: ['active', 0],
  });
  expect(counted.keys.map(({ dayUseFallsMs }) => dayUseFallsMs)).toEqual([null, null]);
  expect(counted.keys.map(({ usedMs }) => usedMs)).toEqual([null, null]);
});

it('a key has expired from the millisecond of its end on', () => {
  const active = { state: 'active', endedMs: null };
  expect(stateByExpiry(null, 5)).toEqual(active);
  expect(stateByExpiry(5, 4)).toEqual(active);
  expect(stateByExpiry(5, 5)).toEqual({ state: 'expired', endedMs: 5 });
});
