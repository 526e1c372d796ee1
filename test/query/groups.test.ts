import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { groupBy } from '../../src/query/groups.ts';
import { inSlices } from '../../src/query/slices.ts';
import { aRow } from '../support/snapshot.ts';
import { aTable, distinctRows } from '../support/table.ts';

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
      const [dense, sorted] = [groupBy(table, by), groupBy(table, by, 0)];
      for (const grouping of [dense, sorted]) grouping.add(all);
      const [one, other] = [await dense.finish(inSlices(1)), await sorted.finish(inSlices(1))];
      // Any row of a group stands for it.
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
  const grouping = groupBy(table, ['product'], maxDenseGroups);
  grouping.add(Uint32Array.of(0, 1));
  expect((await grouping.finish(slices)).rowsSummed).toEqual(Uint32Array.of(1, 1));
});
