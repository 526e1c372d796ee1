// Both ways of grouping give the same groups.

import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { groupRows } from '../../../src/query/computations/groupRows.ts';
import { MATCHING_BLOCK_ROWS } from '../../../src/query/selection/matchingRows.ts';
import { inSlices } from '../../../src/query/slices.ts';
import { aTable, distinctRows } from '../../support/memoryTable.ts';
import { aRow } from '../../support/snapshot.ts';

it('groups come out the same, whether combinations have places of their own or rows are sorted', async () => {
  const row = fc
    .record({
      year: fc.integer({ min: 2019, max: 2022 }),
      country: fc.constantFrom('A', 'B', 'Å'),
      fx: fc.constantFrom('EUR', 'USD'),
      ggr: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
    })
    .map((changes) => aRow('ggr', changes));
  const by = fc.shuffledSubarray(['year', 'country', 'fx', 'region'] as const);
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 40 }), by, async (rows, by) => {
      const table = aTable('ggr', distinctRows('ggr', rows));
      const all = Uint32Array.from({ length: table.rows }, (_, position) => position);
      const [dense, sorted] = [groupRows(table, by), groupRows(table, by, 0)];
      for (const grouping of [dense, sorted]) grouping.add(all);
      const [one, other] = [await dense.finish(inSlices(1)), await sorted.finish(inSlices(1))];
      // Any row of a group represents the group.
      const valuesOf = ({ rowOfGroup }: typeof one) =>
        [...rowOfGroup].map((position) => by.map((name) => table.dimensions.get(name)?.codes[position]));
      expect(valuesOf(other)).toEqual(valuesOf(one));
      expect({ ...other, rowOfGroup: null }).toEqual({ ...one, rowOfGroup: null });
    }),
    { numRuns: 100 },
  );
});

it.each([undefined, 0])('groups wait for nothing while the slice lasts (%p)', async (maxDenseGroups) => {
  const slices = { isOver: () => false, next: () => Promise.reject(new Error('the slice is not over')) };
  const table = aTable('ggr', [aRow('ggr'), aRow('ggr', { product: 'Poker' })]);
  const grouping = groupRows(table, ['product'], maxDenseGroups);
  grouping.add(Uint32Array.of(0, 1));
  expect((await grouping.finish(slices)).rowsSummed).toEqual(Uint32Array.of(1, 1));
});

it('groups of more rows than a block come out the same in both ways', async () => {
  const rows = Array.from({ length: MATCHING_BLOCK_ROWS + 1 }, (_, i) =>
    aRow('ggr', { country: `C${i % 7}`, product: `P${i}`, ggr: i % 3 === 0 ? null : i }),
  );
  const table = aTable('ggr', rows);
  for (const by of [['country'], ['product', 'country']] as const) {
    const [dense, sorted] = [groupRows(table, by), groupRows(table, by, 0)];
    for (const grouping of [dense, sorted])
      for (let from = 0; from < table.rows; from += MATCHING_BLOCK_ROWS) {
        const length = Math.min(MATCHING_BLOCK_ROWS, table.rows - from);
        grouping.add(Uint32Array.from({ length }, (_, i) => from + i));
      }
    const [one, other] = [await dense.finish(inSlices(1)), await sorted.finish(inSlices(1))];
    expect({ ...other, rowOfGroup: null }).toEqual({ ...one, rowOfGroup: null });
    expect(one.rowsSummed).toHaveLength(by.length === 1 ? 7 : rows.length);
    expect(one.missing.get('ggr')).toBe(rows.filter(({ ggr }) => ggr === null).length);
  }
});

it('many groups rest in each of their stages', async () => {
  const table = aTable('ggr', [aRow('ggr'), aRow('ggr', { product: 'Poker' })]);
  const grouping = groupRows(table, ['product'], 0);
  grouping.add(Uint32Array.of(0, 1));
  let rests = 0;
  const next = async () => {
    rests += 1;
  };
  await grouping.finish({ isOver: () => true, next });
  // There are four stages: counting rows by value, sorting them, dividing them into groups, and adding up each group.
  expect(rests).toBe(4);
});
