// Thousands of random months in random layouts are published with the real program.

import { describe, expect, it } from '@jest/globals';
import { runProgram } from '../support/program.ts';
import { SEED } from '../support/seed.ts';
import type { RandomMonthsResult } from './programs/publishRandomMonths.ts';

/** MONTHS=10000 makes a longer run. */
const COUNT = Number(process.env.MONTHS ?? 2_000);

describe('random months', () => {
  it('are published as they were meant, without one difference', async () => {
    const results = await runProgram<RandomMonthsResult>('test/long/programs/publishRandomMonths.ts', [
      COUNT,
      SEED,
    ]);
    expect(results).toEqual([{ runs: COUNT, counterexample: null, error: null }]);
  }, 7_200_000);
});
