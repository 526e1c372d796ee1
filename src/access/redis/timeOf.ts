// Reads Redis's clock, by which everything in Redis is dated: the clocks of our machines may differ from it and each other.

import type { RedisClient } from './connection.ts';

/** Redis's time, in epoch milliseconds. */
export async function timeOf(redis: RedisClient): Promise<number> {
  const [seconds, microseconds] = (await redis.call('TIME')) as readonly string[];
  return Number(seconds) * 1000 + Number(microseconds) / 1000;
}
