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

/**
 * How many keys a call may have: enough to spread the cost of a call, and few enough that Redis runs one call while we
 * read the reply to another.
 */
const MAX_KEYS_IN_CALL = 24;
/** A call may have this many requests of one key. A script cannot pass many more values to a command. */
const MAX_REQUESTS_OF_KEY = 1000;

export function createGateBatch(redis: RedisClient, limits: GateLimits, observe: Observe): Admit {
  const calls = createGateCalls(redis, limits, observe);
  /** By hash. */
  let collected = new Map<string, PendingKey>();

  function sendNow(hash: string, request: PendingRequest): void {
    calls.send([{ hash, requests: [request] }], performance.now());
  }

  function collect(hash: string, request: PendingRequest): void {
    const known = collected.get(hash);
    if (known !== undefined && known.requests.length < MAX_REQUESTS_OF_KEY) {
      known.requests.push(request);
      return;
    }
    // The key's requests fill a call. That call is sent, and further requests go into the next one.
    if (known !== undefined) calls.send([known], performance.now());
    else if (collected.size === 0) setImmediate(sendCollected);
    collected.set(hash, { hash, requests: [request] });
  }

  function sendCollected(): void {
    const waiting = [...collected.values()];
    collected = new Map();
    const startMs = performance.now();
    for (let at = 0; at < waiting.length; at += MAX_KEYS_IN_CALL)
      calls.send(waiting.slice(at, at + MAX_KEYS_IN_CALL), startMs);
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
