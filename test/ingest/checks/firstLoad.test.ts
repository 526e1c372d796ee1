// A first load's series and single rows are checked side by side, and told in the same order each time.

import path from 'node:path';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkFirstLoad } from '../../../ingest/checks/firstLoad.ts';
import { inMemory } from '../../../ingest/checks/stagedRows.ts';
import { UsedValues } from '../../../ingest/checks/usedValues.ts';
import { checkMonth, stageMonth } from '../../../ingest/commands/publish/stagedMonth.ts';
import { Problems } from '../../../ingest/messages/problems.ts';
import { Staging } from '../../../ingest/staging/database/staging.ts';
import { DATASET_NAMES } from '../../../src/catalog/datasets.ts';
import { runs } from '../../support/depth.ts';
import { aMonth, csvOf, publishDefaults, SILENT } from '../../support/month.ts';
import { aRow } from '../../support/snapshot.ts';

/** Ten years of one series, with a gap and an amount below a cent. */
const ROWS = [2010, 2011, 2012, 2014, 2015, 2016, 2017, 2018, 2019].map((year) =>
  aRow('ggr', { year, ggr: year === 2016 ? 0.001 : 5_000_000 + year }),
);

it('warnings about series come before those about single rows', async () => {
  const month = await aMonth({ 'ggr.csv': csvOf('ggr', ROWS) });
  try {
    const told = (await month.problems()).filter((text) => text.includes('ggr.csv'));
    expect(told.map((text) => /lacks years|less than a cent/.exec(text)?.[0])).toEqual([
      'lacks years',
      'less than a cent',
    ]);
  } finally {
    await month.remove();
  }
});

it('the fewest figures that show a copied year are warned of', async () => {
  const rows = [2022, 2023].flatMap((year) =>
    ['Bingo', 'Keno', 'Poker'].map((product, i) => aRow('ggr', { year, product, ggr: 5_000_000 + 7 * i })),
  );
  const month = await aMonth({ 'ggr.csv': csvOf('ggr', rows) });
  try {
    expect(await month.problems()).toEqual([
      expect.stringContaining('ggr of Malta in 2023 is that of 2022 in all its 3 series'),
    ]);
  } finally {
    await month.remove();
  }
});

it('a check that fails is thrown after those beside it have ended', async () => {
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
    (staging.beside.connection as typeof connection).closeSync();
    await expect(checkMonth(options, staged, SILENT)).rejects.toThrow();
    expect(running).toBe(0);
  } finally {
    staging.close();
    await month.remove();
  }
});

it('a first load is told the same whether its rows are in memory, where some checks are left out, or not', async () => {
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
  const told = new Set<string>();
  await fc.assert(
    fc.asyncProperty(facts('ggr'), facts('turnover'), fc.array(people, { maxLength: 4 }), async (...rows) => {
      const [ggr, turnover, people] = rows;
      const month = await aMonth({
        'ggr.csv': csvOf(
          'ggr',
          ggr.map((row) => aRow('ggr', row)),
        ),
        'turnover.csv': csvOf(
          'turnover',
          turnover.map((row) => aRow('turnover', row)),
        ),
        'country.csv': csvOf(
          'country',
          people.map((row, i) => aRow('country', { ...row, year: 2019 + i })),
        ),
      });
      const options = { ...publishDefaults(), dataDir: month.dataDir, directory: month.directory };
      const staging = await Staging.openInMemory(path.join(month.dataDir, 'work'));
      try {
        await stageMonth(options, staging, month.dataDir, SILENT);
        const datasets = DATASET_NAMES.filter((name) => staging.added(name) > 0);
        const rows = await inMemory(staging, datasets);
        const used = await UsedValues.of({ staging, datasets }, rows);
        const several = datasets.filter((name) => used.rows(name) > 1);
        const of = async (inMemory: typeof rows) => {
          const problems = new Problems();
          await checkFirstLoad({
            staging,
            datasets,
            several,
            used,
            inMemory,
            known: null,
            month: '2026-11',
            problems,
          });
          return problems.list().map(({ place, message, kind }) => {
            told.add(kind ?? '');
            return `${place}: ${message}`;
          });
        };
        expect(await of(rows)).toEqual(await of(new Map()));
      } finally {
        staging.close();
        await month.remove();
      }
    }),
    { numRuns: runs(6, 20) },
  );
  expect(told.size).toBeGreaterThan(6);
});
