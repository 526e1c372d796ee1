// Sets the clock of Redis forward for one client: `const putBack = clockAhead(redis.client, DAY_MS)`.

import { jest } from '@jest/globals';
import type { RedisClient } from '../../src/access/redis/connection.ts';
import { timeOf } from '../../src/access/redis/serverClock.ts';

/**
 * Makes the client's TIME command answer `aheadMs` later than the truth; Lua scripts see the real time. Returns an undo
 * function.
 */
export function clockAhead(redis: RedisClient, aheadMs: number): () => void {
  const real = redis.call.bind(redis);
  const spy = jest.spyOn(redis as { call(name: string): Promise<unknown> }, 'call');
  spy.mockImplementation(async (name, ...rest: string[]) => {
    if (name !== 'TIME') return real(name, ...rest);
    spy.mockImplementationOnce(real);
    const ms = (await timeOf(redis)) + aheadMs;
    return [String(Math.floor(ms / 1000)), String(Math.floor((ms % 1000) * 1000))];
  });
  return () => spy.mockRestore();
}
