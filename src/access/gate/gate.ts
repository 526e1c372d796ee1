// The gate: admits or limits a request by its key, and reports the state of the key's two windows.

import type { Observe } from '../../observations.ts';
import type { RedisClient } from '../redis/connection.ts';
import { type MonotonicClock, PROCESS_CLOCK } from '../redis/replyDeadline.ts';
import { createGateBatch } from './gateBatch.ts';
import { GateCalls, type GateLimits, TIMED_OUT } from './gateCalls.ts';
import type { Refusal, Verdict, Window, Windows } from './gateReply.ts';

/** Admits requests by their keys. All servers with the same Redis count together. */
export interface Gate {
  /**
   * Decides on a request: counts it in both windows of its key, or refuses it and gives the reason.
   *
   * @param keyHash the SHA-256 of the key.
   * @throws {ApiError} 503 when Redis does not answer in time (ruling 25).
   */
  admit(keyHash: string): Promise<Verdict>;
  /**
   * The state of a key, even if its limits are used up. Counts nothing.
   *
   * @throws {ApiError} as `admit` does.
   */
  check(keyHash: string): Promise<CheckedKey>;
}

/** The state of a key, and its id. The id is null for an unknown key. */
export interface CheckedKey {
  readonly outcome: 'active' | Refusal;
  readonly keyId: string | null;
}

/** Makes the gate over a Redis client. `limits` apply to keys without limits of their own. */
export function createGate(
  redis: RedisClient,
  limits: GateLimits,
  observe: Observe = () => {},
  clock: MonotonicClock = PROCESS_CLOCK,
): Gate {
  const calls = new GateCalls(redis, limits, observe, clock);
  return {
    admit: createGateBatch(redis, calls, clock.nowMs),
    async check(hash) {
      const verdict = await new Promise<Verdict>((resolve, reject) => {
        const checked = [{ hash, requests: [{ resolve, reject }], isCounted: false }];
        if (calls.isSilent()) calls.fail(checked, TIMED_OUT);
        else calls.send(checked, clock.nowMs());
      });
      return 'windows' in verdict ? { outcome: 'active', keyId: verdict.keyId } : verdict;
    },
  };
}

/** The window with fewer requests left. If both have the same number left, it is the one that frees later (ruling 23). */
export function nearestWindow({ minute, day }: Windows): Window {
  const [ofMinute, ofDay] = [requestsLeft(minute), requestsLeft(day)];
  if (ofMinute === ofDay) return minute.freesMs > day.freesMs ? minute : day;
  return ofMinute < ofDay ? minute : day;
}

/** How many requests a window still admits. */
export const requestsLeft = ({ limit, used }: Window): number => Math.max(0, limit - used);
