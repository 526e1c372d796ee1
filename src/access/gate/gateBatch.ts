// Collects the requests of one turn of the event loop, and has the gate decide on them in a few calls to Redis.
// Requests with the same key are decided together.

import type { RedisClient } from '../redis/connection.ts';
import { type GateCalls, type KeyRequests, type PendingRequest, TIMED_OUT } from './gateCalls.ts';
import type { Verdict } from './gateReply.ts';

/**
 * How many keys a call may have. With more keys, each bears less of the cost of a call. With fewer keys, Redis can run one
 * call while this process reads the reply to another.
 */
const MAX_KEYS_IN_CALL = 24;
/** How many requests of one key a call may have. A Lua script cannot pass many more values to a command. */
const MAX_REQUESTS_OF_KEY = 1000;

/**
 * Makes `Gate.admit` for the requests of this process.
 *
 * @param nowMs the monotonic clock of the calls.
 */
export function createGateBatch(
  redis: RedisClient,
  calls: GateCalls,
  nowMs: () => number,
): (keyHash: string) => Promise<Verdict> {
  /** The requests of this turn of the event loop, by the hash of their key. */
  let collected = new Map<string, KeyRequests>();

  function sendNow(hash: string, request: PendingRequest): void {
    calls.send([{ hash, requests: [request], isCounted: true }], nowMs());
  }

  function collect(hash: string, request: PendingRequest): void {
    const sameKey = collected.get(hash);
    if (sameKey !== undefined && sameKey.requests.length < MAX_REQUESTS_OF_KEY) {
      sameKey.requests.push(request);
      return;
    }
    // The key's requests fill a call. That call is sent, and further requests go into the next one.
    if (sameKey !== undefined) calls.send([sameKey], nowMs());
    else if (collected.size === 0) setImmediate(sendCollected);
    collected.set(hash, { hash, requests: [request], isCounted: true });
  }

  function sendCollected(): void {
    const waiting = [...collected.values()];
    collected = new Map();
    const startMs = nowMs();
    for (let start = 0; start < waiting.length; start += MAX_KEYS_IN_CALL)
      calls.send(waiting.slice(start, start + MAX_KEYS_IN_CALL), startMs);
  }

  return (hash) =>
    new Promise((resolve, reject) => {
      const request = { resolve, reject };
      // On a cluster, each request has a call of its own: all keys of a call must lie in one slot, and a silent node must
      // not delay requests for other nodes.
      if (redis.isCluster) sendNow(hash, request);
      else if (calls.isSilent()) calls.fail([{ requests: [request] }], TIMED_OUT);
      else collect(hash, request);
    });
}
