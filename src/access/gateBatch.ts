// Asks the gate in Redis about requests in batches: those of one turn of the event loop share a few calls.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { unavailable } from '../errors.ts';
import type { Observe } from '../observations.ts';
import type { RedisClient } from './redis/connection.ts';
import { dayLog, keyRecord, minuteLog } from './redis/keyNames.ts';

/** The gate's verdict on a request. `http/middleware/authenticate.ts` maps each outcome to HTTP. */
export type Verdict =
  | { readonly outcome: 'admitted' | 'limited'; readonly windows: Windows }
  | { readonly outcome: 'unknown' | 'revoked' | 'expired' };

/** The state of a key's two windows after the verdict. */
export interface Windows {
  readonly minute: Window;
  readonly day: Window;
  /** Redis's clock at the verdict, in epoch milliseconds. */
  readonly clockMs: number;
}

export interface Window {
  readonly limit: number;
  readonly used: number;
  /** Milliseconds until the window's next slot frees. */
  readonly freesMs: number;
}

export interface GateLimits {
  /** The limits of keys without limits of their own. */
  readonly perMinute: number;
  readonly perDay: number;
  /** The windows' lengths, for tests that cannot wait for a minute or a day. */
  readonly minuteMs?: number;
  readonly dayMs?: number;
}

/**
 * Takes one slot of both windows for the key with this SHA-256, or says why not.
 *
 * @throws {ApiError} 503 when Redis does not answer in time.
 */
export type Admit = (hash: string) => Promise<Verdict>;

/**
 * A client learns within 300 ms that Redis does not answer (ruling 25). A call that Redis runs after the first deadline
 * takes no slot; the reply to one that it ran in time may arrive until the second.
 */
const RUN_MS = 190;
const REPLY_MS = 250;

/** Large enough to spread a call's cost, small enough that Redis runs one call while we read the reply to another. */
const BATCH_SIZE = 24;

const SCRIPT = readFileSync(new URL('./gate.lua', import.meta.url), 'utf8');
const SCRIPT_SHA = createHash('sha1').update(SCRIPT).digest('hex');

/** One request that waits for its verdict. */
interface Waiting {
  readonly hash: string;
  readonly resolve: (verdict: Verdict) => void;
  readonly reject: (error: Error) => void;
}

export function createGateBatch(redis: RedisClient, limits: GateLimits, observe: Observe): Admit {
  const terms = [limits.perMinute, limits.minuteMs ?? 60_000, limits.perDay, limits.dayMs ?? 86_400_000];
  /** Redis's clock minus ours: the least that any reply showed, since its way back adds to it. */
  let aheadMs: number | null = null;
  /** Calls given up that Redis may still answer. Until it has, no other call is sent: it could not be in time. */
  let unanswered = 0;
  let observedMs = Number.NEGATIVE_INFINITY;
  let collected: Waiting[] = [];

  function learn(shownMs: number): void {
    aheadMs = aheadMs === null ? shownMs : Math.min(aheadMs, shownMs);
  }
  // Before the first request, which may be the first of a flood.
  async function readClock(): Promise<void> {
    const sentMs = performance.now();
    const [seconds, microseconds] = (await redis.call('TIME')) as readonly string[];
    learn(Number(seconds) * 1000 + Number(microseconds) / 1000 - sentMs);
  }
  const readClockNow = () => void readClock().catch(() => {});
  if (redis.status === 'ready') readClockNow();
  redis.on('ready', readClockNow);

  function ask(waiting: readonly Waiting[], startMs: number): void {
    const sentMs = performance.now();
    const lastAwaited = aheadMs === null ? 0 : Math.round((startMs + RUN_MS + aheadMs) * 1000);
    let isGivenUp = false;
    // A reply that arrived while the event loop was busy is read before the call is given up.
    const timer = setTimeout(() => (turn = setImmediate(giveUp)), startMs + REPLY_MS - sentMs);
    let turn: NodeJS.Immediate | undefined;
    const settled = () => {
      clearTimeout(timer);
      clearImmediate(turn);
      if (isGivenUp) unanswered -= 1;
    };
    const giveUp = () => {
      isGivenUp = true;
      unanswered += 1;
      fail(waiting, 'no answer in time');
    };
    run(waiting, lastAwaited).then(
      (reply) => {
        settled();
        const isLate = reply.length === 1;
        const shownMs = Number(reply[0]) / 1000 - sentMs;
        if (isLate) aheadMs = shownMs;
        else learn(shownMs);
        if (isGivenUp) return;
        if (!isLate) for (const [i, { resolve }] of waiting.entries()) resolve(verdictIn(reply, i));
        // Too late by Redis's clock alone: the clock has been set forward.
        else if (performance.now() < startMs + RUN_MS) ask(waiting, startMs);
        else fail(waiting, 'no answer in time');
      },
      (error: Error) => {
        settled();
        if (!isGivenUp) fail(waiting, error.message);
      },
    );
  }

  async function run(waiting: readonly Waiting[], lastAwaited: number): Promise<Reply> {
    const keys = waiting.flatMap(({ hash }) => [keyRecord(hash), minuteLog(hash), dayLog(hash)]);
    const words = [keys.length, ...keys, ...terms, lastAwaited];
    try {
      return (await redis.call('EVALSHA', SCRIPT_SHA, ...words)) as Reply;
    } catch (error) {
      if (!(error as Error).message.startsWith('NOSCRIPT')) throw error;
      return (await redis.call('EVAL', SCRIPT, ...words)) as Reply;
    }
  }

  function fail(waiting: readonly Waiting[], reason: string): void {
    const nowMs = performance.now();
    if (nowMs - observedMs > 1000) {
      observedMs = nowMs;
      observe({ event: 'keys cannot be checked', reason });
    }
    for (const { reject } of waiting) reject(unavailable());
  }

  function askAll(): void {
    const waiting = collected;
    collected = [];
    const startMs = performance.now();
    for (let at = 0; at < waiting.length; at += BATCH_SIZE) ask(waiting.slice(at, at + BATCH_SIZE), startMs);
  }

  return (hash) =>
    new Promise((resolve, reject) => {
      const waiting = { hash, resolve, reject };
      // On a cluster a call's keys must lie in one slot, and one silent node must not hold up the others.
      if (redis.isCluster) ask([waiting], performance.now());
      else if (unanswered > 0) fail([waiting], 'no answer in time');
      else if (collected.push(waiting) === 1) setImmediate(askAll);
    });
}

/** Redis's clock, then seven numbers for each request; see gate.lua. */
type Reply = readonly (number | string)[];

const OUTCOMES = ['unknown', 'revoked', 'expired', 'limited', 'admitted'] as const;

function verdictIn(reply: Reply, request: number): Verdict {
  const number = (i: number) => Number(reply[1 + 7 * request + i]);
  const outcome = OUTCOMES[number(0)] ?? 'unknown';
  if (outcome !== 'admitted' && outcome !== 'limited') return { outcome };
  return {
    outcome,
    windows: {
      minute: { limit: number(1), used: number(2), freesMs: number(3) },
      day: { limit: number(4), used: number(5), freesMs: number(6) },
      clockMs: Number(reply[0]) / 1000,
    },
  };
}
