// Reads Redis's clock. All times in Redis are by this clock, because the clocks of servers may differ.

import type { RedisClient } from './connection.ts';

/** Redis's time, in epoch milliseconds. */
export async function timeOf(redis: RedisClient): Promise<number> {
  const [seconds, microseconds] = (await redis.call('TIME')) as readonly string[];
  return Number(seconds) * 1000 + Number(microseconds) / 1000;
}
