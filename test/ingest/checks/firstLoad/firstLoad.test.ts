// The warnings of a first load. Its series and its single rows are checked at the same time, but reported in a fixed order.

import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AcceptedYears } from '../../../../ingest/checks/acceptedYears.ts';
import { checkFirstLoad } from '../../../../ingest/checks/firstLoad/firstLoad.ts';
import { readRowsInMemory } from '../../../../ingest/checks/stagedRows.ts';
import { UsedValues } from '../../../../ingest/checks/usedValues.ts';
import { checkMonth, stageMonth } from '../../../../ingest/commands/publish/stagedMonth.ts';
import { Problems } from '../../../../ingest/messages/problems.ts';
import { Staging } from '../../../../ingest/staging/database/staging.ts';
import { DATASET_NAMES } from '../../../../src/catalog/datasets.ts';
import { itInDepth, runs } from '../../../support/depth.ts';
import {
  aMonth,
  csvOf,
  filesOf,
  ownProblemsOf,
  problemsOf,
  publishDefaults,
  SILENT,
} from '../../../support/month.ts';
import { aRow, countryReference, publishRows, type Row } from '../../../support/snapshot.ts';

/** Ten years of one series. One year is missing, and one amount is below a cent. */
const ROWS = [2010, 2011, 2012, 2014, 2015, 2016, 2017, 2018, 2019].map((year) =>
  aRow('ggr', { year, ggr: year === 2016 ? 0.001 : 5_000_000 + year }),
);

it('warnings about series come before those about single rows', async () => {
  const problems = await ownProblemsOf({ 'ggr.csv': csvOf('ggr', ROWS) });
  expect(problems.map((text) => /lacks years|less than a cent/.exec(text)?.[0])).toEqual([
    'lacks years',
    'less than a cent',
  ]);
});

it('a copied year is reported from the fewest figures on that can show it', async () => {
  const rows = [2022, 2023].flatMap((year) =>
    ['Bingo', 'Keno', 'Poker'].map((product, i) => aRow('ggr', { year, product, ggr: 5_000_000 + 7 * i })),
  );
  expect(await problemsOf({ 'ggr.csv': csvOf('ggr', rows) })).toEqual([
    expect.stringContaining('ggr of Malta in 2023 is that of 2022 in all its 3 series'),
  ]);
});

it('a name of one country that differs by a letter from that of the others is reported, and no name of its own', async () => {
  /** Rows of a market in ten years. */
  const market = (country: string, labels: Row) =>
    Array.from({ length: 10 }, (_, i) => aRow('ggr', { country, year: 2010 + i, ...labels }));
  const rows = [
    ...Array.from({ length: 6 }, (_, i) => market(`Country ${i + 1}`, { product: 'Casino Slots' })),
    market('Italy', { product: 'Casino Solts' }),
    // A country that has both names has two products. Short words that differ by one letter are often two words.
    market('Country 1', { product: 'Casino Slats' }),
    ...Array.from({ length: 6 }, (_, i) => market(`Country ${i + 1}`, { product: 'Keno' })),
    market('Spain', { product: 'Kino' }),
  ].flat();
  const problems = await problemsOf(filesOf({ ggr: rows }));
  expect(problems.filter((text) => text.includes('differs by a letter'))).toEqual([
    'warning ggr.csv › line 62, column product: product "Casino Solts" (10 rows) differs by a letter from "Casino Slots", which only other countries have; write them alike if they are one',
  ]);
});

it('the error of a check is thrown after the checks that run at the same time have ended', async () => {
  const month = await aMonth({ 'ggr.csv': csvOf('ggr', ROWS) });
  const options = { ...publishDefaults(), dataDir: month.dataDir, directory: month.directory };
  const staging = await Staging.openInMemory(path.join(month.dataDir, 'work'));
  try {
    const staged = await stageMonth(options, staging, month.dataDir, SILENT);
    let running = 0;
    const { connection } = staging;
    const run = connection.runAndReadAll.bind(connection);
    connection.runAndReadAll = async (...given) => {
      running += 1;
      return await run(...given).finally(() => {
        running -= 1;
      });
    };
    (staging.concurrentView.connection as typeof connection).closeSync();
    await expect(checkMonth(options, staged, SILENT)).rejects.toThrow();
    expect(running).toBe(0);
  } finally {
    staging.close();
    await month.remove();
  }
});

itInDepth(
  'a first load has the same warnings whether its rows are checked in memory or by queries',
  async () => {
    const oneOf = <T>(...values: readonly T[]) => fc.constantFrom(...values);
    const facts = (metric: 'ggr' | 'turnover') =>
      fc.uniqueArray(
        fc.record({
          ...{ year: oneOf(2019, 2020, 2021, 2022, 2024, 2028), country: oneOf('Malta', 'Spain', 'Peru') },
          ...{ product: oneOf('Bingo', 'Poker', 'Keno'), fx: oneOf('EUR', 'USD') },
          [metric]: oneOf<string | number>(...['', 0, 0.001, 7, 7, 95, 700, 7e5, 7e5, 8e5, 9e5, 7e8, 9e9]),
        }),
        { maxLength: 40, selector: ({ year, country, product, fx }) => [year, country, product, fx].join() },
      );
    const people = fc.record({
      ...{
        adult_population: oneOf(1, 90_000, 5e6),
        gdp_usd: oneOf(1, 2e7, 9e10),
        inflation: oneOf(0.1, 0.2, 3),
      },
    });
    const kinds = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        facts('ggr'),
        facts('turnover'),
        fc.array(people, { maxLength: 4 }),
        async (...rows) => {
          const [ggr, turnover, people] = rows;
          const month = await aMonth(
            filesOf({
              ggr: ggr.map((row) => aRow('ggr', row)),
              turnover: turnover.map((row) => aRow('turnover', row)),
              country: people.map((row, i) => aRow('country', { ...row, year: 2019 + i })),
            }),
          );
          const options = { ...publishDefaults(), dataDir: month.dataDir, directory: month.directory };
          const staging = await Staging.openInMemory(path.join(month.dataDir, 'work'));
          try {
            await stageMonth(options, staging, month.dataDir, SILENT);
            const datasets = DATASET_NAMES.filter((name) => staging.addedRows(name) > 0);
            const rows = await readRowsInMemory(staging, datasets);
            const used = await UsedValues.of({ staging, datasets }, rows);
            const several = datasets.filter((name) => used.rows(name) > 1);
            const problemsOfRows = async (inMemory: typeof rows) => {
              const problems = new Problems();
              await checkFirstLoad({
                staging,
                datasets,
                datasetsWithSeveralRows: several,
                usedValues: used,
                rowsInMemory: inMemory,
                publishedValues: null,
                carried: new Set<never>(),
                acceptedYears: new AcceptedYears(),
                month: '2026-11',
                problems,
              });
              return problems.list().map(({ place, message, kind }) => {
                kinds.add(kind ?? '');
                return `${place}: ${message}`;
              });
            };
            expect(await problemsOfRows(rows)).toEqual(await problemsOfRows(new Map()));
          } finally {
            staging.close();
            await month.remove();
          }
        },
      ),
      { numRuns: runs(6, 20) },
    );
    expect(kinds.size).toBeGreaterThan(6);
  },
);

/** Rows of ggr with these changes. Each row has another year. */
const rowsOf = (...changes: readonly Row[]) =>
  changes.map((change, i) => aRow('ggr', { year: 2025 - i, ...change }));

describe('a first load warns of', () => {
  const CASES: readonly (readonly [what: string, rows: readonly Row[], warning: RegExp])[] = [
    [
      'a former currency, with its rate',
      [{ fx: 'BYR' }, {}],
      /column fx: no currency has the code "BYR" today \(1 row\); convert the figures at 10,000 BYR for 1 BYN, and write BYN$/,
    ],
    [
      'a code that people use for another',
      [{ fx: 'RMB' }, {}],
      /column fx: no currency has the code "RMB" today \(1 row\); write CNY$/,
    ],
    [
      'a state named like its country',
      [{ country: 'Malta', state: 'Malta' }, {}],
      /state "Malta" is the country itself/,
    ],
    [
      'a value that is named like a sum',
      [{ product: 'Total Betting' }, {}],
      /product "Total Betting" is named like a sum/,
    ],
    [
      'a value that is named like a sum in another language',
      [{ product: 'Totale Scommesse' }, {}],
      /product "Totale Scommesse" is named like a sum/,
    ],
    [
      'a footnote mark in brackets',
      [{ product: 'Poker (1)' }, { product: 'Poker' }],
      /"Poker( \(1\))?" \(1 row\) looks like/,
    ],
    [
      'a word for no value in temporal',
      [{ temporal: 'n/a' }, {}],
      /temporal "n\/a" looks like a word for no value/,
    ],
  ];
  let problems: readonly string[] = [];
  // One month has a file for each case. The rows of a case have a sub-channel of their own.
  beforeAll(async () => {
    const files = CASES.map(([, rows], i) => {
      const own = rows.map((row) => ({ ...row, sub_channel: `Of case ${i}` }));
      return [`ggr-${i}.csv`, csvOf('ggr', rowsOf(...own))];
    });
    problems = await problemsOf(Object.fromEntries(files));
  });

  it.each(CASES.map((row, i) => [...row, i] as const))('%s', (_, __, warning, i) => {
    const ownWarnings = problems.filter((text) => text.startsWith(`warning ggr-${i}.csv`));
    expect(ownWarnings).toContainEqual(expect.stringMatching(warning));
  });

  it('more categories than products', async () => {
    const changes = [
      { category: 'Sport Betting', product: 'Chance' },
      { category: 'Casino Slots', product: 'Skill' },
      { category: 'Bingo', product: 'Skill' },
    ];
    expect(await problemsOf({ 'ggr.csv': csvOf('ggr', rowsOf(...changes)) })).toContainEqual(
      expect.stringMatching(/^warning .*there are 3 categories and 2 products/),
    );
  });
});

describe('countries that are new beside published ones', () => {
  const YEARS = [2020, 2021, 2022, 2023];
  const OLD = ['Malta', 'Spain', 'Norway'];
  const PRODUCTS = ['Bingo', 'Keno', 'Poker'];
  /** The rows of a country: figures that grow and differ between countries, products and currencies. */
  const amounts = (
    metric: 'ggr' | 'turnover',
    country: string,
    figureOf: (value: number, year: number) => number,
  ) =>
    YEARS.flatMap((year) =>
      PRODUCTS.flatMap((product, i) =>
        ['EUR', 'USD'].map((fx) => {
          const inEuros = (2_000_003 + 1_000_003 * i + 10_007 * (year - 2000)) * (metric === 'ggr' ? 1 : 9);
          const value = figureOf(inEuros + country.length * 1009, year);
          return aRow(metric, { country, year, product, fx, [metric]: fx === 'EUR' ? value : value * 1.1 });
        }),
      ),
    );
  const shared = (countries: readonly string[]) => ({
    fx: countries.flatMap((country) =>
      YEARS.map((year) =>
        aRow('fx', {
          ...{ country, year, fx_constant_usd: 1.1, fx_current_usd: 1.1 },
          ...{ fx_constant_eur: 1, fx_current_eur: 1 },
        }),
      ),
    ),
    country: countries.flatMap((country) =>
      YEARS.map((year) =>
        aRow('country', {
          ...{ country, year, gdp_usd: 1.1e10, gdp_local_currency: 1e10, adult_population: 500_000 },
          inflation: 2,
        }),
      ),
    ),
  });
  const same = (value: number) => value;
  /** For each new country: how its ggr or turnover is wrong, and the expected warning. */
  const DAMAGED = {
    'New A': {
      ggr: (value: number) => value / 1000,
      turnover: (value: number) => value / 1000,
      expected: ['ggr of New A (USD) is 1,000 times smaller beside its gross domestic product'],
    },
    'New BB': {
      ggr: (value: number) => value * 9,
      turnover: (value: number) => value / 9,
      expected: ['turnover of New BB (EUR) is 38.59 m, below the 347.9 m of its ggr'],
    },
    'New CCC': { ggr: () => 0, turnover: same, expected: ['ggr of New CCC is 0 in all 24 rows'] },
    'New DDDD': { ggr: same, turnover: same, expected: [] },
    // Only poker has such large figures.
    'New EEEEE': {
      ggr: (value: number) => (value > 4e6 ? value / 1000 : value),
      turnover: same,
      expected: ['turnover of Poker in New EEEEE (EUR) is'],
    },
    'New FFFFFF': {
      ggr: (value: number, year: number) => (year > 2022 ? value * 1000 : value),
      turnover: (value: number, year: number) => (year > 2022 ? value * 1000 : value),
      expected: ['ggr', 'turnover'].map(
        (metric) => `${metric} of New FFFFFF is about 1,000 times larger in 2023 than in 2022`,
      ),
    },
    // Only bingo has such small figures.
    'New GGGGGGG': {
      ggr: (value: number, year: number) => (year === 2021 && value < 2.5e6 ? value * 1000 : value),
      turnover: (value: number, year: number) => (year === 2021 && value < 2.5e7 ? value * 1000 : value),
      expected: ['ggr', 'turnover'].map((metric) => `${metric} of New GGGGGGG in 2021 is`),
    },
  };
  const country_reference = countryReference([...OLD, ...Object.keys(DAMAGED)]);
  let problems: readonly string[] = [];

  beforeAll(async () => {
    // Spain was already published with turnover below its ggr, so this is not reported again.
    const ofOld = (metric: 'ggr' | 'turnover') =>
      OLD.flatMap((country) =>
        amounts(metric, country, (value) =>
          country === 'Spain' && metric === 'turnover' ? value / 20 : value,
        ),
      );
    const ofNew = (metric: 'ggr' | 'turnover') =>
      Object.entries(DAMAGED).flatMap(([country, by]) => amounts(metric, country, by[metric]));
    const [ggr, turnover] = [ofOld('ggr'), ofOld('turnover')];
    const month = await aMonth(
      filesOf({
        ...{ ggr: [...ggr, ...ofNew('ggr')], turnover: [...turnover, ...ofNew('turnover')] },
        ...{ country_reference, ...shared([...OLD, ...Object.keys(DAMAGED)]) },
      }),
    );
    try {
      await publishRows(month.dataDir, '2026-10.1', { ggr, turnover, country_reference, ...shared(OLD) });
      problems = await month.problems();
    } finally {
      await month.remove();
    }
  });

  it.each(Object.entries(DAMAGED))('are checked as in a first load: %s', (country, { expected }) => {
    const ownWarnings = problems.filter((text) => text.includes(country));
    expect(ownWarnings).toEqual(expected.map((part) => expect.stringContaining(part)));
  });

  it('and published ones are left to the guards', () => {
    expect(problems.filter((text) => OLD.some((country) => text.includes(` of ${country} `)))).toEqual([]);
  });
});
