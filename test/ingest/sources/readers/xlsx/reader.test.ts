// Workbooks are read cell by cell, or refused with a remedy.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openFile } from '../../../../../ingest/sources/readers/openFile.ts';
import type { SheetInput } from '../../../../../ingest/workbook/sheets.ts';
import { workbook } from '../../../../../ingest/workbook/workbook.ts';
import { runs } from '../../../../support/depth.ts';
import { SHEET_PART, workbookOfXml, workbookWith } from '../../../../support/handmadeZip.ts';
import { openDescriptors } from '../../../../support/openDescriptors.ts';
import { rowsOf, tablesOf, withFile } from '../../../../support/sourceFile.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const sheetRows = (xml: string) => rowsOf('a.xlsx', workbookOfXml(xml));
const sst = (content: string) => ({ 'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${content}</sst>` });
const rels = (...targets: readonly [id: string, type: string, target: string][]) =>
  `<Relationships>${targets
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

describe('cells of a workbook', () => {
  it('give rich text whole, without phonetic guides', async () => {
    const item =
      '<si><r><t>東</t></r><r><rPr><b/></rPr><t xml:space="preserve">京 </t></r><rPh sb="0" eb="1"><t>トウ</t></rPh><phoneticPr/></si>';
    expect(await rowsOf('a.xlsx', workbookWith(sst(`${item}<si><t/></si>`)))).toEqual([[1, '東京 ', '']]);
    expect(await sheetRows(`<row><c t="inlineStr"><is>${item.slice(4, -5)}</is></c></row>`)).toEqual([
      [1, '東京 '],
    ]);
  });

  it('resolve entities, CDATA, comments and _xHHHH_', async () => {
    const text = '&#x1F3B2;&#65;&lt;<!-- no --><![CDATA[<b>&amp;]]> a_x000D_b_x005F_x000D_';
    expect(await sheetRows(`<row><c t="inlineStr"><is><t>${text}</t></is></c></row>`)).toEqual([
      [1, '🎲A<<b>&amp; a\rb_x000D_'],
    ]);
    expect(await sheetRows('<row><!-- x --><c><v>1<!-- y -->2</v></c><?z?></row>')).toEqual([[1, 12]]);
  });

  it('distinguish booleans, errors, empty text and numbers', async () => {
    const cells =
      '<c t="b"><v>1</v></c><c t="b"><v>false</v></c><c t="e"><v>#DIV/0!</v></c><c t="str"><v></v></c>' +
      '<c t="str"><v>7</v></c><c><v>7</v></c><c t="n"><v> -1.5E-3 </v></c><c><v></v></c><c/><c><v>1</v></c>';
    expect(await sheetRows(`<row>${cells}</row>`)).toEqual([
      [1, true, false, { kind: 'error', code: '#DIV/0!' }, '', '7', 7, -0.0015, null, null, 1],
    ]);
  });

  it('read the same in their commonest form, which is skimmed, as in any other', async () => {
    const cell = fc.record({
      at: fc.constantFrom('A1', 'B1', 'C1', 'D1', 'AA1', 'XFD1', 'XFE1', 'A2', 'a1', '1', 'A01'),
      style: fc.constantFrom('', ' s="0"', ' s="1"', ' s="x"', ' s=""'),
      type: fc.constantFrom('', ' t="s"', ' t="str"', ' t="n"', ' t="sx"'),
      value: fc.constantFrom('0', '1', '7', '-1', '45351', '1.5e3', '1,5', ' 2 ', '', '<!-- -->1', '&#49;'),
    });
    const xmlOf = (
      cells: readonly { at: string; style: string; type: string; value: string }[],
      space: string,
    ) =>
      `<row>${cells.map(({ at, style, type, value }) => `<c${space} r="${at}"${style}${type}><v>${value}</v></c>`).join('')}</row>`;
    // The workbook has two shared texts, and its style 1 is a date format. `book` replaces its sheet.
    const dated = workbook([{ name: 'Data', rows: [['zero', 'one', { date: '2024-02-29' }]] }]);
    const book = (sheet: string) =>
      rowsOf(
        'a.xlsx',
        workbookWith({ [SHEET_PART]: `<worksheet><sheetData>${sheet}</sheetData></worksheet>` }, dated),
      ).then(
        (rows) => JSON.stringify(rows),
        (error: unknown) => String(error),
      );
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { maxLength: 4 }), async (cells) => {
        expect(await book(xmlOf(cells, ''))).toBe(await book(xmlOf(cells, ' ')));
      }),
      { numRuns: runs(12, 40) },
    );
  });

  it('never let a formula without a value pass for an empty cell', async () => {
    const uncalculated = { kind: 'uncalculated' };
    expect(
      await sheetRows(
        '<row><c><f>A2</f></c><c><f>A2</f><v/></c><c t="str"><f>A2</f></c><c><f t="shared" si="0"/></c>' +
          '<c t="str"><f>""</f><v></v></c><c t="str"><f>""</f><v/></c><c><f>1</f><v>1</v></c></row>',
      ),
    ).toEqual([[1, uncalculated, uncalculated, uncalculated, uncalculated, '', '', 1]]);
  });

  it('give dates by their format, and those written as text', async () => {
    const rows: SheetInput['rows'] = [
      [
        { value: 45351, format: 'd.m.yy' },
        { value: 45351.75, format: '[$-409]mmm d, yyyy h:mm AM/PM' },
      ],
      [
        { value: 0.5, format: 'h:mm' },
        { value: 1.5, format: '[h]:mm' },
        { value: -1, format: 'yyyy' },
      ],
      [
        { value: 45351, format: '0.0 "days"' },
        { value: 45351, format: '[Red]0;[Blue]-0' },
      ],
    ];
    expect(await rowsOf('a.xlsx', workbook([{ name: 'Data', rows }]))).toEqual([
      [1, { kind: 'date', iso: '2024-02-29' }, { kind: 'date', iso: '2024-02-29T18:00:00' }],
      [
        2,
        { kind: 'date', iso: 'T12:00:00' },
        { kind: 'date', iso: '1900-01-01T12:00:00' },
        { kind: 'misshown', value: -1, shown: '#####' },
      ],
      [3, 45351, 45351],
    ]);
    expect(
      await sheetRows(
        '<row><c t="d"><v>2024-02-29T00:00:00Z</v></c><c t="d"><v>2024-02-29T10:59:59.9999</v></c><c t="d"><v>soon</v></c></row>',
      ),
    ).toEqual([
      [1, { kind: 'date', iso: '2024-02-29' }, { kind: 'date', iso: '2024-02-29T11:00:00' }, 'soon'],
    ]);
  });

  it('count days from 1904 where the workbook does, whatever extensions say beside it', async () => {
    const bytes = workbook([{ name: 'Data', rows: [[{ date: '2024-02-29' }, { date: '1904-01-01' }]] }], {
      date1904: true,
    });
    const part = `<workbook xmlns:r="${OFFICE}"><workbookPr date1904="true"/><sheets><sheet name="Data" r:id="rId1"/></sheets>
      <extLst><ext><x15:workbookPr chartTrackingRefBase="1"/></ext></extLst></workbook>`;
    const expected = [[1, { kind: 'date', iso: '2024-02-29' }, { kind: 'date', iso: '1904-01-01' }]];
    expect(await rowsOf('a.xlsx', bytes)).toEqual(expected);
    expect(await rowsOf('a.xlsx', workbookWith({ 'xl/workbook.xml': part }, bytes))).toEqual(expected);
  });

  it('find their place with or without references', async () => {
    expect(
      await sheetRows(
        '<row><c><v>1</v></c><c r="D1"><v>4</v></c><c><v>5</v></c></row><row r="9"><c r="AB9"><v>2</v></c></row><row><c><v>3</v></c></row>',
      ),
    ).toEqual([
      [1, 1, null, null, 4, 5],
      [9, ...new Array(27).fill(null), 2],
      [10, 3],
    ]);
  });

  it('hold a merged value in its first cell alone', async () => {
    const bytes = workbook([{ name: 'Data', rows: [['Betting', null, 'x']], merged: ['A1:B1'] }]);
    expect(await rowsOf('a.xlsx', bytes)).toEqual([[1, 'Betting', null, 'x']]);
  });
});

describe('a workbook', () => {
  it('is read whatever its prefixes, its namespaces and the quotes of its attributes', async () => {
    const sheet = `<x:worksheet xmlns:x='http://purl.oclc.org/ooxml/spreadsheetml/main'><x:sheetData >
      <x:row a='"' r='1' b=">"><x:c r='A1' t='s' ><x:v>0</x:v ></x:c><x:c t="inlineStr"><x:is><x:t>in</x:t></x:is></x:c></x:row>
      </x:sheetData></x:worksheet>`;
    expect(await rowsOf('a.xlsx', workbookWith({ [SHEET_PART]: sheet }))).toEqual([[1, 'a', 'in']]);
  });

  it.each([
    ['utf16le', Buffer.from([0xff, 0xfe])],
    ['utf16le', Buffer.alloc(0)],
    ['utf8', Buffer.from([0xef, 0xbb, 0xbf])],
    ['latin1', Buffer.alloc(0)],
  ] as const)('is read when a part is %s', async (encoding, mark) => {
    const declared = encoding === 'latin1' ? '<?xml version="1.0" encoding="iso-8859-1"?>' : '';
    const xml = `${declared}<worksheet><sheetData><row><c t="str"><v>Türkiye</v></c></row></sheetData></worksheet>`;
    const part = Buffer.concat([mark, Buffer.from(xml, encoding)]);
    expect(await rowsOf('a.xlsx', workbookWith({ [SHEET_PART]: part }))).toEqual([[1, 'Türkiye']]);
  });

  it('is read when a part claims to be UTF-16 and is not', async () => {
    const part =
      '<?xml version="1.0" encoding="utf-16"?><worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>';
    expect(await rowsOf('a.xlsx', workbookWith({ [SHEET_PART]: part }))).toEqual([[1, 1]]);
  });

  it('is found through its relationships: absolute, relative, in any case, with backslashes', async () => {
    const book = `<workbook xmlns:r="${OFFICE}"><sheets><sheet name="One" r:id="a"/><sheet name="Two" r:id="b"/></sheets></workbook>`;
    const sheet = '<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>';
    const bytes = workbookWith({
      'xl/workbook.xml': null,
      'xl/_rels/workbook.xml.rels': null,
      '_rels/.rels': rels(['x', `${OFFICE}/officeDocument`, '/deep/er/book.xml']),
      'deep/er/book.xml': book,
      'deep/er/_rels/book.xml.rels': rels(
        ['a', `${OFFICE}/worksheet`, '../Sheets/./1.XML'],
        ['b', `${OFFICE}/worksheet`, '\\deep\\sheets\\2.xml'],
      ),
      'deep/sheets/1.xml': sheet,
      'deep\\sheets\\2.xml': sheet,
    });
    expect((await tablesOf('a.xlsx', bytes)).map(({ name, rows }) => [name, rows.length])).toEqual([
      ['One', 1],
      ['Two', 1],
    ]);
  });

  it('has no table for a chart or a dialog', async () => {
    const bytes = workbookWith({
      'xl/workbook.xml': `<workbook xmlns:r="${OFFICE}"><sheets><sheet name="Chart" r:id="c"/><sheet name="Data" r:id="rId1"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': rels(
        ['c', `${OFFICE}/chartsheet`, 'chartsheets/sheet1.xml'],
        ['rId1', `${OFFICE}/worksheet`, 'worksheets/sheet1.xml'],
      ),
      [SHEET_PART]: '<worksheet><sheetData/></worksheet>',
    });
    expect((await tablesOf('a.xlsx', bytes)).map(({ name }) => name)).toEqual(['Data']);
  });

  it('is read without styles and shared strings', async () => {
    const bytes = workbookWith(
      { 'xl/styles.xml': null, 'xl/sharedStrings.xml': null },
      workbook([{ name: 'Data', rows: [['a', 1]] }], { strings: 'inline' }),
    );
    expect(await rowsOf('a.xlsx', bytes)).toEqual([[1, 'a', 1]]);
  });

  it('may be read again, two sheets at once, and left early without keeping a file open', async () => {
    const rows = Array.from({ length: 11_000 }, (_, i) => [i, `text ${i}`]);
    const bytes = workbook(['A', 'B'].map((name) => ({ name, rows })));
    await withFile('a.xlsx', bytes, async (path) => {
      const file = await openFile(path, 'a.xlsx');
      const counts = file.tables.map(async (table) => {
        let count = 0;
        for await (const batch of table.rows()) count += batch.length;
        return count;
      });
      for await (const _ of file.tables[0]?.rows() ?? []) break;
      expect(await Promise.all(counts)).toEqual([11_000, 11_000]);
      const again = file.tables[1]?.rows();
      const first = await again?.next();
      expect(first?.value?.[0]).toEqual({ row: 1, cells: [0, 'text 0'] });
      expect(first?.value?.length).toBeLessThan(10_000);
      await again?.return(undefined);
      expect(openDescriptors(path)).toBeGreaterThan(0);
      await file.close();
      expect(openDescriptors(path)).toBe(0);
    });
  });
});

const WRONG_ROWS: readonly (readonly [xml: string, message: string])[] = [
  ['<row r="2"/><row r="2"/>', ': row "2" comes after row 2, '],
  ['<row r="5"/><row r="4"/>', ': row "4" comes after row 5, '],
  ['<row r="1.5"/>', ': row "1.5" comes after row 0, '],
  ['<row r="1048577"/>', ': row 1048577 is beyond the last one a sheet has'],
  ['<row><c r="XFE1"/></row>', '!XFE1: is beyond the last column a sheet has (XFD); '],
  ['<row><c r="B1"/><c r="A1"/></row>', '!A1: follows B1 in the file; '],
  ['<row><c r="B1"/><c r="B1"/></row>', '!B1: follows B1 in the file; '],
  ['<row r="3"><c r="A4"/></row>', ': cell "A4" is in row 3; '],
  ['<row><c r="17"/></row>', ': cell "17" is in row 1; '],
  ['<row><c t="s"><v>2</v></c></row>', '!A1: refers to text 2, which the workbook does not hold; '],
  ['<row><c t="s"><v>-1</v></c></row>', '!A1: refers to text -1, '],
  ['<row><c/><c><v>1,5</v></c></row>', '!B1: holds "1,5", which is not a number; '],
  ['<row><c><v>0x10</v></c></row>', '!A1: holds "0x10", which is not a number; '],
  [
    '<row><c><v>1e999</v></c></row>',
    '!A1: holds "1e999", a number that spreadsheet programs cannot hold; correct the cell',
  ],
  ['<row><c><v>1e-400</v></c></row>', '!A1: holds "1e-400", a number that '],
  ['<row><c><v>1.797693134862316e+308</v></c></row>', '!A1: holds "1.797693134862316e+308", a number that '],
  ['<row><c><v>NaN</v></c></row>', '!A1: holds "NaN", which is not a number; '],
  ['<row><c t="b"><v>yes</v></c></row>', '!A1: holds "yes", which is neither true nor false; '],
  ['<row><c t="zz"><v>1</v></c></row>', '!A1: has the unknown type "zz"; '],
  ['<row><c t="str"><v>&foo;</v></c></row>', '!A1: is damaged ("&foo;" in it is not an XML entity)'],
  ['<row><c r=A1/></row>', ': is damaged (an attribute in it is malformed)'],
  ['<row></c></row>', ': is damaged (</c> closes what is not open)'],
  [`<row><extLst>${'<a>'.repeat(100)}`, ': is damaged (its elements are nested too deep)'],
  [
    `<row><c t="str"><v>${'x'.repeat(5 * 2 ** 20)}</v></c></row>`,
    ': is damaged (a tag or text in it is too long)',
  ],
  [
    `<row>${`<c t="str"><v>${'x'.repeat(3 * 2 ** 20)}</v></c>`.repeat(6)}</row>`,
    '!F1: brings the text of its row beyond 16 MB; shorten it',
  ],
];

describe('a workbook is refused, with the cell and the remedy,', () => {
  const refused = (message: string) => ({
    name: 'UnreadableError',
    message: expect.stringContaining(message),
  });

  it.each(WRONG_ROWS.map(([xml, message]) => [message, xml] as const))('%s', async (message, xml) => {
    await expect(sheetRows(xml)).rejects.toMatchObject(refused(`a.xlsx › Data${message}`));
  });

  it.each([
    [
      'cut before </sheetData>',
      '<worksheet><sheetData><row><c><v>1</v></c></row>',
      'cut off before </sheetData>',
    ],
    ['cut in a cell', '<worksheet><sheetData><row><c><v>1', 'cut off before </v>'],
    ['no sheet at all', '<html></html>', 'it is <html> where <worksheet> belongs'],
    ['empty', '', 'it is empty'],
    ['followed by more', '<worksheet/>more', 'something follows its end'],
    ['with a DTD', '<!DOCTYPE worksheet []><worksheet/>', 'has a document type declaration'],
    ['not text', Buffer.from([0x3c, 0xc3, 0x28]), 'is damaged'],
    ['of invalid UTF-16', Buffer.from([0xff, 0xfe, 0x3c, 0, 0, 0xdc, 0x3c, 0]), 'it is not valid utf-16le'],
    [
      'in a made-up encoding',
      '<?xml encoding="klingon"?><worksheet/>',
      'its encoding "klingon" is not known',
    ],
    [
      'of invalid UTF-8',
      Buffer.from(
        '<worksheet><sheetData><row><c t="str"><v>T\xfcrkiye</v></c></row></sheetData></worksheet>',
        'latin1',
      ),
      'a.xlsx › Data!A1: is damaged (a text in it is not valid UTF-8)',
    ],
  ])('for a sheet that is %s', async (_, part, message) => {
    await expect(rowsOf('a.xlsx', workbookWith({ [SHEET_PART]: part }))).rejects.toMatchObject(
      refused(message),
    );
  });

  it.each([
    ['xl/worksheets/sheet1.xml', null, 'a.xlsx › Data: the sheet is missing from the file; '],
    ['xl/workbook.xml', null, 'a.xlsx: is a zip file but not a workbook; '],
    ['_rels/.rels', null, 'a.xlsx: is a zip file but not a workbook; '],
    ['xl/_rels/workbook.xml.rels', null, 'a.xlsx › Data: the sheet is missing from the file; '],
    ['xl/workbook.xml', '<workbook><sheets/></workbook>', 'a.xlsx: holds no sheet with cells; '],
    [
      'xl/workbook.xml',
      '<!DOCTYPE x><workbook/>',
      'a.xlsx (xl/workbook.xml): has a document type declaration',
    ],
    [
      'xl/sharedStrings.xml',
      '<sst><si><t>a</t></si>',
      'a.xlsx (xl/sharedStrings.xml): is damaged (it is cut off',
    ],
    [
      'xl/styles.xml',
      '<styleSheet><a></styleSheet>',
      'a.xlsx (xl/styles.xml): is damaged (</styleSheet> closes',
    ],
  ])('when %s is %s', async (part, content, message) => {
    await expect(rowsOf('a.xlsx', workbookWith({ [part]: content }))).rejects.toMatchObject(refused(message));
  });
});
