// The gate: both windows of a key, late and silent Redis, damaged records.

import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createGate, type Gate, nearestWindow, requestsLeft } from '../../../src/access/gate/gate.ts';
import type { GateLimits } from '../../../src/access/gate/gateCalls.ts';
import type { Verdict } from '../../../src/access/gate/gateReply.ts';
import { type IssuedKey, keysOf } from '../../../src/access/keys/keys.ts';
import type { RedisClient } from '../../../src/access/redis/connection.ts';
import { dayLog, dayOf, keyRecord, minuteLog, usageOfDay } from '../../../src/access/redis/keyNames.ts';
import { hashOf } from '../../../src/access/secret.ts';
import type { Observation } from '../../../src/observations.ts';
import { itInDepth, some } from '../../support/depth.ts';
import { mostInAMinute, walkTheGate } from '../../support/gateModel.ts';
import { openDatabase, startRedis, type TestDatabase, type TestRedis } from '../../support/redis.ts';
import { retryThrown } from '../../support/retryUnavailable.ts';
import { type ManualClock, manualClock } from './manualClock.ts';

let redis: TestDatabase;
beforeAll(async () => {
  redis = await openDatabase();
  // Each test makes a gate, which listens to this client until the tests end. A server makes only one gate.
  redis.client.setMaxListeners(0);
});
beforeEach(() => redis.empty());
afterAll(() => redis.close());

const LIMITS = { perMinute: 100, perDay: 100 };

/** A gate whose deadlines pass only when a test moves its clock, so that a busy machine delays no call beyond them. */
const aGate = (limits: GateLimits = LIMITS): Gate =>
  createGate(redis.client, limits, undefined, manualClock());

/** The hash of a new key. */
const aKey = async (on: RedisClient): Promise<string> =>
  hashOf((await keysOf(on).issue({ label: 'test', by: 'test' })).key);

/**
 * Asks the gate, and has Redis run the call 210 ms later: after its deadline of 190 ms, before the gate gives up at 250 ms.
 */
async function admitLate(own: TestRedis, gate: Gate, hash: string, clock: ManualClock): Promise<Verdict> {
  own.pause();
  const verdict = gate.admit(hash);
  // The call is sent at the end of this turn of the event loop.
  await turn();
  await sleep(210);
  clock.advance(210);
  own.resume();
  return verdict;
}

/** Asks the gate, and gives the used slots of the minute. */
async function usedAfter(gate: Gate, hash: string): Promise<number> {
  const verdict = await gate.admit(hash);
  return 'windows' in verdict ? verdict.windows.minute.used : 0;
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
      const hash = await aKey(own.client);
      const clock = manualClock();
      const gate = createGate(own.client, LIMITS, undefined, clock);
      expect(await usedAfter(gate, hash)).toBe(1);
      await expect(admitLate(own, gate, hash, clock)).rejects.toMatchObject({ status: 503 });
      expect(await usedAfter(gate, hash)).toBe(2);
    } finally {
      await own.close();
    }
  });

  it.each([
    ['that is there', true],
    ['that is not there yet', false],
  ])('gives up the first call of a process no later than any other, on a Redis %s', async (_, isThere) => {
    const own = await startRedis();
    const { client, untilAnswered, close } = own.connect();
    try {
      const hash = await aKey(own.client);
      const clock = manualClock();
      if (isThere) await untilAnswered(60_000);
      const gate = createGate(client, LIMITS, undefined, clock);
      await untilAnswered(60_000);
      // The gate has sent TIME before this PING. Once the PING is answered, the gate knows the clock of Redis.
      await client.ping();
      await expect(admitLate(own, gate, hash, clock)).rejects.toMatchObject({ status: 503 });
      expect(await usedAfter(gate, hash)).toBe(1);
    } finally {
      await close();
      await own.close();
    }
  });

  it('learns the clock of Redis from its replies where the answer to TIME came late', async () => {
    const own = await startRedis();
    try {
      const hash = await aKey(own.client);
      const clock = manualClock();
      const gate = createGate(own.client, LIMITS, undefined, clock);
      await own.client.ping();
      // By the gate's clock, the answer to TIME took a minute, so the clock of Redis seems to be a minute ahead. The time
      // in the reply to a call corrects that.
      clock.advance(60_000);
      expect(await usedAfter(gate, hash)).toBe(1);
      await expect(admitLate(own, gate, hash, clock)).rejects.toMatchObject({ status: 503 });
      expect(await usedAfter(gate, hash)).toBe(2);
    } finally {
      await own.close();
    }
  });

  it('answers 503 after 250 ms, refuses at once until the reply comes, logs that once a second, and admits again', async () => {
    const own = await startRedis();
    try {
      const hash = await aKey(own.client);
      const reasons: string[] = [];
      const durations: number[] = [];
      const clock = manualClock();
      const observe = (one: Observation) => {
        if (one.event === 'keys cannot be checked') reasons.push(one.reason);
        if (one.event === 'gate answered') durations.push(one.durationMs);
      };
      const gate = createGate(own.client, { perMinute: 1000, perDay: 1000 }, observe, clock);
      const outcomeOf = (asked: Promise<unknown>) =>
        Promise.race([
          asked.then(
            () => 'admitted',
            ({ status }) => status,
          ),
          turn('waiting'),
        ]);
      // From this call on, Redis has the script, so that a later call is one command.
      await gate.admit(hash);
      for (let rounds = 1; rounds <= 2; rounds++) {
        own.pause();
        const first = gate.admit(hash);
        await turn();
        clock.advance(249);
        expect(await outcomeOf(first)).toBe('waiting');
        clock.advance(1);
        expect(await outcomeOf(first)).toBe(503);
        for (const ask of [gate.admit, gate.check, gate.admit]) expect(await outcomeOf(ask(hash))).toBe(503);
        expect(reasons).toEqual(Array(rounds).fill('no answer in time'));
        own.resume();
        // The PING is answered after the call.
        await own.client.ping();
        await turn();
        expect(await gate.admit(hash)).toMatchObject({ outcome: 'admitted' });
        clock.advance(1000);
      }
      // Late replies are observed, too.
      expect(durations).toEqual([0, 250, 0, 250, 0]);
    } finally {
      await own.close();
    }
  });

  itInDepth('goes on after its process was too busy to read a reply before the deadline', async () => {
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
    const gate = aGate({ perMinute: 2, perDay: 3 });
    const admit = () => gate.admit(hashOf(key));
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
    const gate = aGate({ perMinute: 3, perDay: 100 });
    const freesMs = async () => {
      const verdict = await gate.admit(hashOf(key));
      return 'windows' in verdict ? verdict.windows.minute.freesMs : 0;
    };
    for (let i = 0; i < 3; i++) {
      await freesMs();
      await sleep(60);
    }
    await keys.changeLimits(id, { perMinute: 2 }, 'test');
    const lowered = await freesMs();
    await keys.changeLimits(id, { perMinute: 3 }, 'test');
    // Under the lower limit, two admissions must leave the window. The second one was at least 60 ms after the first.
    expect(lowered - (await freesMs())).toBeGreaterThanOrEqual(60);
  });

  it('keeps the admissions of a window until the last of them no longer counts, and says when the key was used', async () => {
    const { key } = await keysOf(redis.client).issue({ label: 'test', by: 'test' });
    const verdict = await aGate().admit(hashOf(key));
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
    const gate = aGate({ perMinute: 1000, perDay: 1000 });
    const asked = Array.from({ length: 60 }, (_, i) => issued[i % 6]?.key ?? '');
    const verdicts = await Promise.all(asked.map((key) => gate.admit(hashOf(key))));
    expect(verdicts.map(({ keyId }) => keyId)).toEqual(asked.map((_, i) => issued[i % 6]?.id));
    const used = verdicts.map((verdict) => ('windows' in verdict ? verdict.windows.minute.used : 0));
    expect(used.sort((a, b) => a - b)).toEqual(asked.map((_, i) => 1 + Math.floor(i / 6)));
    for (const { key } of issued) expect(await usedAfter(gate, hashOf(key))).toBe(11);
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
      const clock = manualClock();
      const observe = (one: Observation) => void observed.push(one);
      const gate = createGate(redis.client, { perMinute: 5, perDay: 5 }, observe, clock);
      const broken = hashes[1] ?? '';
      if (/^(?:expires|per.*)$/.test(what)) await redis.client.hset(keyRecord(broken), what, value);
      else if (what === 'first') await redis.client.rpush(dayLog(broken), value);
      else {
        const names = { key: keyRecord(broken), day: dayLog(broken), minute: minuteLog(broken) };
        await redis.client.set(names[what as keyof typeof names], value);
      }
      const outcomes = await Promise.allSettled(hashes.map((hash) => gate.admit(hash)));
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(outcomes[1]).toMatchObject({ reason: { status: 503 } });
      expect(outcomes[2]).toMatchObject({ value: { outcome: 'admitted', keyId: issued[2]?.id } });
      const reason = expect.stringContaining(
        `damaged in Redis: ${keyRecord(broken)} or a window of that key: `,
      );
      const failures = () => observed.filter(({ event }) => event === 'keys cannot be checked');
      expect(failures()).toEqual([{ event: 'keys cannot be checked', reason }]);
      clock.advance(1001);
      await expect(gate.check(broken)).rejects.toMatchObject({ status: 503 });
      expect(failures()).toEqual(Array(2).fill({ event: 'keys cannot be checked', reason }));
    },
  );

  it('checks a key by the rules for requests, counts nothing, and needs no free slot', async () => {
    const keys = keysOf(redis.client);
    const { key, id } = await keys.issue({ label: 'test', by: 'test' });
    const gate = aGate({ perMinute: 1, perDay: 5 });
    expect(await gate.check(hashOf(key))).toEqual({ outcome: 'active', keyId: id });
    expect((await redis.client.keys('*')).filter((name) => /^(?:usage|minute|day):/.test(name))).toEqual([]);
    expect(await gate.admit(hashOf(key))).toMatchObject({ outcome: 'admitted' });
    expect(await gate.admit(hashOf(key))).toMatchObject({ outcome: 'limited' });
    expect(await gate.check(hashOf(key))).toEqual({ outcome: 'active', keyId: id });
    await redis.client.hset(keyRecord(hashOf(key)), 'expires', Date.now() - 60_000);
    expect(await gate.check(hashOf(key))).toEqual({ outcome: 'expired', keyId: id });
    await keys.revoke(id, 'test');
    expect(await gate.check(hashOf(key))).toEqual({ outcome: 'revoked', keyId: id });
    expect(await gate.check('a'.repeat(64))).toEqual({ outcome: 'unknown', keyId: null });
  });

  it.each(['no number', '9223372036854775807'])(
    'counts the requests of a day from 0 when the count is %s',
    async (value) => {
      const { key } = await keysOf(redis.client).issue({ label: 'test', by: 'test' });
      const gate = aGate({ perMinute: 5, perDay: 5 });
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
    const hash = await aKey(redis.client);
    const gate = aGate({ perMinute: 1500, perDay: 5000 });
    const verdicts = await Promise.all(Array.from({ length: 2500 }, () => gate.admit(hash)));
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(
      verdicts.map((_, i) => (i < 1500 ? 'admitted' : 'limited')),
    );
    const used = (window: 'minute' | 'day') =>
      verdicts.map((verdict) => ('windows' in verdict ? verdict.windows[window].used : 0));
    expect(used('minute')).toEqual(verdicts.map((_, i) => Math.min(1 + i, 1500)));
    expect(used('day')).toEqual(used('minute'));
  });

  it('asks Redis once about 24 keys of one turn, and once about 1,000 requests of one key', async () => {
    const callsFor = async (hashes: readonly string[]) => {
      let calls = 0;
      const observe = ({ event }: Observation) => {
        if (event === 'gate answered') calls += 1;
      };
      // A new gate does not know the clock of Redis yet. So on a slow machine Redis refuses no call as too late, which the
      // gate would send again.
      const gate = createGate(redis.client, LIMITS, observe, manualClock());
      await Promise.all(hashes.map((hash) => gate.admit(hash)));
      // The PING is answered after all calls.
      await redis.client.ping();
      await turn();
      return calls;
    };
    const keys = await Promise.all(Array.from({ length: 25 }, () => aKey(redis.client)));
    expect(await callsFor(keys.slice(0, 24))).toBe(1);
    expect(await callsFor(keys)).toBe(2);
    // Each request was counted once.
    const gate = createGate(redis.client, LIMITS, undefined, manualClock());
    const used = await Promise.all(keys.map((hash) => usedAfter(gate, hash)));
    expect(used).toEqual(keys.map((_, i) => (i < 24 ? 3 : 2)));
    const requests = Array<string>(1001).fill(hashOf('one key'));
    expect(await callsFor(requests.slice(0, 1000))).toBe(1);
    expect(await callsFor(requests)).toBe(2);
  });

  it('reports why keys cannot be checked, once for all requests of a call', async () => {
    const own = await startRedis();
    try {
      const observed: Observation[] = [];
      const clock = manualClock();
      const gate = createGate(own.client, LIMITS, (one) => observed.push(one), clock);
      own.pause();
      const refused = Promise.allSettled([gate.admit('a'.repeat(64)), gate.admit('b'.repeat(64))]);
      await turn();
      clock.advance(250);
      expect(await refused).toEqual(Array(2).fill(expect.objectContaining({ status: 'rejected' })));
      own.resume();
      const reports = observed.filter(({ event }) => event === 'keys cannot be checked');
      expect(reports).toEqual([{ event: 'keys cannot be checked', reason: 'no answer in time' }]);
    } finally {
      await own.close();
    }
  });

  it('learns the clock of Redis again when what it knew is outdated', async () => {
    const hash = await aKey(redis.client);
    const clock = manualClock();
    const gate = createGate(redis.client, LIMITS, undefined, clock);
    expect(await usedAfter(gate, hash)).toBe(1);
    // The clock of Redis is 10 s further ahead than the gate has learnt.
    clock.advance(-10_000);
    expect(await usedAfter(gate, hash)).toBe(2);
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
