// Files of each format are refused with remedies that are possible in that format.

import { beforeAll, describe, expect, it } from '@jest/globals';
import type { GivenOptions } from '../../../ingest/staging/readingOptions.ts';
import { workbook } from '../../../ingest/workbook/workbook.ts';
import { partOf, SHEET_PART, workbookWith } from '../../support/handmadeZip.ts';
import { type Content, cellsOf, csvOf, ownProblemsOf } from '../../support/month.ts';
import { type CaseResult, readCases } from '../../support/readCases.ts';
import { aRow, type Row } from '../../support/snapshot.ts';
import { parquetOf } from '../../support/testEngine.ts';

const problemsOfFile = (name: string, content: Content, given: GivenOptions = {}) =>
  ownProblemsOf({ [name]: content }, given);

/** A Parquet file of ggr with a row for each year from 2021 to 2025, which is called `y`. */
const ofYears = (year: string, ggr: string, more = '') =>
  parquetOf(
    `SELECT ${year} AS year, 'Europe' AS region, 'Malta' AS country, '' AS state, 'Betting' AS category,
      'Sport Betting' AS product, 'Online' AS channel, 'Onshore' AS sub_channel, 'EUR' AS fx, 'Current' AS temporal,
      ${ggr} AS ggr${more} FROM range(2021, 2026) years(y)`,
  );

describe('a Parquet file', () => {
  it('is told to write years as whole numbers, not to format dates', async () => {
    const [first] = await problemsOfFile('ggr.parquet', await ofYears('make_date(y, 1, 1)', 'y'));
    expect(first).toBe(
      'error ggr.parquet › row 1, column year: year is the date 2021-01-01; write the year alone, as a whole number',
    );
  });

  it('is told to write figures as numbers, not to format cells or to calculate formulas', async () => {
    expect((await problemsOfFile('ggr.parquet', await ofYears('y', "'1.23E+07'")))[0]).toBe(
      'error ggr.parquet › row 1, column ggr: ggr is "1.23E+07": 3 digits of a number that has 8; write the column as DOUBLE or DECIMAL; if these are all its digits, use --scale ggr.parquet=ggr=1',
    );
    const rates = { fx_current_usd: '6.12E-05', fx_constant_usd: '6.12e-05', fx_current_eur: '6.12345E-05' };
    expect(await problemsOfFile('fx.csv', csvOf('fx', [aRow('fx', rates)]))).toContain(
      'warning fx.csv › line 2, column fx_current_usd: fx_current_usd is "6.12E-05", of which a spreadsheet program may have left out further digits; format the column as a number with all its decimals and save it again; if these are all its digits, use --scale fx.csv=fx_current_usd=1',
    );
    const german = aRow('fx', { fx_current_usd: '1,2E+07', fx_current_eur: '6,12E-05' });
    expect(await problemsOfFile('fx.csv', csvOf('fx', [german]))).toEqual(
      expect.arrayContaining([
        expect.stringContaining('fx_current_usd is "1,2E+07": 2 digits of a number that has 8'),
        expect.stringContaining('fx_current_eur is "6,12E-05", of which a spreadsheet program'),
      ]),
    );
    expect(await problemsOfFile('ggr.parquet', await ofYears('y', '0'))).toContain(
      'warning ggr.parquet › row 1, column ggr: ggr is 0 in all 5 rows; write the figures, or null where they are missing',
    );
  });

  it('may contain the unnamed index of a data frame, which is left out', async () => {
    const file = await ofYears('y', '2 * y', ', 3 * y AS __index_level_0__');
    expect(await problemsOfFile('ggr.parquet', file)).toEqual([
      'note ggr.parquet: column __index_level_0__, the index of a data frame, was left out',
    ]);
  });
});

describe('a csv', () => {
  it('is told to write the year alone', async () => {
    const [first] = await problemsOfFile('ggr.csv', csvOf('ggr').replace(/^\d{4},/m, '2025-01-01,'));
    expect(first).toContain('year is "2025-01-01", a date; write the year alone');
    expect(first).not.toContain('format');
  });
});

describe('an error in a workbook', () => {
  /** A workbook whose figure is this cell. */
  const withFigure = (cell: string, own: Row) => {
    const plain = workbook([{ name: 'Data', rows: cellsOf('ggr', [aRow('ggr', own)]) }]);
    const sheet = partOf(plain, SHEET_PART);
    return workbookWith({ [SHEET_PART]: sheet.replace(/<c r="K2"[^>]*>.*?<\/c>/, cell) }, plain);
  };
  const CASES = [
    [
      '<c r="K2" t="e" vm="1"><v>#VALUE!</v></c>',
      'ggr is a data type, a picture or a new kind of error, which the file holds as #VALUE!; convert it to text in Excel (Data Type, Convert to Text), or correct the formula, or write a plain number such as 1234.5',
    ],
    [
      '<c r="K2" t="e"><f>_xlfn.XLOOKUP(1,A1,B1)</f><v>#NAME?</v></c>',
      'ggr is the error #NAME?; calculate it in a program that knows its functions, such as that in which it was made, and save it again, or write a plain number such as 1234.5',
    ],
    [
      '<c r="K2" t="e"><v>#GETTING_DATA</v></c>',
      'ggr is the error #GETTING_DATA; wait until the program has loaded its data, and save it again, or write a plain number such as 1234.5',
    ],
    [
      '<c r="K2" t="e"><v>#N/A</v></c>',
      'ggr is the error #N/A; correct the formula, or write a plain number such as 1234.5; if it stands for no value, use --missing ggr.xlsx=#N/A',
    ],
  ] as const;
  let results: readonly CaseResult[];
  beforeAll(async () => {
    results = await readCases(CASES.map(([cell]) => ['ggr.xlsx', (own) => withFigure(cell, own)]));
  });

  it.each(CASES.map((row, i) => [...row, i] as const))('has its own remedy: %s', (_, problem, i) => {
    const [first] = results[i]?.problems ?? [];
    expect(first?.replaceAll('"ggr.xlsx=#N/A"', 'ggr.xlsx=#N/A')).toBe(
      `error ggr.xlsx › Data!K2: ${problem}`,
    );
  });

  it('that stands for a value which newer programs show is never read as missing', async () => {
    const [rich, plain] = await readCases(
      [' vm="1"', ''].map((mark) => [
        'ggr.xlsx',
        (own) => withFigure(`<c r="K2" t="e"${mark}><v>#VALUE!</v></c>`, own),
      ]),
      { missing: ['#VALUE!'] },
    );
    expect(rich?.problems[0]).toContain('which the file holds as #VALUE!');
    // The error cell is the only figure of the sheet.
    expect(plain?.problems.filter((text) => text.startsWith('error'))).toEqual([
      'error ggr.xlsx › Data: has no row with a value below its header; fill it in',
    ]);
  });
});
