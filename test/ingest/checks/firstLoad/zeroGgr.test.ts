// Ggr of 0 beside turnover in a first load.

import { expect, it } from '@jest/globals';
import { filesOf, problemsOf } from '../../../support/month.ts';
import { aRow, type Row } from '../../../support/snapshot.ts';

const YEARS = [2021, 2022, 2023, 2024, 2025];
const PRODUCTS = ['Bingo', 'Keno', 'Poker'];

/** Rows of three products in two countries. Turnover is ten times ggr, before the figures that `given` replaces. */
const rowsOf = (metric: 'ggr' | 'turnover', given: (row: Row) => number | undefined): Row[] =>
  ['Malta', 'Spain'].flatMap((country, i) =>
    PRODUCTS.flatMap((product, j) =>
      YEARS.map((year) => {
        const ggr = 5_000_000 + 1_234_567 * i + 345_678 * j + 98_765 * (year - 2020);
        const row = aRow(metric, { country, product, year, [metric]: metric === 'ggr' ? ggr : 10 * ggr });
        return { ...row, [metric]: given(row) ?? row[metric] ?? 0 };
      }),
    ),
  );

const problemsIn = async (
  ggr: (row: Row) => number | undefined,
  turnover: (row: Row) => number | undefined = () => undefined,
) =>
  (await problemsOf(filesOf({ ggr: rowsOf('ggr', ggr), turnover: rowsOf('turnover', turnover) }))).filter(
    (text) => / is 0 /.test(text),
  );

const isKenoOf = (country: string, { country: of, product }: Row) => of === country && product === 'Keno';

it('is warned of in the last year of a market', async () => {
  expect(await problemsIn((row) => (isKenoOf('Malta', row) && row.year === 2025 ? 0 : undefined))).toEqual([
    'warning ggr.csv › line 11, column ggr: ggr of Malta is 0 in 1 row beside turnover; the first, of 2025, has turnover of 58.4 m EUR; leave the cell empty where a figure is missing',
  ]);
});

it('is warned of in the first years of a market, and in all of them', async () => {
  expect(
    await problemsIn((row) => (isKenoOf('Malta', row) && Number(row.year) < 2023 ? 0 : undefined)),
  ).toEqual([expect.stringContaining('ggr of Malta is 0 in 2 rows beside turnover; the first, of 2021,')]);
  expect(await problemsIn((row) => (isKenoOf('Spain', row) ? 0 : undefined))).toEqual([
    expect.stringContaining('ggr of Spain is 0 in 5 rows beside turnover'),
  ]);
});

it('is told once where other figures show it, too', async () => {
  expect(await problemsIn((row) => (isKenoOf('Malta', row) && row.year === 2023 ? 0 : undefined))).toEqual([
    expect.stringContaining('ggr of Malta is 0 in 1 row of 2023, between years in which it is not'),
  ]);
  expect(await problemsIn((row) => (row.country === 'Malta' && row.year === 2025 ? 0 : undefined))).toEqual([
    expect.stringContaining('ggr of Malta is 0 in 3 rows of 2025, after years in which it is not'),
  ]);
});

it('passes where turnover is 0, too, or ggr was rounded to 0', async () => {
  const closed = (row: Row) => (isKenoOf('Malta', row) && row.year === 2025 ? 0 : undefined);
  expect(await problemsIn(closed, closed)).toEqual([]);
  const inMillions = (row: Row) => closed(row) ?? 1e6 * Math.round(Number(row.ggr) / 1e6);
  const small = (of: number) => (row: Row) => (closed(row) === 0 ? of : undefined);
  expect(await problemsIn(inMillions, small(40e6))).toEqual([]);
  expect(await problemsIn(inMillions, small(400e6))).toHaveLength(1);
  expect(await problemsIn(closed, small(999))).toEqual([]);
});
