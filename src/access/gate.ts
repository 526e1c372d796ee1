// The gate as a store for express-rate-limit: admits a key's request, or says why not.

import type { Store } from 'express-rate-limit';
import type { Log } from '../catalog/currentSnapshot.ts';
import { decider, type GateLimits, type Verdict, type Window, type Windows } from './gateBatch.ts';
import type { RedisClient } from './redis/connection.ts';

export type { Verdict, Window, Windows } from './gateBatch.ts';

/** A request is named by the SHA-256 of its key. */
export interface Gate extends Store {
  /** `resetTime` is a `Decision`. One hit is within the limit, which is 1: two are not. */
  increment(hash: string): Promise<{ totalHits: number; resetTime: Decision }>;
}

/**
 * When the window has its next slot, and the verdict it comes from: express-rate-limit hands it on as it is, and
 * there is no other way through.
 */
export class Decision extends Date {
  readonly verdict: Verdict;

  constructor(verdict: Verdict) {
    super('windows' in verdict ? verdict.windows.clockMs + nearest(verdict.windows).freesMs : Number.NaN);
    this.verdict = verdict;
  }
}

export function createGate(redis: RedisClient, limits: GateLimits, log?: Log): Gate {
  const decide = decider(redis, limits, log);
  return {
    async increment(hash) {
      const verdict = await decide(hash);
      return { totalHits: verdict.outcome === 'admitted' ? 1 : 2, resetTime: new Decision(verdict) };
    },
    // Both are for counters that are taken back; what is logged here was really admitted.
    decrement() {},
    resetKey() {},
  };
}

/** The window with the least left; of several with nothing left, the one shut longest (ruling 23). */
export function nearest({ minute, day }: Windows): Window {
  const [ofMinute, ofDay] = [left(minute), left(day)];
  if (ofMinute === ofDay) return minute.freesMs > day.freesMs ? minute : day;
  return ofMinute < ofDay ? minute : day;
}

export const left = ({ limit, used }: Window): number => Math.max(0, limit - used);
