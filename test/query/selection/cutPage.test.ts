// The pages of a selection have each of its rows once.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pageOf } from '../../../src/query/selection/cutPage.ts';

describe('pageOf', () => {
  it('walks any selection once, in order, whatever the limits are', () => {
    const positions = fc.uniqueArray(fc.nat(500)).map((numbers) => Uint32Array.from(numbers).sort());
    const selections = fc.oneof(
      positions.map((found) => ({ rows: found.length, positions: found })),
      fc.nat(300).map((rows) => ({ rows, positions: null })),
    );
    const limits = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 });
    fc.assert(
      fc.property(selections, limits, (selection, sizes) => {
        const walked: number[] = [];
        for (let turn = 0, after = -1; ; turn++) {
          const limit = sizes[turn % sizes.length] ?? 1;
          const page = pageOf(selection, { after, limitRows: limit });
          walked.push(...page.positions);
          if (!page.hasMore) break;
          expect(page.positions.length).toBe(limit);
          after = page.positions.at(-1) ?? 0;
        }
        const all = selection.positions ?? Uint32Array.from({ length: selection.rows }, (_, i) => i);
        expect(walked).toEqual([...all]);
      }),
    );
  });

  it('continues after a cursor row that is not selected', () => {
    const selection = { rows: 3, positions: Uint32Array.of(2, 5, 9) };
    expect(pageOf(selection, { after: 4, limitRows: 1 })).toEqual({
      positions: Uint32Array.of(5),
      hasMore: true,
    });
    expect(pageOf(selection, { after: 9, limitRows: 5 })).toEqual({
      positions: Uint32Array.of(),
      hasMore: false,
    });
    expect(pageOf({ rows: 3, positions: null }, { after: 7, limitRows: 5 })).toEqual({
      positions: Uint32Array.of(),
      hasMore: false,
    });
  });
});
