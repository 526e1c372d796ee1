// Totals, placeholders and figures that nobody would believe are said, with place and remedy, first month included.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { DATASETS } from '../../../src/catalog/datasets.ts';
import { aMonth, csvOf, type Month } from '../../support/month.ts';
import { aRow, type Row } from '../../support/snapshot.ts';

let month: Month | undefined;
afterEach(() => month?.remove());

/** The problems of a first month with these rows; countries are listed in the lookup. */
async function problemsOf(
  rows: Partial<Record<keyof typeof DATASETS, readonly Row[]>>,
): Promise<readonly string[]> {
  const all = Object.values(rows).flat();
  const countries = [...new Map(all.map(({ country, region }) => [country, region ?? 'Europe']))];
  const lookup = countries.map(([country = null, region]) => aRow('country_reference', { country, region }));
  const files = Object.entries({ country_reference: lookup, ...rows }).map(([name, each]) => [
    `${name}.csv`,
    csvOf(name as keyof typeof DATASETS, each),
  ]);
  month = await aMonth(Object.fromEntries(files));
  return month.problems();
}

const ggr = (change: Row): Row => aRow('ggr', change);

describe('words in a dimension', () => {
  const DIMENSIONS = ['state', 'category', 'product', 'channel', 'sub_channel', 'country', 'region'] as const;

  it.each(DIMENSIONS)('for a total are an error in %s', async (dimension) => {
    const words = ['Total', 'Grand Total', 'All', 'Sub-total', 'NATIONAL', 'World'];
    const problems = await problemsOf({
      ggr: words.map((word, i) => ggr({ [dimension]: word, year: 2000 + i, ggr: 10 + i * i })),
    });
    const told = problems.filter((text) => text.includes('names a sum') && text.startsWith('error ggr.csv'));
    expect(told).toHaveLength(words.length);
    expect(told[0]).toBe(
      `error ggr.csv › line 2, column ${dimension}: ${dimension} "Total" names a sum of other rows (1 row); delete the rows of totals: they would be counted twice`,
    );
  });

  it.each(DIMENSIONS)('for no value are a warning in %s', async (dimension) => {
    const words = ['n/a', '–', '-', '(blank)', 'None', 'NULL', '0', '..'];
    const problems = await problemsOf({
      ggr: words.map((word, i) => ggr({ [dimension]: word, year: 2000 + i, ggr: 10 + i * i })),
    });
    const told = problems.filter((text) => text.includes('looks like a word for no value'));
    expect(told.filter((text) => text.startsWith('warning ggr.csv'))).toHaveLength(words.length);
  });

  it('that only contain such a word are values', async () => {
    const problems = await problemsOf({
      ggr: ['National Lottery', 'Totalizator', 'Alliance', 'Nanjing'].map((product, i) =>
        ggr({ product, ggr: 3 ** i }),
      ),
    });
    expect(problems).toEqual([]);
  });

  it('that the current snapshot has are not refused', async () => {
    month = await aMonth({ 'ggr.csv': csvOf('ggr', [ggr({ product: 'n/a' }), ggr({ ggr: 9 })]) });
    await month.publish();
    expect(await month.problems({ month: '2026-12' })).toEqual([]);
  });
});

describe('a row that is the sum of others', () => {
  const parts = [2022, 2023, 2024].flatMap((year) => [
    ggr({ year, product: 'Poker', ggr: 1234567 + year }),
    ggr({ year, product: 'Bingo', ggr: 7654321 }),
  ]);
  const sums = (product: string) =>
    [2022, 2023, 2024].map((year) => ggr({ year, product, ggr: 1234567 + year + 7654321 }));

  it('is a warning whatever it is called', async () => {
    expect(await problemsOf({ ggr: [...parts, ...sums('Market')] })).toEqual([
      'warning ggr.csv › line 8, column product: ggr of product "Market" is the sum of the other rows in 3 of 3 cases; if it is their total, delete its rows: they would be counted twice',
    ]);
  });

  it('is an error when its name says so', async () => {
    expect((await problemsOf({ ggr: [...parts, ...sums('Total gaming')] }))[0]).toMatch(
      /^error ggr\.csv › line 8/,
    );
  });

  it('is found among countries and states', async () => {
    const countries = ['Malta', 'Spain', 'Europe'].map((country, i) =>
      ggr({ country, ggr: [1021, 2043, 3064][i] ?? 0 }),
    );
    expect((await problemsOf({ ggr: countries }))[0]).toMatch(/country "Europe" is the sum/);
    await month?.remove();
    const states = ['North', 'South', 'Mainland'].map((state, i) =>
      ggr({ state, ggr: [1021, 2043, 3064][i] ?? 0 }),
    );
    expect((await problemsOf({ ggr: states }))[0]).toMatch(/state "Mainland" is the sum/);
  });

  it('is none without a state, beside its states', async () => {
    const rows = ['North', 'South', ''].map((state, i) => ggr({ state, ggr: [1021, 2043, 3064][i] ?? 0 }));
    expect(await problemsOf({ ggr: rows })).toEqual([]);
  });

  it('is none of two rows, one of them zero', async () => {
    const rows = ['A', 'B', 'C'].map((product, i) => ggr({ product, ggr: [5, 0, 5][i] ?? 0 }));
    expect(await problemsOf({ ggr: rows })).toEqual([]);
  });
});

describe('on a first load', () => {
  const COUNTRIES = ['Malta', 'Spain', 'Italy'] as const;

  it('ggr per adult ten times that of the next country is a warning', async () => {
    const problems = await problemsOf({
      ggr: COUNTRIES.map((country, i) => ggr({ country, ggr: [500_000, 1100, 1003][i] ?? 0 })),
      country: COUNTRIES.map((country) => aRow('country', { country, year: 2024, adult_population: 10 })),
    });
    expect(problems).toContain(
      'warning ggr.csv › line 2, column ggr: ggr of Malta in 2024 is 50 k EUR per adult, and 110 in the next country; check the unit of its figures and its adult_population',
    );
  });

  it('turnover below ggr in several facts is a warning', async () => {
    const years = [2023, 2024];
    const problems = await problemsOf({
      ggr: years.map((year) => ggr({ year, ggr: 90 })),
      turnover: years.map((year) => aRow('turnover', { year, turnover: 9 })),
    });
    expect(problems).toContain(
      'warning turnover.csv › line 2, column turnover: turnover of Malta (EUR) is 18, below the 180 of its ggr; check whether the two were exchanged, or are in different units',
    );
  });

  it('years missing in the middle of a series are a warning', async () => {
    const problems = await problemsOf({
      ggr: [2018, 2019, 2021].map((year) => ggr({ year, ggr: year ** 2 })),
    });
    expect(problems).toEqual([
      'warning ggr.csv › line 2, column year: a series of Malta in ggr lacks years in the middle: the first has 2018–2019, 2021; add the years, or make sure that the source has none',
    ]);
  });

  it('a currency that disagrees with its rate is a warning', async () => {
    const problems = await problemsOf({
      ggr: [ggr({ fx: 'TRY', ggr: 30_000 }), ggr({ fx: 'USD', ggr: 900_000 })],
      fx: [
        aRow('fx', { year: 2024, fx_local_currency: 'TRY', fx_current_usd: 0.03, fx_constant_usd: 0.031 }),
      ],
    });
    expect(problems).toEqual([
      'warning ggr.csv › line 2, column ggr: ggr of Malta in TRY and in USD differ from the rates of fx by a factor of 1,000; check the currency of the rows, their unit and the rate',
    ]);
  });

  it('one series under two near names is a warning', async () => {
    const rows = [2023, 2024].flatMap((year) =>
      ['Sport Betting', 'Sports Betting'].map((product) => ggr({ year, product, ggr: year * 1.5 })),
    );
    expect(await problemsOf({ ggr: rows })).toEqual([
      'warning ggr.csv › line 3, column product: product "Sports Betting" has the same ggr as "Sport Betting" in 2 rows, and nearly its name; delete one of the two if they are one series',
    ]);
  });

  it('inflation as fractions is a warning', async () => {
    const rows = [2021, 2022, 2023].map((year, i) =>
      aRow('country', { year, inflation: [0.021, 0.084, 0.05][i] ?? 0 }),
    );
    expect(await problemsOf({ country: rows })).toEqual([
      'warning country.csv › line 2, column inflation: none of the 3 values of inflation is above 0.084, and its unit is percent: they look like fractions; write 3.5 for 3.5 %, or say --scale inflation=100',
    ]);
  });

  it('alone are they said: a dataset that the current snapshot has is compared with that', async () => {
    month = await aMonth({ 'ggr.csv': csvOf('ggr', [ggr({})]) });
    await month.publish();
    await month.write({ 'ggr.csv': csvOf('ggr', [ggr({}), ggr({ year: 2020 })]) });
    const problems = await month.problems({ month: '2026-12' });
    expect(problems.filter((text) => text.includes('in the middle'))).toEqual([]);
  });
});
