// The index of keys: changes, sorting, counts and their age.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createGate } from '../../../src/access/gate/gate.ts';
import { activateKey, prepareKey } from '../../../src/access/keys/issue.ts';
import { type KeyIndexOptions, keyIndexOf } from '../../../src/access/keys/keyIndex.ts';
import { keysOf } from '../../../src/access/keys/keys.ts';
import type { RedisClient } from '../../../src/access/redis/connection.ts';
import { AUDIT, KEY_IDS, keyRecord } from '../../../src/access/redis/keyNames.ts';
import { hashOf } from '../../../src/access/secret.ts';
import { openDatabase, type TestDatabase } from '../../support/redis.ts';
import { retryThrown } from '../../support/retryUnavailable.ts';

let redis: TestDatabase;
beforeAll(async () => {
  redis = await openDatabase();
});
afterAll(() => redis.close());
beforeEach(() => redis.empty());

const issue = (label: string) => keysOf(redis.client).issue({ label, by: 'test' });

describe('the index of keys', () => {
  it('has a change that is followed by more acts than are read at once', async () => {
    const { id } = await issue('Acme');
    const index = keyIndexOf(redis.client);
    expect((await index.list()).map(({ perMinute }) => perMinute)).toEqual([null]);
    await keysOf(redis.client).changeLimits(id, { perMinute: 5 }, 'test');
    const write = redis.client.pipeline();
    for (let i = 0; i < 600; i++) write.xadd(AUDIT, '*', 'by', 'ada', 'act', 'signin');
    await write.exec();
    expect((await index.list()).map(({ perMinute }) => perMinute)).toEqual([5]);
  });

  it('has a key that took as long to be made as it may, while others acted', async () => {
    const index = keyIndexOf(redis.client);
    const pending = await prepareKey(redis.client, { label: 'slow', perMinute: null, perDay: null });
    // The time passes in the audit log only, so the pending key must not expire.
    await redis.client.persist(keyRecord(pending.hash));
    const act = (atMs: number, ...fields: string[]) =>
      redis.client.xadd(AUDIT, `${atMs}-0`, 'by', 'ada', ...fields);
    await act(100_000, 'act', 'issue', 'keyId', pending.id);
    await act(105_000, 'act', 'signin');
    expect(await index.list()).toEqual([]);
    await activateKey(redis.client, pending);
    expect((await index.list()).map(({ label }) => label)).toEqual(['slow']);
  });

  it('is read anew when the audit log is not the one that it followed', async () => {
    const { key } = await issue('Acme');
    const index = keyIndexOf(redis.client);
    expect((await index.list()).map(({ label }) => label)).toEqual(['Acme']);
    await redis.client.del(AUDIT);
    await redis.client.hset(keyRecord(hashOf(key)), { label: 'Other' });
    expect((await index.list()).map(({ label }) => label)).toEqual(['Other']);
  });

  it('sorts labels by the numbers in them, and compares them without case, accents, widths and runs of spaces', async () => {
    for (const label of ['Desk 10', 'ｄｅｓｋ  ９', 'Désk 9a', 'desk 100']) await issue(label);
    const keys = [...(await keyIndexOf(redis.client).list())];
    const byLabel = keys.sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1));
    expect(byLabel.map(({ foldedLabel }) => foldedLabel)).toEqual([
      'desk 9',
      'desk 9a',
      'desk 10',
      'desk 100',
    ]);
  });
});

describe('the counts of the index', () => {
  /** An index with a clock that the test sets, and a count of the reads of keys. */
  async function anIndex(options: KeyIndexOptions = {}) {
    const { key, id } = await issue('Acme');
    // Each `list` reads a recently changed key again. Without the audit log, no key counts as changed.
    await redis.client.del(AUDIT);
    const clock = { ms: 0 };
    const calls = { count: 0, fail: false };
    const client: RedisClient = new Proxy(redis.client, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        if (name !== 'eval') return value.bind(target);
        return (...given: unknown[]) => {
          calls.count += 1;
          if (calls.fail) return Promise.reject(new Error('Connection is closed.'));
          return value.apply(target, given);
        };
      },
    });
    // By default, the timer's interval is longer than a test, because most tests are not about the timer.
    const index = keyIndexOf(client, { nowMs: () => clock.ms, refreshMs: 3_600_000, ...options });
    /** Calls `list`, and returns how many reads of keys it caused. */
    const look = async () => {
      const before = calls.count;
      await index.list();
      return calls.count - before;
    };
    const use = (usedMs: number) => redis.client.hset(keyRecord(hashOf(key)), 'used', usedMs);
    return { id, key, index, clock, calls, look, use };
  }

  it('have each of two uses within a second, though the first read came between them', async () => {
    const { key, index, clock } = await anIndex();
    const gate = createGate(redis.client, { perMinute: 100, perDay: 100 });
    for (const today of [1, 2]) {
      await retryThrown(() => gate.admit(hashOf(key)));
      expect((await index.list())[0]?.dayUse).toBeGreaterThanOrEqual(today);
      clock.ms = 9501;
    }
  });

  it('are read again once they are 9.5 s old, and are as old as their last read', async () => {
    const { clock, look } = await anIndex();
    expect(await look()).toBe(1);
    for (const [ms, reads] of [
      [9500, 0],
      [9501, 1],
      [19_001, 0],
      [19_002, 1],
    ] as const) {
      clock.ms = ms;
      expect([ms, await look()]).toEqual([ms, reads]);
    }
  });

  it('are read again without a look until five minutes after the last one', async () => {
    const { index, clock, calls, use } = await anIndex({ refreshMs: 5 });
    await index.list();
    await use(1000);
    // Counts are read by the timer only, until five minutes after the last `list`.
    while (clock.ms < 300_000 || calls.count < 4) {
      clock.ms = Math.min(300_000, clock.ms + 100_000);
      await sleep(10);
    }
    clock.ms = 300_001;
    await sleep(30);
    const after = calls.count;
    clock.ms = 300_002;
    await sleep(30);
    expect(calls.count).toBe(after);
    expect((await index.list()).map(({ usedMs }) => usedMs)).toEqual([1000]);
    // `list` has started the timer again.
    clock.ms = 300_003;
    while (calls.count === after) await sleep(5);
    clock.ms = 900_000;
  });

  it('that cannot be read fail the look, and are read at the next one', async () => {
    const { index, calls, clock } = await anIndex();
    calls.fail = true;
    await expect(index.list()).rejects.toThrow('Connection is closed.');
    calls.fail = false;
    expect(await index.list()).toHaveLength(1);
    calls.fail = true;
    clock.ms = 20_000;
    await expect(index.list()).rejects.toThrow('Connection is closed.');
    calls.fail = false;
    expect(await index.list()).toHaveLength(1);
  });

  it('go on being read after a read without a look has failed', async () => {
    const { index, calls, clock } = await anIndex({ refreshMs: 5 });
    await index.list();
    for (const fail of [true, false]) {
      calls.fail = fail;
      const before = calls.count;
      while (calls.count < before + 2) {
        clock.ms += 1;
        await sleep(5);
      }
    }
    clock.ms = 600_000;
  });

  it('are there for the first look when they were read in advance, once', async () => {
    const { index, calls, look } = await anIndex();
    index.warm();
    index.warm();
    while (calls.count === 0) await sleep(1);
    expect(await look()).toBe(0);
    expect(await index.list()).toHaveLength(1);
    const before = calls.count;
    index.warm();
    await sleep(20);
    expect([before, calls.count]).toEqual([1, 1]);
  });

  it('may be read in advance without Redis', async () => {
    const { index, calls } = await anIndex();
    calls.fail = true;
    index.warm();
    while (calls.count === 0) await sleep(1);
    await sleep(5);
    calls.fail = false;
    expect(await index.list()).toHaveLength(1);
  });
});

it('a look has what was done before it began, also while a read is under way', async () => {
  await issue('first');
  const index = keyIndexOf(redis.client);
  for (const label of ['second', 'third']) {
    const looks = [index.list()];
    await issue(label);
    looks.push(index.list());
    const [, last] = await Promise.all(looks);
    expect(last?.map((key) => key.label)).toContain(label);
  }
});

it('a rotation names both keys: neither the others nor all of them are read again', async () => {
  const { id } = await issue('Acme');
  await issue('Other');
  const index = keyIndexOf(redis.client);
  await index.list();
  const hgetall = jest.spyOn(redis.client, 'hgetall');
  try {
    await keysOf(redis.client).rotate(id, { graceMs: 60_000, by: 'test' });
    expect((await index.list()).map(({ label }) => label).sort()).toEqual(['Acme', 'Acme', 'Other']);
    expect(hgetall.mock.calls).not.toContainEqual([KEY_IDS]);
  } finally {
    hgetall.mockRestore();
  }
});
