// Calls gate.lua in Redis. Each request gets its verdict or an error in time, whatever Redis does.

import { readFileSync } from 'node:fs';
import { unavailable } from '../../errors.ts';
import type { Observe } from '../../observations.ts';
import type { RedisClient } from '../redis/connection.ts';
import { dayLog, dayOf, keyRecord, minuteLog, usageOfDay } from '../redis/keyNames.ts';
import { scriptOf } from '../redis/luaScript.ts';
import { redisReason } from '../redis/redisReason.ts';
import { type MonotonicClock, REPLY_MS } from '../redis/replyDeadline.ts';
import { type ServerClock, serverClock } from '../redis/serverClock.ts';
import { clockMsOf, isTooLate, type Reply, readReply, type Verdict, verdictsIn } from './gateReply.ts';

/** The limits of the gate, and the lengths of its windows. */
export interface GateLimits {
  /** The limits of keys without limits of their own. */
  readonly perMinute: number;
  readonly perDay: number;
  /** The lengths of the two windows, for tests that cannot wait for a minute or a day. */
  readonly minuteMs?: number;
  readonly dayMs?: number;
}

/** A request that waits for its verdict. */
export interface PendingRequest {
  readonly resolve: (verdict: Verdict) => void;
  readonly reject: (error: Error) => void;
}

/** Requests with the same key, in the order in which they arrived. */
export interface KeyRequests {
  readonly hash: string;
  readonly requests: PendingRequest[];
  /** False when the key is only checked. */
  readonly isCounted: boolean;
}

/**
 * The latest moment at which Redis runs a call, from the arrival of its requests. Redis counts nothing for a later call.
 * The reply to a call that it ran in time may arrive until `REPLY_MS`.
 */
const RUN_MS = 190;

/**
 * The problem of a damaged key. The script does not say whether the record of the key is damaged, or the log of one of its
 * windows.
 */
const damagedKeyProblem = (hash: string, problem: string): string =>
  `damaged in Redis: ${keyRecord(hash)} or a window of that key: ${problem}; \`keys list\` names the key, and \`keys revoke\` ends it`;

/**
 * Matches errors of Redis and Lua about a value that the gate cannot have written: the record or a log of an API key is
 * damaged.
 */
const DAMAGED_KEY = /WRONGTYPE|not an integer|attempt to/;

/** The reason for a 503 when Redis is silent. */
export const TIMED_OUT = 'no answer in time';

/** Sends the calls of one process, and settles their requests. */
export class GateCalls {
  readonly #redis: RedisClient;
  /** The arguments of the script that are the same in all calls. */
  readonly #limitArguments: readonly number[];
  readonly #observe: Observe;
  readonly #observeFailure: (reason: string) => void;
  readonly #monotonic: MonotonicClock;
  readonly #serverClock: ServerClock;
  /** The number of calls that timed out and still have no reply. */
  #unanswered = 0;

  constructor(redis: RedisClient, limits: GateLimits, observe: Observe, monotonic: MonotonicClock) {
    const { perMinute, perDay, minuteMs = 60_000, dayMs = 86_400_000 } = limits;
    this.#redis = redis;
    this.#limitArguments = [perMinute, minuteMs, perDay, dayMs];
    this.#observe = observe;
    this.#observeFailure = failureObserver(observe, monotonic.nowMs);
    this.#monotonic = monotonic;
    this.#serverClock = serverClock(redis, monotonic.nowMs);
  }

  /**
   * Whether a call has timed out and still has no reply, so that another call would time out as well. False on a cluster,
   * where other nodes may answer.
   */
  isSilent(): boolean {
    return !this.#redis.isCluster && this.#unanswered > 0;
  }

  /** Rejects the requests with 503, and observes the reason, at most once a second. */
  fail(waiting: readonly Pick<KeyRequests, 'requests'>[], reason: string): void {
    this.#observeFailure(reason);
    for (const { requests } of waiting) for (const { reject } of requests) reject(unavailable());
  }

  /**
   * Settles the requests with one call.
   *
   * @param startMs when the requests arrived, by the monotonic clock. The deadlines run from then on.
   */
  send(waiting: readonly KeyRequests[], startMs: number): void {
    const sentMs = this.#monotonic.nowMs();
    let isTimedOut = false;
    const cancel = this.#monotonic.afterDeadline(startMs + REPLY_MS - sentMs, () => {
      isTimedOut = true;
      this.#unanswered += 1;
      this.fail(waiting, TIMED_OUT);
    });
    const endCall = () => {
      cancel();
      if (isTimedOut) this.#unanswered -= 1;
    };
    this.#run(waiting, startMs).then(
      (reply) => {
        endCall();
        this.#observe({ event: 'gate answered', durationMs: this.#monotonic.nowMs() - sentMs });
        this.#learnClock(reply, sentMs);
        if (!isTimedOut) this.#receive(reply, waiting, startMs);
      },
      (error: Error) => {
        endCall();
        if (!isTimedOut) this.#receiveError(redisReason(error), waiting, startMs);
      },
    );
  }

  async #run(waiting: readonly KeyRequests[], startMs: number): Promise<Reply> {
    const latestMs = this.#serverClock.at(startMs + RUN_MS);
    const latestMicroseconds = latestMs === null ? 0 : Math.round(latestMs * 1000);
    const today = dayOf(this.#serverClock.at(this.#monotonic.nowMs()) ?? Date.now());
    const keys = redisKeysOf(waiting, today);
    const counts = waiting.map(({ requests, isCounted }) => (isCounted ? requests.length : 0));
    const scriptArguments = [keys.length, ...keys, ...this.#limitArguments, latestMicroseconds, ...counts];
    return readReply(await runScript(this.#redis, scriptArguments));
  }

  #learnClock(reply: Reply, sentMs: number): void {
    if (isTooLate(reply)) this.#serverClock.relearn(clockMsOf(reply), sentMs);
    else this.#serverClock.learn(clockMsOf(reply), sentMs);
  }

  #receive(reply: Reply, waiting: readonly KeyRequests[], startMs: number): void {
    if (!isTooLate(reply)) resolveRequests(waiting, reply);
    // The call was too late by Redis's clock but not by ours: Redis's clock was set forward.
    else if (this.#monotonic.nowMs() < startMs + RUN_MS) this.send(waiting, startMs);
    else this.fail(waiting, TIMED_OUT);
  }

  #receiveError(message: string, waiting: readonly KeyRequests[], startMs: number): void {
    const [{ hash } = { hash: '' }, ...others] = waiting;
    if (!DAMAGED_KEY.test(message)) this.fail(waiting, message);
    else if (others.length === 0) this.fail(waiting, damagedKeyProblem(hash, message));
    // One of the keys is damaged, and the script stopped there. So each key is sent again in a call of its own. The keys
    // before the damaged one are counted twice, which is better than no answer.
    else for (const ofOneKey of waiting) this.send([ofOneKey], startMs);
  }
}

/** Returns a function that observes a failure, at most once a second. */
function failureObserver(observe: Observe, nowMs: () => number): (reason: string) => void {
  let observedMs = Number.NEGATIVE_INFINITY;
  return (reason) => {
    const failedMs = nowMs();
    if (failedMs - observedMs <= 1000) return;
    observedMs = failedMs;
    observe({ event: 'keys cannot be checked', reason });
  };
}

/** The Redis keys that the script reads and writes for each API key, in the order of gate.lua. */
const redisKeysOf = (waiting: readonly KeyRequests[], today: number): string[] =>
  waiting.flatMap(({ hash }) => [keyRecord(hash), minuteLog(hash), dayLog(hash), usageOfDay(hash, today)]);

const runScript = scriptOf(readFileSync(new URL('./gate.lua', import.meta.url), 'utf8'));

function resolveRequests(waiting: readonly KeyRequests[], reply: Reply): void {
  for (const [key, { requests }] of waiting.entries()) {
    const verdictOn = verdictsIn(reply, key);
    for (const [i, { resolve }] of requests.entries()) resolve(verdictOn(i));
  }
}
