// Totals, placeholders and unbelievable figures are reported with place and remedy, even in the first month.

import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { AcceptedYears } from '../../../ingest/checks/acceptedYears.ts';
import { checkHugeValues } from '../../../ingest/checks/hugeValues.ts';
import { checkYears } from '../../../ingest/checks/implausibleYears.ts';
import { readRowsInMemory } from '../../../ingest/checks/stagedRows.ts';
import { stageMonth } from '../../../ingest/commands/publish/stagedMonth.ts';
import { Problems } from '../../../ingest/messages/problems.ts';
import { Staging } from '../../../ingest/staging/database/staging.ts';
import { DATASET_NAMES, type DatasetName } from '../../../src/catalog/datasets.ts';
import { aMonth, csvOf, filesOf, problemsOf, publishDefaults, SILENT } from '../../support/month.ts';
import { aRow, publishRows, type Row, type Rows } from '../../support/snapshot.ts';

/** The problems of a first month with these files. The lookup has their countries. */
async function problemsIn(files: Readonly<Record<string, readonly [DatasetName, readonly Row[]]>>) {
  const named = new Set(Object.values(files).map(([dataset]) => dataset));
  // `aMonth` adds one row of each dataset that has no file.
  const others = DATASET_NAMES.filter((name) => !named.has(name)).map((name) => aRow(name));
  const all = [...Object.values(files).flatMap(([, rows]) => rows), ...others];
  const countries = [...new Map(all.map(({ country, region }) => [country, region ?? 'Europe']))];
  const lookup = countries.map(([country = null, region]) => aRow('country_reference', { country, region }));
  const written = Object.entries({
    'country_reference.csv': ['country_reference', lookup] as const,
    ...files,
  }).map(([file, [dataset, rows]]) => [file, csvOf(dataset, rows)]);
  return await problemsOf(Object.fromEntries(written));
}

const problemsOfRows = (rows: Rows): Promise<readonly string[]> => problemsOf(filesOf(rows));

const ggr = (change: Row): Row => aRow('ggr', change);

interface Case {
  readonly promise: string;
  /** Each case has a country of its own, so that no check sees the rows of two cases together. */
  readonly country: string;
  /** The rows of the case, without their country and sub-channel. */
  readonly rows: Rows;
  /** All problems of the case. */
  readonly expected: readonly unknown[];
}

/**
 * Tests each case by the problems of its files. One month has the files of all cases, because the checks take time
 * for each month. `ggr-Malta.csv` in the month is `ggr.csv` in the case.
 */
function itReports(cases: readonly Case[]): void {
  let problems: readonly string[] = [];
  beforeAll(async () => {
    const files = cases.flatMap(({ country, rows }) =>
      Object.entries(rows).map(([name, changes]) => {
        const dataset = name as DatasetName;
        const own =
          dataset === 'ggr' || dataset === 'turnover'
            ? { country, sub_channel: `Of ${country}` }
            : { country };
        const each = changes.map((change) => aRow(dataset, { ...own, ...change }));
        return [`${dataset}-${country}.csv`, [dataset, each] as const] as const;
      }),
    );
    problems = await problemsIn(Object.fromEntries(files));
  });

  it.each(cases)('$promise', ({ country, expected }) => {
    const ownProblems = problems.filter((text) => text.includes(`-${country}.csv`));
    expect(ownProblems.map((text) => text.replaceAll(`-${country}.csv`, '.csv'))).toEqual(expected);
  });

  it('and nothing else is reported about these files', () => {
    const isOfCase = (text: string) => cases.some(({ country }) => text.includes(`-${country}.csv`));
    expect(problems.filter((text) => !isOfCase(text))).toEqual([]);
  });
}

describe('words in a dimension', () => {
  const DIMENSIONS = ['state', 'category', 'product', 'channel', 'sub_channel', 'country', 'region'] as const;
  const SUMS = [
    'Total',
    'Grand Total',
    'All',
    'Sub-total',
    'NATIONAL',
    'World',
    'Totale',
    'Итого',
    '合計',
    'YHTEENSÄ',
    'I alt',
  ];
  const NOTHING = [
    'n/a',
    '–',
    '-',
    '(blank)',
    'None',
    'NULL',
    '0',
    '..',
    '#',
    'Not assigned',
    '(Leer)',
    '%null%',
    'k.A.',
  ];
  const FORMULAS = ['=A2', '="Poker"', "+cmd|' /C calc'!A0", '@SUM(A1)', '#REF!', '#NAME?', '#¡VALOR!'];
  const NAMES = ['=', '#1 Slots', '+18 (adults)', '@home', '#bingo', 'Who?', '-5', 'Vide', 'KA'];
  const rowsWith = (dimension: string, words: readonly string[]) =>
    words.map((word, i) => ggr({ [dimension]: word, year: 2000 + i, ggr: 10 + i * i }));

  let problems: readonly string[] = [];
  beforeAll(async () => {
    const files = DIMENSIONS.flatMap((dimension) => [
      [
        `ggr-formulas-${dimension}.csv`,
        ['ggr', rowsWith(dimension, [...FORMULAS, ...NAMES])] as const,
      ] as const,
      [`ggr-sums-${dimension}.csv`, ['ggr', rowsWith(dimension, SUMS)] as const] as const,
      [`ggr-nothing-${dimension}.csv`, ['ggr', rowsWith(dimension, NOTHING)] as const] as const,
    ]);
    problems = await problemsIn(Object.fromEntries(files));
  });

  it.each(DIMENSIONS)('for a total are an error in %s', (dimension) => {
    const ofDimension = problems.filter(
      (text) => text.includes('names a sum') && text.startsWith(`error ggr-sums-${dimension}.csv`),
    );
    expect(ofDimension).toHaveLength(SUMS.length);
    expect(ofDimension[0]).toBe(
      `error ggr-sums-${dimension}.csv › line 2, column ${dimension}: ${dimension} "Total" names a sum of other rows (1 row); delete the rows of totals: they would be counted twice`,
    );
  });

  it('for a group of countries are a warning in country alone, and rests and countries are not', async () => {
    const groups = ['European Union', 'EU27', 'The Nordics', 'Latin America & Caribbean', 'high income'];
    const others = ['Rest of Europe', 'South Africa', 'Central African Republic', 'American Samoa'];
    const rows = [...groups, ...others].map((country, i) =>
      ggr({ country, product: country, ggr: 7 + i * i }),
    );
    const warnings = (await problemsOfRows({ ggr: rows })).filter((text) =>
      /^warning ggr.csv.* a group of countries/.test(text),
    );
    expect(warnings).toHaveLength(groups.length);
    expect(warnings[0]).toBe(
      'warning ggr.csv › line 2, column country: country "European Union" names a group of countries (1 row); if other rows have its members, delete its rows: they would be counted twice',
    );
  });

  it.each(DIMENSIONS)('for no value are a warning in %s', (dimension) => {
    const ofWords = problems.filter((text) => text.includes('looks like a word for no value'));
    const ownWarnings = ofWords.filter((text) => text.startsWith(`warning ggr-nothing-${dimension}.csv`));
    expect(ownWarnings).toHaveLength(NOTHING.length);
    expect(ofWords.filter((text) => text.startsWith(`warning ggr-formulas-${dimension}.csv`))).toEqual([]);
  });

  it.each(DIMENSIONS)(
    'that are formulas or their errors are a warning in %s, and names like them are not',
    (dimension) => {
      const ofFormulas = problems.filter(
        (text) =>
          text.startsWith(`warning ggr-formulas-${dimension}.csv`) && text.includes('formula should give'),
      );
      const places = FORMULAS.map((text, i) => {
        const what = text.startsWith('#') ? 'the error of a formula' : 'a formula';
        return `line ${i + 2}, column ${dimension}: ${dimension} "${text}" is ${what} (1 row)`;
      });
      expect(ofFormulas).toEqual(
        places.map(
          (place) =>
            `warning ggr-formulas-${dimension}.csv › ${place}; write the value that the formula should give`,
        ),
      );
    },
  );

  it('that the current snapshot has are not refused', async () => {
    const rows = [ggr({ product: 'n/a' }), ggr({ product: '=A2', year: 2021 }), ggr({ ggr: 9 })];
    const month = await aMonth({ 'ggr.csv': csvOf('ggr', rows) });
    await publishRows(month.dataDir, '2026-11.1', { ggr: rows });
    expect(await month.problems({ month: '2026-12' })).toEqual([]);
    await month.remove();
  });
});

describe('a row that is the sum of others', () => {
  const parts = [2022, 2023, 2024].flatMap((year) => [
    { year, product: 'Poker', ggr: 1234567 + year },
    { year, product: 'Bingo', ggr: 7654321 + 2 * year },
  ]);
  const sums = (product: string) =>
    [2022, 2023, 2024].map((year) => ({ year, product, ggr: 1234567 + 3 * year + 7654321 }));
  const three = (dimension: string, values: readonly string[], amounts = [1021, 2043, 3064]) => ({
    ggr: values.map((value, i) => ({ [dimension]: value, ggr: amounts[i] ?? 0 })),
  });
  const remedy = 'if it is their total, delete its rows: they would be counted twice';

  itReports([
    {
      promise: 'is a warning whatever it is called',
      country: 'Malta',
      rows: { ggr: [...parts, ...sums('Market')] },
      expected: [
        `warning ggr.csv › line 8, column product: ggr of product "Market" is the sum of the other rows in all 3 cases; ${remedy}`,
      ],
    },
    {
      promise: 'is found among states',
      country: 'Spain',
      rows: three('state', ['North', 'South', 'Mainland']),
      expected: [expect.stringMatching(/^warning .*state "Mainland" is the sum/)],
    },
    {
      promise: 'is found among countries',
      country: 'Italy',
      rows: three('country', ['Italy', 'France', 'Europe']),
      expected: [expect.stringMatching(/^warning .*country "Europe" is the sum/)],
    },
    {
      promise: 'is none without a state, beside its states',
      country: 'Norway',
      rows: three('state', ['East', 'West', '']),
      expected: [],
    },
    {
      promise: 'is none of two rows, one of them zero',
      country: 'Poland',
      rows: three('product', ['A', 'B', 'C'], [5, 0, 5]),
      expected: [],
    },
    {
      promise: 'is none by a name that only contains a word for a total',
      country: 'Greece',
      rows: {
        ggr: ['National Lottery', 'Totalizator', 'Alliance', 'Nanjing'].map((product, i) => ({
          product,
          ggr: 3 ** i,
        })),
      },
      expected: [],
    },
  ]);

  it('is found among two values when a row of one of them is duplicated', async () => {
    const [once, total] = [ggr({ product: 'Poker', ggr: 1021 }), ggr({ product: 'Market', ggr: 2042 })];
    const problems = await problemsOfRows({ ggr: [once, once, total] });
    expect(problems[0]).toMatch(/^error .*duplicate of/);
    expect(problems.join('\n')).toContain('product "Market" is the sum of the other rows');
  });

  it('is an error when its name says so', async () => {
    const rows = [...parts, ...sums('Total gaming')].map(ggr);
    expect((await problemsOfRows({ ggr: rows }))[0]).toMatch(/^error ggr\.csv › line 8/);
  });
});

describe('on a first load', () => {
  const COUNTRIES = ['Malta', 'Spain', 'Italy'] as const;
  const PRODUCTS = ['Poker', 'Bingo', 'Lottery'] as const;
  const YEARS = [2021, 2022, 2023, 2024] as const;
  /** Three series of four years. `change` changes each value. */
  const series = (change: (value: number, year: number, product: string) => number) =>
    PRODUCTS.flatMap((product, i) =>
      YEARS.map((year) => {
        const value = (i + 2) * 1_234_567 + (year - 2020) ** 2 * 10_007;
        return { year, product, ggr: change(value, year, product) };
      }),
    );
  const honest = series((value) => value);
  const copied = honest.map((row) => {
    const original = honest.find(({ product, year }) => product === row.product && year === 2023);
    return row.year === 2024 ? { ...row, ggr: original?.ggr ?? null } : row;
  });

  it('a zero between figures is a warning where nothing else is odd', async () => {
    const rows = [100, 101, 0, 103, 104].map((figure, i) => ggr({ year: 2019 + i, ggr: figure }));
    expect(await problemsOfRows({ ggr: rows })).toEqual([
      expect.stringMatching(/^warning ggr\.csv › line 4, column ggr: ggr of Malta is 0 in 1 row of 2021,/),
    ]);
  });

  describe('the figures of a country are a warning', () => {
    itReports([
      { promise: 'not when they are honest', country: 'Malta', rows: { ggr: honest }, expected: [] },
      {
        promise: 'in thousands in one year',
        country: 'Spain',
        rows: { ggr: series((value, year) => (year === 2023 ? value / 1000 : value)) },
        expected: [
          'warning ggr.csv › line 4, column ggr: ggr of Spain is about 1,000 times smaller in 2023 than in 2022, in all its 3 series; check the unit of the figures of these years',
        ],
      },
      {
        promise: 'when a single one is in thousands between years that are not',
        country: 'Italy',
        rows: {
          ggr: series((value, year, product) =>
            year === 2023 && product === 'Bingo' ? value * 1000 : value,
          ),
        },
        expected: [
          expect.stringMatching(
            /^warning ggr\.csv › line 8, column ggr: ggr of Italy in 2023 is [\d.]+ bn, about 1,000 times more than in the years around it \(1 row like it\); check/,
          ),
        ],
      },
      {
        promise: 'that are zeros in the last year',
        country: 'Norway',
        rows: { ggr: series((value, year) => (year === 2024 ? 0 : value)) },
        expected: [
          'warning ggr.csv › line 5, column ggr: ggr of Norway is 0 in 3 rows of 2024, after years in which it is not; leave the cell empty where a figure is missing',
        ],
      },
      {
        promise: 'with a zero between other figures',
        country: 'Poland',
        rows: {
          ggr: series((value, year, product) => (year === 2022 && product === 'Poker' ? 0 : value)),
        },
        expected: [
          'warning ggr.csv › line 3, column ggr: ggr of Poland is 0 in 1 row of 2022, between years in which it is not; leave the cell empty where a figure is missing',
        ],
      },
      {
        promise: 'that are zeros in every row of a file',
        country: 'France',
        rows: { ggr: series(() => 0) },
        expected: [
          'warning ggr.csv › line 2, column ggr: ggr is 0 in all 12 rows; if they are formulas, open the file in a spreadsheet program, let it calculate, save it again',
        ],
      },
      {
        promise: 'not for zeros before a market begins and after one ends',
        country: 'Greece',
        rows: {
          ggr: series((value, year, product) =>
            (product === 'Poker' && year < 2023) || (product === 'Bingo' && year > 2022) ? 0 : value,
          ),
        },
        expected: [],
      },
      {
        promise: 'of one year under two labels',
        country: 'Cyprus',
        rows: { ggr: copied },
        expected: [
          'warning ggr.csv › line 5, column ggr: ggr of Cyprus in 2024 is that of 2023 in all its 3 series; check the label of the year: one of the two was copied',
        ],
      },
      {
        promise: 'when one is less than a cent among large ones',
        country: 'Latvia',
        rows: {
          ggr: series((value, year, product) => (year === 2024 && product === 'Poker' ? 4e-7 : value)),
        },
        expected: [
          'warning ggr.csv › line 5, column ggr: ggr is 4e-7, less than a cent (1 row like it), and most figures are above a thousand; correct the figure, or leave the cell empty',
        ],
      },
      {
        promise: 'that lack years in the middle of a series',
        country: 'Hungary',
        rows: { ggr: [2018, 2019, 2021].map((year) => ({ year, ggr: year ** 2 })) },
        expected: [
          'warning ggr.csv › line 2, column year: a series of Hungary in ggr lacks years in the middle: the first has 2018–2019, 2021; add the years, or make sure that the source has none',
        ],
      },
      {
        promise: 'that are called Current in years to come',
        country: 'Belgium',
        rows: { ggr: [2026, 2027].map((year) => ({ year, ggr: year * 1.5 })) },
        expected: [
          'warning ggr.csv › line 3, column year: 1 row of 2027 is called Current in the month 2026-11; check the year, or call them Forecast',
        ],
      },
      {
        promise: 'that are one series under two near names',
        country: 'Denmark',
        rows: {
          ggr: [2023, 2024].flatMap((year) =>
            ['Sport Betting', 'Sports Betting'].map((product) => ({ year, product, ggr: year * 1.5 })),
          ),
        },
        expected: [
          'warning ggr.csv › line 3, column product: product "Sports Betting" has the same ggr as "Sport Betting" in 2 rows, and nearly its name; delete one of the two if they are one series',
        ],
      },
      {
        promise: 'of one series whose years are under two names that differ by a letter',
        country: 'Slovakia',
        rows: {
          ggr: [2022, 2023, 2024].map((year) => ({
            ...{ year, ggr: year * 1.5, product: year === 2022 ? 'Lotto 6/45' : 'Lotto 6/49' },
            channel: year === 2024 ? 'Onlin' : 'Online',
          })),
        },
        expected: [
          'warning ggr.csv › line 4, column channel: channel "Onlin" (1 row) has years that "Online" lacks in the same series, and nearly its name; write them alike if they are one',
        ],
      },
      {
        promise: 'of inflation as fractions',
        country: 'Finland',
        rows: {
          country: [2021, 2022, 2023].map((year, i) => ({
            ...{ year, gdp_usd: null, inflation: [0.021, 0.084, 0.05][i] ?? 0 },
          })),
        },
        expected: [
          'warning country.csv › line 2, column inflation: none of the 3 values of inflation is above 0.084, and its unit is percent: they look like fractions; write 3.5 for 3.5 %, or use --scale inflation=100',
        ],
      },
      {
        promise: 'of turnover below ggr in several facts',
        country: 'Iceland',
        rows: {
          ggr: [2023, 2024].map((year) => ({ year, ggr: 90 })),
          turnover: [2023, 2024].map((year) => ({ year, turnover: 9 })),
        },
        expected: [
          'warning turnover.csv › line 2, column turnover: turnover of Iceland (EUR) is 18, below the 180 of its ggr; check whether the two were exchanged, or are in different units',
        ],
      },
      {
        promise: 'of turnover of several hundred times the ggr',
        country: 'Ireland',
        rows: {
          ggr: [2023, 2024].map((year) => ({ year, ggr: 90 })),
          turnover: [2023, 2024].map((year) => ({ year, turnover: 900_000 })),
        },
        expected: [
          'warning turnover.csv › line 2, column turnover: turnover of Ireland (EUR) is 1.8 m, 10,000 times the 180 of its ggr; check whether the two were exchanged, or are in different units',
        ],
      },
      {
        promise: 'of turnover that repeats ggr',
        country: 'Slovenia',
        rows: {
          ggr: [2023, 2024].map((year) => ({ year, ggr: year * 1.5 })),
          turnover: [2023, 2024].map((year) => ({ year, turnover: year * 1.5 })),
        },
        expected: [
          'warning turnover.csv › line 2, column turnover: turnover of Slovenia (EUR) is 6,071, the same as its ggr in every row; check whether the two were exchanged, or are in different units',
        ],
      },
    ]);
  });

  describe('beside the rates of fx', () => {
    const rates: Readonly<Record<number, number>> = { 2021: 1.18, 2022: 1.05, 2023: 1.08, 2024: 1.1 };
    const fx = YEARS.map((year) => ({
      year,
      fx_local_currency: 'EUR',
      fx_current_usd: rates[year] ?? 1,
      fx_constant_usd: 1.3,
    }));
    const both = (usdOf: (eur: number, year: number) => number, [one, other] = ['EUR', 'USD']) =>
      YEARS.flatMap((year) => {
        const eur = 1_000_000 + year * 17;
        return [
          { year, fx: one ?? '', ggr: eur },
          { year, fx: other ?? '', ggr: usdOf(eur, year) },
        ];
      });
    const atRate = (eur: number, year: number) => eur * (rates[year] ?? 1);
    const krona = (year: number) => 0.1 + (year % 3) / 1000;

    itReports([
      {
        promise: 'figures that agree with the current ones are not warned of',
        country: 'Malta',
        rows: { ggr: both(atRate), fx },
        expected: [],
      },
      {
        promise: 'figures that agree with the constant ones are not warned of',
        country: 'Spain',
        rows: { ggr: both((eur) => eur * 1.3), fx },
        expected: [],
      },
      {
        promise: 'exchanged labels of EUR and USD are a warning',
        country: 'Italy',
        rows: { ggr: both(atRate, ['USD', 'EUR']), fx },
        expected: [
          'warning ggr.csv › line 3, column ggr: ggr of Italy in EUR and in USD have the inverse of the rate of fx, in 2021–2024; exchange the labels EUR and USD',
        ],
      },
      {
        promise: 'exchanged labels of two other currencies are a warning',
        country: 'Sweden',
        rows: {
          ggr: YEARS.flatMap((year) => {
            const eur = 1_000_000 + year * 17;
            const usd = atRate(eur, year);
            return [
              { year, fx: 'SEK', ggr: eur },
              { year, fx: 'EUR', ggr: usd / krona(year) },
              { year, fx: 'USD', ggr: usd },
            ];
          }),
          fx: YEARS.map((year) => ({
            year,
            fx_local_currency: 'SEK',
            fx_current_usd: krona(year),
            fx_current_eur: krona(year) / (rates[year] ?? 1),
            fx_constant_usd: 0.1,
            fx_constant_eur: 0.1 / 1.3,
          })),
        },
        expected: [
          'warning ggr.csv › line 2, column ggr: ggr of Sweden in SEK has the rate that fx gives for EUR, in 2021–2024; check the currencies of the rows',
        ],
      },
      {
        promise: 'the rate of a currency that only other countries have is not taken for its label',
        country: 'Denmark',
        rows: {
          ggr: both(atRate, ['DKK', 'USD']),
          fx: YEARS.map((year) => ({
            year,
            fx_local_currency: 'DKK',
            fx_current_usd: krona(year),
            fx_current_eur: krona(year) / (rates[year] ?? 1),
            fx_constant_usd: 0.1,
            fx_constant_eur: 0.1 / 1.3,
          })),
        },
        expected: [
          'warning ggr.csv › line 2, column ggr: ggr of Denmark in DKK and in USD differ from the rates of fx by a factor of 10.69; check the currency of the rows, their unit and the rate',
        ],
      },
      {
        promise: 'labels of years that are one too late are a warning',
        country: 'Norway',
        rows: { ggr: both((eur, year) => eur * (rates[year - 1] ?? 1.2)), fx },
        expected: [
          'warning ggr.csv › line 4, column ggr: ggr of Norway in EUR and in USD have the rates of other years: 2022 has that of 2021; check the labels of the years, here and in fx',
        ],
      },
      {
        promise: 'one year in another unit in one currency is a warning',
        country: 'Poland',
        rows: { ggr: both((eur, year) => atRate(eur, year) / (year === 2023 ? 1000 : 1)), fx },
        expected: expect.arrayContaining([
          'warning ggr.csv › line 6, column ggr: ggr of Poland in EUR and in USD differ from the rates of fx by a factor of 1,000 in 2023; check the currency of the rows, their unit and the rate',
        ]) as unknown as readonly unknown[],
      },
      {
        promise: 'a currency that disagrees with its rate is a warning',
        country: 'Turkey',
        rows: {
          ggr: [
            { fx: 'TRY', ggr: 30_000 },
            { fx: 'USD', ggr: 900_000 },
          ],
          fx: [
            {
              year: 2024,
              fx_local_currency: 'TRY',
              fx_current_usd: 0.03,
              fx_current_eur: 0.03 / 1.1,
              fx_constant_usd: 0.031,
              fx_constant_eur: 0.031 / 1.3,
            },
          ],
        },
        expected: [
          'warning ggr.csv › line 2, column ggr: ggr of Turkey in TRY and in USD differ from the rates of fx by a factor of 1,000; check the currency of the rows, their unit and the rate',
        ],
      },
      {
        promise: 'a state that is named like another country is a warning, except those that are',
        country: 'Greece',
        rows: {
          ggr: [
            { country: 'Cyprus', ggr: 7 },
            { country: 'Georgia', ggr: 8 },
            { state: 'Cyprus', ggr: 9 },
            { state: 'Georgia', ggr: 11 },
          ],
          fx: ['Greece', 'Cyprus', 'Georgia'].flatMap((country) => fx.map((row) => ({ ...row, country }))),
        },
        expected: [
          'warning ggr.csv › line 4, column state: state "Cyprus" of Greece is the name of another country (1 row); check whether the row belongs to that country; leave the state empty where there is none',
        ],
      },
      {
        promise: 'the currency ALL is a currency in Albania',
        country: 'Albania',
        rows: {
          ggr: [{ fx: 'ALL' }],
          fx: YEARS.map((year) => ({
            ...{ year, fx_local_currency: 'ALL', fx_current_eur: 0.01, fx_constant_eur: 0.01 },
            ...{ fx_current_usd: (rates[year] ?? 1) / 100, fx_constant_usd: 0.013 },
          })),
        },
        expected: [],
      },
    ]);
  });

  // This case needs a month of its own, because a month with an error gets no warnings.
  it('the currency ALL is an error where it cannot be the Albanian lek', async () => {
    expect(await problemsOfRows({ ggr: [ggr({ fx: 'ALL' })] })).toEqual([
      'error ggr.csv › line 2, column fx: fx "ALL" of Malta is the Albanian lek (1 row); write the currency; delete the rows if they are a total over all currencies',
    ]);
  });

  it('the smallest double and one of the largest in one file cause a warning, and end no check', async () => {
    const problems = await problemsOfRows({
      ggr: [5e-324, 1e9, 9e99, 5e-324].map((value, i) => ggr({ year: 2021 + i, ggr: value })),
    });
    expect(problems).not.toEqual([]);
    expect(problems.filter((text) => !text.startsWith('warning '))).toEqual([]);
  });

  it('ggr per adult ten times that of the next country is a warning', async () => {
    const problems = await problemsOfRows({
      ggr: COUNTRIES.map((country, i) => ggr({ country, ggr: [500_000, 1100, 1003][i] ?? 0 })),
      country: COUNTRIES.map((country) => aRow('country', { country, year: 2024, adult_population: 10 })),
    });
    expect(problems).toContain(
      'warning ggr.csv › line 2, column ggr: ggr of Malta in 2024 is 50 k EUR per adult, and 110 in the next country; check the unit of its figures and its adult_population',
    );
  });

  it('a product of which turnover is in another unit than ggr is a warning where no country shows it', async () => {
    const sizes = [
      ['Sport Betting', 900, 9000],
      ['Poker', 0.9, 9000],
    ] as const;
    const rows = (at: 1 | 2) =>
      COUNTRIES.flatMap((country) =>
        sizes.map((of) => ({ country, product: of[0], ggr: of[at], turnover: of[at] })),
      );
    const problems = await problemsOfRows({
      ggr: rows(1).map((row) => aRow('ggr', row)),
      turnover: rows(2).map((row) => aRow('turnover', row)),
    });
    expect(problems.filter((text) => text.includes('turnover of'))).toEqual([
      'warning turnover.csv › line 3, column turnover: turnover of Poker (EUR) is 27 k, 10,000 times the 2.7 of its ggr; check whether the two were exchanged, or are in different units',
    ]);
  });

  it('a country in thousands, hundreds or tenfold is a warning, by its share of the gross domestic product', async () => {
    const product = { Malta: 17e9, Spain: 1.6e12, Italy: 2.2e12 };
    const problemsWith = (shareOfSpain: number) =>
      problemsOfRows({
        ggr: COUNTRIES.map((country) =>
          ggr({ country, fx: 'USD', ggr: product[country] * (country === 'Spain' ? shareOfSpain : 7e-3) }),
        ),
        country: COUNTRIES.map((country) =>
          aRow('country', {
            country,
            year: 2024,
            gdp_usd: product[country],
            gdp_local_currency: null,
            adult_population: product[country] / 20_000,
          }),
        ),
      });
    const line = 'warning ggr.csv › line 3, column ggr: ggr of Spain (USD) is';
    const remedy = 'check the unit of its figures, and that of its gdp in country';
    expect(await problemsWith(8e-6)).toEqual([
      `${line} 875 times smaller beside its gross domestic product than in the median country; ${remedy}`,
    ]);
    expect(await problemsWith(0.065)).toEqual([
      `${line} 6.5 % of its gross domestic product, 9.29 times the share of the median country; ${remedy}`,
    ]);
    expect(await problemsWith(1.2e-4)).toEqual([
      `${line} 58.3 times smaller beside its gross domestic product than in the median country; ${remedy}`,
    ]);
    expect(await problemsWith(2e-4)).toEqual([]);
    // Spain is large, so there is a warning. In a small country, casinos may have such a share.
    expect(await problemsWith(0.03)).toEqual([
      `${line} 3 % of its gross domestic product, 4.29 times the share of the median country; ${remedy}`,
    ]);
    expect(await problemsWith(0.019)).toEqual([]);
    product.Spain = 90e9;
    expect(await problemsWith(0.03)).toEqual([]);
  });

  describe('a file in thousands is a warning, though nothing in it disagrees', () => {
    const adults = { Malta: 450_000, Spain: 39_000_000, Italy: 50_000_000 };
    const peopled = COUNTRIES.map((country) =>
      aRow('country', { country, year: 2024, adult_population: adults[country] }),
    );
    const inEuro = (perAdult: number) =>
      COUNTRIES.map((country, i) => ggr({ country, ggr: adults[country] * (perAdult * (1 + i)) }));
    const ofUnits = (problems: readonly string[]) =>
      problems.filter((text) => text.includes('the figures may be in'));

    it('shows it by the adults of the median country', async () => {
      expect(ofUnits(await problemsOfRows({ ggr: inEuro(0.12), country: peopled }))).toEqual([
        'warning ggr.csv › line 2, column ggr: ggr is 0.24 per adult and year in the median country: the figures may be in thousands; if they are, use --scale ggr=1e3',
      ]);
      expect(ofUnits(await problemsOfRows({ ggr: inEuro(120), country: peopled }))).toEqual([]);
    });

    it('shows millions by what an adult of every country spends at most', async () => {
      expect(ofUnits(await problemsOfRows({ ggr: inEuro(0.0012), country: peopled }))).toEqual([
        'warning ggr.csv › line 2, column ggr: ggr is at most 0.0036 per adult and year in every country: the figures may be in millions; if they are, use --scale ggr=1e6',
      ]);
    });

    it('shows millions by the median country where local currencies have large figures', async () => {
      const inRupiah = ggr({ country: 'Malta', fx: 'IDR', ggr: adults.Malta * 2 });
      expect(
        ofUnits(await problemsOfRows({ ggr: [...inEuro(0.00012), inRupiah], country: peopled })),
      ).toEqual([
        'warning ggr.csv › line 2, column ggr: ggr is 0.00024 per adult and year in the median country: the figures may be in millions; if they are, use --scale ggr=1e6',
      ]);
    });

    it('shows it by the gross domestic product, also of one country in its own currency', async () => {
      const years = [2022, 2023, 2024];
      const peru = { country: 'Peru', region: 'Americas' };
      const files = (value: number) => ({
        ggr: years.map((year) => ggr({ ...peru, year, fx: 'PEN', ggr: value })),
        turnover: [aRow('turnover', peru)],
        country: years.map((year) => aRow('country', { ...peru, year, gdp_local_currency: 1e12 })),
        fx: [aRow('fx', { ...peru, fx_local_currency: 'PEN' })],
      });
      expect(ofUnits(await problemsOfRows(files(3_500_000)))).toEqual([
        'warning ggr.csv › line 2, column ggr: ggr is 0.00035 % of the gross domestic product in the median country: the figures may be in thousands or millions; if they are, use --scale ggr=1e3 or --scale ggr=1e6',
      ]);
      expect(ofUnits(await problemsOfRows(files(3_500_000_000)))).toEqual([]);
    });

    it('shows it by the revenue of twenty countries where nothing else is known of them', async () => {
      const twenty = (factor: number) =>
        Array.from({ length: 20 }, (_, i) =>
          ggr({ country: i === 0 ? 'Malta' : `Country ${i + 10}`, ggr: (i + 1) * 40_000 * factor }),
        );
      expect(ofUnits(await problemsOfRows({ ggr: twenty(1) }))).toEqual([
        'warning ggr.csv › line 2, column ggr: ggr is 420 k a year in the median country: the figures may be in thousands or millions; if they are, use --scale ggr=1e3 or --scale ggr=1e6',
      ]);
      expect(ofUnits(await problemsOfRows({ ggr: twenty(1000) }))).toEqual([]);
    });
  });

  it('of more than any country has are warned of, and are errors where sums overflow', async () => {
    const rows = [1e21, 2e21, 404].map((amount, i) => ggr({ year: 2023 + i, ggr: amount }));
    expect(await problemsOfRows({ ggr: rows })).toContain(
      'warning ggr.csv › line 3, column ggr: ggr is 2e+21, more than any country has (the largest of 2 rows like it); correct the figure',
    );
    expect(await problemsOfRows({ ggr: [ggr({ ggr: -1e308 })] })).toContain(
      'error ggr.csv › line 2, column ggr: ggr is -1e+308, more than any country has; correct the figure: sums with such figures are meaningless',
    );
    expect(await problemsOfRows({ country: [aRow('country', { adult_population: 2e10 })] })).toContain(
      'warning country.csv › line 2, column adult_population: adult_population is 20000000000, more than any country has; correct the figure',
    );
  });

  it('of years in another calendar are warned of, in few rows, which are in memory, and in many', async () => {
    const years = [1299, 1501, 1300, 1500, 2449, 2701, 2450, 2700, 2023, 5599, 5901, 5600, 5900];
    const month = await aMonth({
      'ggr.csv': csvOf(
        'ggr',
        [...years, 1300].map((year) => ggr({ year })),
      ),
    });
    const options = { ...publishDefaults(), dataDir: month.dataDir, directory: month.directory };
    const staging = await Staging.openInMemory(path.join(month.dataDir, 'work'));
    try {
      await stageMonth(options, staging, month.dataDir, SILENT);
      for (const rows of [await readRowsInMemory(staging, ['ggr']), new Map()]) {
        const problems = new Problems();
        await checkYears({
          staging,
          datasets: ['ggr'],
          rowsInMemory: rows,
          publishedValues: null,
          carried: new Set(),
          acceptedYears: new AcceptedYears(),
          problems,
        });
        const remedy = 'write the year of the Gregorian calendar, such as 2023';
        expect(
          problems.list().map(({ severity, place, message }) => `${severity} ${place}: ${message}`),
        ).toEqual([
          `warning ggr.csv › line 4, column year: year is 1300, the first of 3 rows like it: a year of the Persian or the Islamic calendar; ${remedy}`,
          `warning ggr.csv › line 8, column year: year is 2450, the first of 2 rows like it: a year of the Buddhist calendar; ${remedy}`,
          `warning ggr.csv › line 13, column year: year is 5600, the first of 2 rows like it: a year of the Hebrew calendar; ${remedy}`,
        ]);
      }
    } finally {
      staging.close();
      await month.remove();
    }
  });

  it('at which a column of a database ends are warned of, in few rows, which are in memory, and in many', async () => {
    const figures = [2 ** 31 - 1, 404, 2 ** 31 - 1, 2 ** 31, 99_999_999.99, 1e8, 2 ** 63];
    const rows = figures.map((figure, i) => ggr({ year: 2018 + i, ggr: figure }));
    const month = await aMonth({ 'ggr.csv': csvOf('ggr', rows) });
    const options = { ...publishDefaults(), dataDir: month.dataDir, directory: month.directory };
    const staging = await Staging.openInMemory(path.join(month.dataDir, 'work'));
    try {
      await stageMonth(options, staging, month.dataDir, SILENT);
      for (const held of [await readRowsInMemory(staging, ['ggr']), new Map()]) {
        const problems = new Problems();
        await checkHugeValues({ staging, datasets: ['ggr'], rowsInMemory: held, problems });
        const warningAt = (line: number, figure: string, rows: string) =>
          `ggr.csv › line ${line}, column ggr: ggr is ${figure} in ${rows}, the largest number that a column of some program or database holds; check whether larger figures were cut off, or whether the number stands for a missing figure`;
        expect(problems.list().map(({ place, message }) => `${place}: ${message}`)).toEqual([
          warningAt(2, '2147483647', '2 rows'),
          warningAt(6, '99999999.99', '1 row'),
          warningAt(8, '9223372036854776000', '1 row'),
        ]);
      }
    } finally {
      staging.close();
      await month.remove();
    }
  });

  it('that stand for an error of Excel are errors, whatever the sign of the metric', async () => {
    const found = await problemsOfRows({
      ggr: [ggr({ ggr: -2_146_826_246 }), ggr({ year: 2023, ggr: -2_146_826_245 })],
      fx: [aRow('fx', { fx_current_usd: -2_146_826_281 })],
    });
    expect(found.filter((text) => text.includes('-21468'))).toEqual([
      'error fx.csv › line 2, column fx_current_usd: fx_current_usd is -2146826281, which stands for the error #DIV/0! of Excel; correct the formula that the figure is from, or leave the cell empty',
      'error ggr.csv › line 2, column ggr: ggr is -2146826246, which stands for the error #N/A of Excel; correct the formula that the figure is from, or leave the cell empty',
      'warning ggr.csv › line 3, column ggr: ggr is -2146826245; it is usually not negative',
    ]);
  });

  it('they are the only ones warned of: a dataset that the current snapshot has is compared with that', async () => {
    const month = await aMonth({ 'ggr.csv': csvOf('ggr', [ggr({}), ggr({ year: 2020 })]) });
    await publishRows(month.dataDir, '2026-11.1', { ggr: [ggr({})] });
    const problems = await month.problems({ month: '2026-12' });
    expect(problems.filter((text) => text.includes('in the middle'))).toEqual([]);
    await month.remove();
  });
});
