// Calls the gate in Redis in batches: requests of one turn of the event loop share a few calls, those of one key their work.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { unavailable } from '../errors.ts';
import type { Observe } from '../observations.ts';
import type { RedisClient } from './redis/connection.ts';
import { dayLog, dayOf, keyRecord, minuteLog, usageOfDay } from './redis/keyNames.ts';

/** The gate's verdict on a request. `http/middleware/authenticate.ts` maps each outcome to HTTP. */
export type Verdict =
  | { readonly outcome: 'admitted' | 'limited'; readonly keyId: string | null; readonly windows: Windows }
  | { readonly outcome: 'unknown' | 'revoked' | 'expired'; readonly keyId: string | null };

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
 * Counts a request in both windows of the key with this SHA-256, or gives the reason why it is refused.
 *
 * @throws {ApiError} 503 when Redis does not answer in time.
 */
export type Admit = (hash: string) => Promise<Verdict>;

/**
 * Two deadlines, so that a client gets its 503 within 300 ms (ruling 25). A call that Redis runs after `RUN_MS` counts
 * nothing. The reply to a call that ran in time may arrive until `REPLY_MS`.
 */
const RUN_MS = 190;
const REPLY_MS = 250;

/** Large enough to spread the cost of a call, small enough that Redis runs one call while we read another's reply. */
const MOST_KEYS = 24;
/** Of one key in one call: fewer than a script may pass to a command. */
const MOST_REQUESTS = 1000;

const SCRIPT = readFileSync(new URL('./gate.lua', import.meta.url), 'utf8');
const SCRIPT_SHA = createHash('sha1').update(SCRIPT).digest('hex');

/** A request that waits for its verdict. */
interface PendingRequest {
  readonly resolve: (verdict: Verdict) => void;
  readonly reject: (error: Error) => void;
}

/** Requests of one key, in the order in which they came. */
interface PendingKey {
  readonly hash: string;
  readonly requests: PendingRequest[];
}

export function createGateBatch(redis: RedisClient, limits: GateLimits, observe: Observe): Admit {
  const terms = [limits.perMinute, limits.minuteMs ?? 60_000, limits.perDay, limits.dayMs ?? 86_400_000];
  /** Redis's clock minus ours: the smallest difference measured, because each includes the time of a reply. */
  let clockOffsetMs: number | null = null;
  /** Calls that timed out without a reply. While there are any, no other call is sent: it would time out too. */
  let unanswered = 0;
  let observedMs = Number.NEGATIVE_INFINITY;
  /** By hash. */
  let collected = new Map<string, PendingKey>();

  function learn(shownMs: number): void {
    clockOffsetMs = clockOffsetMs === null ? shownMs : Math.min(clockOffsetMs, shownMs);
  }
  // Read before the first request, so that even the first call has a deadline.
  async function readClock(): Promise<void> {
    const sentMs = performance.now();
    const [seconds, microseconds] = (await redis.call('TIME')) as readonly string[];
    learn(Number(seconds) * 1000 + Number(microseconds) / 1000 - sentMs);
  }
  const readClockNow = () => void readClock().catch(() => {});
  if (redis.status === 'ready') readClockNow();
  redis.on('ready', readClockNow);

  function ask(waiting: readonly PendingKey[], startMs: number): void {
    const sentMs = performance.now();
    const latestMicroseconds =
      clockOffsetMs === null ? 0 : Math.round((startMs + RUN_MS + clockOffsetMs) * 1000);
    let isGivenUp = false;
    // Gives up one turn later, so that a reply that arrived while the event loop was busy is read first.
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
    run(waiting, latestMicroseconds).then(
      (reply) => {
        settled();
        observe({ event: 'gate answered', durationMs: performance.now() - sentMs });
        const isLate = reply.keyIds.length === 0;
        const shownMs = clockMsOf(reply) - sentMs;
        if (isLate) clockOffsetMs = shownMs;
        else learn(shownMs);
        if (isGivenUp) return;
        if (!isLate) answer(waiting, reply);
        // Late by Redis's clock, but not by ours: that clock was set forward.
        else if (performance.now() < startMs + RUN_MS) ask(waiting, startMs);
        else fail(waiting, 'no answer in time');
      },
      (error: Error) => {
        settled();
        if (!isGivenUp) fail(waiting, error.message);
      },
    );
  }

  async function run(waiting: readonly PendingKey[], latestMicroseconds: number): Promise<Reply> {
    const today = dayOf(clockOffsetMs === null ? Date.now() : performance.now() + clockOffsetMs);
    const keys = waiting.flatMap(({ hash }) => [
      keyRecord(hash),
      minuteLog(hash),
      dayLog(hash),
      usageOfDay(hash, today),
    ]);
    const counts = waiting.map(({ requests }) => requests.length);
    const words = [keys.length, ...keys, ...terms, latestMicroseconds, ...counts];
    try {
      return readReply(await redis.callBuffer('EVALSHA', SCRIPT_SHA, ...words));
    } catch (error) {
      if (!(error as Error).message.startsWith('NOSCRIPT')) throw error;
      return readReply(await redis.callBuffer('EVAL', SCRIPT, ...words));
    }
  }

  function fail(waiting: readonly PendingKey[], reason: string): void {
    const nowMs = performance.now();
    if (nowMs - observedMs > 1000) {
      observedMs = nowMs;
      observe({ event: 'keys cannot be checked', reason });
    }
    for (const { requests } of waiting) for (const { reject } of requests) reject(unavailable());
  }

  function askAll(): void {
    const waiting = [...collected.values()];
    collected = new Map();
    const startMs = performance.now();
    for (let at = 0; at < waiting.length; at += MOST_KEYS) ask(waiting.slice(at, at + MOST_KEYS), startMs);
  }

  function collect(hash: string, request: PendingRequest): void {
    const known = collected.get(hash);
    if (known !== undefined && known.requests.length < MOST_REQUESTS) {
      known.requests.push(request);
      return;
    }
    // A full one is asked about by itself.
    if (known !== undefined) ask([known], performance.now());
    else if (collected.size === 0) setImmediate(askAll);
    collected.set(hash, { hash, requests: [request] });
  }

  return (hash) =>
    new Promise((resolve, reject) => {
      const request = { resolve, reject };
      // On a cluster, all keys of a call must lie in one slot, and one silent node must not delay the others.
      if (redis.isCluster) ask([{ hash, requests: [request] }], performance.now());
      else if (unanswered > 0) fail([{ hash, requests: [request] }], 'no answer in time');
      else collect(hash, request);
    });
}

function answer(waiting: readonly PendingKey[], reply: Reply): void {
  for (const [key, { requests }] of waiting.entries()) {
    const verdictOn = verdictsIn(reply, key);
    for (const [i, { resolve }] of requests.entries()) resolve(verdictOn(i));
  }
}

/** A reply of gate.lua. */
interface Reply {
  /** Doubles: Redis's clock in microseconds, then seven numbers for each key. */
  readonly numbers: Buffer;
  /** Empty for an unknown key; none when the call came too late. */
  readonly keyIds: readonly string[];
}

/** Reads what Redis sends. ioredis takes longer for each number than for a text. */
export function readReply(sent: unknown): Reply {
  const [numbers, ids] = sent as readonly [Buffer, Buffer];
  return { numbers, keyIds: numbers.length === DOUBLE_BYTES ? [] : ids.toString('latin1').split(',') };
}

const DOUBLE_BYTES = 8;

/** Numbers of one key in a reply. */
const NUMBERS = 7;

const clockMsOf = ({ numbers }: Reply): number => numbers.readDoubleLE(0) / 1000;

/** Why all requests of a key are refused, by what the reply has in place of the number that is admitted. */
const REFUSALS = ['unknown', 'revoked', 'expired'] as const;

/** What a reply says of each request of a key: the first ones are admitted, the others are limited. */
export function verdictsIn(reply: Reply, key: number): (request: number) => Verdict {
  const number = (i: number) => reply.numbers.readDoubleLE(DOUBLE_BYTES * (1 + NUMBERS * key + i));
  const admitted = number(0);
  const keyId = reply.keyIds[key] || null;
  if (admitted < 0) {
    const verdict = { outcome: REFUSALS[-1 - admitted] ?? 'unknown', keyId };
    return () => verdict;
  }
  const clockMs = clockMsOf(reply);
  const [minute, day] = [number(1), number(4)];
  const [usedOfMinute, usedOfDay] = [number(2), number(5)];
  const [minuteFreesMs, dayFreesMs] = [number(3), number(6)];
  return (request) => {
    const admittedLater = Math.max(0, admitted - 1 - request);
    return {
      outcome: request < admitted ? 'admitted' : 'limited',
      keyId,
      windows: {
        minute: { limit: minute, used: usedOfMinute - admittedLater, freesMs: minuteFreesMs },
        day: { limit: day, used: usedOfDay - admittedLater, freesMs: dayFreesMs },
        clockMs,
      },
    };
  };
}
