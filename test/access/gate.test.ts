import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createGate } from '../../src/access/gate.ts';
import { hashKey, keysOf } from '../../src/access/keys.ts';
import type { Observation } from '../../src/observations.ts';
import { some } from '../support/depth.ts';
import { mostInAMinute, walkTheGate } from '../support/gateModel.ts';
import { openDatabase, startRedis, type TestDatabase } from '../support/redis.ts';

let redis: TestDatabase;
beforeAll(async () => {
  redis = await openDatabase();
});
beforeEach(() => redis.empty());
afterAll(() => redis.close());

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
      const hash = hashKey((await keysOf(own.client).issue({ label: 'test', by: 'test' })).key);
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
      // Redis receives the call at once, and runs it after the deadline of 190 ms, before we give up at 250 ms.
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

  it('reports why keys cannot be checked, once for requests that were asked about together', async () => {
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

  it('asks again when its own idea of the clock of Redis has become old', async () => {
    const { key } = await keysOf(redis.client).issue({ label: 'test', by: 'test' });
    const gate = createGate(redis.client, { perMinute: 1000, perDay: 1000 });
    const now = performance.now.bind(performance);
    const outcomes: string[] = [];
    // On a busy machine a call may be late for other reasons: then once more, with a clock that is further back.
    for (let steps = 0; steps < 20 && outcomes.at(-1) !== 'admitted'; steps++) {
      await gate.admit(hashKey(key)).catch(() => {});
      const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() - 10_000 * (steps + 1));
      try {
        outcomes.push(
          await gate.admit(hashKey(key)).then(
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
