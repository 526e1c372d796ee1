import { describe, expect, it } from '@jest/globals';
import { soak } from '../support/soak.ts';

describe('a soak', () => {
  it('of ten seconds has no wrong answer and leaves no descriptor, timer or temporary file', async () => {
    const { counts, wrong, descriptors, timers, temporaryFiles } = await soak(10, 600);
    expect(wrong).toEqual([]);
    for (const [name, count] of Object.entries(counts)) expect([name, count > 0]).toEqual([name, true]);
    expect(descriptors[1]).toBeLessThanOrEqual(descriptors[0]);
    expect(timers[1]).toBeLessThanOrEqual(timers[0]);
    expect(temporaryFiles).toEqual([]);
  });
});
