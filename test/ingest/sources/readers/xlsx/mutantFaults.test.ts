// Faults that mutants of good workbooks revealed: each was read wrongly, or took endless memory or time.

import { describe, expect, it } from '@jest/globals';
import { openFile } from '../../../../../ingest/sources/readers/openFile.ts';
import { rangeName } from '../../../../../ingest/sources/readers/rawFile.ts';
import { workbook } from '../../../../../ingest/workbook/workbook.ts';
import { itInDepth } from '../../../../support/depth.ts';
import { partOf, SHEET_PART, workbookOfXml, workbookWith, zipOf } from '../../../../support/handmadeZip.ts';
import { runProgram } from '../../../../support/program.ts';
import { allOf, rowsOf, tablesOf, withFile } from '../../../../support/sourceFile.ts';
import type { RefusedSheet } from './programs/readRefusedSheet.ts';

const rowsIn = (xml: string) => rowsOf('a.xlsx', workbookOfXml(xml));
const part = (name: string, xml: string) => rowsOf('a.xlsx', workbookWith({ [name]: xml }));

async function messageOf(reading: Promise<unknown>): Promise<string> {
  return await reading.then(
    (rows) => `read: ${JSON.stringify(rows)}`,
    (error: Error) => `${error.name} ${error.message}`,
  );
}

describe('a value of another element', () => {
  it('is not taken from an extension of its cell, where elements have the same names', async () => {
    const extension = '<extLst><ext uri="x"><y:v>9</y:v><c r="B1"><v>8</v></c></ext></extLst>';
    expect(
      await rowsIn(`<row r="1"><c r="A1"><v>1</v>${extension}</c>${extension}<c r="B1"><v>2</v></c></row>`),
    ).toEqual([[1, 1, 2]]);
  });

  it('is not taken from an extension of a text or of the table of texts', async () => {
    const extension = '<extLst><ext><t>no</t></ext></extLst>';
    const strings = `<sst><si><t>a</t>${extension}</si><si><t>b</t></si>${extension}</sst>`;
    expect(await part('xl/sharedStrings.xml', strings)).toEqual([[1, 'a', 'b']]);
  });

  it.each([
    ['a second value', '<c r="A1"><v>1</v><v>2</v></c>', 'Data!A1: is damaged (<v> has no place'],
    ['a value in a value', '<c r="A1"><v>1<v>2</v></v></c>', 'Data!A1: is damaged (<v> has no place'],
    ['a value in a formula', '<c r="A1"><f>B1<v>2</v></f></c>', 'Data!A1: is damaged (<v> has no place'],
    ['a cell in a cell', '<c r="A1"><c r="B1"><v>1</v></c></c>', 'Data!A1: is damaged (<c> has no place'],
    ['a row in a row', '<c r="A1"/><row r="2"/>', 'Data!A1: is damaged (<row> has no place'],
    [
      'a text without its <v>',
      '<c r="A1">5</c>',
      'Data!A1: is damaged (a text in it stands outside of cells)',
    ],
    ['a text between cells', '<c r="A1"/>5<c r="B1"/>', 'a text in it stands outside of cells'],
    ['an element nobody knows', '<c r="A1"/><d r="B1"><v>1</v></d>', 'Data!A1: is damaged (<d> has no place'],
    ['a text in a number', '<c r="A1"><is><t>a</t></is></c>', '<is> has no place'],
    ['no value where there must be one', '<c r="A1" t="s"/>', 'Data!A1: has the type "s" and no value; '],
    ['two references', '<c r="A1" r="B1"><v>1</v></c>', 'a cell in row 1 has the attribute r twice'],
    ['two types', '<c t="s" t="n"><v>1</v></c>', 'a cell in row 1 has the attribute t twice'],
    [
      'an attribute nobody knows',
      '<c r="A1" T="s"><v>1</v></c>',
      'a cell in row 1 has the unknown attribute "T"',
    ],
    ['a type with a prefix', '<c r="A1" q:t="s"><v>1</v></c>', 'has the unknown attribute "q:t"'],
    ['an attribute misspelt', '<c r="A1" tt="s"><v>1</v></c>', 'has the unknown attribute "tt"'],
    ['no space before an attribute', '<c r="A1"t="s"><v>1</v></c>', 'an attribute in it is malformed'],
    ['an attribute without a name', '<c r="A1" ="s"><v>1</v></c>', 'an attribute in it is malformed'],
    ['a number with another space', '<c r="A1"><v>\u00a01</v></c>', 'which is not a number'],
    ['a value of an inline text', '<c r="A1" t="inlineStr"><v>1</v></c>', '<v> has no place'],
    ['a style that is none', '<c s="x"><v>1</v></c>', 'a cell in row 1 has the style "x", which'],
    ['a style beyond the last', '<c r="A1" s="7"><v>1</v></c>', 'a cell in row 1 has the style "7", which'],
    ['a row in hexadecimal', '</row><row r="0x10"><c><v>1</v></c>', 'row "0x10" comes after row 1'],
    ['a column of brackets', '<c r="[1"><v>1</v></c>', 'cell "[1" is in row 1'],
    ['a tag that does not end', '<c r="A1"<v>1</v></c>', 'a tag in it does not end'],
    ['a quote that does not end', '<c r="A1><v>1</v></c><c r="B1"><v>1</v></c>', 'a tag in it does not end'],
    ['an end with attributes', '<c r="A1"><v>1</v></c r="B1">', '</c> closes what is not open'],
    ['an impossible name', '<c{ r="A1"/>', 'a tag in it has an impossible name'],
    ['half a character', '<c t="str"><v>&#xD800;</v></c>', '"&#xD800;" in it is not an XML entity'],
    [
      'text in the looks of a run',
      '<c t="inlineStr"><is><r><rPr><t>a</t></rPr><t>b</t></r></is></c>',
      '<t> has no place',
    ],
    [
      'a cell in a phonetic guide',
      '<c t="inlineStr"><is><t>a</t><rPh><c/></rPh></is></c>',
      '<c> has no place',
    ],
    ['a truth value that is empty', '<c r="A1" t="b"><v></v></c>', 'has the type "b" and no value'],
    ['a name with two prefixes', '<x:y:c r="A1"/>', 'an impossible name'],
    ['a text twice', '<c t="inlineStr"><is><t>a</t><t>b</t></is></c>', '<t> has no place'],
    ['a text behind runs', '<c t="inlineStr"><is><r><t>a</t></r><t>b</t></is></c>', '<t> has no place'],
    ['a text outside of <t>', '<c t="inlineStr"><is>a</is></c>', 'a text in it stands outside of <t>'],
  ])('is not read when there is %s', async (_, cells, message) => {
    const error = await messageOf(rowsIn(`<row r="1">${cells}</row>`));
    expect(error).toMatch(/^UnreadableError a\.xlsx › Data/);
    expect(error).toContain(message);
  });

  it.each([
    ['a cell before any row', '<c r="A0"><v>5</v></c><row r="1"/>'],
    ['a cell behind its row', '<row r="1"><c r="A1"><v>1</v></c></row><c r="B1"><v>5</v></c>'],
    ['rows in something unknown', '<x><row r="1"><c r="A1"><v>1</v></c></row></x>'],
    ['text between rows', '<row r="1"/>5<row r="2"/>'],
  ])('is not read when there is %s', async (_, xml) => {
    expect(await messageOf(rowsIn(xml))).toMatch(/^UnreadableError a\.xlsx › Data.*: is damaged \(/);
  });
});

const RELATIONSHIPS = 'xl/_rels/workbook.xml.rels';

describe('rows of a damaged workbook', () => {
  it.each([
    [
      'outside of the data',
      '<worksheet><sheetData/><row r="1"><c r="A1"><v>1</v></c></row></worksheet>',
      '<row> has no place',
    ],
    [
      'in a second block of data',
      '<worksheet><sheetData/><sheetData/></worksheet>',
      '<sheetData> has no place',
    ],
    ['in data inside of something', '<worksheet><x><sheetData/></x></worksheet>', '<sheetData> has no place'],
    ['without data', '<worksheet><sheetDatb/></worksheet>', 'it has no <sheetData>'],
    ['behind text', 'x<worksheet><sheetData/></worksheet>', 'something stands before its beginning'],
    ['before text', '<worksheet><sheetData/></worksheet>x<!-- -->', 'something follows its end'],
  ])('are refused and not lost: %s', async (_, xml, message) => {
    expect(await messageOf(part(SHEET_PART, xml))).toContain(`is damaged (${message}`);
  });

  it.each([
    ['xl/workbook.xml', /<sheet /, '<sheeet ', '<sheeet> has no place'],
    ['xl/workbook.xml', / r:id/, ' state="visable" r:id', 'a sheet in it has the state "visable"'],
    ['xl/workbook.xml', /<sheets>/, '<workbookPr date1904="yes"/><sheets>', 'date1904 in it is "yes"'],
    ['xl/workbook.xml', /(<sheets>.*<\/sheets>)/, '$1$1', '<sheets> has no place'],
    [
      'xl/workbook.xml',
      /<sheets>(.*)<\/sheets>/,
      '<sheets>$1$1</sheets>',
      'two of its sheets are one and the same',
    ],
    [RELATIONSHIPS, /worksheet"/, 'worksheeet"', 'a.xlsx › Data: the sheet is missing'],
    [RELATIONSHIPS, /<Relationship /, '<Relationshop ', '<Relationshop> has no place'],
    [
      RELATIONSHIPS,
      /<Relationship (.*?)\/>/,
      '<Relationship $1><Relationship $1/></Relationship>',
      '<Relationship> has no place',
    ],
    [
      'xl/styles.xml',
      /(<numFmts.*<\/numFmts>)|(?<=<styleSheet[^>]*>)/,
      '<x><numFmts/></x>$1',
      '<numFmts> has no place',
    ],
    [
      'xl/styles.xml',
      /(<xf numFmtId=")0("[^>]*applyNumberFormat)/,
      '$1170$2',
      'has the number format 170, which it does not hold',
    ],
    ['xl/styles.xml', /<cellXfs count="1"/, '<cellXfs count="2"', 'it declares 2 cell styles and holds 1'],
    ['xl/sharedStrings.xml', /uniqueCount="1"/, 'uniqueCount="2"', 'it declares 2 texts and holds 1'],
    [RELATIONSHIPS, /<Relationship /, 'x$&', 'a text in it has no place'],
    [
      'xl/styles.xml',
      /<fonts/,
      '<numFmts><numFmt numFmtId="164"/></numFmts><fonts',
      'a number format in it has no code',
    ],
    [RELATIONSHIPS, /rId2/, 'rId1', 'two relationships are called "rId1"'],
    [
      RELATIONSHIPS,
      /(Id="rId3".*Target=")/,
      'Id="x" Type="/sharedStrings" Target="y"/><Relationship $1',
      'refers to more than one part as sharedStrings',
    ],
    [
      'xl/styles.xml',
      /<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId/,
      '<xg/>$&',
      '<xg> has no place',
    ],
    ['xl/styles.xml', /(<cellXfs.*numFmtId=")0/, '$1x', 'a number format in it has the id "x"'],
    ['xl/sharedStrings.xml', /<si>/, '<sii><t>x</t></sii><si>', '<sii> stands where <si> belongs'],
    ['xl/sharedStrings.xml', /<si>/, 'x<si>', 'a text stands between its items'],
  ])('are refused and not lost: in %s with %s for %s', async (name, from, to, message) => {
    const original = workbook([{ name: 'Data', rows: [['a', 1]] }]);
    const content = partOf(original, name);
    const changed = content.replace(from, to);
    expect(changed).not.toBe(content);
    expect(await messageOf(tablesOf('a.xlsx', workbookWith({ [name]: changed }, original)))).toContain(
      message,
    );
  });
});

describe('merged cells', () => {
  const merging = (...refs: string[]) =>
    workbookWith({
      [SHEET_PART]: `<worksheet><sheetData/><mergeCells>${refs.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells></worksheet>`,
    });

  it('are the same whichever corner is named first; one cell alone is merged with nothing', async () => {
    const ranges = await withFile('a.xlsx', merging('A1:B2', 'D4:C3', 'E6:F5', 'G7'), async (path) => {
      const file = await openFile(path, 'a.xlsx');
      await allOf(file);
      const findings = await file.tables[0]?.findings();
      await file.close();
      return findings?.merged.map(rangeName);
    });
    expect(ranges).toEqual(['A1:B2', 'C3:D4', 'E5:F6']);
  });

  it.each(['A1:', 'A1;B2', '$A$1:B2', 'AAAA1:B2', ''])('are never passed over: "%s"', async (ref) => {
    expect(await messageOf(tablesOf('a.xlsx', merging(ref)))).toContain(`it merges the cells "${ref}"`);
  });
});

describe('another form of the same content', () => {
  it('is read alike: numbers, indexes and truth values with spaces or character references', async () => {
    const cells = `${'<c r="A1"><v>&#49;\n2</v></c>'.replace('\n', '')}<c r="B1" t="b"><v> &#x31; </v></c>`;
    expect(await rowsIn(`<row r="1">${cells}</row>`)).toEqual([[1, 12, true]]);
    const sheet =
      '<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>\n &#49; </v></c></row></sheetData></worksheet>';
    expect(await part(SHEET_PART, sheet)).toEqual([[1, 'b']]);
  });

  it('is read alike: a text with runs behind it', async () => {
    const text = '<is><t>of </t><r><rPr><b/></rPr><t>2024</t></r></is>';
    expect(await rowsIn(`<row r="1"><c t="inlineStr">${text}</c></row>`)).toEqual([[1, 'of 2024']]);
  });

  it('is read alike: a cell with an empty style', async () => {
    expect(await rowsIn('<row r="1"><c r="A1" s=""><v>1</v></c></row>')).toEqual([[1, 1]]);
  });

  it('is read alike: a zip file with what looks like its end in its comment', async () => {
    const bytes = Buffer.from(workbookWith({}));
    const comment = Buffer.from(`PK\x05\x06${'x'.repeat(40)}`, 'latin1');
    bytes.writeUInt16LE(comment.length, bytes.length - 2);
    expect(await rowsOf('a.xlsx', Buffer.concat([bytes, comment]))).toEqual([[1, 'a', 'b']]);
  });
});

describe('a zip file that can be understood in two ways', () => {
  const parts = [{ name: 'a', content: 'b' }];

  it('is refused for two ends, each with a comment that reaches to the end of the file', async () => {
    const bytes = Buffer.from(workbookWith({}));
    const other = zipOf(parts).subarray(-22);
    bytes.writeUInt16LE(other.length, bytes.length - 2);
    expect(await messageOf(rowsOf('a.xlsx', Buffer.concat([bytes, other])))).toContain(
      'is damaged (it has two directories)',
    );
  });

  it('is refused for a directory of more parts than are declared', async () => {
    const bytes = Buffer.from(workbookWith({}));
    bytes.writeUInt16LE(bytes.readUInt16LE(bytes.length - 12) - 1, bytes.length - 12);
    expect(await messageOf(rowsOf('a.xlsx', bytes))).toContain(
      'its directory holds more parts than it declares',
    );
  });

  it('is refused for a short and a long end that disagree', async () => {
    const bytes = zipOf(parts, { long: true });
    bytes.writeUInt16LE(2, bytes.length - 12);
    expect(await messageOf(rowsOf('a.xlsx', bytes))).toContain('its two directories disagree');
  });
});

describe('time and memory', () => {
  it('stay bounded for a reference of hundreds of letters', async () => {
    expect(await messageOf(rowsIn(`<row r="1"><c r="${'A'.repeat(400)}1"/></row>`))).toContain(
      `Data!${'A'.repeat(20)}: is beyond the last column a sheet has (XFD); `,
    );
  });

  it('stay bounded for a text of two hundred thousand pieces', async () => {
    const begun = process.cpuUsage();
    const text = 'a<!---->'.repeat(200_000);
    expect(await rowsIn(`<row r="1"><c t="str"><v>${text}</v></c></row>`)).toEqual([
      [1, 'a'.repeat(200_000)],
    ]);
    expect(process.cpuUsage(begun).user).toBeLessThan(5_000_000);
  });

  itInDepth(
    'stay bounded for a number format of half a million brackets, used by five thousand styles',
    async () => {
      const begun = process.cpuUsage();
      const format = `<numFmts><numFmt numFmtId="164" formatCode="${'['.repeat(500_000)}"/></numFmts>`;
      const styles = `<styleSheet>${format}<cellXfs>${'<xf numFmtId="164"/>'.repeat(5_000)}</cellXfs></styleSheet>`;
      expect(await part('xl/styles.xml', styles)).toEqual([[1, 'a', 'b']]);
      expect(process.cpuUsage(begun).user).toBeLessThan(5_000_000);
    },
  );

  itInDepth('stay bounded for rows whose only cell is the last there can be', async () => {
    const rows = Array.from(
      { length: 8_300 },
      (_, i) => `<row r="${i + 1}"><c r="XFD${i + 1}"><v>1</v></c></row>`,
    );
    // The reader gets a process of its own, because the memory of this one depends on the tests before.
    const program = 'test/ingest/sources/readers/xlsx/programs/readRefusedSheet.ts';
    const [refused] = await withFile('a.xlsx', workbookOfXml(rows.join('')), (file) =>
      runProgram<RefusedSheet>(program, [file]),
    );
    expect(refused?.message).toContain(
      'spreads over more than 134,217,728 cells, empty ones included; delete',
    );
    expect(refused?.grownKb).toBeLessThan(1024 * 1024);
  });
});

describe('a date that is written as text', () => {
  it.each(['2024-02-30', '2024-13-01', '1999-12-31T24:00:00'])(
    'stays text when it is none: %s',
    async (text) => {
      expect(await rowsIn(`<row r="1"><c t="d"><v>${text}</v></c></row>`)).toEqual([[1, text]]);
    },
  );
});
