// Thousands of random months in random layouts, published through the real pipeline.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { intended } from '../ingest/months/intended.ts';
import { differences } from '../ingest/months/roundTrip.ts';

/** MONTHS=10000 for a longer run, MONTHS_SEED for others. */
const COUNT = Number(process.env.MONTHS ?? 2_000);
const SEED = Number(process.env.MONTHS_SEED ?? 1);

describe('random months', () => {
  it('are published as they were meant, without one difference', async () => {
    let done = 0;
    await fc.assert(
      fc.asyncProperty(intended, fc.nat(), async (month, layout) => {
        expect(await differences(month, layout)).toEqual([]);
        done += 1;
        if (done % 100 === 0) process.stderr.write(`${done} months as they were meant\n`);
      }),
      { numRuns: COUNT, seed: SEED },
    );
  }, 7_200_000);
});
