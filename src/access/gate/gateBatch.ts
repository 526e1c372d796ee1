// Collects requests for the gate: requests of one turn of the event loop share a few calls to Redis.
// Requests of one key are decided together.

import type { Observe } from '../../observations.ts';
import type { RedisClient } from '../redis/connection.ts';
import {
  createGateCalls,
  type GateLimits,
  type PendingKey,
  type PendingRequest,
  TIMED_OUT,
} from './gateCalls.ts';
import type { Verdict } from './gateReply.ts';

/**
 * Counts a request in both windows of the key with this SHA-256, or gives the reason why it is refused.
 *
 * @throws {ApiError} 503 when Redis does not answer in time.
 */
export type Admit = (hash: string) => Promise<Verdict>;

/** Large enough to spread the cost of a call, small enough that Redis runs one call while we read another's reply. */
const MOST_KEYS = 24;
/** Of one key in one call: fewer than a script may pass to a command. */
const MOST_REQUESTS = 1000;

export function createGateBatch(redis: RedisClient, limits: GateLimits, observe: Observe): Admit {
  const calls = createGateCalls(redis, limits, observe);
  /** By hash. */
  let collected = new Map<string, PendingKey>();

  function sendNow(hash: string, request: PendingRequest): void {
    calls.send([{ hash, requests: [request] }], performance.now());
  }

  function collect(hash: string, request: PendingRequest): void {
    const known = collected.get(hash);
    if (known !== undefined && known.requests.length < MOST_REQUESTS) {
      known.requests.push(request);
      return;
    }
    // A key with as many requests as a call may have gets a call of its own.
    if (known !== undefined) calls.send([known], performance.now());
    else if (collected.size === 0) setImmediate(sendCollected);
    collected.set(hash, { hash, requests: [request] });
  }

  function sendCollected(): void {
    const waiting = [...collected.values()];
    collected = new Map();
    const startMs = performance.now();
    for (let at = 0; at < waiting.length; at += MOST_KEYS)
      calls.send(waiting.slice(at, at + MOST_KEYS), startMs);
  }

  return (hash) =>
    new Promise((resolve, reject) => {
      const request = { resolve, reject };
      // On a cluster, all keys of a call must lie in one slot, and one silent node must not delay the others.
      if (redis.isCluster) sendNow(hash, request);
      else if (calls.isSilent()) calls.fail([{ hash, requests: [request] }], TIMED_OUT);
      else collect(hash, request);
    });
}
