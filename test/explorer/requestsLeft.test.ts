// The number of requests that a key has left, as the explorer shows it.

import { describe, expect, it } from '@jest/globals';
import { createRequestsLeftReader } from '../../src/explorer/api/requestsLeft.ts';

/** The headers of an answer with so many requests left, sent so many seconds after the first one. */
const answer = (minute: number, seconds = 0) =>
  new Headers({
    ratelimit: `"minute";r=${minute};t=33, "day";r=9991;t=86373`,
    date: new Date(Date.UTC(2026, 10, 30, 12, 0, seconds)).toUTCString(),
  });

describe('the requests that a key has left', () => {
  it('are those of the request that was counted last, in whatever order the answers arrive', () => {
    for (const order of [
      [4, 0],
      [0, 4],
    ]) {
      const expectLimits = createRequestsLeftReader();
      const readers = order.map(() => expectLimits());
      const shown = readers.map((read, i) => read(answer(order[i] ?? 0))?.minute);
      expect(shown.at(-1)).toBe(0);
    }
  });

  it('may be more in the answer to a later request', () => {
    const expectLimits = createRequestsLeftReader();
    expect(expectLimits()(answer(0))).toEqual({ minute: 0, day: 9991 });
    expect(expectLimits()(answer(6, 60))).toEqual({ minute: 6, day: 9991 });
  });

  it('are not read from an answer that lay in the cache of the browser, nor from one that states none', () => {
    const expectLimits = createRequestsLeftReader();
    expectLimits()(answer(3, 50));
    expect(expectLimits()(answer(99, 10))).toBeNull();
    expect(expectLimits()(new Headers())).toBeNull();
    expect(expectLimits()(answer(2, 51))?.minute).toBe(2);
  });
});
