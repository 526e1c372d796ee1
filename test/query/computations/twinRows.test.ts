// The pairs of rows that differ in only one dimension are those that a plain search finds.

import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { datasetOf } from '../../../src/catalog/datasets.ts';
import { findTwinRows } from '../../../src/query/computations/twinRows.ts';
import { inSlices } from '../../../src/query/slices.ts';
import { runs } from '../../support/depth.ts';
import { aTable, inRowOrder } from '../../support/memoryTable.ts';
import { aRow } from '../../support/snapshot.ts';

it('twins are all pairs of rows that differ in one dimension only, wherever it stands in the order of rows', async () => {
  const all = [2019, 2020, 2021].flatMap((year) =>
    ['A', 'B'].flatMap((country) =>
      ['P', 'Q', 'R'].flatMap((product) =>
        ['Current', 'Forecast', 'Revised'].map((temporal) =>
          aRow('ggr', { year, country, product, temporal }),
        ),
      ),
    ),
  );
  const varied = fc.constantFrom('year', 'country', 'product', 'temporal', 'region');
  const { dimensions } = datasetOf('ggr');
  let found = 0;
  await fc.assert(
    fc.asyncProperty(fc.subarray(all), varied, async (some, dimension) => {
      const rows = inRowOrder('ggr', some);
      const expected = rows.flatMap((one, i) =>
        rows.flatMap((other, j) => {
          const differing = dimensions.filter((name) => one[name] !== other[name]);
          return i < j && differing.length === 1 && differing[0] === dimension ? [`${i} ${j}`] : [];
        }),
      );
      const flat = await findTwinRows(aTable('ggr', rows), dimension, inSlices(1));
      const pairs = Array.from({ length: flat.length / 2 }, (_, i) => `${flat[2 * i]} ${flat[2 * i + 1]}`);
      expect(pairs.sort()).toEqual(expected.sort());
      found += pairs.length;
    }),
    { numRuns: runs(30, 100) },
  );
  expect(found).toBeGreaterThan(100);
});

it('the search gives others their turn, also where every row is one of a pair', async () => {
  const rows = Array.from({ length: 3000 }, (_, i) =>
    ['Current', 'Forecast'].map((temporal) => aRow('ggr', { country: String(10_000 + i), temporal })),
  ).flat();
  let turns = 0;
  const slices = {
    isOver: () => true,
    async next() {
      turns += 1;
    },
  };
  const pairs = await findTwinRows(aTable('ggr', rows), 'temporal', slices);
  expect([pairs.length, turns]).toEqual([6000, 1]);
});
