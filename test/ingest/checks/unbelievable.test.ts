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

  const PRODUCTS = ['Poker', 'Bingo', 'Lottery'] as const;
  const YEARS = [2021, 2022, 2023, 2024] as const;
  /** Three series of four years; `change` gives the value of a cell. */
  const series = (change: (value: number, year: number, product: string) => number): Row[] =>
    PRODUCTS.flatMap((product, i) =>
      YEARS.map((year) => {
        const value = (i + 2) * 1_234_567 + (year - 2020) ** 2 * 10_007;
        return ggr({ year, product, ggr: change(value, year, product) });
      }),
    );

  it('honest series are not warned of', async () => {
    expect(await problemsOf({ ggr: series((value) => value) })).toEqual([]);
  });

  it('a year in thousands is a warning', async () => {
    expect(
      await problemsOf({ ggr: series((value, year) => (year === 2023 ? value / 1000 : value)) }),
    ).toEqual([
      'warning ggr.csv › line 4, column ggr: ggr of Malta is about 1,000 times smaller in 2023 than in 2022, in all its 3 series; check the unit of the figures of these years',
    ]);
  });

  it('a single figure in thousands between years that are not is a warning', async () => {
    const slip = (value: number, year: number, product: string) =>
      year === 2023 && product === 'Bingo' ? value * 1000 : value;
    expect(await problemsOf({ ggr: series(slip) })).toEqual([
      expect.stringMatching(
        /^warning ggr\.csv › line 8, column ggr: ggr of Malta in 2023 is [\d.]+ bn, about 1,000 times more than in the years around it \(1 row like it\); check/,
      ),
    ]);
  });

  it('a country in thousands is a warning, by its share of the gross domestic product', async () => {
    const product = { Malta: 17e9, Spain: 1.6e12, Italy: 2.2e12 };
    const problems = await problemsOf({
      ggr: COUNTRIES.map((country) =>
        ggr({ country, fx: 'USD', ggr: product[country] * (country === 'Spain' ? 8e-6 : 7e-3) }),
      ),
      country: COUNTRIES.map((country) =>
        aRow('country', {
          country,
          year: 2024,
          gdp_usd: product[country],
          adult_population: product[country] / 20_000,
        }),
      ),
    });
    expect(problems).toEqual([
      'warning ggr.csv › line 3, column ggr: ggr of Spain (USD) is 875 times smaller beside its gross domestic product than in the median country; check the unit of its figures, and that of its gdp in country',
    ]);
  });

  describe('a file in thousands is a warning, though nothing in it disagrees', () => {
    const adults = { Malta: 450_000, Spain: 39_000_000, Italy: 50_000_000 };
    const peopled = COUNTRIES.map((country) =>
      aRow('country', { country, year: 2024, adult_population: adults[country] }),
    );
    const inEuro = (perAdult: number) =>
      COUNTRIES.map((country, i) => ggr({ country, ggr: adults[country] * (perAdult * (1 + i)) }));
    const told = (problems: readonly string[]) =>
      problems.filter((text) => text.includes('the figures may be in'));

    it('by the adults of the median country', async () => {
      expect(told(await problemsOf({ ggr: inEuro(0.12), country: peopled }))).toEqual([
        'warning ggr.csv › line 2, column ggr: ggr is 0.24 per adult and year in the median country: the figures may be in thousands; if they are, say --scale ggr=1e3',
      ]);
      expect(told(await problemsOf({ ggr: inEuro(120), country: peopled }))).toEqual([]);
    });

    it('by the gross domestic product, also of one country in its own currency', async () => {
      const years = [2022, 2023, 2024];
      const peru = { country: 'Peru', region: 'Americas' };
      const files = (value: number) => ({
        ggr: years.map((year) => ggr({ ...peru, year, fx: 'PEN', ggr: value })),
        turnover: [aRow('turnover', peru)],
        country: years.map((year) => aRow('country', { ...peru, year, gdp_local_currency: 1e12 })),
        fx: [aRow('fx', { ...peru, fx_local_currency: 'PEN' })],
      });
      expect(told(await problemsOf(files(3_500_000)))).toEqual([
        'warning ggr.csv › line 2, column ggr: ggr is 0.00035 % of the gross domestic product in the median country: the figures may be in thousands or millions; if they are, say --scale ggr=1e3 or --scale ggr=1e6',
      ]);
      expect(told(await problemsOf(files(3_500_000_000)))).toEqual([]);
    });

    it('by what twenty countries make where nothing else is known of them', async () => {
      const twenty = (factor: number) =>
        Array.from({ length: 20 }, (_, i) =>
          ggr({ country: i === 0 ? 'Malta' : `Country ${i + 10}`, ggr: (i + 1) * 40_000 * factor }),
        );
      expect(told(await problemsOf({ ggr: twenty(1) }))).toEqual([
        'warning ggr.csv › line 2, column ggr: ggr is 420 k a year in the median country: the figures may be in thousands or millions; if they are, say --scale ggr=1e3 or --scale ggr=1e6',
      ]);
      expect(told(await problemsOf({ ggr: twenty(1000) }))).toEqual([]);
    });
  });

  it('turnover of several hundred times the ggr is a warning', async () => {
    const years = [2023, 2024];
    const problems = await problemsOf({
      ggr: years.map((year) => ggr({ year, ggr: 90 })),
      turnover: years.map((year) => aRow('turnover', { year, turnover: 900_000 })),
    });
    expect(problems).toContain(
      'warning turnover.csv › line 2, column turnover: turnover of Malta (EUR) is 1.8 m, 10,000 times the 180 of its ggr; check whether the two were exchanged, or are in different units',
    );
  });

  it('zeros in place of missing figures are a warning', async () => {
    expect(await problemsOf({ ggr: series((value, year) => (year === 2024 ? 0 : value)) })).toEqual([
      'warning ggr.csv › line 5, column ggr: ggr of Malta is 0 in 3 rows of 2024, after years in which it is not; leave the cell empty where a figure is missing',
    ]);
    await month?.remove();
    const hole = (value: number, year: number, product: string) =>
      year === 2022 && product === 'Poker' ? 0 : value;
    expect(await problemsOf({ ggr: series(hole) })).toEqual([
      'warning ggr.csv › line 3, column ggr: ggr of Malta is 0 in 1 row of 2022, between years in which it is not; leave the cell empty where a figure is missing',
    ]);
  });

  it('zeros in every row of a file are a warning', async () => {
    expect(await problemsOf({ ggr: series(() => 0) })).toEqual([
      'warning ggr.csv › line 2, column ggr: ggr is 0 in all 12 rows; if they are formulas, open the file in a spreadsheet program, let it calculate, save it again',
    ]);
  });

  it('zeros before a market begins and after one ends are not warned of', async () => {
    const life = (value: number, year: number, product: string) =>
      (product === 'Poker' && year < 2023) || (product === 'Bingo' && year > 2022) ? 0 : value;
    expect(await problemsOf({ ggr: series(life) })).toEqual([]);
  });

  it('the figures of one year under two labels are a warning', async () => {
    const rows = series((value) => value);
    const copied = rows.map((row) => {
      const original = rows.find(({ product, year }) => product === row.product && year === 2023);
      return row.year === 2024 ? { ...row, ggr: original?.ggr ?? null } : row;
    });
    expect(await problemsOf({ ggr: copied })).toEqual([
      'warning ggr.csv › line 5, column ggr: ggr of Malta in 2024 is that of 2023 in all its 3 series; check the label of the year: one of the two was copied',
    ]);
  });

  it('Current rows of years to come are a warning', async () => {
    expect(await problemsOf({ ggr: [2026, 2027].map((year) => ggr({ year, ggr: year * 1.5 })) })).toEqual([
      'warning ggr.csv › line 3, column year: 1 row of 2027 is called Current in the month 2026-11; check the year, or call them Forecast',
    ]);
  });

  it('a figure of less than a cent among large ones is a warning', async () => {
    const rows = series((value, year, product) => (year === 2024 && product === 'Poker' ? 4e-7 : value));
    expect(await problemsOf({ ggr: rows })).toEqual([
      'warning ggr.csv › line 5, column ggr: ggr is 4e-7, less than a cent (1 row like it), and most figures are above a thousand; correct the figure, or leave the cell empty',
    ]);
  });

  describe('with the rates of fx', () => {
    const rates: Readonly<Record<number, number>> = { 2021: 1.18, 2022: 1.05, 2023: 1.08, 2024: 1.1 };
    const fx = YEARS.map((year) =>
      aRow('fx', {
        year,
        fx_local_currency: 'EUR',
        fx_current_usd: rates[year] ?? 1,
        fx_constant_usd: 1.3,
      }),
    );
    const both = (usdOf: (eur: number, year: number) => number, [one, other] = ['EUR', 'USD']) =>
      YEARS.flatMap((year) => {
        const eur = 1_000_000 + year * 17;
        return [ggr({ year, fx: one, ggr: eur }), ggr({ year, fx: other, ggr: usdOf(eur, year) })];
      });

    it('figures that agree with them are not warned of', async () => {
      expect(await problemsOf({ ggr: both((eur, year) => eur * (rates[year] ?? 1)), fx })).toEqual([]);
      await month?.remove();
      expect(await problemsOf({ ggr: both((eur) => eur * 1.3), fx })).toEqual([]);
    });

    it('exchanged labels of EUR and USD are a warning', async () => {
      const rows = both((eur, year) => eur * (rates[year] ?? 1), ['USD', 'EUR']);
      expect(await problemsOf({ ggr: rows, fx })).toEqual([
        'warning ggr.csv › line 3, column ggr: ggr of Malta in EUR and in USD have the inverse of the rate of fx, in 2021–2024; exchange the labels EUR and USD',
      ]);
    });

    it('labels of years that are one too late are a warning', async () => {
      const rows = both((eur, year) => eur * (rates[year - 1] ?? 1.2));
      expect(await problemsOf({ ggr: rows, fx })).toEqual([
        'warning ggr.csv › line 4, column ggr: ggr of Malta in EUR and in USD have the rates of other years: 2022 has that of 2021; check the labels of the years, here and in fx',
      ]);
    });

    it('one year in another unit in one currency is a warning', async () => {
      const rows = both((eur, year) => (eur * (rates[year] ?? 1)) / (year === 2023 ? 1000 : 1));
      expect(await problemsOf({ ggr: rows, fx })).toContain(
        'warning ggr.csv › line 6, column ggr: ggr of Malta in EUR and in USD differ from the rates of fx by a factor of 1,000 in 2023; check the currency of the rows, their unit and the rate',
      );
    });
  });

  it('a state that is named like another country is a warning, except those that are', async () => {
    const rows = [
      ggr({ country: 'Spain', region: 'Europe', ggr: 7 }),
      ggr({ country: 'Georgia', region: 'Europe', ggr: 8 }),
      ggr({ state: 'Spain', ggr: 9 }),
      ggr({ state: 'Georgia', ggr: 11 }),
    ];
    expect(await problemsOf({ ggr: rows })).toEqual([
      'warning ggr.csv › line 4, column state: state "Spain" of Malta is the name of another country (1 row); check whether the row belongs to that country; leave the state empty where there is none',
    ]);
  });

  it('they are the only ones warned of: a dataset that the current snapshot has is compared with that', async () => {
    month = await aMonth({ 'ggr.csv': csvOf('ggr', [ggr({})]) });
    await month.publish();
    await month.write({ 'ggr.csv': csvOf('ggr', [ggr({}), ggr({ year: 2020 })]) });
    const problems = await month.problems({ month: '2026-12' });
    expect(problems.filter((text) => text.includes('in the middle'))).toEqual([]);
  });
});

describe('the currency ALL', () => {
  it('is an error where it cannot be the Albanian lek', async () => {
    expect(await problemsOf({ ggr: [ggr({ fx: 'ALL' })] })).toEqual([
      'error ggr.csv › line 2, column fx: fx "ALL" of Malta is the Albanian lek (1 row); write the currency; delete the rows if they are a total over all currencies',
    ]);
  });

  it('is a currency in Albania', async () => {
    expect(await problemsOf({ ggr: [ggr({ country: 'Albania', fx: 'ALL' }), ggr({})] })).toEqual([]);
  });
});
