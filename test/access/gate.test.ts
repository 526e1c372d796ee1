import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { walkTheGate } from '../support/windows.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
beforeEach(() => redis.empty());
afterAll(() => redis.close());

describe('the gate', () => {
  it('decides as a plain model of both windows does, over 25,000 random steps, whatever the clock does', async () => {
    const { outcomes, honoured } = await walkTheGate(redis.client, 25_000, 1);
    for (const outcome of ['unknown', 'revoked', 'expired', 'limited', 'admitted'])
      expect(outcomes[outcome]).toBeGreaterThan(500);
    expect(honoured).toBeGreaterThan(500);
  });
});
