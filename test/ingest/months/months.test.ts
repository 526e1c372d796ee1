// Random months in random layouts are published with exactly the intended rows.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '../../support/depth.ts';
import { aRow } from '../../support/snapshot.ts';
import { intended } from './intended.ts';
import { compared, differences } from './roundTrip.ts';

describe('a month, whatever its rows and however they are laid out,', () => {
  it('is published with every row and value as it was meant, and no other', async () => {
    await fc.assert(
      fc.asyncProperty(intended, fc.nat(), async (month, layout) => {
        expect(await differences(month, layout)).toEqual([]);
      }),
      { numRuns: runs(1, 2), seed: 20261101, endOnFailure: true },
    );
  });

  it('is distinguished from one that lacks a row, has one more, or has another value', () => {
    const rows = [aRow('ggr'), aRow('ggr', { country: 'Spain' })];
    expect(compared('ggr', rows, rows)).toEqual([]);
    expect(compared('ggr', rows, rows.slice(1))).toEqual([expect.stringContaining('is missing')]);
    expect(compared('ggr', rows.slice(1), rows)).toEqual([expect.stringContaining('nobody meant')]);
    expect(compared('ggr', rows, [...rows.slice(1), aRow('ggr', { ggr: 1.0000000000000002 })])).toEqual([
      expect.stringContaining('ggr 1 became 1.0000000000000002'),
    ]);
  });
});
