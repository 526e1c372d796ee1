// The gate: both windows of a key, late and silent Redis, damaged records.

import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createGate, type Gate, nearestWindow, requestsLeft } from '../../../src/access/gate/gate.ts';
import { type IssuedKey, keysOf } from '../../../src/access/keys/keys.ts';
import { dayLog, dayOf, keyRecord, minuteLog, usageOfDay } from '../../../src/access/redis/keyNames.ts';
import { hashOf } from '../../../src/access/secret.ts';
import type { Observation } from '../../../src/observations.ts';
import { some } from '../../support/depth.ts';
import { mostInAMinute, walkTheGate } from '../../support/gateModel.ts';
import { openDatabase, startRedis, type TestDatabase, type TestRedis } from '../../support/redis.ts';
import { retryThrown } from '../../support/retryUnavailable.ts';

let redis: TestDatabase;
beforeAll(async () => {
  redis = await openDatabase();
  // Each test makes a gate, which listens to this client until the tests end. A server makes only one gate.
  redis.client.setMaxListeners(0);
});
beforeEach(() => redis.empty());
afterAll(() => redis.close());

/** Calls the gate while Redis is paused for longer than a call may take. True when the call is refused with 503. */
async function isLateCallRefused(own: TestRedis, gate: Gate, hash: string): Promise<boolean> {
  own.pause();
  const status = gate.admit(hash).then(
    () => 200,
    (error) => error.status,
  );
  await sleep(210);
  own.resume();
  return (await status) === 503;
}

describe('the gate', () => {
  const STEPS = [
    ['by less than a second', 400, 800],
    ['by six hours', 500, 21_600_000],
    ['by the time of two requests', 1000, 2000],
  ] as const;
  it.each(some(STEPS, 1))(
    'never admits more than the limit in 60 s after the clock stepped back %s',
    async (_, everyMs, stepMs) => {
      expect(await mostInAMinute(redis.client, { perMinute: 200, everyMs, stepMs })).toBe(200);
    },
  );

  it('answers 503 for a call that Redis runs too late, which then counts nothing', async () => {
    const own = await startRedis();
    try {
      const hash = hashOf((await keysOf(own.client).issue({ label: 'test', by: 'test' })).key);
      const gate = createGate(own.client, { perMinute: 100, perDay: 100 });
      const used = async () => {
        for (let tries = 0; ; tries++) {
          const verdict = await gate.admit(hash).catch((error) => {
            if (tries === 100) throw error;
          });
          if (verdict !== undefined) return 'windows' in verdict ? verdict.windows.minute.used : verdict;
          await sleep(20);
        }
      };
      expect(await used()).toBe(1);
      // Redis receives the call at once, but runs it after its deadline of 190 ms. The gate gives up at 250 ms.
      own.pause();
      const late = expect(gate.admit(hash)).rejects.toMatchObject({ status: 503 });
      await sleep(210);
      own.resume();
      await late;
      expect(await used()).toBe(2);
    } finally {
      await own.close();
    }
  });

  it.each([
    ['that is there', true],
    ['that is not there yet', false],
  ])('gives up the first call of a process no later than any other, on a Redis %s', async (_, isThere) => {
    const own = await startRedis();
    const attempt = async (): Promise<readonly [isRefused: boolean, used: number]> => {
      const { client, answers, close } = own.connect();
      try {
        const hash = hashOf((await keysOf(own.client).issue({ label: 'test', by: 'test' })).key);
        if (isThere) await answers(60_000);
        const gate = createGate(client, { perMinute: 100, perDay: 100 });
        await answers(60_000);
        // The gate has sent TIME before this PING. Once the PING is answered, the gate knows the clock of Redis.
        await client.ping();
        const isRefused = await isLateCallRefused(own, gate, hash);
        const verdict = await retryThrown(() => gate.admit(hash));
        return [isRefused, 'windows' in verdict ? verdict.windows.minute.used : 0];
      } finally {
        await close();
      }
    };
    try {
      // On a busy machine, Redis may answer TIME so late that the call seems to be in time and is counted.
      let outcome = await attempt();
      for (let tries = 0; outcome.join() !== 'true,1' && tries < 20; tries++) outcome = await attempt();
      expect(outcome).toEqual([true, 1]);
    } finally {
      await own.close();
    }
  });

  it('learns the clock of Redis from its replies where the answer to TIME came late', async () => {
    const own = await startRedis();
    try {
      const hash = hashOf((await keysOf(own.client).issue({ label: 'test', by: 'test' })).key);
      own.pause();
      const gate = createGate(own.client, { perMinute: 100, perDay: 100 });
      await sleep(500);
      own.resume();
      // The answer to TIME came half a second late, so the clock of Redis seems to be half a second ahead. The time in the
      // reply to a call corrects that.
      await retryThrown(() => gate.admit(hash));
      const used = async () => {
        const verdict = await retryThrown(() => gate.admit(hash));
        return verdict.outcome === 'admitted' ? verdict.windows.minute.used : 0;
      };
      // On a busy machine the reply to that call may be late, too, and so may the replies to calls that were counted.
      const isLearnt = async () => {
        const before = await used();
        return (await isLateCallRefused(own, gate, hash)) && (await used()) === before + 1;
      };
      let attempts = 1;
      while (!(await isLearnt()) && attempts < 5) attempts += 1;
      expect(attempts).toBeLessThan(5);
    } finally {
      await own.close();
    }
  });

  it('refuses at once while a call has no reply, logs that once, and admits again afterwards', async () => {
    const own = await startRedis();
    try {
      const hash = hashOf((await keysOf(own.client).issue({ label: 'test', by: 'test' })).key);
      const reasons: string[] = [];
      const gate = createGate(own.client, { perMinute: 1000, perDay: 1000 }, (one) => {
        if (one.event === 'keys cannot be checked') reasons.push(one.reason);
      });
      for (let rounds = 0; rounds < 2; rounds++) {
        own.pause();
        await expect(gate.admit(hash)).rejects.toMatchObject({ status: 503 });
        for (let i = 0; i < 3; i++) {
          const next = gate.admit(hash).then(
            () => 'admitted',
            () => 'refused',
          );
          expect(await Promise.race([next, turn().then(() => 'sent')])).toBe('refused');
        }
        if (rounds === 0) expect(reasons).toEqual(['no answer in time']);
        own.resume();
        await retryThrown(() => gate.admit(hash));
      }
    } finally {
      await own.close();
    }
  });

  it('goes on after its process was too busy to read a reply before the deadline', async () => {
    const hash = hashOf((await keysOf(redis.client).issue({ label: 'test', by: 'test' })).key);
    const gate = createGate(redis.client, { perMinute: 100, perDay: 100 });
    await retryThrown(() => gate.admit(hash));
    await retryThrown(async () => {
      const verdict = gate.admit(hash);
      // The call is sent in this turn of the event loop. Its reply comes while the process is busy.
      await turn();
      for (const begunMs = performance.now(); performance.now() - begunMs < 300; );
      await verdict;
    });
    await turn();
    expect(await retryThrown(() => gate.admit(hash))).toMatchObject({ outcome: 'admitted' });
  });

  it('gives the state of both windows with each verdict', async () => {
    const { key, id } = await keysOf(redis.client).issue({ label: 'test', by: 'test' });
    const gate = createGate(redis.client, { perMinute: 2, perDay: 3 });
    const admit = () => retryThrown(() => gate.admit(hashOf(key)));
    const first = await admit();
    expect(first).toEqual({
      outcome: 'admitted',
      keyId: id,
      windows: {
        minute: { limit: 2, used: 1, freesMs: 60_000 },
        day: { limit: 3, used: 1, freesMs: 86_400_000 },
        clockMs: expect.any(Number),
      },
    });
    const [seconds] = await redis.client.time();
    if ('windows' in first)
      expect(Math.abs(first.windows.clockMs - 1000 * Number(seconds))).toBeLessThan(60_000);
    expect(await admit()).toMatchObject({ outcome: 'admitted', windows: { minute: { used: 2 } } });
    expect(await admit()).toMatchObject({ outcome: 'limited', keyId: id, windows: { minute: { used: 2 } } });
    expect(await gate.admit('a'.repeat(64))).toEqual({ outcome: 'unknown', keyId: null });
  });

  it('says when a slot is free again under a limit that was lowered by one', async () => {
    const keys = keysOf(redis.client);
    const { key, id } = await keys.issue({ label: 'test', by: 'test' });
    const gate = createGate(redis.client, { perMinute: 3, perDay: 100 });
    const freesMs = async () => {
      const verdict = await retryThrown(() => gate.admit(hashOf(key)));
      return 'windows' in verdict ? verdict.windows.minute.freesMs : 0;
    };
    for (let i = 0; i < 3; i++) {
      await freesMs();
      await sleep(60);
    }
    await keys.limit(id, { perMinute: 2 }, 'test');
    const lowered = await freesMs();
    await keys.limit(id, { perMinute: 3 }, 'test');
    // Under the lower limit, two admissions must leave the window. The second one was at least 60 ms after the first.
    expect(lowered - (await freesMs())).toBeGreaterThanOrEqual(60);
  });

  it('keeps the admissions of a window until the last of them no longer counts, and says when the key was used', async () => {
    const { key } = await keysOf(redis.client).issue({ label: 'test', by: 'test' });
    const gate = createGate(redis.client, { perMinute: 100, perDay: 100 });
    const verdict = await retryThrown(() => gate.admit(hashOf(key)));
    const clockMs = 'windows' in verdict ? verdict.windows.clockMs : Number.NaN;
    for (const [log, windowMs] of [
      [minuteLog, 60_000],
      [dayLog, 86_400_000],
    ] as const) {
      const expiresMs = Number(await redis.client.call('PEXPIRETIME', log(hashOf(key))));
      // An admission within the same second as an earlier one does not renew the expiry, so a log outlives its window by a
      // second.
      expect(expiresMs - clockMs - windowMs).toBeGreaterThanOrEqual(999);
      expect(expiresMs - clockMs - windowMs).toBeLessThan(60_000);
    }
    const used = Number(await redis.client.hget(keyRecord(hashOf(key)), 'used'));
    expect(Math.abs(used - clockMs)).toBeLessThan(60_000);
  });

  it('counts each of many requests of one turn once, and gives each its own verdict', async () => {
    const keys = keysOf(redis.client);
    const issued: IssuedKey[] = [];
    for (let i = 0; i < 6; i++) issued.push(await keys.issue({ label: 'test', by: 'test' }));
    const gate = createGate(redis.client, { perMinute: 1000, perDay: 1000 });
    const asked = Array.from({ length: 60 }, (_, i) => issued[i % 6]?.key ?? '');
    const verdicts = await retryThrown(async () => {
      await redis.empty();
      for (const { key, id } of issued)
        await redis.client.hset(keyRecord(hashOf(key)), { state: 'active', id });
      return Promise.all(asked.map((key) => gate.admit(hashOf(key))));
    });
    expect(verdicts.map(({ keyId }) => keyId)).toEqual(asked.map((_, i) => issued[i % 6]?.id));
    const used = verdicts.map((verdict) => ('windows' in verdict ? verdict.windows.minute.used : 0));
    expect(used.sort((a, b) => a - b)).toEqual(asked.map((_, i) => 1 + Math.floor(i / 6)));
    for (const { key } of issued) {
      const next = await retryThrown(() => gate.admit(hashOf(key)));
      expect(next).toMatchObject({ windows: { minute: { used: 11 } } });
    }
  });

  it.each([
    ['record', 'key', 'a text'],
    ['log', 'day', 'a text'],
    ['first admission', 'first', 'no number'],
    ['log of the minute', 'minute', 'a text'],
    ['end', 'expires', 'no number'],
    ['end, which is NaN to Lua,', 'expires', 'nan'],
    ['empty end', 'expires', ''],
    ['limit', 'perMinute', 'no number'],
    ['limit, which is NaN to Lua,', 'perDay', 'nan'],
    ['limit, which is infinite to Lua,', 'perMinute', '1e400'],
    ['negative limit', 'perDay', '-5'],
    ['limit with a fraction', 'perMinute', '2.5'],
    ['first admission, which is NaN to Lua,', 'first', 'nan'],
    ['first admission, which is infinite to Lua,', 'first', 'inf'],
  ])(
    'answers 503 for a key whose %s is damaged, also where it is only checked, and admits the others of its turn',
    async (_, what, value) => {
      const issued = await Promise.all(
        ['a', 'b', 'c'].map((label) => keysOf(redis.client).issue({ label, by: 'test' })),
      );
      const hashes = issued.map(({ key }) => hashOf(key));
      const observed: Observation[] = [];
      const gate = createGate(redis.client, { perMinute: 5, perDay: 5 }, (one) => observed.push(one));
      const broken = hashes[1] ?? '';
      if (/^(?:expires|per.*)$/.test(what)) await redis.client.hset(keyRecord(broken), what, value);
      else if (what === 'first') await redis.client.rpush(dayLog(broken), value);
      else {
        const names = { key: keyRecord(broken), day: dayLog(broken), minute: minuteLog(broken) };
        await redis.client.set(names[what as keyof typeof names], value);
      }
      const ask = () => Promise.allSettled(hashes.map((hash) => gate.admit(hash)));
      let outcomes = await ask();
      for (let tries = 0; tries < 20 && outcomes[0]?.status === 'rejected'; tries++) outcomes = await ask();
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(outcomes[1]).toMatchObject({ reason: { status: 503 } });
      expect(outcomes[2]).toMatchObject({ value: { outcome: 'admitted', keyId: issued[2]?.id } });
      const reason = expect.stringContaining(
        `damaged in Redis: ${keyRecord(broken)} or a window of that key: `,
      );
      expect(observed).toContainEqual({ event: 'keys cannot be checked', reason });
      await expect(gate.check(broken)).rejects.toMatchObject({ status: 503 });
    },
  );

  it('checks a key by the rules for requests, counts nothing, and needs no free slot', async () => {
    const keys = keysOf(redis.client);
    const { key, id } = await keys.issue({ label: 'test', by: 'test' });
    const gate = createGate(redis.client, { perMinute: 1, perDay: 5 });
    const check = (hash: string) => retryThrown(() => gate.check(hash));
    expect(await check(hashOf(key))).toEqual({ outcome: 'active', keyId: id });
    expect((await redis.client.keys('*')).filter((name) => /^(?:usage|minute|day):/.test(name))).toEqual([]);
    expect(await retryThrown(() => gate.admit(hashOf(key)))).toMatchObject({ outcome: 'admitted' });
    expect(await retryThrown(() => gate.admit(hashOf(key)))).toMatchObject({ outcome: 'limited' });
    expect(await check(hashOf(key))).toEqual({ outcome: 'active', keyId: id });
    await redis.client.hset(keyRecord(hashOf(key)), 'expires', Date.now() - 60_000);
    expect(await check(hashOf(key))).toEqual({ outcome: 'expired', keyId: id });
    await keys.revoke(id, 'test');
    expect(await check(hashOf(key))).toEqual({ outcome: 'revoked', keyId: id });
    expect(await check('a'.repeat(64))).toEqual({ outcome: 'unknown', keyId: null });
  });

  it.each(['no number', '9223372036854775807'])(
    'counts the requests of a day from 0 when the count is %s',
    async (value) => {
      const { key } = await keysOf(redis.client).issue({ label: 'test', by: 'test' });
      const gate = createGate(redis.client, { perMinute: 5, perDay: 5 });
      const counts = [-1, 0, 1].map((day) => usageOfDay(hashOf(key), dayOf(Date.now()) + day));
      for (const count of counts) await redis.client.set(count, value);
      for (let used = 1; used <= 2; used++)
        expect(await gate.admit(hashOf(key))).toMatchObject({
          outcome: 'admitted',
          windows: { minute: { used } },
        });
      const held = await redis.client.mget(counts);
      expect(held.filter((one) => one !== value)).toEqual(['2']);
      expect(await redis.client.pttl(counts[held.indexOf('2')] ?? '')).toBeGreaterThan(0);
    },
  );

  it('admits the first of many requests of one key in one turn, up to its limit, and limits all others', async () => {
    const { key, id } = await keysOf(redis.client).issue({ label: 'test', by: 'test' });
    const gate = createGate(redis.client, { perMinute: 1500, perDay: 5000 });
    const verdicts = await retryThrown(async () => {
      await redis.empty();
      await redis.client.hset(keyRecord(hashOf(key)), { state: 'active', id });
      return Promise.all(Array.from({ length: 2500 }, () => gate.admit(hashOf(key))));
    });
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(
      verdicts.map((_, i) => (i < 1500 ? 'admitted' : 'limited')),
    );
    const used = (window: 'minute' | 'day') =>
      verdicts.map((verdict) => ('windows' in verdict ? verdict.windows[window].used : 0));
    expect(used('minute')).toEqual(verdicts.map((_, i) => Math.min(1 + i, 1500)));
    expect(used('day')).toEqual(used('minute'));
  });

  it('reports why keys cannot be checked, once for all requests of a call', async () => {
    const own = await startRedis();
    try {
      const observed: Observation[] = [];
      const gate = createGate(own.client, { perMinute: 100, perDay: 100 }, (one) => observed.push(one));
      own.pause();
      const refused = [gate.admit('a'.repeat(64)), gate.admit('b'.repeat(64))];
      for (const one of refused) await expect(one).rejects.toMatchObject({ status: 503 });
      own.resume();
      const reports = observed.filter(({ event }) => event === 'keys cannot be checked');
      expect(reports).toEqual([{ event: 'keys cannot be checked', reason: 'no answer in time' }]);
    } finally {
      await own.close();
    }
  });

  it('learns the clock of Redis again when what it knew is outdated', async () => {
    const { key } = await keysOf(redis.client).issue({ label: 'test', by: 'test' });
    const gate = createGate(redis.client, { perMinute: 1000, perDay: 1000 });
    const now = performance.now.bind(performance);
    const outcomes: string[] = [];
    // On a busy machine a call may be late for other reasons. It is then tried again, with a clock that is further
    // back.
    for (let steps = 0; steps < 20 && outcomes.at(-1) !== 'admitted'; steps++) {
      await gate.admit(hashOf(key)).catch(() => {});
      const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() - 10_000 * (steps + 1));
      try {
        outcomes.push(
          await gate.admit(hashOf(key)).then(
            ({ outcome }) => outcome,
            () => 'unavailable',
          ),
        );
      } finally {
        clock.mockRestore();
      }
    }
    expect(outcomes.at(-1)).toBe('admitted');
  });

  it('decides as a plain model of both windows does, over 2,000 random steps, whatever the clock does', async () => {
    const { outcomes, honoured } = await walkTheGate(redis.client, 2_000, 1);
    for (const outcome of ['unknown', 'revoked', 'expired', 'limited', 'admitted'])
      expect(outcomes[outcome]).toBeGreaterThan(30);
    expect(honoured).toBeGreaterThan(30);
  });
});

describe('the nearest window', () => {
  const aWindow = (used: number, freesMs: number) => ({ limit: 10, used, freesMs });

  it.each([
    ['has the fewest requests left: the minute', aWindow(9, 10), aWindow(8, 99), 'minute'],
    ['has the fewest requests left: the day', aWindow(8, 99), aWindow(9, 10), 'day'],
    ['frees later when both have as many left: the minute', aWindow(9, 99), aWindow(9, 10), 'minute'],
    ['frees later when both have as many left: the day', aWindow(9, 10), aWindow(9, 99), 'day'],
    ['frees later when both are used up, one by more', aWindow(10, 99), aWindow(12, 10), 'minute'],
  ] as const)('%s', (_, minute, day, expected) => {
    expect(nearestWindow({ minute, day, clockMs: 0 })).toBe({ minute, day }[expected]);
  });

  it('never has fewer than 0 requests left', () => {
    expect([requestsLeft(aWindow(9, 0)), requestsLeft(aWindow(10, 0)), requestsLeft(aWindow(12, 0))]).toEqual(
      [1, 0, 0],
    );
  });
});
