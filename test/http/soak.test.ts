// A short soak. `test/long/soak.test.ts` has the long one.

import { describe, expect, it } from '@jest/globals';
import { isDeep } from '../support/depth.ts';
import { soak } from '../support/soak.ts';

describe('a soak', () => {
  /** Even the short soak lasts long enough for each client to finish several times. */
  const SECONDS = isDeep ? 10 : 2;

  it('of some seconds has no wrong answer and leaves no descriptor, timer or temporary file', async () => {
    const { counts, wrong, descriptors, timers, temporaryFiles } = await soak(SECONDS, 600);
    expect(wrong).toEqual([]);
    for (const [name, count] of Object.entries(counts)) expect([name, count > 0]).toEqual([name, true]);
    expect(descriptors[1]).toBeLessThanOrEqual(descriptors[0]);
    expect(timers[1]).toBeLessThanOrEqual(timers[0]);
    expect(temporaryFiles).toEqual([]);
  });
});
