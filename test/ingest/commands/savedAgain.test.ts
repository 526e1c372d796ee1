// A publish warns of a file or sheet of the month before that was saved again, where others of its dataset are new.

import { expect, it } from '@jest/globals';
import { aMonth, cellsOf, csvOf, type Month } from '../../support/month.ts';
import { aRow, type Row } from '../../support/snapshot.ts';

const COUNTRIES = Array.from({ length: 16 }, (_, i) => `Land ${String.fromCharCode(65 + i)}`);
const [EAST, WEST] = [COUNTRIES.slice(0, 8), COUNTRIES.slice(8)];

/** The rows of some countries in these years, as the month of that number has them. */
const rowsOf = (countries: readonly string[], month: number, years = [2022, 2023, 2024]): Row[] =>
  countries.flatMap((country, i) =>
    years.map((year) => aRow('ggr', { country, year, ggr: 5_000_000 + 70_000 * i + 900 * year + month })),
  );

const reference = csvOf(
  'country_reference',
  [...COUNTRIES, 'Malta'].map((country) => aRow('country_reference', { country, region: 'Europe' })),
);

const started = (files: Parameters<typeof aMonth>[0] = { 'ggr.csv': csvOf('ggr') }) =>
  aMonth({ 'country-reference.csv': reference, ...files });

/** The rows the other way round, so that the file's bytes differ. */
const savedAgain = (rows: readonly Row[]) => csvOf('ggr', rows.toReversed());

async function told(month: Month, number: number, files: Parameters<typeof aMonth>[0]) {
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
  expect(await told(month, 1, both(1, 1))).toEqual([]);
  expect(await told(month, 2, both(2, 2))).toEqual([]);
  const stale = { ...both(3, 3), 'ggr-west.csv': savedAgain(rowsOf(WEST, 2)) };
  expect(await told(month, 3, stale)).toEqual([
    "ggr-west.csv: has the rows of 2026-02.1, although most other tables of ggr are new; put this month's figures in its place, unless nothing in it changed",
  ]);
  // A second try of a month differs from the first one where somebody corrected it.
  expect(await told(month, 3, { 'ggr.csv': csvOf('ggr', rowsOf(EAST, 4)) })).toEqual([]);
  // It repeated once, so that it is a file that comes less often.
  expect(await told(month, 4, { ...both(5, 2) })).toEqual([]);
  await month.remove();
});

it('a sheet of the month before in a new workbook is a warning that names the sheet', async () => {
  const sheets = (east: number, west: number) => [
    { name: 'East', rows: cellsOf('ggr', rowsOf(EAST, east)) },
    { name: 'West', rows: cellsOf('ggr', rowsOf(WEST, west)) },
  ];
  const month = await started({ 'ggr.xlsx': sheets(1, 1) });
  expect(await told(month, 1, { 'ggr.xlsx': sheets(1, 1) })).toEqual([]);
  expect(await told(month, 2, { 'ggr.xlsx': sheets(2, 1) })).toEqual([
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
  await told(month, 1, files(1, 1));
  const again = { 'ggr-history.csv': savedAgain(rowsOf(COUNTRIES, 0, [2012, 2013, 2014])) };
  expect(await told(month, 2, { ...files(2, 2), ...again })).toEqual([]);
  expect(
    await told(month, 3, { ...files(3, 2), 'ggr-west.csv': savedAgain(rowsOf(WEST.slice(0, 1), 2)) }),
  ).toEqual([]);
  await month.remove();
});

it('a file with the countries of one other file is no warning, such as that of a product that was not revised', async () => {
  const month = await started();
  const products = (poker: number, betting: number) => {
    const of = (product: string, number: number) =>
      rowsOf(COUNTRIES, number).map((row) => ({ ...row, product, category: 'Gaming' }));
    return {
      'ggr.csv': csvOf('ggr', of('Poker', poker)),
      'ggr-bingo.csv': savedAgain(of('Bingo', betting)),
    };
  };
  await told(month, 1, products(1, 1));
  const { 'ggr-bingo.csv': bingo, ...poker } = products(2, 1);
  expect(await told(month, 2, { ...poker, 'ggr-bingo.csv': bingo.replace('\n', '\r\n') })).toEqual([]);
  await month.remove();
});
