// Decides whether requests may pass: one Redis round trip for a key's record and both windows of its limits.

import type { Store } from 'express-rate-limit';
import type { Log } from '../catalog/follow.ts';
import { type Decide, decider, type GateLimits, type Verdict, type Window, type Windows } from './decide.ts';

export type { Verdict, Window, Windows } from './decide.ts';

import type { RedisClient } from './redis.ts';

/**
 * The store behind express-rate-limit. A request is named by its ticket: the hash of its key, then whatever tells
 * it from others.
 */
export interface Gate extends Store {
  readonly decide: Decide;
  /** What `increment` decided for this ticket; once. */
  verdict(ticket: string): Verdict;
}

/** Characters of a SHA-256 in hexadecimal. */
const HASH_LENGTH = 64;

export function createGate(redis: RedisClient, limits: GateLimits, log?: Log): Gate {
  const decide = decider(redis, limits, log);
  const verdicts = new Map<string, Verdict>();
  return {
    decide,
    async increment(ticket) {
      const verdict = await decide(ticket.slice(0, HASH_LENGTH));
      verdicts.set(ticket, verdict);
      return hits(verdict);
    },
    verdict(ticket) {
      const verdict = verdicts.get(ticket);
      verdicts.delete(ticket);
      if (verdict === undefined) throw new Error('nothing was decided for this request');
      return verdict;
    },
    // Both are for counters that are taken back; what is logged here was really admitted.
    decrement() {},
    resetKey() {},
  };
}

/** In the words of express-rate-limit, whose limit is `limitOf`. */
function hits(verdict: Verdict): { totalHits: number; resetTime: Date | undefined } {
  if (verdict.outcome !== 'admitted') return { totalHits: limitOf(verdict) + 1, resetTime: undefined };
  const { freesMs, used } = nearest(verdict.windows);
  return { totalHits: used, resetTime: new Date(verdict.windows.clockMs + freesMs) };
}

/** The limit that a request met; one more than that is refused. */
export const limitOf = (verdict: Verdict): number =>
  'windows' in verdict ? nearest(verdict.windows).limit : 1;

/** The window with the least left; of several with nothing left, the one shut longest (ruling 23). */
export function nearest({ minute, day }: Windows): Window {
  const [ofMinute, ofDay] = [left(minute), left(day)];
  if (ofMinute === ofDay) return minute.freesMs > day.freesMs ? minute : day;
  return ofMinute < ofDay ? minute : day;
}

export const left = ({ limit, used }: Window): number => Math.max(0, limit - used);
