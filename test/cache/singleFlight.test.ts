// Concurrent callers with the same key share one run of their work.

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createSingleFlight, noSingleFlight } from '../../src/cache/singleFlight.ts';
import { LONG_DEADLINE_MS } from '../support/longDeadlines.ts';

/** Work that the test ends. It records how often it began, and the signals that it got. */
function someWork() {
  const runs: { stop: AbortSignal; end: (value: string) => void; fail: (error: Error) => void }[] = [];
  const work = (stop: AbortSignal) =>
    new Promise<string>((end, fail) => {
      runs.push({ stop, end, fail });
    });
  return { runs, work };
}

const UNAVAILABLE = expect.objectContaining({ status: 503 });

describe('callers with the same key', () => {
  it('share one run while it lasts, and the next one begins another', async () => {
    const flights = createSingleFlight<string>(LONG_DEADLINE_MS);
    const { runs, work } = someWork();
    const [one, two, other] = ['a', 'a', 'b'].map((key) => flights.run(key, work));
    expect(runs).toHaveLength(2);
    runs[0]?.end('first');
    runs[1]?.end('other');
    expect(await Promise.all([one, two, other])).toEqual(['first', 'first', 'other']);
    const later = flights.run('a', work);
    runs[2]?.end('second');
    expect(await later).toBe('second');
    expect(runs.map(({ stop }) => stop.aborted)).toEqual([false, false, false]);
  });

  it('share a failure, and the next one begins anew', async () => {
    const flights = createSingleFlight<string>(LONG_DEADLINE_MS);
    const { runs, work } = someWork();
    const asked = Promise.allSettled([flights.run('a', work), flights.run('a', work)]);
    runs[0]?.fail(new Error('damaged'));
    expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const later = flights.run('a', work);
    runs[1]?.end('whole');
    expect(await later).toBe('whole');
  });

  it('stop it when the last of them leaves, and one who comes then begins another', async () => {
    const flights = createSingleFlight<string>(LONG_DEADLINE_MS);
    const { runs, work } = someWork();
    const [first, second] = [new AbortController(), new AbortController()];
    const left = [first, second].map(({ signal }) => flights.run('a', work, signal));
    first.abort();
    await expect(left[0]).rejects.toEqual(UNAVAILABLE);
    expect(runs[0]?.stop.aborted).toBe(false);
    second.abort();
    await expect(left[1]).rejects.toEqual(UNAVAILABLE);
    expect(runs[0]?.stop.aborted).toBe(true);
    const fresh = flights.run('a', work);
    // The stopped run ends late. The new run is shared nevertheless.
    runs[0]?.end('stopped');
    await sleep(0);
    const beside = flights.run('a', work);
    expect(runs).toHaveLength(2);
    runs[1]?.end('fresh');
    expect(await Promise.all([fresh, beside])).toEqual(['fresh', 'fresh']);
  });

  it('are refused at the deadline, without waiting for work that does not stop', async () => {
    for (const flights of [createSingleFlight<string>(20), noSingleFlight<string>(20)]) {
      const { runs, work } = someWork();
      await expect(flights.run('a', work)).rejects.toEqual(UNAVAILABLE);
      expect(runs.map(({ stop }) => stop.aborted)).toEqual([true]);
    }
  });

  it('who have left before they ask are refused', async () => {
    const flights = createSingleFlight<string>(LONG_DEADLINE_MS);
    const { runs, work } = someWork();
    await expect(flights.run('a', work, AbortSignal.abort())).rejects.toEqual(UNAVAILABLE);
    expect(runs[0]?.stop.aborted).toBe(true);
    runs[0]?.end('nobody');
  });

  it('have a run each with the stand-in that does nothing', async () => {
    const flights = noSingleFlight<string>(LONG_DEADLINE_MS);
    const { runs, work } = someWork();
    const asked = [1, 2].map(() => flights.run('a', work));
    runs[0]?.end('one');
    runs[1]?.end('two');
    expect(await Promise.all(asked)).toEqual(['one', 'two']);
  });
});
