// A short soak; `test/long/soak.test.ts` has the long one.

import { describe, expect, it } from '@jest/globals';
import { isDeep } from '../support/depth.ts';
import { soak } from '../support/soak.ts';

describe('a soak', () => {
  /** The short one is long enough for each client to come to its end several times; test/long soaks for minutes. */
  const SECONDS = isDeep ? 10 : 3;

  it('of some seconds has no wrong answer and leaves no descriptor, timer or temporary file', async () => {
    const { counts, wrong, descriptors, timers, temporaryFiles } = await soak(SECONDS, 600);
    expect(wrong).toEqual([]);
    for (const [name, count] of Object.entries(counts)) expect([name, count > 0]).toEqual([name, true]);
    expect(descriptors[1]).toBeLessThanOrEqual(descriptors[0]);
    expect(timers[1]).toBeLessThanOrEqual(timers[0]);
    expect(temporaryFiles).toEqual([]);
  });
});
