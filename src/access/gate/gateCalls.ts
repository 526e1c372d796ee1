// Calls gate.lua in Redis. Each request gets its verdict or an error in time, whatever Redis does.

import { readFileSync } from 'node:fs';
import { unavailable } from '../../errors.ts';
import type { Observe } from '../../observations.ts';
import type { RedisClient } from '../redis/connection.ts';
import { dayLog, dayOf, keyRecord, minuteLog, usageOfDay } from '../redis/keyNames.ts';
import { scriptOf } from '../redis/script.ts';
import { serverClock } from '../redis/serverClock.ts';
import { clockMsOf, isTooLate, type Reply, readReply, type Verdict, verdictsIn } from './gateReply.ts';

export interface GateLimits {
  /** The limits of keys without limits of their own. */
  readonly perMinute: number;
  readonly perDay: number;
  /** The lengths of the two windows, for tests that cannot wait for a minute or a day. */
  readonly minuteMs?: number;
  readonly dayMs?: number;
}

export interface PendingRequest {
  readonly resolve: (verdict: Verdict) => void;
  readonly reject: (error: Error) => void;
}

/** Requests with the same key, in the order in which they arrived. */
export interface PendingKey {
  readonly hash: string;
  readonly requests: PendingRequest[];
}

export interface GateCalls {
  /**
   * Settles the requests with one call.
   *
   * @param startMs when the requests arrived, by `performance.now()`. The deadlines run from then on.
   */
  send(waiting: readonly PendingKey[], startMs: number): void;
  /** Rejects the requests with 503, and observes the reason, at most once a second. */
  fail(waiting: readonly PendingKey[], reason: string): void;
  /** Whether a call has timed out and still has no reply, so that another call would time out as well. */
  isSilent(): boolean;
}

/**
 * The deadlines of a call; a client must get its 503 within 300 ms (ruling 25). Redis counts nothing for a call that it
 * runs later than `RUN_MS`. The reply to a call that it ran in time may arrive until `REPLY_MS`.
 */
const RUN_MS = 190;
const REPLY_MS = 250;

/** The script does not say whether the record of the key is damaged or the log of one of its windows. */
const damaged = (hash: string, problem: string): string =>
  `damaged in Redis: ${keyRecord(hash)} or a window of that key: ${problem}; \`keys list\` names the key, and \`keys revoke\` ends it`;

/**
 * The errors of Redis and Lua about a value that the gate cannot have written. The record of one API key is damaged.
 */
const DAMAGED_KEY = /WRONGTYPE|not an integer|attempt to/;

/** The reason for a 503 when Redis is silent. */
export const TIMED_OUT = 'no answer in time';

export function createGateCalls(redis: RedisClient, limits: GateLimits, observe: Observe): GateCalls {
  const limitArguments = [
    limits.perMinute,
    limits.minuteMs ?? 60_000,
    limits.perDay,
    limits.dayMs ?? 86_400_000,
  ];
  const clock = serverClock(redis);
  /** The number of calls that timed out and still have no reply. */
  let unanswered = 0;
  const observeFailure = failureObserver(observe);

  function send(waiting: readonly PendingKey[], startMs: number): void {
    const sentMs = performance.now();
    let isTimedOut = false;
    const cancel = afterDeadline(startMs + REPLY_MS - sentMs, () => {
      isTimedOut = true;
      unanswered += 1;
      fail(waiting, TIMED_OUT);
    });
    const endCall = () => {
      cancel();
      if (isTimedOut) unanswered -= 1;
    };
    run(waiting, startMs).then(
      (reply) => {
        endCall();
        observe({ event: 'gate answered', durationMs: performance.now() - sentMs });
        if (isTooLate(reply)) clock.relearn(clockMsOf(reply), sentMs);
        else clock.learn(clockMsOf(reply), sentMs);
        if (!isTimedOut) receive(reply, waiting, startMs);
      },
      (error: Error) => {
        endCall();
        if (isTimedOut) return;
        const [{ hash } = { hash: '' }, ...others] = waiting;
        if (!DAMAGED_KEY.test(error.message)) fail(waiting, error.message);
        else if (others.length === 0) fail(waiting, damaged(hash, error.message));
        // One of the keys is damaged, and the script stopped there. A call for each key follows. It counts the keys
        // before the damaged one a second time, which is better than no answer.
        else for (const pendingKey of waiting) send([pendingKey], startMs);
      },
    );
  }

  async function run(waiting: readonly PendingKey[], startMs: number): Promise<Reply> {
    const latestMs = clock.at(startMs + RUN_MS);
    const latestMicroseconds = latestMs === null ? 0 : Math.round(latestMs * 1000);
    const today = dayOf(clock.at(performance.now()) ?? Date.now());
    const keys = redisKeysOf(waiting, today);
    const counts = waiting.map(({ requests }) => requests.length);
    const scriptArguments = [keys.length, ...keys, ...limitArguments, latestMicroseconds, ...counts];
    return readReply(await runScript(redis, scriptArguments));
  }

  function receive(reply: Reply, waiting: readonly PendingKey[], startMs: number): void {
    if (!isTooLate(reply)) answer(waiting, reply);
    // It was too late by Redis's clock but not by ours: Redis's clock was set forward.
    else if (performance.now() < startMs + RUN_MS) send(waiting, startMs);
    else fail(waiting, TIMED_OUT);
  }

  function fail(waiting: readonly PendingKey[], reason: string): void {
    observeFailure(reason);
    for (const { requests } of waiting) for (const { reject } of requests) reject(unavailable());
  }

  return { send, fail, isSilent: () => unanswered > 0 };
}

/**
 * Runs a function after a time, unless it is cancelled before. The function runs one turn of the event loop later than
 * that, so that a reply that arrived while the loop was busy is read first.
 *
 * @returns the function that cancels it.
 */
function afterDeadline(deadlineMs: number, run: () => void): () => void {
  let turn: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    turn = setImmediate(run);
  }, deadlineMs);
  return () => {
    clearTimeout(timer);
    clearImmediate(turn);
  };
}

/** Returns a function that observes a failure, at most once a second. */
function failureObserver(observe: Observe): (reason: string) => void {
  let observedMs = Number.NEGATIVE_INFINITY;
  return (reason) => {
    const nowMs = performance.now();
    if (nowMs - observedMs <= 1000) return;
    observedMs = nowMs;
    observe({ event: 'keys cannot be checked', reason });
  };
}

/** The Redis keys that the script reads and writes for each API key, in the order of gate.lua. */
const redisKeysOf = (waiting: readonly PendingKey[], today: number): string[] =>
  waiting.flatMap(({ hash }) => [keyRecord(hash), minuteLog(hash), dayLog(hash), usageOfDay(hash, today)]);

const runScript = scriptOf(readFileSync(new URL('./gate.lua', import.meta.url), 'utf8'));

function answer(waiting: readonly PendingKey[], reply: Reply): void {
  for (const [key, { requests }] of waiting.entries()) {
    const verdictOn = verdictsIn(reply, key);
    for (const [i, { resolve }] of requests.entries()) resolve(verdictOn(i));
  }
}
