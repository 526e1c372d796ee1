// The text of a comparison for people: totals in their order, and how many more there are.

import { expect, it } from '@jest/globals';
import { printedComparison } from '../../../../ingest/commands/output/printedComparison.ts';
import { aComparison } from '../../../support/comparedSnapshots.ts';
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

it('lists rows that differ only in year and currency in one line, with their number', async () => {
  const rows = (
    country: string,
    years: readonly number[],
    currencies: readonly string[],
    temporal = 'Current',
  ) =>
    years.flatMap((year) => currencies.map((fx) => aRow('ggr', { country, year, fx, temporal, ggr: year })));
  const stayed = rows('Malta', [2020], ['EUR']);
  const gone = [
    ...rows('Norway', [2015, 2016, 2017, 2019], ['EUR', 'NOK']),
    ...rows('Norway', [2027], ['EUR'], 'Forecast'),
    ...rows('Peru', [2018, 2019], ['PEN']),
  ];
  const comparison = await aComparison({ ggr: [...stayed, ...gone] }, { ggr: stayed });
  const goneIn = (shown: number) =>
    printedComparison(comparison, undefined, shown).split('  gone\n')[1]?.split('\n\n')[0];
  const [market, ...others] = goneIn(3)?.trimEnd().split('\n') ?? [];
  expect(market).toMatch(/^ {4}Norway 2015–2017, 2019, .*, EUR and NOK, .*Current.*: 8 rows$/);
  expect(others).toEqual([
    expect.stringMatching(/^ {4}Norway 2027, .*, EUR, .*Forecast[^:]*$/),
    expect.stringMatching(/^ {4}Peru 2018–2019, .*, PEN, .*: 2 rows$/),
  ]);
  expect(goneIn(2)).toMatch(/^ {4}… and 2 more rows$/m);
});
