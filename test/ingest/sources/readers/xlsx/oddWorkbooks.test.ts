// Oddities of real workbooks, written by hand as Excel and other programs write them.

import { afterEach, describe, expect, it } from '@jest/globals';
import { unzipSync } from 'fflate';
import type { CellInput } from '../../../../../ingest/workbook/sheets.ts';
import { workbook } from '../../../../../ingest/workbook/workbook.ts';
import {
  partOf,
  relationshipsOf,
  SHEET_PART,
  workbookOfXml,
  workbookWith,
  zipOf,
} from '../../../../support/handmadeZip.ts';
import { aMonth, cellsOf, type Month } from '../../../../support/month.ts';
import { aRow } from '../../../../support/snapshot.ts';
import { remarksIn, rowsOf } from '../../../../support/sourceFile.ts';

const rowsIn = (xml: string) => rowsOf('a.xlsx', workbookOfXml(xml));
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const run = (text: string, looks = '') => `<r>${looks && `<rPr>${looks}</rPr>`}<t>${text}</t></r>`;
const RAISED = '<vertAlign val="superscript"/><sz val="11"/>';
const inline = (...runs: string[]) =>
  `<row r="1"><c r="A1" t="inlineStr"><is>${runs.join('')}</is></c></row>`;

let month: Month | undefined;
afterEach(async () => {
  await month?.remove();
  month = undefined;
});

async function problemsOf(file: Uint8Array, name = 'ggr.xlsx'): Promise<string[]> {
  month = await aMonth({ [name]: file });
  return (await month.problems()).filter((problem) => problem.includes(name));
}

describe('white digits in a number', () => {
  const white = '<color rgb="FFFFFFFF"/>';
  const red = '<color rgb="FFFF0000"/>';
  const styles =
    `<styleSheet ${MAIN}><fonts><font/><font><color theme="0"/></font></fonts>` +
    '<fills><fill><patternFill/></fill><fill><patternFill patternType="solid"><fgColor rgb="FF1F497D"/></patternFill></fill></fills>' +
    '<cellXfs><xf/><xf fillId="1"/><xf fontId="1"/></cellXfs></styleSheet>';
  const file = (cell: string, shared = '') =>
    workbookWith({
      'xl/styles.xml': styles,
      [SHEET_PART]: `<worksheet ${MAIN}><sheetData><row r="1">${cell}</row></sheetData></worksheet>`,
      'xl/sharedStrings.xml': `<sst ${MAIN}>${shared}</sst>`,
    });
  const remarksOf = async (bytes: Uint8Array) =>
    (await remarksIn('a.xlsx', bytes)).map(({ problem }) => problem);
  const told = ['1 cell is shown in the colour of the background, and was read like all others: A1'];
  const inlineIn = (style: number, ...runs: string[]) =>
    file(`<c r="A1" s="${style}" t="inlineStr"><is>${runs.join('')}</is></c>`);

  it('are a warning where their cell is white, in a text of its own and in a shared one', async () => {
    const runs = [run('404'), run('0', white)];
    expect(await remarksOf(inlineIn(0, ...runs))).toEqual(told);
    expect(await remarksOf(file('<c r="A1" t="s"><v>0</v></c>', `<si>${runs.join('')}</si>`))).toEqual(told);
    expect(await remarksOf(inlineIn(0, run('-', white), run('404')))).toEqual(told);
    expect(await remarksOf(inlineIn(2, run('4'), run('04', red)))).toEqual(told);
  });

  it('are none where people see them, and in headings', async () => {
    for (const bytes of [
      inlineIn(1, run('404'), run('0', white)),
      inlineIn(0, run('404'), run('0', red)),
      inlineIn(0, run('40', white), run('4', white)),
      inlineIn(0, run('404'), run(' ', white)),
      inlineIn(0, run('GGR 2024', white), run(' EUR', red)),
    ])
      expect(await remarksOf(bytes)).toEqual([]);
  });
});

describe('superscript', () => {
  it.each([
    ['a number', '4012360', '2', '4012360²'],
    ['a text', 'Casino Slots', '1', 'Casino Slots¹'],
    ['a text with a letter', 'Malta', 'a)', 'Maltaa)'],
  ])('behind %s is a footnote mark, and not a part of it', async (_, value, mark, text) => {
    const footnoted = { kind: 'footnoted', value, mark, text };
    const runs = [run(value), run(mark, RAISED)];
    expect(await rowsIn(inline(...runs))).toEqual([[1, footnoted]]);
    const shared = workbookWith({
      'xl/sharedStrings.xml': `<sst ${MAIN}><si>${runs.join('')}</si><si><t>b</t></si></sst>`,
    });
    expect(await rowsOf('a.xlsx', shared)).toEqual([[1, footnoted, 'b']]);
  });

  it('is a mark when it is subscript, and when it stands before the text', async () => {
    expect(await rowsIn(inline(run('1', '<vertAlign val="subscript"/>'), run('Malta', '<b/>')))).toEqual([
      [1, { kind: 'footnoted', value: 'Malta', mark: '1', text: '¹Malta' }],
    ]);
  });

  it('is struck through where other text replaces it', async () => {
    const [row] = await rowsIn(inline(run('100', '<strike/>'), run('250')));
    expect(row?.[1]).toMatchObject({ kind: 'footnoted', value: '250', mark: '100' });
    expect(await rowsIn(inline(run('100', '<strike val="0"/>'), run('250')))).toEqual([[1, '100250']]);
  });

  it('is not a mark where it is white space, which stays between the words', async () => {
    for (const look of [RAISED, '<strike/>'])
      expect(await rowsIn(inline(run('Sport'), run(' ', look), run('Betting')))).toEqual([
        [1, 'Sport Betting'],
      ]);
  });

  it('is mere formatting where all of a text has it, and where its value is the baseline', async () => {
    expect(await rowsIn(inline(run('Malta', RAISED)))).toEqual([[1, 'Malta']]);
    expect(await rowsIn(inline(run('404', RAISED)))).toEqual([[1, '404']]);
    expect(await rowsIn(inline(run('12', RAISED), run('345', RAISED)))).toEqual([[1, '12345']]);
    expect(await rowsIn(inline(run('Mal'), run('ta', '<vertAlign val="baseline"/>')))).toEqual([
      [1, 'Malta'],
    ]);
    expect(await rowsIn(inline(run('Mal'), run('ta', '<b/>')))).toEqual([[1, 'Malta']]);
  });

  it('is a mark and no number where it is one digit or two', async () => {
    expect(await rowsIn(inline(run('1', RAISED)))).toEqual([[1, '¹']]);
  });

  it('is a mark as a character too: in workbooks and in csv', async () => {
    const footnoted = { kind: 'footnoted', value: 'Malta', mark: '12', text: 'Malta¹²' };
    expect(await rowsIn(inline('<t>Malta¹²</t>'))).toEqual([[1, footnoted]]);
    expect(await rowsOf('a.csv', 'country,ggr\nMalta¹²,5\n"Mal""ta³",6')).toEqual([
      [1, 'country', 'ggr'],
      [2, footnoted, '5'],
      [3, { kind: 'footnoted', value: 'Mal"ta', mark: '3', text: 'Mal"ta³' }, '6'],
    ]);
    expect(await rowsOf('a.csv', '¹')).toEqual([[1, '¹']]);
  });
});

describe('formulas in a workbook that is to be calculated when it is opened', () => {
  const book = (calculation: string, cells: string) => {
    const original = workbook([{ name: 'Data', rows: [] }]);
    const xml = partOf(original, 'xl/workbook.xml');
    return rowsOf(
      'a.xlsx',
      workbookWith(
        {
          'xl/workbook.xml': xml.replace('</workbook>', `${calculation}</workbook>`),
          [SHEET_PART]: `<worksheet ${MAIN}><sheetData><row r="1">${cells}</row></sheetData></worksheet>`,
        },
        original,
      ),
    );
  };
  const CELLS = '<c r="A1"><f>B1*2</f><v>0</v></c><c r="B1"><v>0</v></c><c r="C1"><f>1+1</f><v>2</v></c>';

  it('have no value when the stored one is 0: xlsxwriter writes that in place of every result', async () => {
    expect(await book('<calcPr calcId="124519" fullCalcOnLoad="1"/>', CELLS)).toEqual([
      [1, { kind: 'uncalculated' }, 0, 2],
    ]);
  });

  it('keep their 0 in any other workbook', async () => {
    expect(await book('<calcPr calcId="191029"/>', CELLS)).toEqual([[1, 0, 0, 2]]);
    expect(await book('<calcPr calcId="191029" fullCalcOnLoad="0"/>', CELLS)).toEqual([[1, 0, 0, 2]]);
  });
});

describe('what looks as if it did not count', () => {
  const STYLES =
    `<styleSheet ${MAIN}><numFmts count="3"><numFmt numFmtId="164" formatCode=";;;"/><numFmt numFmtId="165" formatCode="0;-0;&quot;–&quot;"/>` +
    '<numFmt numFmtId="166" formatCode="[Red]&quot;&quot;;_-;"/></numFmts>' +
    '<fonts count="4"><font/><font><b/><strike/></font><font><strike val="0"/></font><font><vertAlign val="superscript"/></font></fonts>' +
    '<cellXfs count="7"><xf/><xf fontId="1"/><xf fontId="2"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf fontId="3"/></cellXfs></styleSheet>';
  const STRUCK_TEXT = `${run('Mal', '<strike/>')}${run('ta', '<b/><strike val="1"/>')}<r><t> </t></r>`;
  const remarksOf = async (...rows: readonly (readonly number[])[]) => {
    const cells = (styles: readonly number[], row: number) =>
      styles.map((style, i) => `<c r="${'ABC'[i]}${row}" s="${style}"><v>${i + 1}</v></c>`).join('');
    const data = rows.map(
      (styles, i) => `<row r="${i + 1}">${cells(styles, i + 1)}<c r="D${i + 1}" s="1"/></row>`,
    );
    const book = workbookWith({
      'xl/styles.xml': STYLES,
      [SHEET_PART]: `<worksheet ${MAIN}><sheetData>${data.join('')}</sheetData></worksheet>`,
    });
    return (await remarksIn('a.xlsx', book)).map(({ severity, cell, problem }) => [severity, cell, problem]);
  };

  it('is a warning: rows that are struck out as a whole, empty cells aside', async () => {
    expect(await remarksOf([0, 0], [1, 1, 1], [2, 2], [1])).toEqual([
      ['warning', [2, 0], '2 rows are struck out, and were read like all others: 2, 4'],
    ]);
  });

  it('is a warning: numbers that look like footnote marks', async () => {
    expect(await remarksOf([0, 6])).toEqual([
      [
        'warning',
        [1, 1],
        '1 cell is shown as superscript or subscript, as a footnote mark is, and was read like all others: B1',
      ],
    ]);
  });

  it('is a warning: cells that are struck out in other rows', async () => {
    expect(await remarksOf([0, 1], [0, 0])).toEqual([
      ['warning', [1, 1], '1 cell is struck out, and was read like all others: B1'],
    ]);
  });

  it.each([
    ['a shared text', '<c r="B2" t="s"><v>0</v></c>'],
    ['a text in its cell', `<c r="B2" t="inlineStr"><is>${STRUCK_TEXT}</is></c>`],
  ])('is a warning: %s that is struck out as a whole, but no equal text that is not', async (_, cell) => {
    const plain = '<c r="B1" t="s"><v>1</v></c><c r="C1"><v>1</v></c>';
    const book = workbookWith({
      'xl/sharedStrings.xml': `<sst ${MAIN}><si>${STRUCK_TEXT}</si><si><t>Malta</t></si></sst>`,
      [SHEET_PART]:
        `<worksheet ${MAIN}><sheetData><row r="1">${plain}</row><row r="2">${cell}<c r="C2"><v>1</v></c></row>` +
        '</sheetData></worksheet>',
    });
    expect((await rowsOf('a.xlsx', book)).map((row) => row[2])).toEqual(['Malta', 'Malta ']);
    expect(await remarksIn('a.xlsx', book)).toEqual([
      expect.objectContaining({
        severity: 'warning',
        cell: [2, 1],
        problem: '1 cell is struck out, and was read like all others: B2',
      }),
    ]);
  });

  it('is a warning: cells whose number format shows nothing', async () => {
    expect(await remarksOf([0, 3], [4, 5])).toEqual([
      [
        'warning',
        [1, 1],
        '2 cells are shown as nothing, by the number format ;;; or one like it, and were read like all others: B1, B2',
      ],
    ]);
  });
});

describe('what is hidden', () => {
  const bookOf = (xml: string) => workbookWith({ [SHEET_PART]: `<worksheet ${MAIN}>${xml}</worksheet>` });
  const remarksOf = async (xml: string) =>
    (await remarksIn('a.xlsx', bookOf(xml))).map(({ severity, problem }) => `${severity}: ${problem}`);
  const rows = (hidden: readonly number[], count = 8) =>
    Array.from(
      { length: count },
      (_, i) =>
        `<row r="${i + 1}"${hidden.includes(i + 1) ? ' hidden="1"' : ''}><c><v>1</v></c><c><v>2</v></c></row>`,
    ).join('');

  it('is read: rows, with their number', async () => {
    const data = `<sheetData>${rows([2, 3, 4, 5, 6, 7])}</sheetData>`;
    expect(await rowsOf('a.xlsx', bookOf(data))).toHaveLength(8);
    expect(await remarksOf(data)).toEqual([
      'note: 6 rows are hidden, and were read like all others: 2, 3, 4, 5, 6 and 1 more',
    ]);
  });

  it('is read: rows that a filter hides', async () => {
    const filter = '<autoFilter ref="A1:B8"><filterColumn colId="0"><filters/></filterColumn></autoFilter>';
    expect(await remarksOf(`<sheetData>${rows([3])}</sheetData>${filter}`)).toEqual([
      'note: 1 row is hidden, by a filter or by hand, and was read like all others: 3',
    ]);
  });

  it('is read: columns that hold something', async () => {
    const columns = '<cols><col min="1" max="1" width="9"/><col min="2" max="16384" hidden="1"/></cols>';
    expect(await remarksOf(`${columns}<sheetData>${rows([])}</sheetData>`)).toEqual([
      'note: 1 column is hidden, and was read like all others: B',
    ]);
  });

  it('is read: rows and columns so small that nobody sees what they hold', async () => {
    const flat = (height: string) =>
      `<row ht="${height}" customHeight="1"><c><v>1</v></c><c><v>2</v></c></row>`;
    const columns =
      '<cols><col min="1" max="1" width="0" customWidth="1"/><col min="2" max="2" width="0.3"/></cols>';
    const remarks = await remarksOf(
      `${columns}<sheetData>${rows([])}${flat('0')}${flat('0.5')}${flat('1')}</sheetData>`,
    );
    expect(remarks).toEqual([
      'note: 2 rows are hidden, and were read like all others: 9, 10',
      'note: 2 columns are hidden, and were read like all others: A, B',
    ]);
  });

  it('is read: columns without a width where the default width is 0', async () => {
    const [none, given] = [
      '<sheetFormatPr defaultColWidth="0"/>',
      '<cols><col min="1" max="1" width="9"/></cols>',
    ];
    expect(await remarksOf(`${none}${given}<sheetData>${rows([])}</sheetData>`)).toEqual([
      'note: 1 column is hidden, and was read like all others: B',
    ]);
  });

  it('is not a remark where nothing is hidden, or what is hidden is empty', async () => {
    const columns = '<cols><col min="3" max="16384" hidden="1"/></cols>';
    const empty = '<row r="9" hidden="1"/>';
    expect(await remarksOf(`${columns}<sheetData>${rows([])}${empty}</sheetData>`)).toEqual([]);
    // This hides only the rows that are not in the file.
    const unused = '<sheetFormatPr defaultRowHeight="15" zeroHeight="1"/>';
    expect(await remarksOf(`${unused}<sheetData>${rows([])}</sheetData>`)).toEqual([]);
  });

  it('is a warning when it is a sheet with a header', async () => {
    const sheets = [
      { name: 'Data', rows: cellsOf('ggr') },
      { name: 'Old', state: 'hidden' as const, rows: cellsOf('ggr') },
    ];
    expect(await problemsOf(workbook(sheets))).toContainEqual(
      expect.stringMatching(/^warning ggr\.xlsx › Old: a hidden sheet was not read; unhide it/),
    );
  });
});

describe('a hidden sheet of a workbook that is named after nothing', () => {
  const hidden = (rows: Parameters<typeof workbook>[0][number]['rows']) => [
    { name: 'ggr', rows: cellsOf('ggr') },
    { name: 'Sheet2', state: 'hidden' as const, rows },
  ];

  it('is a warning when it holds data of some dataset', async () => {
    expect(await problemsOf(workbook(hidden(cellsOf('ggr'))), 'drop.xlsx')).toContainEqual(
      'warning drop.xlsx › Sheet2: a hidden sheet was not read; unhide it if its rows count',
    );
  });

  it('is a note when it holds figures without a header', async () => {
    const figures = [
      ['a', 1],
      ['b', 2],
    ];
    expect(await problemsOf(workbook(hidden(figures)), 'drop.xlsx')).toContainEqual(
      'note drop.xlsx › Sheet2: a hidden sheet was not read; unhide it if its rows count',
    );
  });

  it('is not a remark when it holds anything else', async () => {
    const problems = await problemsOf(workbook(hidden([['Land'], ['Online']])), 'drop.xlsx');
    expect(problems.filter((one) => one.includes('Sheet2'))).toEqual([]);
  });
});

describe('layouts', () => {
  it('reads years that are dates shown as yyyy, in cells and in headings', async () => {
    const year = (date: string): CellInput => ({ date, format: 'yyyy' });
    expect(
      await rowsOf('a.xlsx', workbook([{ name: 'Data', rows: [[year('2023-12-31'), year('2024-01-01')]] }])),
    ).toEqual([
      [
        1,
        { kind: 'dated year', value: 2023, iso: '2023-12-31' },
        { kind: 'dated year', value: 2024, iso: '2024-01-01' },
      ],
    ]);
    const long = cellsOf('ggr', [aRow('ggr', { year: 2024 })]);
    if (long[1]) long[1][0] = year('2024-06-30');
    expect(await problemsOf(workbook([{ name: 'Data', rows: long }]))).toEqual([]);
  });

  it.each(['yyyy', 'YYYY', '[$-409]yyyy;@', 'yyy'])('takes the format %s for a year', async (format) => {
    const rows = [[{ date: '2024-06-30', format }]];
    expect(await rowsOf('a.xlsx', workbook([{ name: 'Data', rows }]))).toEqual([
      [1, { kind: 'dated year', value: 2024, iso: '2024-06-30' }],
    ]);
  });

  it('marks the year of a date that was typed as a year, as a number and as a date in words', async () => {
    const styles =
      `<styleSheet ${MAIN}><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy"/>` +
      // The escape stands for y.
      '<numFmt numFmtId="165" formatCode="yyy_x0079_"/></numFmts>' +
      '<fonts count="1"><font/></fonts><cellXfs count="3"><xf/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>';
    const cells =
      '<c s="2"><v>2023</v></c><c s="1" t="d"><v>1905-07-15</v></c><c s="1" t="d"><v>2024-06-30</v></c>';
    const sheet = `<worksheet ${MAIN}><sheetData><row r="1">${cells}</row></sheetData></worksheet>`;
    const marked = { kind: 'marked year', value: 2023, shown: '1905' };
    expect(await rowsOf('a.xlsx', workbookWith({ 'xl/styles.xml': styles, [SHEET_PART]: sheet }))).toEqual([
      [1, marked, marked, { kind: 'dated year', value: 2024, iso: '2024-06-30' }],
    ]);
  });

  it.each(['yyyy-mm', 'yy', 'yyyy"p"', 'yyyy\\ ', 'bbbb'])(
    'takes the format %s for a date',
    async (format) => {
      const rows = [[{ date: '2024-06-30', format }]];
      expect(await rowsOf('a.xlsx', workbook([{ name: 'Data', rows }]))).toEqual([
        [1, { kind: 'date', iso: '2024-06-30' }],
      ]);
    },
  );

  it('reads a zip whose entries have backslashes', async () => {
    const parts = unzipSync(workbook([{ name: 'Data', rows: [['a', 1]] }]));
    const zip = zipOf(
      Object.entries(parts).map(([name, content]) => ({ name: name.replaceAll('/', '\\'), content })),
    );
    expect(await rowsOf('a.xlsx', zip)).toEqual([[1, 'a', 1]]);
  });

  it.each(['<is><t>a</t></is><v>7</v>', '<v/><is><t>a</t></is>', '<is><t>a</t></is><v>a</v>'])(
    'reads an inline text beside a stray value: %s',
    async (inside) => {
      expect(await rowsIn(`<row r="1"><c r="A1" t="inlineStr">${inside}</c></row>`)).toEqual([[1, 'a']]);
    },
  );

  it('reads a header whose metric is merged over the years and whose dimensions are merged downwards', async () => {
    const [headings = [], row = []] = cellsOf('ggr', [aRow('ggr')]);
    const dimensions = headings.slice(1, -1);
    const rows: CellInput[][] = [
      ['Gross gaming revenue'],
      [...dimensions, 'GGR', null],
      [...dimensions.map(() => null), 2023, 2024],
      [...row.slice(1, -1), 5, 6],
    ];
    const file = workbook([{ name: 'Data', rows, merged: ['A2:A3', 'J2:K2'] }]);
    expect(await problemsOf(file)).toEqual([]);
  });
});

describe('the table object of a sheet', () => {
  const [headings = [], row = []] = cellsOf('ggr', [aRow('ggr')]);

  /** A sheet whose rows 2 and 3 are a table object. `more` has further rows of the sheet, by number. */
  function file(more: Readonly<Record<number, CellInput[]>>, ref = 'A2:K3', attributes = ''): Uint8Array {
    const rows = [
      { row: 1, cells: ['Gross gaming revenue'] },
      { row: 2, cells: headings },
      { row: 3, cells: row },
    ].map((each) => ({ ...each, cells: [...each.cells, ...(more[each.row] ?? [])] }));
    const below = Object.entries(more).flatMap(([number, cells]) =>
      Number(number) > 3 ? [{ row: Number(number), cells }] : [],
    );
    return workbookWith(
      {
        ...relationshipsOf(['table', '../tables/table1.xml']),
        'xl/tables/table1.xml': `<table ${MAIN} id="1" name="Revenue" displayName="Revenue" ref="${ref}"${attributes}><autoFilter ref="${ref}"/></table>`,
      },
      workbook([{ name: 'Data', rows: [...rows, ...below] }]),
    );
  }

  it('is what is read, with a title above it and a footnote below it', async () => {
    expect(await problemsOf(file({ 5: ['Source: regulators'] }))).toEqual([
      'note ggr.xlsx › Data!A5: text below the data was taken as a footnote',
    ]);
  });

  it('is an error with rows of data below it', async () => {
    const other = cellsOf('ggr', [aRow('ggr', { country: 'Spain' })])[1] ?? [];
    expect(await problemsOf(file({ 4: other, 5: other }))).toEqual([
      'error ggr.xlsx › Data!A4: 2 rows are below the table "Revenue", which ends in row 3; extend the table over the data, delete what does not belong to it, or turn the table into a range (Table Design > Convert to Range)',
    ]);
  });

  it('is an error with data beside it', async () => {
    expect(await problemsOf(file({ 2: ['Comment'], 3: [7] }))).toEqual([
      expect.stringMatching(/^error ggr\.xlsx › Data!L2: 2 cells are beside the table "Revenue"/),
    ]);
  });

  it('is read without its totals row', async () => {
    expect(await problemsOf(file({ 4: ['Total', ...row.slice(1)] }, 'A2:K4', ' totalsRowCount="1"'))).toEqual(
      ['note ggr.xlsx › Data!A4: the totals row of the table "Revenue" was left out'],
    );
  });

  it('is passed over when it is not the table of the dataset', async () => {
    const lookup = file({ 2: [null, 'Code', 'Name'], 3: [null, 'x', 'y'] }, 'M2:N3');
    expect(await problemsOf(lookup)).toContainEqual(expect.stringContaining('Data!M2: column "Code"'));
  });
});
