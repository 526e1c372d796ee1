// Estimates Redis's clock from our own monotonic clock, so that a call can carry a deadline that Redis understands.

import type { RedisClient } from './connection.ts';
import { timeOf } from './timeOf.ts';

export interface ServerClock {
  /** Redis's time at a moment of `performance.now()`, in epoch milliseconds; null before Redis has told its time. */
  at(monotonicMs: number): number | null;
  /**
   * Learns from a reply: `shownMs` is Redis's time in it, and its call was sent at `sentMs` of `performance.now()`. Each
   * difference between the clocks includes the time that a call takes, so the smallest one is kept.
   */
  learn(shownMs: number, sentMs: number): void;
  /** Forgets what was learnt before, because Redis's clock was set. */
  relearn(shownMs: number, sentMs: number): void;
}

/** Reads the clock whenever the connection is ready, so that even the first call can carry a deadline. */
export function serverClock(redis: RedisClient): ServerClock {
  let offsetMs: number | null = null;

  const relearn: ServerClock['relearn'] = (shownMs, sentMs) => {
    offsetMs = shownMs - sentMs;
  };
  const learn: ServerClock['learn'] = (shownMs, sentMs) => {
    offsetMs = offsetMs === null ? shownMs - sentMs : Math.min(offsetMs, shownMs - sentMs);
  };

  async function read(): Promise<void> {
    const sentMs = performance.now();
    learn(await timeOf(redis), sentMs);
  }
  // Without Redis's time, calls have no deadline in Redis until the first reply tells it.
  const readNow = () => void read().catch(() => {});
  if (redis.status === 'ready') readNow();
  redis.on('ready', readNow);

  return { at: (monotonicMs) => (offsetMs === null ? null : monotonicMs + offsetMs), learn, relearn };
}
