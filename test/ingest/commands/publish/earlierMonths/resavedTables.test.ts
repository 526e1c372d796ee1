// A publish warns of a file or sheet of the month before that was saved again while others of its dataset are new.

import { expect, it } from '@jest/globals';
import { itInDepth } from '../../../../support/depth.ts';
import { aMonth, cellsOf, csvOf, type Month } from '../../../../support/month.ts';
import { aRow, countryReference, type Row } from '../../../../support/snapshot.ts';

const COUNTRIES = Array.from({ length: 16 }, (_, i) => `Land ${String.fromCharCode(65 + i)}`);
const [EAST, WEST] = [COUNTRIES.slice(0, 8), COUNTRIES.slice(8)];

/** The rows of some countries in these years, with the figures of the month with this number. */
const rowsOf = (countries: readonly string[], month: number, years = [2022, 2023, 2024]): Row[] =>
  countries.flatMap((country, i) =>
    years.map((year) => aRow('ggr', { country, year, ggr: 5_000_000 + 70_000 * i + 900 * year + month })),
  );

const reference = csvOf('country_reference', countryReference([...COUNTRIES, 'Malta']));

const started = (files: Parameters<typeof aMonth>[0] = { 'ggr.csv': csvOf('ggr') }) =>
  aMonth({ 'country-reference.csv': reference, ...files });

/** The rows in reverse order, so that the bytes of the file differ. */
const savedAgain = (rows: readonly Row[]) => csvOf('ggr', rows.toReversed());

async function warningsOf(month: Month, number: number, files: Parameters<typeof aMonth>[0]) {
  await month.write(files ?? {});
  const { status, problems } = await month.publish({ month: `2026-0${number}` });
  expect({ status, errors: problems.filter(({ severity }) => severity === 'error') }).toEqual({
    status: 'published',
    errors: [],
  });
  return problems.flatMap(({ place, message }) =>
    message.includes('has the rows of') ? [`${place}: ${message}`] : [],
  );
}

const both = (east: number, west: number) => ({
  'ggr.csv': csvOf('ggr', rowsOf(EAST, east)),
  'ggr-west.csv': csvOf('ggr', rowsOf(WEST, west)),
});

it('a file of the month before that was saved again is a warning the first time', async () => {
  const month = await started();
  expect(await warningsOf(month, 1, both(1, 1))).toEqual([]);
  expect(await warningsOf(month, 2, both(2, 2))).toEqual([]);
  const stale = { ...both(3, 3), 'ggr-west.csv': savedAgain(rowsOf(WEST, 2)) };
  expect(await warningsOf(month, 3, stale)).toEqual([
    "ggr-west.csv: has the rows of 2026-02.1, although most other tables of ggr are new; put this month's figures in its place, unless nothing in it changed",
  ]);
  // A second revision of a month differs from the first one only where somebody corrected it, so there is no warning.
  expect(await warningsOf(month, 3, { 'ggr.csv': csvOf('ggr', rowsOf(EAST, 4)) })).toEqual([]);
  // This file has already repeated once. So it counts as a file that does not change every month, and causes no warning.
  expect(await warningsOf(month, 4, { ...both(5, 2) })).toEqual([]);
  await month.remove();
});

itInDepth('a sheet of the month before in a new workbook is a warning that names the sheet', async () => {
  const sheets = (east: number, west: number) => [
    { name: 'East', rows: cellsOf('ggr', rowsOf(EAST, east)) },
    { name: 'West', rows: cellsOf('ggr', rowsOf(WEST, west)) },
  ];
  const month = await started({ 'ggr.xlsx': sheets(1, 1) });
  expect(await warningsOf(month, 1, { 'ggr.xlsx': sheets(1, 1) })).toEqual([]);
  expect(await warningsOf(month, 2, { 'ggr.xlsx': sheets(2, 1) })).toEqual([
    "ggr.xlsx › West: has the rows of 2026-01.1, although most other tables of ggr are new; put this month's figures in its place, unless nothing in it changed",
  ]);
  await month.remove();
});

it('no warning is given for a file of old years, of few countries, or where few rows of the others moved', async () => {
  const month = await started();
  const files = (east: number, west: number, some: Row[] = []) => ({
    'ggr.csv': csvOf('ggr', [...rowsOf(EAST, east), ...some]),
    'ggr-west.csv': csvOf('ggr', rowsOf(WEST.slice(0, 1), west)),
    'ggr-history.csv': csvOf('ggr', rowsOf(COUNTRIES, 0, [2012, 2013, 2014])),
  });
  await warningsOf(month, 1, files(1, 1));
  const again = { 'ggr-history.csv': savedAgain(rowsOf(COUNTRIES, 0, [2012, 2013, 2014])) };
  expect(await warningsOf(month, 2, { ...files(2, 2), ...again })).toEqual([]);
  expect(
    await warningsOf(month, 3, { ...files(3, 2), 'ggr-west.csv': savedAgain(rowsOf(WEST.slice(0, 1), 2)) }),
  ).toEqual([]);
  await month.remove();
});

itInDepth(
  'a file with the countries of one other file is not a warning, such as that of a product that was not revised',
  async () => {
    const month = await started();
    const products = (poker: number, betting: number) => {
      const rowsOfProduct = (product: string, number: number) =>
        rowsOf(COUNTRIES, number).map((row) => ({ ...row, product, category: 'Gaming' }));
      return {
        'ggr.csv': csvOf('ggr', rowsOfProduct('Poker', poker)),
        'ggr-bingo.csv': savedAgain(rowsOfProduct('Bingo', betting)),
      };
    };
    await warningsOf(month, 1, products(1, 1));
    const { 'ggr-bingo.csv': bingo, ...poker } = products(2, 1);
    expect(await warningsOf(month, 2, { ...poker, 'ggr-bingo.csv': bingo.replace('\n', '\r\n') })).toEqual(
      [],
    );
    await month.remove();
  },
);

itInDepth(
  'a warning needs so many changes in the other files that chance would seldom leave one as it was',
  async () => {
    const month = await started();
    await warningsOf(month, 1, both(1, 1));
    // Files of five of eight countries are too few for a warning, and those of six are enough.
    const revised = (count: number) => ({
      'ggr.csv': csvOf('ggr', [...rowsOf(EAST.slice(0, count), 2), ...rowsOf(EAST, 1).slice(3 * count)]),
      'ggr-west.csv': savedAgain(rowsOf(WEST, 1)),
    });
    await month.write(revised(5));
    const again = async () =>
      (await month.publish({ month: '2026-02', dryRun: true })).problems.filter(({ message }) =>
        message.includes('has the rows of'),
      ).length;
    expect(await again()).toBe(0);
    await month.write(revised(6));
    expect(await again()).toBe(1);
    // With more files, one that did not change is more likely by chance, so there is no warning.
    const alone = EAST.map((country, i): [string, string] => [
      `ggr${i === 0 ? '' : `-${i}`}.csv`,
      csvOf(
        'ggr',
        rowsOf(EAST, i < 6 ? 2 : 1).filter((row) => row.country === country),
      ),
    ]);
    await month.write(Object.fromEntries(alone));
    expect(await again()).toBe(0);
    await month.remove();
  },
);

/** A file for each of four products. The nth number is that of the month whose figures the nth product has. */
const productFiles = (...numbers: number[]) =>
  Object.fromEntries(
    ['Poker', 'Bingo', 'Esports Betting', 'Horse Racing'].map((product, i) => {
      const rows = rowsOf(COUNTRIES, numbers[i] ?? 0).map((row) => ({ ...row, product, category: 'Gaming' }));
      return [i === 0 ? 'ggr.csv' : `ggr-${i}.csv`, csvOf('ggr', i === 3 ? rows.toReversed() : rows)];
    }),
  );

itInDepth('a file of a product is a warning where all of three other products are new', async () => {
  const month = await started();
  await warningsOf(month, 1, productFiles(1, 1, 1, 1));
  const last = productFiles(2, 2, 2, 1)['ggr-3.csv']?.replaceAll('\n', '\r\n') ?? '';
  expect(await warningsOf(month, 2, { ...productFiles(2, 2, 2, 1), 'ggr-3.csv': last })).toEqual([
    expect.stringMatching(/^ggr-3\.csv: has the rows of 2026-01\.1, /),
  ]);
  expect(
    await warningsOf(month, 3, {
      ...productFiles(3, 3, 2, 1),
      'ggr-2.csv': `\uFEFF${productFiles(3, 3, 2, 1)['ggr-2.csv']}`,
    }),
  ).toEqual([]);
  await month.remove();
});

itInDepth(
  'reported figures are not expected to change as forecasts do, nor one metric as another',
  async () => {
    const forecasts = (countries: readonly string[], number: number) =>
      rowsOf(countries, number, [2027, 2028, 2029]).map((row) => ({ ...row, temporal: 'Forecast' }));
    const reported = (countries: readonly string[], number: number) => rowsOf(countries, number, [2027]);
    const people = (countries: readonly string[], number: number, isNew: boolean) =>
      `metric,region,country,state,temporal,calculation,2023,2024\n${countries
        .flatMap((country, i) => [
          `gdp_usd,Europe,${country},,Current,Reported,${9_000_000_000 + number + i},${9_100_000_000 + number + i}`,
          `inflation,Europe,${country},,Current,Reported,${2 + number / 10},${3 + number / 10}`,
        ])
        .filter((line) => line.startsWith('gdp') === isNew)
        .join('\n')}\n`;
    const month = await started();
    const files = (number: number) => ({
      'ggr.csv': csvOf('ggr', [...forecasts(EAST, number), ...reported(EAST.slice(0, 1), 1)]),
      'ggr-west.csv': csvOf('ggr', reported(WEST, 1)),
      'country.csv': people(EAST, number, true),
      'country-inflation.csv': people(WEST, 1, false),
    });
    await warningsOf(month, 1, files(1));
    const again = { 'ggr-west.csv': savedAgain(reported(WEST, 1)) };
    const inflation = `\uFEFF${people(WEST, 1, false)}`;
    expect(await warningsOf(month, 2, { ...files(2), ...again, 'country-inflation.csv': inflation })).toEqual(
      [],
    );
    await month.remove();
  },
);

itInDepth('a file of one metric is a warning where another metric of its rows is new', async () => {
  const metric = (name: string, countries: readonly string[], number: number) =>
    `metric,region,country,state,temporal,calculation,2023,2024\n${countries
      .map(
        (country, i) =>
          `${name},Europe,${country},,Current,Reported,${9e9 + number + i},${9.1e9 + number + i}`,
      )
      .join('\n')}\n`;
  const month = await started();
  const files = (number: number) => ({
    'country.csv': metric('gdp_usd', COUNTRIES, number),
    'country-west.csv': metric('gdp_local_currency', WEST, number),
    'country-east.csv': metric('gdp_local_currency', EAST, 1),
  });
  await warningsOf(month, 1, files(1));
  const east = `\uFEFF${files(1)['country-east.csv']}`;
  expect(await warningsOf(month, 2, { ...files(2), 'country-east.csv': east })).toEqual([
    expect.stringMatching(/^country-east\.csv: has the rows of 2026-01\.1, /),
  ]);
  await month.remove();
});

itInDepth(
  'a wide sheet with several metrics is a warning where all of them are those of the month before',
  async () => {
    const wide = (countries: readonly string[], number: number) => [
      ['metric', 'region', 'country', 'state', 'temporal', 'calculation', 2023, 2024],
      ...countries.flatMap((country, i) => [
        ['gdp_usd', 'Europe', country, null, 'Current', 'Reported', 9e9 + number + i, 9.1e9 + number + i],
        [
          'adult_population',
          'Europe',
          country,
          null,
          'Current',
          'Reported',
          4e6 + number + i,
          4.1e6 + number + i,
        ],
      ]),
    ];
    const month = await started();
    const sheets = (east: number, west: number) => ({
      'country.xlsx': [
        { name: 'East', rows: wide(EAST, east) },
        { name: 'West', rows: wide(WEST, west) },
      ],
    });
    await warningsOf(month, 1, sheets(1, 1));
    expect(await warningsOf(month, 2, sheets(2, 1))).toEqual([
      expect.stringMatching(
        /^country\.xlsx › West: has the rows of 2026-01\.1, although most other tables of country are new/,
      ),
    ]);
    await month.remove();
  },
);

itInDepth('the warning of a table of more than 2,000 rows says how many were looked at', async () => {
  const years = Array.from({ length: 22 }, (_, i) => 2003 + i);
  const rows = (countries: readonly string[], number: number) =>
    ['Poker', 'Bingo', 'Esports Betting', 'Horse Racing', 'Casino Slots', 'Draw Games'].flatMap((product) =>
      ['Onshore', 'Offshore'].flatMap((sub_channel) =>
        rowsOf(countries, number, years).map((row) => ({
          ...row,
          product,
          category: 'Gaming',
          channel: 'Online',
          sub_channel,
        })),
      ),
    );
  const month = await started();
  await warningsOf(month, 1, {
    'ggr.csv': csvOf('ggr', rows(EAST, 1)),
    'ggr-west.csv': csvOf('ggr', rows(WEST, 1)),
  });
  const files = { 'ggr.csv': csvOf('ggr', rows(EAST, 2)), 'ggr-west.csv': savedAgain(rows(WEST, 1)) };
  expect(await warningsOf(month, 2, files)).toEqual([
    expect.stringMatching(
      /^ggr-west\.csv: has the rows of 2026-01\.1 in all 1,\d{3} of 2,112 rows that were looked at, although/,
    ),
  ]);
  await month.remove();
});
