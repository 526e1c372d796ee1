// Every long computation rests once its slice is over, and only then.

import { describe, expect, it } from '@jest/globals';
import { compile } from '../../src/query/compile.ts';
import { groupBy } from '../../src/query/groups.ts';
import { type CodesOf, compute, selectedCodes } from '../../src/query/jobs.ts';
import type { Slices } from '../../src/query/slices.ts';
import { twinRows } from '../../src/query/twins.ts';
import { aRow } from '../support/snapshot.ts';
import { aTable } from '../support/table.ts';

const table = aTable(
  'ggr',
  ['Bingo', 'Poker'].map((product) => aRow('ggr', { product })),
);
/** Twins are looked for in thousands of rows at a time. */
const long = aTable(
  'ggr',
  Array.from({ length: 5000 }, (_, i) => aRow('ggr', { product: `P${i}` })),
);
const tables = [table] as const;
const bingo = compile({ filters: new Map([['product', ['Bingo']]]), period: null }, table);
const conditions: readonly CodesOf[] = [{ dimension: 'product', codes: [0] }];

const COMPUTATIONS: readonly (readonly [name: string, run: (slices: Slices) => Promise<unknown>])[] = [
  ['values', (slices) => compute('values', { tables, conditions, dimensions: ['product'] }, slices)],
  ['totals of everything', (slices) => compute('totals', { tables, selected: 'everything', by: [] }, slices)],
  ['totals', (slices) => compute('totals', { tables, selected: selectedCodes(bingo), by: [] }, slices)],
  ['changes', (slices) => compute('changes', { tables: [table, table] }, slices)],
  [
    'many groups',
    (slices) => {
      const groups = groupBy(table, ['product'], 0);
      groups.add(Uint32Array.of(0, 1));
      return groups.finish(slices);
    },
  ],
  ['twins', (slices) => twinRows(long, 'temporal', slices)],
];

describe.each(COMPUTATIONS)('%s', (_, run) => {
  it('stop where the next slice is refused', async () => {
    const slices = { isOver: () => true, next: () => Promise.reject(new Error('the client has left')) };
    await expect(run(slices)).rejects.toThrow('the client has left');
  });

  it('go on without a rest while the slice lasts', async () => {
    const slices = { isOver: () => false, next: () => Promise.reject(new Error('the slice is not over')) };
    await run(slices);
  });
});
