import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mostInAMinute, walkTheGate } from '../support/gateModel.ts';
import { openDatabase, type TestDatabase } from '../support/redis.ts';

let redis: TestDatabase;
beforeAll(async () => {
  redis = await openDatabase();
});
beforeEach(() => redis.empty());
afterAll(() => redis.close());

describe('the gate', () => {
  it.each([
    ['by the time of two requests', 1000, 2000],
    ['by less than a second', 400, 800],
    ['by six hours', 500, 21_600_000],
  ])(
    'never admits more than the limit in 60 s after the clock stepped back %s',
    async (_, everyMs, stepMs) => {
      expect(await mostInAMinute(redis.client, { perMinute: 200, everyMs, stepMs })).toBe(200);
    },
  );

  it('decides as a plain model of both windows does, over 6,000 random steps, whatever the clock does', async () => {
    const { outcomes, honoured } = await walkTheGate(redis.client, 6_000, 1);
    for (const outcome of ['unknown', 'revoked', 'expired', 'limited', 'admitted'])
      expect(outcomes[outcome]).toBeGreaterThan(100);
    expect(honoured).toBeGreaterThan(100);
  });
});
