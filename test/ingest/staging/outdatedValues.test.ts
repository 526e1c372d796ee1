// Outdated values of formulas are an error in data, and a warning anywhere else.

import { describe, expect, it } from '@jest/globals';
import type { CellInput } from '../../../ingest/workbook/sheets.ts';
import { workbook } from '../../../ingest/workbook/workbook.ts';
import { partOf, SHEET_PART, workbookWith } from '../../support/handmadeZip.ts';
import { type Content, cellsOf, ownProblemsOf } from '../../support/month.ts';
import { type Case, readCases } from '../../support/readCases.ts';
import { aRow, type Row } from '../../support/snapshot.ts';

const problemsOfFile = (content: Content, name = 'ggr.xlsx') => ownProblemsOf({ [name]: content });

const [HEADING = [], ROW = []] = cellsOf('ggr', [aRow('ggr', { year: 2025 })]);
const REMEDY =
  'open the file in a spreadsheet program, let it calculate (F9), save it again; if the value that it holds is right, write it in place of the formula';

/** A sheet with a row above its heading. Its row of data has this cell as figure. */
const sheet = (figure: CellInput, above: readonly CellInput[] = []) =>
  workbook([{ name: 'Data', rows: [above, HEADING, [...ROW.slice(0, -1), figure]] }]);

describe('a formula whose value is old', () => {
  it('is an error in the data, and nothing where the value is that of the formula', async () => {
    expect(await problemsOfFile(sheet({ formula: 'A3*2', cached: 99 }))).toEqual([
      `error ggr.xlsx › Data!K3: holds 99, and its formula has the value 4050; ${REMEDY}`,
    ]);
    expect(await problemsOfFile(sheet({ formula: 'A3*2', cached: 4050 }))).toEqual([]);
  });

  it('is an error in the year of a row and in the heading of a year', async () => {
    const [first = [], second = []] = [2024, 2025].map((year) => [year, ...ROW.slice(1)]);
    const rows = [HEADING, first, [{ formula: 'A2+1', cached: 2026 }, ...second.slice(1)]];
    expect(await problemsOfFile([{ name: 'Data', rows }])).toEqual([
      `error ggr.xlsx › Data!A3: holds 2026, and its formula has the value 2025; ${REMEDY}`,
    ]);
    const wide = [...HEADING.slice(1, -1), 2023, { formula: 'J1+1', cached: 2025 }];
    expect(await problemsOfFile([{ name: 'Data', rows: [wide, [...ROW.slice(1, -1), 4, 5]] }])).toEqual([
      `error ggr.xlsx › Data!K1: holds 2025, and its formula has the value 2024; ${REMEDY}`,
    ]);
  });

  it('is a warning above the data', async () => {
    expect(await problemsOfFile(sheet(404, ['Rate', { formula: 'A3*2', cached: 99 }]))).toEqual([
      `warning ggr.xlsx › Data!B1: holds 99, and its formula has the value 4050; ${REMEDY}`,
    ]);
  });
});

describe('a workbook that was saved before it was calculated', () => {
  it('is a warning where it has formulas', async () => {
    const part = 'xl/workbook.xml';
    const book = (calculation: string, formula: string): Case => [
      'ggr.xlsx',
      (own: Row) => {
        const plain = workbook([{ name: 'Data', rows: cellsOf('ggr', [aRow('ggr', own)]) }]);
        const sheet = partOf(plain, SHEET_PART);
        const rows = sheet.replace(/(<c r="K2"[^>]*>)<v>/, `$1${formula}<v>`);
        expect(rows === sheet).toBe(formula === '');
        const xml = partOf(plain, part).replace('</workbook>', `<calcPr ${calculation}/></workbook>`);
        return workbookWith({ [part]: xml, [SHEET_PART]: rows }, plain);
      },
    ];
    const formula = '<f>VLOOKUP(A2,A2:K2,11)</f>';
    const each = await readCases([
      book('calcMode="manual" calcCompleted="0"', formula),
      book('calcMode="manual"', formula),
      book('calcCompleted="0"', ''),
    ]);
    expect(each.map(({ problems }) => problems)).toEqual([
      [
        'warning ggr.xlsx › Data!K2: the workbook was saved before it was calculated, so 1 formula may have an old value; open it in a spreadsheet program, let it calculate (F9), save it again',
      ],
      [
        'note ggr.xlsx › Data!K2: 1 cell of column K holds a formula that is not computed here (VLOOKUP); its saved value is taken',
      ],
      [],
    ]);
  });
});
