// Exports yield to pages, and share their part of the time.

import { describe, expect, it } from '@jest/globals';
import { type Clock, createYielding, YIELDING_DEFAULTS } from '../../src/query/yielding.ts';

/** A clock that the test moves. Sleepers wake in the order of their times. */
function aClock() {
  let nowMs = 1000;
  const sleepers: { readonly atMs: number; readonly wake: () => void }[] = [];
  const clock: Clock = {
    now: () => nowMs,
    sleep: (ms) => new Promise<void>((wake) => void sleepers.push({ atMs: nowMs + ms, wake })),
  };
  return {
    clock,
    pass: (ms: number) => {
      nowMs += ms;
    },
    /** Wakes the sleeper that is due first, at its time. */
    async wakeNext() {
      sleepers.sort((a, b) => a.atMs - b.atMs);
      const next = sleepers.shift();
      if (next === undefined) throw new Error('nobody sleeps');
      nowMs = Math.max(nowMs, next.atMs);
      next.wake();
      // The sleeper then waits for its turn of the event loop.
      for (let turns = 0; turns < 3; turns++) await new Promise(setImmediate);
    },
    sleeping: () => sleepers.length,
  };
}

const NEVER = new AbortController().signal;

describe('exports', () => {
  it('never rest when no page was answered lately', async () => {
    const { clock, pass, sleeping } = aClock();
    const yielding = createYielding({ ...YIELDING_DEFAULTS, clock });
    const slices = yielding.slices(NEVER);
    pass(0.4);
    expect(slices.isOver()).toBe(false);
    pass(0.2);
    expect(slices.isOver()).toBe(true);
    await slices.next();
    expect(slices.isOver()).toBe(false);
    yielding.countPage();
    pass(0.5);
    const resting = slices.next();
    expect(sleeping()).toBe(1);
    pass(YIELDING_DEFAULTS.pageRecencyMs + 1);
    // The page is no longer recent, so a new export does not rest.
    const other = yielding.slices(NEVER);
    await other.next();
    expect(sleeping()).toBe(1);
    void resting;
  });

  it('get their share of the time at most while pages are answered, however many there are', async () => {
    for (const exports of [1, 2, 4, 9]) {
      const { clock, pass, wakeNext, sleeping } = aClock();
      const yielding = createYielding({ ...YIELDING_DEFAULTS, clock });
      const begunMs = clock.now();
      let workedMs = 0;
      const run = async () => {
        const slices = yielding.slices(NEVER);
        for (;;) {
          pass(0.5);
          workedMs += 0.5;
          yielding.countPage();
          await slices.next();
        }
      };
      for (let i = 0; i < exports; i++) void run();
      await new Promise(setImmediate);
      for (let i = 0; i < 500; i++) await wakeNext();
      expect(sleeping()).toBe(exports);
      const share = workedMs / (clock.now() - begunMs);
      expect(share).toBeGreaterThan(0.8 * YIELDING_DEFAULTS.busyShare);
      expect(share).toBeLessThan(1.02 * YIELDING_DEFAULTS.busyShare);
    }
  });

  it('are not kept waiting by one whose client is slow', async () => {
    const { clock, pass, sleeping } = aClock();
    const yielding = createYielding({ ...YIELDING_DEFAULTS, clock });
    const slices = yielding.slices(NEVER);
    pass(60_000);
    yielding.countPage();
    const others = yielding.slices(NEVER);
    await slices.next();
    expect(sleeping()).toBe(0);
    pass(1);
    void others.next();
    expect(sleeping()).toBe(1);
  });

  it('do not pay for the time in which they wait for a client or a thread', async () => {
    const { clock, pass, wakeNext } = aClock();
    const yielding = createYielding({ ...YIELDING_DEFAULTS, clock });
    const slices = yielding.slices(NEVER);
    pass(YIELDING_DEFAULTS.sliceMs / 2);
    await slices.waitFor(Promise.resolve().then(() => pass(5)));
    expect(slices.isOver()).toBe(false);
    pass(YIELDING_DEFAULTS.sliceMs / 2);
    expect(slices.isOver()).toBe(true);
    yielding.countPage();
    const restedMs = clock.now();
    const resting = slices.next();
    await wakeNext();
    await resting;
    expect(clock.now() - restedMs).toBeLessThanOrEqual(
      Math.ceil(YIELDING_DEFAULTS.sliceMs / YIELDING_DEFAULTS.busyShare),
    );
    // The next slice has its full length.
    pass(YIELDING_DEFAULTS.sliceMs * 0.75);
    expect(slices.isOver()).toBe(false);
  });

  it('give back what an awaited promise gives, and throw its failure', async () => {
    const slices = createYielding().slices(NEVER);
    expect(await slices.waitFor(Promise.resolve(7))).toBe(7);
    await expect(slices.waitFor(Promise.reject(new Error('left')))).rejects.toThrow('left');
  });

  it('run one slice in a turn of the event loop, also when they wake up together', async () => {
    const { clock, pass, sleeping, wakeNext } = aClock();
    const yielding = createYielding({ ...YIELDING_DEFAULTS, clock });
    let ran = 0;
    const run = async () => {
      const slices = yielding.slices(NEVER);
      pass(0.5);
      yielding.countPage();
      await slices.next();
      ran += 1;
    };
    const all = Promise.all([run(), run(), run()]);
    await new Promise(setImmediate);
    expect(sleeping()).toBe(3);
    // More time passes than any of them rests, as when the process was suspended.
    pass(100);
    const woken = [wakeNext(), wakeNext(), wakeNext()];
    const perTurn: number[] = [];
    while (ran < 3) {
      const before = ran;
      await new Promise(setImmediate);
      perTurn.push(ran - before);
    }
    await Promise.all([all, ...woken]);
    expect(Math.max(...perTurn)).toBe(1);
  });

  it('end in a rest when their client has left', async () => {
    const { clock, pass, wakeNext } = aClock();
    const yielding = createYielding({ ...YIELDING_DEFAULTS, clock });
    const leaving = new AbortController();
    const slices = yielding.slices(leaving.signal);
    pass(1);
    yielding.countPage();
    const rested = slices.next();
    leaving.abort();
    const outcome = expect(rested).rejects.toMatchObject({ status: 503 });
    await wakeNext();
    await outcome;
  });
});
