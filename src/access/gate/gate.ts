// The gate: admits or limits a request by its key, and reports the state of the key's two windows.

import type { Observe } from '../../observations.ts';
import type { RedisClient } from '../redis/connection.ts';
import { withinDeadline } from '../redis/deadline.ts';
import { keyRecord } from '../redis/keyNames.ts';
import { createGateBatch } from './gateBatch.ts';
import type { GateLimits } from './gateCalls.ts';
import type { Verdict, Window, Windows } from './gateReply.ts';

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

/** The state of a key, and its id. The id is empty for an unknown key. */
export interface CheckedKey {
  readonly outcome: 'active' | 'unknown' | 'revoked' | 'expired';
  readonly keyId: string;
}

/** Makes the gate over a Redis client. `limits` apply to keys without limits of their own. */
export function createGate(redis: RedisClient, limits: GateLimits, observe: Observe = () => {}): Gate {
  return {
    admit: createGateBatch(redis, limits, observe),
    async check(keyHash) {
      const [outcome, keyId] = (await withinDeadline(redis.eval(CHECK, 1, keyRecord(keyHash)))) as [
        string,
        string,
      ];
      return { outcome: outcome as CheckedKey['outcome'], keyId };
    },
  };
}

/** Reads the state of a key by the rules of gate.lua. */
const CHECK = `
local state, expires, id = unpack(redis.call('HMGET', KEYS[1], 'state', 'expires', 'id'))
local time = redis.call('TIME')
local outcome = 'unknown'
if state == 'revoked' then outcome = state
elseif state == 'active' then
  outcome = (expires and expires * 1000 <= time[1] * 1000000 + time[2]) and 'expired' or 'active'
end
return {outcome, id or ''}`;

/** The window with fewer requests left. If both have the same number left, it is the one that frees later (ruling 23). */
export function nearestWindow({ minute, day }: Windows): Window {
  const [ofMinute, ofDay] = [requestsLeft(minute), requestsLeft(day)];
  if (ofMinute === ofDay) return minute.freesMs > day.freesMs ? minute : day;
  return ofMinute < ofDay ? minute : day;
}

/** How many requests a window still admits. */
export const requestsLeft = ({ limit, used }: Window): number => Math.max(0, limit - used);
