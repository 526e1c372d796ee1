// Warns of forecasts of years long past: of a whole dataset, of a country, and of a new country.

import { expect, it } from '@jest/globals';
import type { DatasetName } from '../../../../src/catalog/datasets.ts';
import { aMonth, filesOf, problemsOf } from '../../../support/month.ts';
import { aRow, countryReference, publishRows, type Row } from '../../../support/snapshot.ts';

const YEARS = [2018, 2019, 2020, 2021, 2022, 2023, 2024];

/** Rows of a country. Those after the year `lastReported` are forecasts. */
const rowsOf = (dataset: DatasetName, country: string, lastReported: number): Row[] =>
  YEARS.map((year) =>
    aRow(dataset, { country, year, temporal: year > lastReported ? 'Forecast' : 'Current' }),
  );
const pastIn = (problems: readonly string[]) =>
  problems.filter((text) => text.includes('years or more before'));

it.each(['ggr', 'turnover', 'fx', 'country'] as const)(
  'forecasts of %s five years or more before the month are one warning',
  async (dataset) => {
    const load = (...lastReported: readonly number[]) =>
      filesOf({
        [dataset]: ['Malta', 'Spain', 'Peru'].flatMap((name, i) =>
          rowsOf(dataset, name, lastReported[i] as number),
        ),
      });
    expect(pastIn(await problemsOf(load(2017, 2017, 2017)))).toEqual([
      `warning ${dataset}.csv › line 2, column temporal: ${dataset} of Malta, Spain and Peru has forecasts of 2018–2021, 5 years or more before the month 2026-11; write Current for reported figures and Forecast for the others, unless it is meant`,
    ]);
    expect(pastIn(await problemsOf(load(2021, 2020, 2024)))).toEqual([
      expect.stringContaining(`line 12, column temporal: ${dataset} of Spain has forecasts of 2021, 5`),
    ]);
    expect(pastIn(await problemsOf(load(2021, 2021, 2024)))).toEqual([]);
  },
);

it('forecasts before reported figures of the same series are left to the check of these', async () => {
  const ggr = rowsOf('ggr', 'Malta', 2019).map((row) =>
    row.year === 2024 ? { ...row, temporal: 'Current' } : row,
  );
  const problems = await problemsOf(filesOf({ ggr }));
  expect(problems.filter((text) => text.includes('has forecasts'))).toEqual([
    expect.stringContaining('ggr of Malta has forecasts of 2020–2023 before reported figures'),
  ]);
});

it('forecasts of years long past of a new country are a warning, and those of a published one are none', async () => {
  const published = [...rowsOf('ggr', 'Malta', 2017), ...rowsOf('ggr', 'Spain', 2024)];
  const month = await aMonth(
    filesOf({ ggr: [...published, ...rowsOf('ggr', 'Peru', 2017), ...rowsOf('ggr', 'Chile', 2017)] }),
  );
  try {
    await publishRows(month.dataDir, '2026-10.1', {
      ggr: published,
      country_reference: countryReference(['Malta', 'Spain', 'Peru', 'Chile']),
    });
    expect(pastIn(await month.problems())).toEqual([
      expect.stringContaining(
        'line 16, column temporal: ggr of Peru and Chile has forecasts of 2018–2021, 5',
      ),
    ]);
  } finally {
    await month.remove();
  }
});
