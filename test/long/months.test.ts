// Thousands of random months in random layouts are published with the real program.

import { describe, expect, it } from '@jest/globals';
import { runOutsideJest } from '../support/outsideJest.ts';
import { SEED } from '../support/seed.ts';

/** MONTHS=10000 makes a longer run. */
const COUNT = Number(process.env.MONTHS ?? 2_000);

describe('random months', () => {
  it('are published as they were meant, without one difference', async () => {
    const outcomes: unknown[] = [];
    await runOutsideJest('test/long/programs/randomMonths.ts', [COUNT, SEED], (line) =>
      outcomes.push(JSON.parse(line)),
    );
    expect(outcomes).toEqual([{ runs: COUNT, counterexample: null, error: null }]);
  }, 7_200_000);
});
