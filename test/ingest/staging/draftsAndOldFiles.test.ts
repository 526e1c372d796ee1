// Texts which say that figures do not count: comments, names of sheets and files, and full sheets.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { asideRemarks } from '../../../ingest/sources/readers/asideRemarks.ts';
import { workbook } from '../../../ingest/workbook/workbook.ts';
import { relationshipsOf, workbookWith } from '../../support/handmadeZip.ts';
import { cellsOf, csvOf, ownProblemsOf } from '../../support/month.ts';
import { odsCell, odsCells, odsNumber, odsRow, odsRows } from '../../support/ods.ts';
import { readCases } from '../../support/readCases.ts';
import { aRow, type Row } from '../../support/snapshot.ts';

const sheetOf = (year: number, name: string) => ({ name, rows: cellsOf('ggr', [aRow('ggr', { year })]) });

describe('a comment', () => {
  const severitiesOf = (text: string, row = 2) =>
    asideRemarks([{ what: 'comment', text, cell: [row, 10] }], 1).map(({ severity }) => severity);

  it('is a warning where it says that a figure does not count', () => {
    for (const text of [
      'superseded, see the new file',
      'DO NOT USE',
      "Jane: don't use",
      'wrong source',
      'to be confirmed',
      'TBC',
      'not final',
    ])
      expect([text, ...severitiesOf(text)]).toEqual([text, 'warning']);
  });

  it('is a note where it says anything else, and nothing above the header', () => {
    for (const text of ['Annual report, page 4', 'use the notes', 'discounted', 'final figure'])
      expect([text, ...severitiesOf(text)]).toEqual([text, 'note']);
    expect(severitiesOf('DO NOT USE', 0)).toEqual([]);
  });

  it('is reported once for a sheet, with the first of its kind', () => {
    const comments = ['Page 4', 'Do not use', 'Page 5', 'Wrong'].map(
      (text, i) => ({ what: 'comment', text, cell: [2 + i, 10] }) as const,
    );
    expect(asideRemarks(comments, 1).map(({ cell, problem }) => [cell, problem])).toEqual([
      [[3, 10], 'a comment says "Do not use", and the cell was read like all others (first of 2 comments)'],
      [[2, 10], 'a comment says "Page 4" (first of 2 comments)'],
    ]);
  });

  it('is quoted without the notice that Excel puts before a thread for older versions', async () => {
    const notice = (thread: string, comment: string) =>
      `${thread}\n\nYour version of Excel allows you to read this threaded comment. Learn more: https://go.microsoft.com/fwlink/?linkid=870924\n\n${comment}\n    Do not use`;
    const comments = [notice('[Threaded comment]', 'Comment:'), notice('[Commentaire]', 'Commentaire :')];
    for (const text of comments)
      expect(
        await ownProblemsOf({
          'ggr.xlsx': workbookWith(
            {
              ...relationshipsOf(['comments', '../comments1.xml']),
              'xl/comments1.xml': `<comments><commentList><comment ref="K2"><text><t>${text}</t></text></comment></commentList></comments>`,
            },
            workbook([sheetOf(2025, 'Data')]),
          ),
        }),
      ).toEqual([expect.stringContaining('Data!K2: a comment says "Do not use", and the cell was read')]);
  });

  it('is found in .ods files, too', async () => {
    const [heading = [], first = []] = cellsOf('ggr', [aRow('ggr')]);
    const comment = '<office:annotation><text:p>Do not use</text:p></office:annotation>';
    const data = first.map(odsCell);
    const marked = [...data.slice(0, -1), data.at(-1)?.replace('<text:p>', `${comment}<text:p>`) ?? ''];
    expect(await ownProblemsOf({ 'ggr.ods': odsRows(odsCells(...heading) + odsRow(...marked)) })).toEqual([
      expect.stringContaining(
        'warning ggr.ods › Data!K2: a comment says "Do not use", and the cell was read',
      ),
    ]);
  });
});

describe('a pivot table', () => {
  it('is a note, because it may not be refreshed', async () => {
    const part = 'pivotTables/pivotTable1.xml';
    const book = workbookWith(
      { ...relationshipsOf(['pivotTable', `../${part}`]), [`xl/${part}`]: '<a/>' },
      workbook([sheetOf(2025, 'Data')]),
    );
    expect(await ownProblemsOf({ 'ggr.xlsx': book })).toEqual([
      'note ggr.xlsx › Data: the sheet has a pivot table, whose figures are those of its last refresh',
    ]);
  });
});

/** A workbook whose only figure has the number format of an estimate. */
function odsBookOf(own: Row, figure: string): Buffer {
  const [heading = [], first = []] = cellsOf('ggr', [aRow('ggr', own)]);
  const marked = odsNumber(figure)
    .replace('office:', 'table:style-name="ce1" office:')
    .replace('</text:p>', 'e</text:p>');
  return odsRows(
    odsCells(...heading) + odsRow(...first.slice(0, -1).map(odsCell), marked),
    '<number:number-style style:name="N1"><number:number/><number:text>e</number:text></number:number-style>' +
      '<style:style style:name="ce1" style:family="table-cell" style:data-style-name="N1"/>',
  );
}

describe('a number format that marks a figure', () => {
  const MARKS = ['#,##0"e"', '#,##0\\*', '0" (p)"', '0.0" est."', '0"r"'];
  const NONE = ['#,##0_)', '#,##0;-#,##0', '0.00E+00', '* #,##0', '#,##0"/-"'];
  /** For each format: the problems of a figure in it, and of a figure that might be a year. */
  const problemsOf = new Map<string, readonly (string | undefined)[]>();
  const problemsOfSmall = new Map<string, readonly string[]>();
  const bookOf = (own: Row, value: number, format: string) => {
    const [heading = [], first = []] = cellsOf('ggr', [aRow('ggr', own)]);
    return [{ name: 'Data', rows: [heading, [...first.slice(0, -1), { value, format }]] }];
  };
  beforeAll(async () => {
    const formats = [...MARKS, ...NONE];
    const small = ['0"e"', '0\\*', '0" (p)"', '"GGR "0', 'yyyy'];
    const all = await readCases([
      ...formats.map((format) => ['ggr.xlsx', (own: Row) => bookOf(own, 404_021, format)] as const),
      ...small.map((format) => ['ggr.xlsx', (own: Row) => bookOf(own, 2020, format)] as const),
      ['ggr.ods', (own) => odsBookOf(own, '404021')],
      ['ggr.ods', (own) => odsBookOf(own, '4040')],
    ]);
    for (const [i, format] of formats.entries())
      problemsOf.set(format, all[i]?.problems.map((text) => text.split(',')[0]) ?? []);
    for (const [i, format] of [...small, '.ods 404021', '.ods 4040'].entries())
      problemsOfSmall.set(
        format,
        all[formats.length + i]?.problems.map((text) => text.split(';')[0] ?? '') ?? [],
      );
  });

  it.each(MARKS)('is a warning: %s', (format) => {
    expect(problemsOf.get(format)).toEqual(['warning ggr.xlsx › Data!K2: 1 cell is shown with a mark']);
  });

  it('is one also where the figure might be a year', () => {
    const shows = (shown: string) => [
      `warning ggr.xlsx › Data!K2: ggr is 2020, and its number format shows "${shown}"`,
    ];
    expect([...problemsOfSmall]).toEqual([
      ['0"e"', shows('2020e')],
      ['0\\*', shows('2020*')],
      ['0" (p)"', shows('2020 (p)')],
      ['"GGR "0', []],
      ['yyyy', ['error ggr.xlsx › Data!K2: ggr is 2020, and its number format shows "1905"']],
      ['.ods 404021', [expect.stringMatching(/^warning ggr\.ods › Data!K2: 1 cell is shown with a mark/)]],
      ['.ods 4040', ['warning ggr.ods › Data!K2: ggr is 4040, and its number format shows "4040e"']],
    ]);
  });

  it.each(NONE)('is none: %s', (format) => {
    expect(problemsOf.get(format)).toEqual([]);
  });
});

describe('a sheet or a file that is called a draft', () => {
  it('is read with a warning', async () => {
    const sheets = ['Data', 'DRAFT_2025', 'Data (old)', "don't use", 'Gold', 'Copyright'].map((name, i) =>
      sheetOf(2018 + i, name),
    );
    expect(await ownProblemsOf({ 'ggr.xlsx': sheets })).toEqual(
      ['DRAFT_2025', 'Data (old)', "don't use"].map(
        (name) =>
          `warning ggr.xlsx › ${name}: the name of this sheet says that it does not count, and it was read like all others; rename it if its rows count, else hide or delete it`,
      ),
    );
    expect(
      await ownProblemsOf({
        'ggr - Copy.csv': csvOf('ggr', [aRow('ggr')]),
        // Programs call a copy so when a file was changed in two places.
        'ggr.sync-conflict-20261130-101010-ABCDEFG.csv': csvOf('ggr', [aRow('ggr', { year: 2023 })]),
        'ggr-cold.csv': csvOf('ggr', [aRow('ggr', { year: 2025 })]),
      }),
    ).toEqual(
      ['ggr - Copy.csv', 'ggr.sync-conflict-20261130-101010-ABCDEFG.csv'].map(
        (name) =>
          `warning ${name}: the name of this file says that it does not count, and it was read like all others; rename it if its rows count, else move it away`,
      ),
    );
  });
});

describe('data that end in the last row of a sheet', () => {
  const lines = (last: number) =>
    `${csvOf('ggr', [aRow('ggr')])}${'\n'.repeat(last - 3)}${csvOf('ggr', [aRow('ggr', { year: 2025 })]).split('\n')[1]}\n`;

  it('are a warning, in a csv as well', async () => {
    expect(await ownProblemsOf({ 'ggr.csv': lines(65_536) })).toEqual([
      'warning ggr.csv › line 65536, column year: row 65536 is the last that a sheet can have, so others may have been cut off; check that the last rows of the source are here',
    ]);
    expect(await ownProblemsOf({ 'ggr.csv': lines(65_535) })).toEqual([]);
    const [heading = [], first = [], last = []] = cellsOf('ggr', [aRow('ggr'), aRow('ggr', { year: 2025 })]);
    const rows = [heading, first, { row: 1_048_576, cells: last }];
    expect(await ownProblemsOf({ 'ggr.xlsx': [{ name: 'Data', rows }] })).toEqual([
      expect.stringContaining('warning ggr.xlsx › Data!A1048576: row 1048576 is the last'),
    ]);
  });
});
