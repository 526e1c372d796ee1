// Reads how many requests a key made on each of the last days. The gate counts them.

import type { RedisClient } from '../redis/connection.ts';
import { dayOf, keyRecord, usageOfDay } from '../redis/keyNames.ts';
import { withinDeadline } from '../redis/replyDeadline.ts';
import { isWholeNumber } from './keyRecords.ts';

/** The requests of a key on one day. A day without requests has no entry. */
export interface DayOfUse {
  /** `2026-11-22`, UTC by Redis's clock. */
  readonly date: string;
  /** Admitted requests. */
  readonly requests: number;
  /** Requests that got 429. */
  readonly refused: number;
}

/** The usage of a key, for its holder. Times are epoch milliseconds. `expiresMs` is null for a key without an end. */
export interface KeyUsage {
  readonly id: string;
  readonly label: string;
  readonly createdMs: number;
  readonly expiresMs: number | null;
  readonly days: readonly DayOfUse[];
}

/**
 * The usage of the key with this SHA-256.
 *
 * @throws {ApiError} 503 when Redis does not answer in time (ruling 25), or when a time in the key's record is damaged.
 */
export const keyUsage = (redis: RedisClient, hash: string, nowMs: number): Promise<KeyUsage> =>
  withinDeadline(readUsage(redis, hash, nowMs));

async function readUsage(redis: RedisClient, hash: string, nowMs: number): Promise<KeyUsage> {
  const [[id, label, created, expires], days] = await Promise.all([
    redis.hmget(keyRecord(hash), 'id', 'label', 'created', 'expires'),
    usageOf(redis, hash, nowMs),
  ]);
  const times = { createdMs: Number(created || Number.NaN), expiresMs: expires ? Number(expires) : null };
  if (!isWholeNumber(times.createdMs) || !isWholeNumber(times.expiresMs ?? 0))
    throw new Error('a time of this key is damaged in Redis');
  return { id: id ?? '', label: label ?? '', ...times, days };
}

/**
 * The days with requests among the last 31 days, newest first. Days are in UTC.
 *
 * @param hash the SHA-256 of the key.
 * @param nowMs the time by Redis's clock.
 */
export async function usageOf(redis: RedisClient, hash: string, nowMs: number): Promise<DayOfUse[]> {
  const counters = await countersOf(redis, hash, nowMs);
  return counters.map(([day, counter]) => ({ date: dateOf(day), ...countsIn(BigInt(counter)) }));
}

/**
 * The counters of the gate for the same days, newest first, each after the number of its day since 1970. A counter that is
 * not a number is left out: the gate overwrites it.
 */
export async function countersOf(
  redis: RedisClient,
  hash: string,
  nowMs: number,
): Promise<[day: number, counter: string][]> {
  const days = Array.from({ length: REPORTED_DAYS }, (_, i) => dayOf(nowMs) - i);
  const counters = await redis.mget(days.map((day) => usageOfDay(hash, day)));
  return days.flatMap((day, i): [number, string][] => {
    const counter = counters[i] ?? '';
    return /^\d{1,20}$/.test(counter) ? [[day, counter]] : [];
  });
}

/** How many days of use are reported and backed up. The gate stores them a day longer. */
const REPORTED_DAYS = 31;

/**
 * The two counts in a counter of gate.lua. Its low 32 bits count the admitted requests, and the bits above them count the
 * limited ones.
 */
const countsIn = (count: bigint) => ({
  requests: Number(count & 0xffff_ffffn),
  refused: Number(count >> 32n),
});

/** The date of a day that is given as the number of days since 1970, such as `2026-11-22`. */
export const dateOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);
