// A plain model of the gate, and random steps that compare it with the real script on a real Redis.

import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import { randomOf } from '../../bench/seededRandom.ts';
import { readReply, type Verdict, verdictsIn } from '../../src/access/gate/gateReply.ts';
import { usageOf } from '../../src/access/keys/dailyUsage.ts';
import type { RedisClient } from '../../src/access/redis/connection.ts';
import { dayLog, dayOf, keyRecord, minuteLog, usageOfDay } from '../../src/access/redis/keyNames.ts';

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = 1_800_000_000 * SECOND;
const DEFAULTS = { perMinute: 5, perDay: 12 };

const script = readFileSync(new URL('../../src/access/gate/gate.lua', import.meta.url), 'utf8');

/*
 * The clock of Redis cannot be set, so `call` of the script is replaced: TIME reads a clock that the test stores under a
 * key. Expiries follow that clock, too: a log that has expired by it is deleted, as Redis itself would do.
 */
const COMMANDS = `
local wall = redis.call('HMGET', 'clock', 'seconds', 'microseconds')
local wallMs = wall[1] * 1000 + math.floor(wall[2] / 1000)
for i = 1, #KEYS do
  local ends = tonumber(redis.call('HGET', 'expiries', KEYS[i]))
  if ends and ends <= wallMs then redis.call('DEL', KEYS[i]) end
end
local function call(name, key, ...)
  if name == 'TIME' then return wall end
  if name == 'PEXPIRE' then
    return redis.call('HSET', 'expiries', key, string.format('%.0f', wallMs + ...))
  end
  -- Redis deletes an empty list together with its expiry.
  if name == 'RPUSH' and redis.call('EXISTS', key) == 0 then redis.call('HDEL', 'expiries', key) end
  return redis.call(name, key, ...)
end`;
const SCRIPT = script.replace('local call = redis.call', COMMANDS);

const setClock = (clock: number) => ({ seconds: Math.floor(clock / SECOND), microseconds: clock % SECOND });

/**
 * The most admissions in any 60 s of a client that sends a request every `everyMs`, and then a burst of twice its limit.
 * The clock steps back by `stepMs` after the tenth request. Bursts after 60 to 85 s are tried.
 */
export async function mostInAMinute(
  redis: RedisClient,
  { perMinute, everyMs, stepMs }: { perMinute: number; everyMs: number; stepMs: number },
): Promise<number> {
  const most: number[] = [];
  for (let burstMs = 60_000; burstMs < 90_000; burstMs += 5000) {
    const times = Array.from({ length: burstMs / everyMs }, (_, i) => i * everyMs);
    const burst = Array.from({ length: 2 * perMinute }, (_, i) => burstMs + i);
    const admitted: number[] = [];
    const hash = String(burstMs).padEnd(64, '0');
    const names = [keyRecord(hash), minuteLog(hash), dayLog(hash), usageOfDay(hash, dayOf(START / 1000))];
    const pipeline = redis.pipeline().hset(keyRecord(hash), 'state', 'active');
    for (const [i, ms] of [...times, ...burst].entries()) {
      pipeline.hset('clock', setClock(START + (i < 10 ? ms : ms - stepMs) * 1000));
      pipeline.callBuffer(
        'EVAL',
        SCRIPT,
        names.length,
        ...names,
        perMinute,
        60_000,
        10_000,
        86_400_000,
        0,
        1,
      );
    }
    const outcomes = ((await pipeline.exec()) ?? []).flatMap(([, reply]) =>
      Array.isArray(reply) ? [verdictsIn(readReply(reply), 0)(0).outcome] : [],
    );
    for (const [i, ms] of [...times, ...burst].entries()) if (outcomes[i] === 'admitted') admitted.push(ms);
    most.push(...admitted.map((at) => admitted.filter((ms) => ms >= at && ms < at + 60_000).length));
  }
  return Math.max(...most);
}

interface ModelKey {
  readonly hash: string;
  state: 'active' | 'revoked' | 'pending' | 'absent';
  expiresMs: number | null;
  perMinute: number | null;
  perDay: number | null;
  /** The admissions in each window, in microseconds of the key's own time (step 2 in gate.lua). */
  minute: number[];
  day: number[];
  /** When the expiries of both logs were renewed last, by the key's own time in seconds and by the clock in ms. */
  renewed: { readonly second: number; readonly atMs: number };
  /** The admissions of the last 24 hours, in microseconds of a clock that only goes forward. */
  truly: number[];
  /** How far the key's own time is ahead of the clock, in microseconds. */
  ahead: number;
  /** The usage on each day, by the number of the day since 1970. */
  usage: Map<number, { requests: number; refused: number }>;
}

export interface GateWalkResult {
  readonly steps: number;
  readonly outcomes: Readonly<Record<string, number>>;
  /** How many refused requests were repeated exactly after their `Retry-After`. */
  readonly honoured: number;
}

/** Takes random steps on an empty Redis, and expects that every reply equals the model's. */
export async function walkTheGate(redis: RedisClient, steps: number, seed: number): Promise<GateWalkResult> {
  expect(SCRIPT).not.toBe(script);
  const walk = new GateWalk(redis, String(await redis.script('LOAD', SCRIPT)), seed);
  let checked = 0;
  while (walk.steps < steps) {
    await walk.step();
    if (walk.steps - checked < 500) continue;
    await walk.check();
    checked = walk.steps;
  }
  await walk.check();
  await walk.checkUsage();
  return walk.result();
}

/** Sends the same random requests to the script and to the model. */
class GateWalk {
  readonly #redis: RedisClient;
  readonly #sha: string;
  readonly #random: () => number;
  readonly #keys = Array.from({ length: 6 }, (_, i) => newKey(i));
  readonly #outcomes: Record<string, number> = {};
  #pipeline: ReturnType<RedisClient['pipeline']>;
  #clock = START;
  /** The real time in microseconds that has passed: the clock without its steps back. */
  #elapsed = 0;
  #honoured = 0;
  #expected: Verdict[] = [];
  /** For each collected call, the number of requests of each of its keys. */
  #counts: (readonly number[])[] = [];
  steps = 0;

  /** @param sha The digest by which Redis knows the script. */
  constructor(redis: RedisClient, sha: string, seed: number) {
    this.#redis = redis;
    this.#sha = sha;
    this.#random = randomOf(seed);
    this.#pipeline = redis.pipeline();
  }

  /** Moves the clock or changes a key, then sends requests of one key or of several. */
  async step(): Promise<void> {
    this.steps += 1;
    const chance = this.#random();
    const key = this.#anyKey();
    await this.#change(chance, key);
    const several = Array.from({ length: 1 + this.#below(5) }, () => this.#anyKey());
    const requested = this.#random() < 0.8 ? [key] : several.sort((a, b) => Number(a.hash) - Number(b.hash));
    const waitMs = this.#request(requested);
    if (waitMs !== null && this.#random() < 0.3) this.#honour(requested.at(-1) ?? key, waitMs);
  }

  async #change(chance: number, key: ModelKey): Promise<void> {
    const below = (n: number) => this.#below(n);
    if (chance < 0.1) this.#forward(below(3));
    else if (chance < 0.45) this.#forward(below(MINUTE / 3));
    else if (chance < 0.5) this.#forward(below(DAY / 4));
    else if (chance < 0.505) this.#forward(DAY + below(1000));
    else if (chance < 0.53) this.#stepClock();
    else if (chance < 0.56) change(key, this.#clock, below, this.#pipeline);
    else if (chance < 0.57) await this.#keepCadence(key);
  }

  /** Repeats a limited request exactly after its wait: it must be admitted, unless its key expires meanwhile. */
  #honour(key: ModelKey, waitMs: number): void {
    this.#forward(Math.ceil(waitMs / 1000) * 1_000_000);
    if (key.expiresMs !== null && key.expiresMs * 1000 <= this.#clock) return;
    const before = this.#outcomes[String(ADMITTED)] ?? 0;
    this.#request([key]);
    expect(this.#outcomes[String(ADMITTED)]).toBe(before + 1);
    this.#honoured += 1;
  }

  /** Makes one call of the script; returns the wait of the last request in ms when it was limited. */
  #request(requested: readonly ModelKey[]): number | null {
    const today = dayOf(this.#clock / 1000);
    const distinct = [...new Set(requested)];
    const requests = distinct.map((key) => requested.filter((one) => one === key).length);
    const names = distinct.flatMap(({ hash }) => [
      keyRecord(hash),
      minuteLog(hash),
      dayLog(hash),
      usageOfDay(hash, today),
    ]);
    this.#pipeline.hset('clock', setClock(this.#clock));
    const terms = [DEFAULTS.perMinute, 60_000, DEFAULTS.perDay, 86_400_000, 0];
    this.#pipeline.callBuffer('EVALSHA', this.#sha, names.length, ...names, ...terms, ...requests);
    this.#counts.push(requests);
    const verdicts = requested.map((key) => decide(key, this.#clock, this.#elapsed));
    for (const [outcome = ''] of verdicts) this.#outcomes[outcome] = (this.#outcomes[outcome] ?? 0) + 1;
    this.#expected.push(...verdicts.map((verdict) => verdictOf(verdict, this.#clock)));
    return waitMsOf(verdicts.at(-1) ?? [], requested.at(-1));
  }

  /**
   * Sends requests of one key steadily, or nearly so, as often as its limit allows. Early on, the clock steps back, in most
   * walks by two intervals. At each later request, the clock then equals the newest admission: the edge of step 2 in
   * gate.lua.
   */
  async #keepCadence(key: ModelKey): Promise<void> {
    const { perMinute } = limitsOf(key);
    const cadence = Math.ceil(MINUTE / perMinute) + this.#below(2) * this.#below(SECOND);
    const jitter = this.#below(2) === 0 ? 1 : 1 + this.#below(SECOND / 2);
    const firstStep = 1 + this.#below(3);
    for (let sent = 0; sent < 2.5 * perMinute; sent++) {
      this.#forward(cadence + this.#below(jitter));
      if (sent === firstStep)
        this.#clock -= 2 * cadence + ([0, this.#below(jitter), this.#below(6 * HOUR)][this.#below(3)] ?? 0);
      else if (this.#random() < 0.01) this.#stepClock();
      this.#request([key]);
      this.steps += 1;
    }
    await this.check();
  }

  /** Sets the clock up to six hours forward or back, to any moment of a second. */
  #stepClock(): void {
    const by = this.#below([1000, SECOND, MINUTE, 6 * HOUR][this.#below(4)] ?? 0);
    // A step forward is the same as time that passes.
    if (this.#below(3) === 0) this.#forward(by);
    else this.#clock -= by;
  }

  #forward(by: number): void {
    this.#clock += by;
    this.#elapsed += by;
  }

  #below(n: number): number {
    return Math.floor(this.#random() * n);
  }

  #anyKey(): ModelKey {
    return this.#keys[this.#below(this.#keys.length)] ?? newKey(0);
  }

  /** Sends the calls that have been collected, and compares the replies with the model's verdicts. */
  async check(): Promise<void> {
    const replies = (await this.#pipeline.exec()) ?? [];
    const verdicts = replies
      .map(([error, reply]) => error ?? reply)
      .filter((reply) => Array.isArray(reply))
      .flatMap((sent, call) => {
        const reply = readReply(sent);
        const ofCall = this.#counts[call] ?? [];
        return ofCall.flatMap((requests, key) =>
          Array.from({ length: requests }, (_, i) => verdictsIn(reply, key)(i)),
        );
      });
    // The verdicts are compared as text first, because `toEqual` is slow.
    if (JSON.stringify(verdicts) !== JSON.stringify(this.#expected)) expect(verdicts).toEqual(this.#expected);
    this.#expected = [];
    this.#counts = [];
    this.#pipeline = this.#redis.pipeline();
  }

  /** Compares the usage of each key in the last 31 days with the model's. */
  async checkUsage(): Promise<void> {
    const today = dayOf(this.#clock / 1000);
    for (const { hash, usage } of this.#keys) {
      const days = await usageOf(this.#redis, hash, this.#clock / 1000);
      expect(new Map(days.map(({ date, ...counts }) => [date, counts]))).toEqual(
        new Map(
          [...usage]
            .filter(([day]) => day > today - 31 && day <= today)
            .map(([day, counts]) => [new Date(day * 86_400_000).toISOString().slice(0, 10), counts]),
        ),
      );
    }
  }

  result(): GateWalkResult {
    const named = Object.entries(this.#outcomes).map(([code, n]) => [NAMES[Number(code)], n]);
    return { steps: this.steps, outcomes: Object.fromEntries(named), honoured: this.#honoured };
  }
}

/** The wait of a limited request: the longest wait in ms among its key's full windows. Null when it was not limited. */
function waitMsOf(verdict: readonly number[], key: ModelKey | undefined): number | null {
  const [outcome, , , minuteFreesMs, , , dayFreesMs] = verdict;
  if (outcome !== LIMITED || !key) return null;
  const { perMinute, perDay } = limitsOf(key);
  return Math.max(
    key.minute.length >= perMinute ? Number(minuteFreesMs) : 0,
    key.day.length >= perDay ? Number(dayFreesMs) : 0,
  );
}

const [UNKNOWN, REVOKED, EXPIRED, LIMITED, ADMITTED] = [0, 1, 2, 3, 4];
const NAMES = ['unknown', 'revoked', 'expired', 'limited', 'admitted'];

/** The right reply to one request, computed from whole lists: the outcome, then limit, used and freesMs of each window. */
function decide(key: ModelKey, clock: number, elapsed: number): number[] {
  const clockMs = Math.floor(clock / 1000);
  if (key.renewed.atMs + MINUTE / 1000 + 1000 <= clockMs) key.minute = [];
  if (key.renewed.atMs + DAY / 1000 + 1000 <= clockMs) key.day = [];
  const refusal = (outcome: number | undefined) => [outcome ?? 0, 0, 0, 0, 0, 0, 0];
  if (key.state === 'revoked') return refusal(REVOKED);
  if (key.state !== 'active') return refusal(UNKNOWN);
  if (key.expiresMs !== null && key.expiresMs * 1000 <= clock) return refusal(EXPIRED);
  key.ahead = Math.max(key.day.length === 0 ? 0 : key.ahead, (key.day.at(-1) ?? 0) - clock);
  const now = clock + key.ahead;
  key.minute = key.minute.filter((time) => time > now - MINUTE);
  key.day = key.day.filter((time) => time > now - DAY);
  const { perMinute, perDay } = limitsOf(key);
  const isAdmitted = key.minute.length < perMinute && key.day.length < perDay;
  if (isAdmitted) {
    const second = Math.floor(now / SECOND);
    const isFirst = key.minute.length === 0 || key.day.length === 0 || key.renewed.second !== second;
    if (isFirst) key.renewed = { second, atMs: clockMs };
    for (const log of [key.minute, key.day]) log.push(now);
    key.truly = [...key.truly.filter((time) => time > elapsed - DAY), elapsed];
    // No window of real time may have more admissions than the limit, even after steps of the clock.
    const inMinute = key.truly.filter((time) => time > elapsed - MINUTE).length;
    if (key.truly.length > perDay || inMinute > perMinute)
      throw new Error('more than the limit were admitted');
  }
  const today = dayOf(clockMs);
  const used = key.usage.get(today) ?? { requests: 0, refused: 0 };
  used[isAdmitted ? 'requests' : 'refused'] += 1;
  key.usage.set(today, used);
  const state = (log: readonly number[], limit: number, window: number) => {
    const next = log[Math.max(0, log.length - limit)] ?? now;
    return [limit, log.length, Math.ceil((next + window - now) / 1000)];
  };
  const outcome = (isAdmitted ? ADMITTED : LIMITED) ?? 0;
  return [outcome, ...state(key.minute, perMinute, MINUTE), ...state(key.day, perDay, DAY)];
}

/** The verdict that the gate makes of a reply. Records of the model have no id. */
function verdictOf(
  [
    outcome = 0,
    perMinute = 0,
    inMinute = 0,
    minuteFreesMs = 0,
    perDay = 0,
    inDay = 0,
    dayFreesMs = 0,
  ]: number[],
  clock: number,
): Verdict {
  if (outcome !== ADMITTED && outcome !== LIMITED)
    return { outcome: NAMES[outcome] as 'unknown' | 'revoked' | 'expired', keyId: null };
  const windows = {
    minute: { limit: perMinute, used: inMinute, freesMs: minuteFreesMs },
    day: { limit: perDay, used: inDay, freesMs: dayFreesMs },
    clockMs: clock / 1000,
  };
  return { outcome: outcome === ADMITTED ? 'admitted' : 'limited', keyId: null, windows };
}

const limitsOf = ({ perMinute, perDay }: ModelKey) => ({
  perMinute: perMinute ?? DEFAULTS.perMinute,
  perDay: perDay ?? DEFAULTS.perDay,
});

/** Changes the state, the expiry or the limits of a key, as people do. */
function change(
  key: ModelKey,
  clock: number,
  below: (n: number) => number,
  pipeline: ReturnType<RedisClient['pipeline']>,
): void {
  const record = keyRecord(key.hash);
  const what = below(4);
  if (what === 0 || key.state === 'absent') {
    key.state = (['active', 'active', 'active', 'revoked', 'pending'] as const)[below(5)] ?? 'active';
    pipeline.hset(record, 'state', key.state);
  } else if (what === 1) {
    key.expiresMs = below(3) === 0 ? Math.floor(clock / 1000) + below(120_000) : null;
    if (key.expiresMs === null) pipeline.hdel(record, 'expires');
    else pipeline.hset(record, 'expires', key.expiresMs);
  } else {
    const [name, most] = what === 2 ? (['perMinute', 7] as const) : (['perDay', 20] as const);
    key[name] = below(3) === 0 ? null : 1 + below(below(5) === 0 ? 10 * most : most);
    if (key[name] === null) pipeline.hdel(record, name);
    else pipeline.hset(record, name, key[name] ?? 0);
    // Admissions under the old limit do not count against the new one.
    key.truly.length = 0;
  }
}

const newKey = (i: number): ModelKey => ({
  hash: String(i).repeat(64),
  state: 'absent',
  expiresMs: null,
  perMinute: null,
  perDay: null,
  minute: [],
  day: [],
  renewed: { second: 0, atMs: 0 },
  truly: [],
  ahead: 0,
  usage: new Map(),
});
