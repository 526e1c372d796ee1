// Years, labels and figures that people read differently than programs do are refused or cause a warning.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { type GivenOptions, readingOptions } from '../../../ingest/staging/readingOptions.ts';
import type { CellInput } from '../../../ingest/workbook/sheets.ts';
import { aMonth, type Content, cellsOf, csvOf } from '../../support/month.ts';
import { aRow, type Row } from '../../support/snapshot.ts';

/** The problems of reading and checking a month with these files, and the sum of its ggr. */
async function read(files: Readonly<Record<string, Content>>, given: GivenOptions = {}) {
  const month = await aMonth(files);
  try {
    const { problems, rows } = await month.read('ggr', { reading: readingOptions(given) });
    return { problems, sum: rows.reduce((sum, { ggr }) => sum + Number(ggr), 0) };
  } finally {
    await month.remove();
  }
}

const rowsOf = (...changes: readonly Row[]) =>
  changes.map((change, i) => aRow('ggr', { year: 2025 - i, ...change }));
const csv = (...changes: readonly Row[]) => ({ 'ggr.csv': csvOf('ggr', rowsOf(...changes)) });
const book = (rows: readonly (readonly CellInput[])[], name = 'Data'): Content => [{ name, rows }];

describe('a year whose number format shows another thing', () => {
  const [heading = [], first = []] = cellsOf('ggr', [aRow('ggr')]);
  const long = (year: CellInput) => ({ 'ggr.xlsx': book([heading, [year, ...first.slice(1)]]) });
  const wide = (year: CellInput) => ({
    'ggr.xlsx': book([
      [...heading.slice(1, -1), year],
      [...first.slice(1, -1), 1],
    ]),
  });
  const plain = 'give the cell the number format 0';
  const calendar = 'write the calendar year that the dataset counts it in, such as 2022';
  const mark = 'write the four digits alone, and put what the mark says into the column temporal';

  /** A long and a wide file for each format. Their names contain its number. */
  const filesOf = (formats: readonly string[], yearOf: (i: number, isWide: boolean) => number) =>
    Object.fromEntries(
      formats.flatMap((format, i) => [
        [`ggr-long-${i}.xlsx`, long({ value: yearOf(i, false), format })['ggr.xlsx']],
        [`ggr-wide-${i}.xlsx`, wide({ value: yearOf(i, true), format })['ggr.xlsx']],
      ]),
    );
  const FORMATS = [
    ['0"E"', '2026E', 'a year with a mark behind it', mark],
    ['0\\p;-0', '2026p', 'a year with a mark behind it', mark],
    ['[Blue]"FY"0', 'FY2026', 'a financial year', calendar],
    ['General"/27"', '2026/27', 'a financial year', calendar],
  ] as const;

  describe('is an error', () => {
    let problems: readonly string[] = [];
    beforeAll(async () => {
      const formats = FORMATS.map(([format]) => format);
      ({ problems } = await read(filesOf(formats, () => 2026)));
    });

    it.each(FORMATS.map((row, i) => [...row, i] as const))(
      'with the format %s',
      (_, shown, what, remedy, i) => {
        expect(problems.filter((text) => text.includes(`ggr-long-${i}.xlsx`))).toEqual([
          `error ggr-long-${i}.xlsx › Data!A2: year is the number 2026, shown as "${shown}", ${what}; ${plain}, and ${remedy}`,
        ]);
        expect(problems.find((text) => text.includes(`ggr-wide-${i}.xlsx`))).toBe(
          `error ggr-wide-${i}.xlsx › Data!J1: column "${shown}" is headed by ${what}; ${plain}, and ${remedy}`,
        );
      },
    );
  });

  it('is an error where somebody typed it into a cell that shows the year of a date', async () => {
    const year = { value: 2023, format: 'yyyy' };
    expect((await read(long(year))).problems).toEqual([
      `error ggr.xlsx › Data!A2: year is the number 2023, shown as "1905"; ${plain}`,
    ]);
    expect((await read(wide(year))).problems[0]).toBe(
      `error ggr.xlsx › Data!J1: column "1905" is headed by a number in the format of a date; ${plain}`,
    );
  });

  it('is read with any other format', async () => {
    const formats = ['0', '#,##0', '0_)', '[Red]0;-0', '"Year "0'];
    // Each file has another year, so that no row occurs twice.
    const { problems, sum } = await read(filesOf(formats, (i, isWide) => (isWide ? 2020 : 2015) + i));
    expect({ problems, sum }).toEqual({ problems: [], sum: 2 * formats.length });
  });
});

describe('a label that is empty where another group begins', () => {
  const groups = (...labels: readonly (readonly [category: string, product: string, fx?: string])[]) =>
    csv(...labels.map(([category, product, fx = '']) => ({ category, product, fx, ggr: 1 })));

  it('is an error with --fill-down, because the label above is of the group before', async () => {
    const files = groups(
      ['Betting', 'Sport Betting', 'EUR'],
      ['', 'Horse Racing'],
      ['Lottery', ''],
      ['Gaming', 'Slots'],
    );
    expect((await read(files, { 'fill-down': ['category,product,fx'] })).problems).toContain(
      'error ggr.csv › line 4, column product: product is empty where another category begins, and the cell above belongs to the one before; fill it in or delete the row',
    );
  });

  it('repeats the one above where the whole table has no other', async () => {
    const files = groups(['Betting', 'Sport Betting', 'EUR'], ['', 'Horse Racing'], ['Gaming', 'Slots']);
    const { problems, sum } = await read(files, { 'fill-down': ['category,product,fx'] });
    expect(problems.filter((text) => text.startsWith('error'))).toEqual([]);
    expect(sum).toBe(3);
  });
});

describe('a sheet of another dataset than its file', () => {
  it('is one error, which says that renaming the file makes each sheet count by its name', async () => {
    const rows = cellsOf('turnover', [aRow('turnover')]);
    expect((await read({ 'ggr delivery.xlsx': book(rows, 'Turnover') })).problems).toEqual([
      'error ggr delivery.xlsx › Turnover: the sheet is named after turnover and the file after ggr; rename the file so that it is named after no dataset, which makes each sheet count by its own name, or move the sheet to a file named after turnover',
    ]);
  });

  it('is that error, too, when a heading states a unit', async () => {
    const [heading = [], ...facts] = cellsOf('turnover', [aRow('turnover')]);
    const rows = [[...heading.slice(0, -1), 'Turnover (EUR m)'], ...facts];
    expect((await read({ 'ggr delivery.xlsx': book(rows, 'Turnover') })).problems).toEqual([
      expect.stringMatching(/^error ggr delivery\.xlsx › Turnover: the sheet is named after turnover/),
    ]);
  });
});

describe('a hidden sheet', () => {
  it('is warned of when the heading of its figures states a unit', async () => {
    const [heading = [], ...facts] = cellsOf('ggr', [aRow('ggr', { year: 2024 })]);
    const old = [[...heading.slice(0, -1), 'GGR (EUR m)'], ...facts];
    const sheets = [
      { name: 'Data', rows: cellsOf('ggr') },
      { name: 'Old', rows: old, state: 'hidden' },
    ] as const;
    expect((await read({ 'ggr.xlsx': sheets })).problems).toEqual([
      'warning ggr.xlsx › Old: a hidden sheet was not read; unhide it if its rows count',
    ]);
  });
});

describe('a sheet with a column per year', () => {
  const [heading = [], first = []] = cellsOf('ggr', [aRow('ggr')]);
  const wide = [
    [...heading.slice(1, -1), 2025],
    [...first.slice(1, -1), 1],
  ];

  it('is an error when it is named after another dataset than its file', async () => {
    expect((await read({ 'ggr.xlsx': book(wide, 'Turnover') })).problems).toEqual([
      'error ggr.xlsx › Turnover: the sheet is named after turnover and the file after ggr; rename the file so that it is named after no dataset, which makes each sheet count by its own name, or move the sheet to a file named after turnover, or rename the sheet if its years hold ggr',
    ]);
  });

  it('may be named after a dimension, or name its metric above the years', async () => {
    const named = [[...heading.slice(1, -1).map(() => null), 'GGR'], ...wide];
    expect((await read({ 'ggr.xlsx': book(wide, 'Country') })).problems).toEqual([]);
    expect((await read({ 'ggr.xlsx': book(named, 'Turnover') })).problems).toEqual([]);
  });
});

describe('a mark that repeats the value above', () => {
  it('is a warning', async () => {
    const [heading = [], first = []] = cellsOf('ggr', [aRow('ggr')]);
    const channel = heading.indexOf('channel');
    const marks = ['"', '〃', 'do.', 'ditto'];
    const rows = marks.map((mark, i) => first.with(0, 2001 + i).with(channel, mark));
    const { problems } = await read({ 'ggr.xlsx': book([heading, first, ...rows]) });
    expect(problems).toEqual(
      expect.arrayContaining(
        marks.map(
          (mark, i) =>
            `warning ggr.xlsx › Data!G${3 + i}: channel "${mark}" looks like a word for no value (1 row); write the value, or delete the row`,
        ),
      ),
    );
  });
});

describe('numbers', () => {
  it('beside texts with dots between thousands are errors when they have decimals', async () => {
    const rows = cellsOf('ggr', rowsOf({ ggr: '1.404.021' }, { ggr: 404.021 }, { ggr: '2.000.000' }));
    expect((await read({ 'ggr.xlsx': book(rows) })).problems).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^error ggr\.xlsx › Data!K3: ggr is the number 404\.021, beside texts with dots.+ use --numbers ggr\.xlsx=de$/,
        ),
      ]),
    );
    const [heading = [], first = [], second = [], third = []] = rows;
    const priced = second.with(-1, { value: 404.021, format: '[$€-407] #,##0.00' });
    expect((await read({ 'ggr.xlsx': book([heading, first, priced, third]) })).problems).toEqual(
      expect.arrayContaining([expect.stringMatching(/Data!K3: ggr is the number 404\.021, beside texts/)]),
    );
  });
});
