// Rows whose cells stand one column too far to the right or left have one error that says so.

import { describe, expect, it } from '@jest/globals';
import type { CellInput } from '../../../ingest/workbook/sheets.ts';
import { itInDepth, some } from '../../support/depth.ts';
import { cellsOf, ownProblemsOf } from '../../support/month.ts';
import { aRow } from '../../support/snapshot.ts';

const [HEADING = [], ...ROWS] = cellsOf(
  'ggr',
  [2022, 2023, 2024].map((year) => aRow('ggr', { year, ggr: 5_000_000 + year })),
);

/** The errors about a table whose second row is another one, as a workbook and as a csv. */
async function toldOf(
  change: (row: readonly CellInput[]) => readonly CellInput[],
  heading = HEADING,
  rows = ROWS,
) {
  const changed = [heading, ...rows.map((row, i) => [...(i === 1 ? change(row) : row)])];
  const csv = changed.map((row) => `${row.map((cell) => cell ?? '').join(',')}\n`).join('');
  const errorsOf = async (file: string, content: Parameters<typeof ownProblemsOf>[0][string]) =>
    (await ownProblemsOf({ [file]: content })).filter((text) => text.startsWith('error'));
  return {
    workbook: await errorsOf('ggr.xlsx', [{ name: 'Data', rows: changed }]),
    csv: await errorsOf('ggr.csv', csv),
  };
}

const at = (index: number) => 'ABCDEFGHIJK'[index];

const toRight = (from: number) => (row: readonly CellInput[]) => [
  ...row.slice(0, from),
  null,
  ...row.slice(from),
];
const toLeft = (from: number) => (row: readonly CellInput[]) => row.filter((_, index) => index !== from);

describe('a row that is shifted by one cell', () => {
  const COLUMNS = [
    [0, 'year'],
    [2, 'country'],
    [5, 'product'],
    [8, 'fx'],
    [10, 'ggr'],
  ] as const;
  it.each(some(COLUMNS, 2))('to the right from column %s on has one error', async (from, name) => {
    const told = (figure: string) =>
      `column ${name}: the cells of the row look shifted by one to the right, from ${name} on: ${name} is empty, and ${figure} is beyond the last heading; move the cells behind ${name} one column to the left`;
    expect(await toldOf(toRight(from))).toEqual({
      workbook: [told('the number 5002023').replace(`column ${name}`, `error ggr.xlsx › Data!${at(from)}3`)],
      csv: [`error ggr.csv › line 3, ${told('"5002023"')}`],
    });
  });

  it.each(some([0, 1, 3, 4, 9], 2))('to the left from column %s on has one error', async (from) => {
    const told = (figure: string) =>
      `the cells of the row look shifted by one to the left: temporal is ${figure}, and ggr is empty; find the cell that is missing, and move the cells behind it one column to the right`;
    expect(await toldOf(toLeft(from))).toEqual({
      workbook: [`error ggr.xlsx › Data!J3: ${told('the number 5002023')}`],
      csv: [`error ggr.csv › line 3, column temporal: ${told('"5002023"')}`],
    });
  });

  it('has one error in wide form', async () => {
    const heading = [...HEADING.slice(1, -1), 2022, 2023];
    const rows = ['Bingo', 'Keno', 'Poker'].map((product) => [
      ...['Europe', 'Malta', null, 'Betting', product, 'Online', 'Onshore', 'EUR', 'Current'],
      ...[5_000_000, 5_100_000],
    ]);
    expect((await toldOf(toRight(1), heading, rows)).workbook).toEqual([
      expect.stringContaining(
        'Data!B3: the cells of the row look shifted by one to the right, from country on',
      ),
    ]);
    expect((await toldOf(toLeft(0), heading, rows)).workbook).toEqual([
      expect.stringContaining(
        'shifted by one to the left: temporal is the number 5000000, and 2023 is empty',
      ),
    ]);
  });
});

describe('a row is not called shifted', () => {
  const said = async (
    change: (row: readonly CellInput[]) => readonly CellInput[],
    heading?: CellInput[],
    rows?: CellInput[][],
  ) => {
    const { workbook, csv } = await toldOf(change, heading, rows);
    return [...workbook, ...csv].filter((text) => text.includes('shifted'));
  };

  itInDepth('where its cells make no sense in the columns beside theirs either', async () => {
    expect(await said((row) => [...toRight(2)(row).slice(0, 9), 'Euros', 'Current', 5])).toEqual([]);
    expect(await said((row) => [...toRight(2)(row), 7])).toEqual([]);
    expect(await said((row) => [...row.slice(0, 8), 'Euros', 5_002_023])).toEqual([]);
  });

  it('where all of its own cells make sense, and there is one more', async () => {
    expect(await said((row) => [...row, 7])).toEqual([]);
    const heading = ['year', 'region', 'country', 'state', 'temporal', 'calculation', 'gdp_usd', 'inflation'];
    const row = (year: number): CellInput[] => [
      year,
      'Europe',
      'Malta',
      null,
      'Current',
      'Reported',
      null,
      2.5,
    ];
    expect(await said((one) => [...one, 7], heading, [2022, 2023, 2024].map(row))).toEqual([]);
  });

  itInDepth('where it has no figure, and the column before may hold a number', async () => {
    const move = (from: number) => (row: readonly CellInput[]) => [
      ...row.filter((_, index) => index !== from && index !== 10),
      row[from] ?? null,
      row[10] ?? null,
    ];
    for (const last of [0, 5]) {
      const rows = ROWS.map((row) => move(last)(row.map((cell, i) => (i === 5 ? '7' : cell))));
      expect(await said((row) => row.slice(0, -1), [...move(last)(HEADING)], rows)).toEqual([]);
    }
  });
});
