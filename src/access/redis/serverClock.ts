// Reads Redis's clock, and estimates it from our monotonic clock, so that a call can tell Redis its deadline.
// All times in Redis are by this clock, because the clocks of servers may differ.

import type { RedisClient } from './connection.ts';

export interface ServerClock {
  /**
   * Redis's time at a moment of the monotonic clock, in epoch milliseconds; null before the first reply with Redis's time.
   */
  at(monotonicMs: number): number | null;
  /**
   * Learns from a reply. Each reply shows the difference between the clocks, plus the time that the call took to reach
   * Redis. So the smallest difference is the most exact, and is kept.
   *
   * @param shownMs Redis's time in the reply, in epoch milliseconds.
   * @param sentMs when the call was sent, by the monotonic clock.
   */
  learn(shownMs: number, sentMs: number): void;
  /** Learns from a reply and forgets all earlier ones, because Redis's clock was set. */
  relearn(shownMs: number, sentMs: number): void;
}

/**
 * Makes the clock. It asks Redis for its time whenever the connection is ready, so that even the first call has one.
 *
 * @param nowMs the monotonic clock.
 */
export function serverClock(redis: RedisClient, nowMs: () => number): ServerClock {
  let offsetMs: number | null = null;

  const relearn: ServerClock['relearn'] = (shownMs, sentMs) => {
    offsetMs = shownMs - sentMs;
  };
  const learn: ServerClock['learn'] = (shownMs, sentMs) => {
    offsetMs = offsetMs === null ? shownMs - sentMs : Math.min(offsetMs, shownMs - sentMs);
  };

  async function read(): Promise<void> {
    const sentMs = nowMs();
    learn(await timeOf(redis), sentMs);
  }
  // A failure does not matter: until the first reply with Redis's time, calls have no deadline in Redis.
  const readNow = () => void read().catch(() => {});
  if (redis.status === 'ready') readNow();
  redis.on('ready', readNow);

  return { at: (monotonicMs) => (offsetMs === null ? null : monotonicMs + offsetMs), learn, relearn };
}

/** Redis's time, in epoch milliseconds. */
export async function timeOf(redis: RedisClient): Promise<number> {
  const [seconds, microseconds] = (await redis.call('TIME')) as readonly string[];
  return Number(seconds) * 1000 + Number(microseconds) / 1000;
}

/** Lua that sets `now` to Redis's time, in whole epoch milliseconds. */
export const LUA_NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;
