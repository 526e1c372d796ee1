// The life of a key: issuing, listing, limits, rotation, revoking, renaming.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readAudit } from '../../../src/access/audit.ts';
import { keyIndexOf } from '../../../src/access/keys/keyIndex.ts';
import { type KeyInfo, LAST_MS } from '../../../src/access/keys/keyRecords.ts';
import { type Keys, keysOf } from '../../../src/access/keys/keys.ts';
import { isWellFormedKey } from '../../../src/access/keys/keyText.ts';
import { withFreshUse } from '../../../src/access/keys/keyUse.ts';
import type { RedisClient } from '../../../src/access/redis/connection.ts';
import { AUDIT, dayLog, KEY_IDS, keyRecord, minuteLog } from '../../../src/access/redis/keyNames.ts';
import { hashOf } from '../../../src/access/secret.ts';
import { beforeCommand } from '../../support/beforeCommand.ts';
import { openDatabase, startRedis, type TestDatabase } from '../../support/redis.ts';
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

const DAY_MS = 86_400_000;
const by = 'ada';
const now = async () => {
  const [seconds, microseconds] = (await redis.client.time()).map(Number);
  return (seconds ?? 0) * 1000 + Math.floor((microseconds ?? 0) / 1000);
};
const deeds = async () =>
  (await readAudit(redis.client, { count: 100 })).map(({ by, act, keyId, details }) => [
    by,
    act,
    keyId,
    details,
  ]);

/**
 * A client that calls `act` just before the script that completes a change of a key: the revocation of an unused key, or a
 * rotation with the grace GRACE_MS.
 */
const beforeTheLastCall = (act: () => Promise<unknown>): RedisClient =>
  beforeCommand(
    redis.client,
    (name, args) => name === 'eval' && (args.includes('unused') || args.includes(GRACE_MS)),
    act,
  );

const GRACE_MS = 60_000;

describe('issue', () => {
  it('gives a well-formed key and stores only its hash, its last four characters and its record', async () => {
    const before = await now();
    const { key, id, label } = await keys.issue({ label: 'Acme', by });
    expect([isWellFormedKey(key), label]).toEqual([true, 'Acme']);
    expect(id).toMatch(/^k[0-9a-z]{10}$/);
    const record = await redis.client.hgetall(keyRecord(hashOf(key)));
    expect(record).toEqual({
      id,
      label,
      state: 'active',
      last4: key.slice(-4),
      created: expect.stringMatching(/^\d{13}$/),
    });
    expect(Number(record.created)).toBeGreaterThanOrEqual(before);
    expect(await redis.client.pttl(keyRecord(hashOf(key)))).toBe(-1);
    expect(await redis.client.hgetall(KEY_IDS)).toEqual({ [id]: hashOf(key) });
    expect(await deeds()).toEqual([[by, 'issue', id, { label }]]);
  });

  it.each([
    [512, 'Acme Analytics'],
    [1024, 'x'.repeat(100)],
  ])('keeps an idle key in less than %i bytes, labelled %s', async (most, label) => {
    const { key, id } = await keys.issue({ label, by });
    await redis.client.hset(keyRecord(hashOf(key)), 'used', await now());
    const record = await redis.client.memory('USAGE', keyRecord(hashOf(key)));
    // The index has an entry for the key: its hash of 64 characters, its id, and about 100 bytes of a hash table.
    expect(Number(record) + id.length + 64 + 100).toBeLessThan(most);
  });
});

describe('list', () => {
  it('gives the whole record of each key, oldest first', async () => {
    const first = await keys.issue({ label: 'first', by });
    const second = await keys.issue({ label: 'second', by });
    const hash = hashOf(second.key);
    const at = await now();
    await redis.client.hset(keyRecord(hash), {
      used: at,
      perMinute: 5,
      perDay: 50,
      note: 'for the notebooks',
    });
    // Otherwise both keys may have the same millisecond of issue, and would be listed by their ids.
    await redis.client.hset(keyRecord(hashOf(first.key)), { created: at - 1000 });
    const [a, b] = await keys.list();
    expect(a).toEqual({
      id: first.id,
      label: 'first',
      state: 'active',
      last4: first.key.slice(-4),
      createdMs: at - 1000,
      expiresMs: null,
      endedMs: null,
      usedMs: null,
      perMinute: null,
      perDay: null,
      note: null,
      plannedEndMs: null,
      dayUse: 0,
      dayUseFallsMs: null,
    });
    expect(b).toMatchObject({
      id: second.id,
      usedMs: at,
      perMinute: 5,
      perDay: 50,
      note: 'for the notebooks',
    });
    expect(await keys.find(second.id)).toEqual(b);
  });

  it('lists keys of the same millisecond in the order of their ids, whatever their order in Redis', async () => {
    const issued = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((label) => keys.issue({ label, by })),
    );
    const created = await now();
    for (const { key } of issued) await redis.client.hset(keyRecord(hashOf(key)), { created });
    const ids = (await keys.list()).map(({ id }) => id);
    expect(ids).toEqual(issued.map(({ id }) => id).sort());
  });

  it('counts the admissions of the last 24 hours exactly, whatever the age of the log', async () => {
    const { key, id } = await keys.issue({ label: 'Acme', by });
    const log = dayLog(hashOf(key));
    await fc.assert(
      fc.asyncProperty(fc.nat(60), fc.nat(60), async (older, younger) => {
        const cutUs = ((await now()) - DAY_MS) * 1000;
        const times = [
          ...Array.from({ length: older }, (_, i) => cutUs - (older - i) * 1_000_000),
          ...Array.from({ length: younger }, (_, i) => cutUs + 60_000_000 + i),
        ];
        await redis.client.del(log);
        if (times.length > 0) await redis.client.rpush(log, ...times);
        expect((await keys.find(id))?.dayUse).toBe(younger);
      }),
      { numRuns: 50 },
    );
  });

  it('leaves out keys that are still pending, and removes ids whose key has expired', async () => {
    const { key, id } = await keys.issue({ label: 'Acme', by });
    const { key: pending, id: pendingId } = await keys.issue({ label: 'pending', by });
    await redis.client.hset(keyRecord(hashOf(pending)), 'state', 'pending');
    await redis.client.hset(KEY_IDS, 'kvanished', 'f'.repeat(64));
    expect((await keys.list()).map((found) => found.id)).toEqual([id]);
    expect(await redis.client.hgetall(KEY_IDS)).toEqual({
      [id]: hashOf(key),
      [pendingId]: hashOf(pending),
    });
  });

  it('lists a thousand keys', async () => {
    for (let round = 0; round < 10; round++)
      await Promise.all(Array.from({ length: 100 }, (_, i) => keys.issue({ label: `${round}.${i}`, by })));
    const found = await keys.list();
    expect(new Set(found.map(({ label }) => label)).size).toBe(1000);
    expect(found.map(({ createdMs }) => createdMs)).toEqual(
      found.map(({ createdMs }) => createdMs).sort((a, b) => a - b),
    );
  });
});

describe('revoke', () => {
  it('marks the key, which stays in the list', async () => {
    const { key, id } = await keys.issue({ label: 'Acme', by });
    expect(await keys.revoke(id, 'bob')).toBe('revoked');
    expect(await redis.client.hget(keyRecord(hashOf(key)), 'state')).toBe('revoked');
    expect(await keys.list()).toMatchObject([{ id, state: 'revoked' }]);
    expect((await deeds())[0]).toEqual(['bob', 'revoke', id, { label: 'Acme' }]);
  });

  it('tells that a key is already revoked, and does not log it again', async () => {
    const { id } = await keys.issue({ label: 'Acme', by });
    await keys.revoke(id, by);
    expect(await keys.revoke(id, by)).toBe('already');
    expect(await deeds()).toHaveLength(2);
  });

  it('fails and leaves the key active where the audit log cannot be written', async () => {
    const { id } = await keys.issue({ label: 'Acme', by });
    await redis.client.set(AUDIT, 'no stream');
    await expect(keys.revoke(id, by)).rejects.toThrow('WRONGTYPE');
    expect(await keys.find(id)).toMatchObject({ state: 'active' });
  });
});

describe('revoking an unused key', () => {
  it('revokes a key that was never used, once', async () => {
    const { id } = await keys.issue({ label: 'Acme', by });
    expect(await keys.revokeUnused(id, 'bob')).toBe('revoked');
    expect(await keys.find(id)).toMatchObject({ state: 'revoked' });
    expect((await deeds())[0]).toEqual(['bob', 'revoke', id, { label: 'Acme' }]);
    expect(await keys.revokeUnused(id, 'bob')).toBe('already');
    expect(await keys.revokeUnused('k2345678abc', 'bob')).toBe('unknown');
  });

  it('changes nothing about a key that was used, which is not logged', async () => {
    const { key, id } = await keys.issue({ label: 'Acme', by });
    await redis.client.hset(keyRecord(hashOf(key)), 'used', await now());
    expect(await keys.revokeUnused(id, 'bob')).toBe('used');
    expect(await keys.find(id)).toMatchObject({ state: 'active' });
    expect(await deeds()).toHaveLength(1);
  });

  it('changes nothing about a key that is used the moment before', async () => {
    const { key, id } = await keys.issue({ label: 'Acme', by });
    const use = async () => void (await redis.client.hset(keyRecord(hashOf(key)), 'used', await now()));
    expect(await keysOf(beforeTheLastCall(use)).revokeUnused(id, 'bob')).toBe('used');
    expect(await keys.find(id)).toMatchObject({ state: 'active' });
  });
});

describe('the end of a key', () => {
  it('is the end of its grace, or its revocation where that comes first', async () => {
    const [rotated, both, revoked] = await Promise.all(
      ['rotated', 'both', 'revoked'].map((label) => keys.issue({ label, by })),
    );
    const ids = [rotated, both, revoked].map((issued) => issued?.id ?? '');
    const [rotatedId = '', bothId = '', revokedId = ''] = ids;
    await keys.rotate(rotatedId, { graceMs: 0, by });
    const { expiresMs = 0, endedMs: atExpiry } = (await keys.find(rotatedId)) ?? {};
    expect(atExpiry).toBe(expiresMs);
    await keys.rotate(bothId, { graceMs: 3_600_000, by });
    const before = await now();
    for (const id of ids) expect(await keys.revoke(id, by)).toBe('revoked');
    const after = await now();
    expect(await keys.find(rotatedId)).toMatchObject({ state: 'revoked', endedMs: expiresMs });
    for (const id of [bothId, revokedId]) {
      const { endedMs } = (await keys.find(id)) ?? {};
      expect(endedMs).toBeGreaterThanOrEqual(before);
      expect(endedMs).toBeLessThanOrEqual(after);
    }
  });

  it('is unknown while the key works, and for keys revoked before it was recorded', async () => {
    const { id, key } = await keys.issue({ label: 'Acme', by });
    await keys.rotate(id, { graceMs: 3_600_000, by });
    expect(await keys.find(id)).toMatchObject({ state: 'active', endedMs: null });
    await redis.client.hset(keyRecord(hashOf(key)), 'state', 'revoked');
    expect(await keys.find(id)).toMatchObject({ state: 'revoked', endedMs: null });
  });
});

describe('the use of the last 24 hours', () => {
  it('is read again once it falls, together with whether a key has expired meanwhile', async () => {
    const { id, key } = await keys.issue({ label: 'Acme', by });
    const nowMs = await now();
    const known = { ...((await keys.find(id)) as KeyInfo), hash: hashOf(key) };
    const stateOf = async (changes: Partial<KeyInfo>) => {
      const counted = { keys: [{ ...known, ...changes }], countedMs: nowMs };
      const [{ state, endedMs } = known] = (await withFreshUse(redis.client, counted)).keys;
      return { state, endedMs };
    };
    expect(await stateOf({})).toEqual({ state: 'active', endedMs: null });
    expect(await stateOf({ expiresMs: nowMs + 60_000 })).toEqual({ state: 'active', endedMs: null });
    expect(await stateOf({ expiresMs: nowMs - 5 })).toEqual({ state: 'expired', endedMs: nowMs - 5 });
    const dayUseOf = async (dayUseFallsMs: number) => {
      const counted = { keys: [{ ...known, usedMs: null, dayUse: 7, dayUseFallsMs }], countedMs: nowMs };
      return (await withFreshUse(redis.client, counted)).keys[0]?.dayUse;
    };
    // A count falls when an admission becomes a day old. Only then is it read again.
    expect([await dayUseOf(nowMs - 5), await dayUseOf(nowMs + 60_000)]).toEqual([0, 7]);
    const revoked = { state: 'revoked', expiresMs: nowMs - 5, endedMs: nowMs - 9 } as const;
    expect(await stateOf(revoked)).toEqual({ state: 'revoked', endedMs: nowMs - 9 });
  });

  it('is counted in the key’s own time after the clock stepped back', async () => {
    const { id, key } = await keys.issue({ label: 'Acme', by });
    const hour = 3_600_000_000;
    const clock = (await now()) * 1000;
    // After the admission at +6 h, the clock stepped back by six hours. The admission at -20 h is more than a day before
    // the one at +6 h.
    await redis.client.hset(keyRecord(hashOf(key)), 'ahead', 6 * hour);
    await redis.client.rpush(dayLog(hashOf(key)), clock - 20 * hour, clock - 10 * hour, clock + 6 * hour);
    expect(await keys.find(id)).toMatchObject({ dayUse: 2 });
  });
});

describe('rotate', () => {
  it('makes a key with the same label, limits and note, and ends the old one after the grace', async () => {
    const old = await keys.issue({ label: 'Acme', by });
    await keys.changeLimits(old.id, { perMinute: 7, perDay: 70 }, by);
    await redis.client.hset(keyRecord(hashOf(old.key)), { note: 'for the notebooks' });
    const before = await now();
    const rotation = await keys.rotate(old.id, { graceMs: 3_600_000, by });
    const after = await now();
    if (rotation.outcome !== 'rotated') throw new Error(rotation.outcome);
    expect(rotation.label).toBe('Acme');
    expect(rotation.oldExpiresMs).toBeGreaterThanOrEqual(before + 3_600_000);
    expect(rotation.oldExpiresMs).toBeLessThanOrEqual(after + 3_600_000);
    const list = await keys.list();
    expect(list.find(({ id }) => id === old.id)).toMatchObject({
      state: 'active',
      expiresMs: rotation.oldExpiresMs,
    });
    expect(list.find(({ id }) => id === rotation.id)).toMatchObject({
      state: 'active',
      last4: rotation.key.slice(-4),
      perMinute: 7,
      perDay: 70,
      note: 'for the notebooks',
      expiresMs: null,
    });
    const details = { label: 'Acme', newKeyId: rotation.id, graceSeconds: '3600' };
    expect((await deeds())[0]).toEqual([by, 'rotate', old.id, details]);
  });

  it('ends the old key at once without a grace', async () => {
    const { id } = await keys.issue({ label: 'Acme', by });
    await keys.rotate(id, { graceMs: 0, by });
    expect(await keys.find(id)).toMatchObject({ state: 'expired' });
  });

  it('makes a key that ends when the old one was to end, whatever the grace', async () => {
    const { key, id } = await keys.issue({ label: 'Acme', by });
    const end = (await now()) + 86_400_000;
    await redis.client.hset(keyRecord(hashOf(key)), { expires: end, end });
    expect(await keys.find(id)).toMatchObject({ expiresMs: end, plannedEndMs: end });
    const rotation = await keys.rotate(id, { graceMs: 1000, by });
    if (rotation.outcome !== 'rotated') throw new Error(rotation.outcome);
    expect(await keys.find(rotation.id)).toMatchObject({ expiresMs: end, plannedEndMs: end });
  });

  it('never lengthens a grace', async () => {
    const { id } = await keys.issue({ label: 'Acme', by });
    await keys.rotate(id, { graceMs: 60_000, by });
    const ends = (await keys.find(id))?.expiresMs;
    const again = await keys.rotate(id, { graceMs: 600_000, by });
    expect(again).toMatchObject({ outcome: 'rotated', oldExpiresMs: ends });
  });

  it('makes no key when the old one is revoked the moment before', async () => {
    const { id } = await keys.issue({ label: 'Acme', by });
    const client = beforeTheLastCall(async () => void (await keys.revoke(id, 'bob')));
    const rotation = await keysOf(client).rotate(id, { graceMs: GRACE_MS, by });
    expect(rotation).toEqual({ outcome: 'revoked' });
    expect(await keys.list()).toMatchObject([{ id, state: 'revoked' }]);
  });

  it.each([
    ['revoked', (id: string) => keys.revoke(id, by)],
    ['expired', (id: string) => keys.rotate(id, { graceMs: 0, by })],
  ])('refuses a key that is %s, and makes none', async (state, end) => {
    const { id } = await keys.issue({ label: 'Acme', by });
    await end(id);
    const before = await keys.list();
    expect(await keys.rotate(id, { graceMs: 1000, by })).toEqual({ outcome: state });
    expect(await keys.list()).toEqual(before);
  });
});

describe('limit', () => {
  it('tells that nothing would change, and does not log it', async () => {
    const { id } = await keys.issue({ label: 'Acme', by });
    expect(await keys.changeLimits(id, { perMinute: null, perDay: null }, by)).toBe('same');
    expect(await keys.changeLimits(id, { perMinute: 5 }, by)).toBe('changed');
    expect(await keys.changeLimits(id, { perMinute: 5 }, by)).toBe('same');
    expect(await keys.changeLimits(id, { perMinute: 5, perDay: 9 }, by)).toBe('changed');
    expect((await deeds()).map(([, act]) => act)).toEqual(['limits', 'limits', 'issue']);
  });

  it('sets one limit and leaves the other; null restores the default of the settings', async () => {
    const { key, id } = await keys.issue({ label: 'Acme', by });
    const own = () => redis.client.hmget(keyRecord(hashOf(key)), 'perMinute', 'perDay');
    expect(await keys.changeLimits(id, { perMinute: 5 }, by)).toBe('changed');
    expect(await own()).toEqual(['5', null]);
    await keys.changeLimits(id, { perDay: 500 }, by);
    expect(await own()).toEqual(['5', '500']);
    await keys.changeLimits(id, { perMinute: null, perDay: 600 }, by);
    expect(await own()).toEqual([null, '600']);
    expect((await deeds())[0]).toEqual([
      by,
      'limits',
      id,
      { label: 'Acme', perMinute: 'default', perDay: '600' },
    ]);
  });

  it('is not reported for a key whose record goes the moment before, and writes no record', async () => {
    const { key, id } = await keys.issue({ label: 'Acme', by });
    const lose = () => redis.client.del(keyRecord(hashOf(key)));
    const client = beforeCommand(redis.client, (_, args) => args.at(-2) === 'perDay', lose);
    expect(await keysOf(client).changeLimits(id, { perDay: 5 }, by)).toBe('unknown');
    expect(await redis.client.exists(keyRecord(hashOf(key)))).toBe(0);
  });
});

it('the use of the last minute is what a key was admitted in it, by its id', async () => {
  const { key, id } = await keys.issue({ label: 'Acme', by });
  const ms = await now();
  const times = [ms - 61_000, ms - 30_000, ms].map((time) => time * 1000);
  await redis.client.rpush(minuteLog(hashOf(key)), ...times);
  expect(await keys.minuteUse(id)).toBe(2);
});

it('an unknown id has no use', async () => {
  for (const id of ['k2345678abc', 'no id'])
    expect([(await keys.usage(id)).days, await keys.minuteUse(id)]).toEqual([[], 0]);
});

describe('a malformed id', () => {
  it.each([
    ['of the right form', 'k2345678abc'],
    ['empty', ''],
    ['two words', 'a b'],
    ['a name of JavaScript', '__proto__'],
    ['10 KB long', 'x'.repeat(10_000)],
  ])('is unknown when it is %s', async (_, id) => {
    expect(await keys.find(id)).toBeNull();
    expect(await keys.revoke(id, by)).toBe('unknown');
    expect(await keys.changeLimits(id, { perMinute: 1 }, by)).toBe('unknown');
    expect(await keys.rotate(id, { graceMs: 1, by })).toEqual({ outcome: 'unknown' });
    expect(await redis.client.dbsize()).toBe(0);
  });

  it('is not sent to Redis when it is the key itself', async () => {
    // The log has the commands of all clients, so this test has a server of its own.
    const own = await startRedis();
    try {
      const { key } = await keysOf(own.client).issue({ label: 'Acme', by });
      await own.client.config('SET', 'slowlog-log-slower-than', 0);
      await own.client.slowlog('RESET');
      expect(await keysOf(own.client).revoke(key, by)).toBe('unknown');
      const logged = JSON.stringify(await own.client.slowlog('GET', 100));
      expect(logged).not.toContain(key);
      expect(logged).not.toContain('hget');
    } finally {
      await own.close();
    }
  });
});

it('a key whose record is gone is neither found nor listed, and the others stay', async () => {
  const [one, gone, other] = [
    await keys.issue({ label: 'one', by }),
    await keys.issue({ label: 'gone', by }),
    await keys.issue({ label: 'other', by }),
  ];
  await redis.client.del(keyRecord(hashOf(gone.key)));
  expect(await keys.find(gone.id)).toBeNull();
  expect(await keys.minuteUse(gone.id)).toBe(0);
  expect(await keys.revoke(gone.id, by)).toBe('unknown');
  for (let times = 0; times < 2; times++)
    expect((await keys.list()).map(({ id }) => id).sort()).toEqual([one.id, other.id].sort());
  expect((await redis.client.hkeys(KEY_IDS)).sort()).toEqual([one.id, other.id].sort());
});

it('a key may expire at the last time that a date can hold', async () => {
  const { id, key } = await keys.issue({ label: 'Acme', by });
  await redis.client.hset(keyRecord(hashOf(key)), { expires: String(LAST_MS) });
  expect(await keys.list()).toMatchObject([{ id, state: 'active', expiresMs: LAST_MS }]);
  expect(new Date(LAST_MS).getTime()).toBe(LAST_MS);
  expect(new Date(LAST_MS + 1).getTime()).toBeNaN();
});

describe('a damaged record', () => {
  it.each<[string, (hash: string) => Promise<unknown>]>([
    ['of another type', (hash) => redis.client.set(keyRecord(hash), 'x')],
    ['with a time that is none', (hash) => redis.client.hset(keyRecord(hash), { expires: '1e300' })],
    [
      'with a time after the last',
      (hash) => redis.client.hset(keyRecord(hash), { expires: `${LAST_MS + 1}` }),
    ],
    ['with an unknown state', (hash) => redis.client.hset(keyRecord(hash), { state: 'Active' })],
    ['without an id', (hash) => redis.client.hdel(keyRecord(hash), 'id')],
    ['without the time of its creation', (hash) => redis.client.hdel(keyRecord(hash), 'created')],
    ['with a log of another type', (hash) => redis.client.set(dayLog(hash), 'x')],
    ['with a log of the minute of another type', (hash) => redis.client.set(minuteLog(hash), 'x')],
    ['with a log whose first entry is no time', (hash) => redis.client.rpush(dayLog(hash), 'x')],
    ['with a log whose first entry is NaN to Lua', (hash) => redis.client.rpush(dayLog(hash), 'nan')],
    ['with a log whose later entry is infinite', (hash) => redis.client.rpush(dayLog(hash), '1', 'inf')],
    ['with a log of the minute that begins with nan', (hash) => redis.client.rpush(minuteLog(hash), 'nan')],
    ['with an empty limit', (hash) => redis.client.hset(keyRecord(hash), { perMinute: '' })],
    ['with a negative limit', (hash) => redis.client.hset(keyRecord(hash), { perDay: '-5' })],
  ])('%s hides no other key, and is replaced when its key is revoked', async (_, damage) => {
    const whole = await keys.issue({ label: 'whole', by });
    const { id, key } = await keys.issue({ label: 'Acme', by });
    let looks = 0;
    // Each reading of this clock is a minute later, so `list` always finds the counts too old and reads them again.
    const index = keyIndexOf(redis.client, { nowMs: () => 60_000 * looks++, refreshMs: 3_600_000 });
    expect((await index.list()).map(({ state }) => state)).toEqual(['active', 'active']);
    const hash = hashOf(key);
    await damage(hash);
    const states = (list: readonly KeyInfo[]) => Object.fromEntries(list.map((one) => [one.id, one.state]));
    expect(states(await keys.list())).toEqual({ [whole.id]: 'active', [id]: 'damaged' });
    expect(states(await keyIndexOf(redis.client).list())).toEqual({ [whole.id]: 'active', [id]: 'damaged' });
    expect(await index.list()).toHaveLength(2);
    expect(await keys.changeLimits(id, { perDay: 1 }, by)).toBe('damaged');
    expect(await keys.rotate(id, { graceMs: 0, by })).toEqual({ outcome: 'damaged' });
    expect(await keys.revoke(id, by)).toBe('revoked');
    expect(states(await keys.list())).toEqual({ [whole.id]: 'active', [id]: 'revoked' });
    expect(states(await index.list())).toEqual({ [whole.id]: 'active', [id]: 'revoked' });
  });
});
