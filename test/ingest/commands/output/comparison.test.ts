// The text of a comparison for people: totals in their order, and how many more there are.

import { expect, it } from '@jest/globals';
import { printedComparison } from '../../../../ingest/commands/output/comparison.ts';
import { aComparison } from '../../../support/comparison.ts';
import { aRow } from '../../../support/snapshot.ts';

it('has reported totals before forecasts, the largest changes first', async () => {
  const rows = (factors: readonly number[], isAfter: boolean) =>
    factors.map((factor, i) =>
      aRow('ggr', {
        year: 2016 + i,
        temporal: i > 3 ? 'Forecast' : 'Current',
        ggr: 1000 * (isAfter ? factor : 1),
      }),
    );
  const factors = [1.01, 0.9, 1, 1.05, 1.2, 1.3];
  const comparison = await aComparison({ ggr: rows(factors, false) }, { ggr: rows(factors, true) });
  const totalsOf = (shown?: number) =>
    [...printedComparison(comparison, undefined, shown).matchAll(/ggr in EUR {2}(\d+ \w+)/g)].map(
      ([, year]) => year,
    );
  expect(totalsOf()).toEqual(['2017 closed', '2019 closed', '2016 closed', '2021 forecast', '2020 forecast']);
  expect(totalsOf(2)).toEqual(['2017 closed', '2019 closed']);
  // Each list says what it counts, because `revised` in the first line counts rows.
  const more = [...printedComparison(comparison, undefined, 2).matchAll(/… and (.*)/g)].map(
    ([, rest]) => rest,
  );
  expect(more).toEqual(['3 more totals', '3 more values']);
});
