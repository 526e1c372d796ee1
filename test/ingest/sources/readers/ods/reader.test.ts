// Workbooks of LibreOffice are read cell by cell, or refused with a remedy.

import { describe, expect, it } from '@jest/globals';
import { openFile } from '../../../../../ingest/sources/readers/openFile.ts';
import { rangeName } from '../../../../../ingest/sources/readers/rawFile.ts';
import { zipOf } from '../../../../support/handmadeZip.ts';
import { odsNumber, odsOf, odsRow, odsRows, odsText } from '../../../../support/ods.ts';
import { remarksIn, rowsOf, tablesOf, withFile } from '../../../../support/sourceFile.ts';

const read = (rows: string, styles?: string) => rowsOf('a.ods', odsRows(rows, styles));
const cell = (attributes: string, inside = '') =>
  `<table:table-cell ${attributes}>${inside}</table:table-cell>`;
const value = (type: string, written: string) => cell(`office:value-type="${type}" office:${written}`);

const remarksOn = (book: Uint8Array) => remarksIn('a.ods', book);

describe('reading .ods', () => {
  it('reads texts, numbers, percent, truth values, dates and times', async () => {
    const rows = odsRow(
      odsText('Malta &amp; Gozo'),
      odsNumber(-1234.5),
      value('percentage', 'value="0.05"'),
      value('currency', 'value="7"'),
      value('boolean', 'boolean-value="true"'),
      value('date', 'date-value="2024-02-29"'),
      value('date', 'date-value="2024-02-29T12:30:00"'),
      value('time', 'time-value="PT09H05M00S"'),
    );
    expect(await read(rows)).toEqual([
      [
        1,
        'Malta & Gozo',
        -1234.5,
        { kind: 'percent', value: 0.05 },
        7,
        true,
        { kind: 'date', iso: '2024-02-29' },
        { kind: 'date', iso: '2024-02-29T12:30:00' },
        { kind: 'date', iso: 'T09:05:00' },
      ],
    ]);
  });

  it('reads a figure that is shown as an error as that error', async () => {
    const shown = (text: string, type = 'float') =>
      cell(
        `table:formula="of:=1/0" office:value-type="${type}" office:value="0"`,
        `<text:p>${text}</text:p>`,
      );
    const error = (code: string) => ({ kind: 'error', code });
    expect(
      await read(odsRow(shown('#DIV/0!'), shown('Err:502'), shown('#WERT!', 'percentage'), shown('#N/A'))),
    ).toEqual([[1, error('#DIV/0!'), error('Err:502'), error('#WERT!'), error('#N/A')]]);
    expect(await read(odsRow(shown('0'), shown('#1'), shown('0 #'), shown('###')))).toEqual([
      [1, 0, 0, 0, 0],
    ]);
  });

  it('reads a number in the format of a date or a time that is not one as an error', async () => {
    const negative = (type: string, written: string) =>
      cell(`office:value-type="${type}" office:${type}-value="${written}"`, '<text:p>x</text:p>');
    const rows = odsRow(
      negative('date', '-1482-11-13'),
      negative('date', '32767-12-31T17:45:36'),
      negative('time', '-PT28H48M00S'),
      odsNumber(1),
    );
    const error = { kind: 'error', code: '#####' };
    expect(await read(rows)).toEqual([[1, error, error, error, 1]]);
  });

  it('puts repeated cells and rows where they stand, and leaves out the empty ones', async () => {
    const rows =
      '<table:table-row table:number-rows-repeated="3"><table:table-cell table:number-columns-repeated="1024"/></table:table-row>' +
      `<table:table-row table:number-rows-repeated="2">${cell('table:number-columns-repeated="2"')}${cell(
        'table:number-columns-repeated="2" office:value-type="float" office:value="5"',
      )}</table:table-row>` +
      '<table:table-row table:number-rows-repeated="1048571"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>';
    expect(await read(rows)).toEqual([
      [4, null, null, 5, 5],
      [5, null, null, 5, 5],
    ]);
  });

  it('reads the text of paragraphs, spans and spaces, without comments', async () => {
    const comment = '<office:annotation><text:p>ask Ann</text:p></office:annotation>';
    const text =
      '<text:p>  Casino\n<text:span>Slots</text:span><text:s text:c="2"/>!<text:tab/>x</text:p><text:p>two</text:p>';
    expect(await read(odsRow(cell('office:value-type="string"', comment + text)))).toEqual([
      [1, 'Casino Slots  !\tx\ntwo'],
    ]);
  });

  it('separates superscript footnote marks from the text', async () => {
    const styles =
      '<style:style style:name="T1" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>' +
      '<style:style style:name="T2" style:family="text"><style:text-properties style:text-position="0% 100%"/></style:style>';
    const marked = '4012360<text:span text:style-name="T1">2</text:span>';
    const plain = '4012360<text:span text:style-name="T2">2</text:span>';
    expect(await read(odsRow(odsText(marked), odsText(plain)), styles)).toEqual([
      [1, { kind: 'footnoted', value: '4012360', mark: '2', text: '4012360²' }, '40123602'],
    ]);
  });

  it('separates the marks from a text that is only in an attribute', async () => {
    const cells = cell('office:value-type="string" office:string-value="Malta¹"', '');
    expect(await read(odsRow(cells))).toEqual([[1, expect.objectContaining({ value: 'Malta', mark: '1' })]]);
  });

  it('reads a date that is shown as its year as that year, by its own style and by that of its column', async () => {
    const styles =
      '<number:date-style style:name="N1"><number:year number:style="long"/></number:date-style>' +
      '<number:date-style style:name="N2"><number:year number:style="long"/><number:text>-</number:text><number:month/></number:date-style>' +
      '<style:style style:name="ce1" style:family="table-cell" style:data-style-name="N1"/>' +
      '<style:style style:name="ce2" style:family="table-cell" style:parent-style-name="ce1"/>' +
      '<style:style style:name="ce3" style:family="table-cell" style:data-style-name="N2"/>';
    const date = 'office:value-type="date" office:date-value="2024-06-30"';
    const rows =
      '<table:table-column/><table:table-column table:default-cell-style-name="ce2"/><table:table-column table:number-columns-repeated="9"/>' +
      odsRow(cell(`table:style-name="ce1" ${date}`), cell(date), cell(`table:style-name="ce3" ${date}`));
    const dated = { kind: 'dated year', value: 2024, iso: '2024-06-30' };
    expect(await read(rows, styles)).toEqual([[1, dated, dated, { kind: 'date', iso: '2024-06-30' }]]);
  });

  it('gives the unit that a number format writes next to a number, and one that divides the number', async () => {
    const format = (name: string, parts: string, kind = 'number') =>
      `<number:${kind}-style style:name="${name}">${parts}</number:${kind}-style>` +
      `<style:style style:name="c${name}" style:family="table-cell" style:data-style-name="${name}"/>`;
    const styles =
      format('N1', '<number:number/><number:text> USD m</number:text>') +
      format('N2', '<number:number number:display-factor="1000000"/><number:text> m</number:text>') +
      format(
        'N3',
        '<number:number/><number:text>\u00a0</number:text><number:currency-symbol>T€</number:currency-symbol>',
        'currency',
      ) +
      format('N4', '<number:currency-symbol>€</number:currency-symbol><number:number/>', 'currency') +
      format('N5', '<number:number/><number:text>,000</number:text>') +
      format('N6', '<number:number/><number:text> km&amp;</number:text>');
    const cells = ['N1', 'N2', 'N3', 'N4', 'N5', 'N6'].map((name) =>
      cell(`table:style-name="c${name}" office:value-type="float" office:value="404"`),
    );
    const united = (unit: string, currency?: string) => ({
      kind: 'with unit',
      value: 404,
      unit,
      divisor: 1,
      ...(currency && { currency }),
    });
    const priced = { kind: 'with currency', value: 404, currency: '€' };
    expect(await read(odsRow(...cells), styles)).toEqual([
      [
        1,
        united('USD m', 'USD'),
        { kind: 'divided', value: 404 },
        united('T€', '€'),
        priced,
        united(',000'),
        404,
      ],
    ]);
  });

  it('gives the unit of the parts of a number format, which are for positive numbers, for texts and so on', async () => {
    const part = (name: string, parts: string, kind = 'number') =>
      `<number:${kind}-style style:name="${name}">${parts}</number:${kind}-style>`;
    const map = (condition: string, name: string) =>
      `<style:map style:condition="${condition}" style:apply-style-name="${name}"/>`;
    const cellStyle = (name: string, format: string, within = '') =>
      `<style:style style:name="${name}" style:family="table-cell" style:data-style-name="${format}">${within}</style:style>`;
    const minus = map('value()&gt;0', 'P') + map('value()&lt;0', 'P');
    const styles = [
      part('P', '<number:number/><number:text> m</number:text>'),
      part('ZERO', `<number:text>-</number:text>${minus}`),
      part('TEXT', `<number:text-content/>${minus}${map('value()=0', 'ZERO')}`, 'text'),
      part('LARGE', `<number:number/>${map('value()&gt;=1000000', 'P')}`),
      part('ONLY-ZERO', `<number:number/>${map('value()=0', 'P')}`),
      part('THOUSANDTH', '<number:number number:display-factor="1000"/><number:text> m</number:text>'),
      part(
        'POINT',
        '<number:number><number:embedded-text number:position="4">.</number:embedded-text></number:number><number:text>万</number:text>',
      ),
      part('PLAIN', '<number:number/>'),
      cellStyle('c-M', 'P'),
      cellStyle('c-CONDITIONAL', 'PLAIN', map('cell-content()&gt;5', 'c-M')),
      ...['ZERO', 'TEXT', 'LARGE', 'ONLY-ZERO', 'THOUSANDTH', 'POINT'].map((name) =>
        cellStyle(`c-${name}`, name),
      ),
    ].join('');
    const names = ['ZERO', 'TEXT', 'LARGE', 'CONDITIONAL', 'THOUSANDTH', 'POINT', 'ONLY-ZERO'];
    const cells = names.map((name) =>
      cell(`table:style-name="c-${name}" office:value-type="float" office:value="404"`),
    );
    const united = { kind: 'with unit', value: 404, unit: 'm', divisor: 1 };
    expect(await read(odsRow(...cells), styles)).toEqual([
      [1, united, united, united, united, { ...united, divisor: 1000 }, { kind: 'divided', value: 404 }, 404],
    ]);
  });

  it('recognises a year that a number format marks, and one that was typed into the format of a date', async () => {
    const styles =
      '<number:number-style style:name="N1"><number:number/><number:text>E</number:text></number:number-style>' +
      '<number:date-style style:name="N2"><number:year number:style="long"/></number:date-style>' +
      '<style:style style:name="c1" style:family="table-cell" style:data-style-name="N1"/>' +
      '<style:style style:name="c2" style:family="table-cell" style:data-style-name="N2"/>';
    const cells = odsRow(
      cell('table:style-name="c1" office:value-type="float" office:value="2026"'),
      cell('table:style-name="c2" office:value-type="date" office:date-value="1905-07-15"'),
      cell('table:style-name="c2" office:value-type="date" office:date-value="2024-06-30"'),
    );
    expect(await read(cells, styles)).toEqual([
      [
        1,
        { kind: 'marked year', value: 2026, shown: '2026E' },
        { kind: 'marked year', value: 2023, shown: '1905' },
        { kind: 'dated year', value: 2024, iso: '2024-06-30' },
      ],
    ]);
  });

  it('keeps spreadsheet errors and formulas without a value apart from values', async () => {
    const error = cell(
      'table:formula="of:=1/0" office:value-type="string" office:string-value="" calcext:value-type="error"',
      '<text:p>#DIV/0!</text:p>',
    );
    expect(await read(odsRow(error, cell('table:formula="of:=[.A1]"')))).toEqual([
      [1, { kind: 'error', code: '#DIV/0!' }, { kind: 'uncalculated' }],
    ]);
  });

  it('gives each sheet its rows, and flags hidden sheets', async () => {
    const styles =
      '<style:style style:name="ta1" style:family="table"><style:table-properties table:display="false"/></style:style>';
    const sheets =
      `<table:tracked-changes><table:cell-content-change><table:previous>${odsText('old')}</table:previous></table:cell-content-change></table:tracked-changes>` +
      `<table:table table:name="One">${odsRow(odsText('a'))}</table:table>` +
      `<table:table table:name="Two" table:style-name="ta1"><table:table-header-rows>${odsRow(odsText('b'))}</table:table-header-rows>${odsRow(odsText('c'))}</table:table>` +
      '<table:named-expressions/>';
    expect(await tablesOf('a.ods', odsOf(sheets, styles))).toEqual([
      { name: 'One', hidden: false, rows: [{ row: 1, cells: ['a'] }] },
      {
        name: 'Two',
        hidden: true,
        rows: [
          { row: 1, cells: ['b'] },
          { row: 2, cells: ['c'] },
        ],
      },
    ]);
  });

  it('names merged cells, hidden rows and hidden columns', async () => {
    const rows =
      '<table:table-column/><table:table-column table:visibility="collapse"/>' +
      odsRow(
        cell(
          'office:value-type="string" table:number-columns-spanned="2" table:number-rows-spanned="1"',
          '<text:p>a</text:p>',
        ),
        '<table:covered-table-cell/>',
      ) +
      `<table:table-row table:visibility="filter">${odsText('b')}${odsNumber(1)}</table:table-row>`;
    await withFile('a.ods', odsRows(rows), async (path) => {
      const file = await openFile(path, 'a.ods');
      const [table] = file.tables;
      for await (const _ of table?.rows() ?? []);
      const findings = await table?.findings();
      expect(findings?.merged.map(rangeName)).toEqual(['A1:B1']);
      expect(findings?.remarks.map(({ problem }) => problem)).toEqual([
        '1 row is hidden, by a filter or by hand, and was read like all others: 2',
        '1 column is hidden, and was read like all others: B',
      ]);
      await file.close();
    });
  });

  it('names rows and columns of closed groups, and those without height or width', async () => {
    const styles =
      '<style:style style:name="ro0" style:family="table-row"><style:table-row-properties style:row-height="0cm"/></style:style>' +
      '<style:style style:name="ro1" style:family="table-row"><style:table-row-properties style:row-height="0cm" style:use-optimal-row-height="true"/></style:style>' +
      '<style:style style:name="co0" style:family="table-column"><style:table-column-properties style:column-width="0in"/></style:style>';
    const row = (name = '') =>
      odsRow(...'abcde'.split('').map(odsText)).replace('row', `row table:style-name="${name}"`);
    const group = (display: string, content: string) =>
      `<table:table-row-group${display}>${content}</table:table-row-group>`;
    const closed = ' table:display="false"';
    const columns =
      `<table:table-column-group${closed}><table:table-column/></table:table-column-group>` +
      '<table:table-column table:number-columns-repeated="2"/><table:table-column table:style-name="co0"/><table:table-column/>';
    const rows = row() + group(closed, group('', row()) + row()) + group('', row() + row('ro0') + row('ro1'));
    const remarks = await remarksOn(odsRows(columns + rows, styles));
    expect(remarks.map(({ problem }) => problem)).toEqual([
      '3 rows are hidden, and were read like all others: 2, 3, 5',
      '2 columns are hidden, and were read like all others: A, D',
    ]);
  });

  it('names rows that are struck out, by their own style or one that it inherits from', async () => {
    const styles =
      '<style:style style:name="old" style:family="table-cell"><style:text-properties style:text-line-through-style="solid"/></style:style>' +
      '<style:style style:name="ce1" style:family="table-cell" style:parent-style-name="old"/>' +
      '<style:style style:name="ce2" style:family="table-cell" style:parent-style-name="old"><style:text-properties style:text-line-through-style="none"/></style:style>';
    const styled = (name: string) =>
      cell(`table:style-name="${name}" office:value-type="float" office:value="1"`);
    const rows = ['ce1', 'ce2', 'old'].map((name) => odsRow(styled(name), styled(name))).join('');
    const repeated = odsRow(styled('old')).replace('<table:table-row', '$& table:number-rows-repeated="3"');
    expect(await remarksOn(odsRows(repeated, styles))).toEqual([
      expect.objectContaining({ problem: '3 rows are struck out, and were read like all others: 1, 2, 3' }),
    ]);
    expect(await remarksOn(odsRows(rows, styles))).toEqual([
      expect.objectContaining({
        severity: 'warning',
        cell: [1, 0],
        problem: '2 rows are struck out, and were read like all others: 1, 3',
      }),
    ]);
  });

  it('names short numbers that are superscript by the style of their cell', async () => {
    const styles =
      '<style:style style:name="mark" style:family="table-cell"><style:text-properties style:text-position="super 58%"/></style:style>' +
      '<style:style style:name="ce1" style:family="table-cell" style:parent-style-name="mark"/>' +
      '<style:style style:name="ce2" style:family="table-cell" style:parent-style-name="mark"><style:text-properties style:text-position="0% 100%"/></style:style>';
    const styled = (name: string, value: number) =>
      cell(`table:style-name="${name}" office:value-type="float" office:value="${value}"`);
    const row = odsRow(styled('ce1', 12), styled('ce2', 12), styled('ce1', 123));
    expect(await remarksOn(odsRows(row, styles))).toEqual([
      expect.objectContaining({
        cell: [1, 0],
        problem:
          '1 cell is shown as superscript or subscript, as a footnote mark is, and was read like all others: A1',
      }),
    ]);
  });

  it('names texts that are struck out as a whole by the style of their parts', async () => {
    const styles =
      '<style:style style:name="T1" style:family="text"><style:text-properties style:text-line-through-type="single"/></style:style>';
    const struck =
      '<text:span text:style-name="T1">Mal</text:span><text:span text:style-name="T1">ta</text:span>';
    const rows = odsRow(odsText(struck), odsText('Malta')) + odsRow(odsText('Malta'), odsText(''));
    expect(await remarksOn(odsRows(rows, styles))).toEqual([
      expect.objectContaining({
        severity: 'warning',
        cell: [1, 0],
        problem: '1 cell is struck out, and was read like all others: A1',
      }),
    ]);
    const replaced = odsText('<text:span text:style-name="T1">100</text:span>250');
    expect(await read(odsRow(replaced), styles)).toEqual([
      [1, expect.objectContaining({ kind: 'footnoted', value: '250', mark: '100' })],
    ]);
  });

  it('names figures that are shown as nothing, and no zeros that are', async () => {
    const unseen = (written: string) =>
      cell(`office:value-type="float" office:value="${written}"`, '<text:p/>');
    const rows = odsRow(odsNumber(1), unseen('180851180'), unseen('0'), odsText(''));
    const repeated = odsRow(odsNumber(1), unseen('5')).replace(
      '<table:table-row',
      '$& table:number-rows-repeated="2"',
    );
    expect(await remarksOn(odsRows(repeated))).toEqual([
      expect.objectContaining({
        problem: expect.stringMatching(/^2 cells are shown as nothing,.+: B1, B2$/),
      }),
    ]);
    expect(await remarksOn(odsRows(rows))).toEqual([
      expect.objectContaining({
        severity: 'warning',
        cell: [1, 1],
        problem:
          '1 cell is shown as nothing, by the number format ;;; or one like it, and was read like all others: B1',
      }),
    ]);
  });

  it.each([
    [
      'a number that is none',
      odsNumber('x'),
      'a.ods › Data!A1: is damaged ("x" is not a value of the type "float")',
    ],
    [
      'a number beyond the largest, as LibreOffice writes it',
      odsNumber('INF'),
      'a.ods › Data!A1: holds "INF", a number that spreadsheet programs cannot hold; correct the cell',
    ],
    ['a number that is nearly 0', odsNumber('1e-400'), 'a.ods › Data!A1: holds "1e-400", a number that '],
    ['a date that is none', value('date', 'date-value="2024-02-30"'), 'a.ods › Data!A1: is damaged'],
    ['a type nobody knows', value('tensor', 'value="1"'), 'is not a value of the type "tensor"'],
    ['a text outside of cells', 'stray', 'a.ods › Data: is damaged (a text in it stands outside of cells)'],
    [
      'more columns than a sheet has',
      cell('table:number-columns-repeated="20000" office:value-type="float" office:value="1"'),
      'a.ods › Data!A1: reaches beyond the last column (XFD)',
    ],
    [
      'a count that is none',
      cell('table:number-columns-repeated="-1" office:value-type="float" office:value="1"'),
      'is damaged (table:number-columns-repeated is "-1")',
    ],
  ])('refuses %s, and names the cell', async (_, cells, message) => {
    await expect(read(odsRow(cells))).rejects.toThrow(message);
  });

  it('refuses a repeated row of data that goes beyond the last one', async () => {
    const rows = `<table:table-row table:number-rows-repeated="2000000">${odsText('a')}</table:table-row>`;
    await expect(read(rows)).rejects.toThrow('a.ods › Data: row 2000000 is beyond the last one a sheet has');
  });

  it('refuses a repeated row of more cells than a sheet may have', async () => {
    const wide = cell('table:number-columns-repeated="16384" office:value-type="float" office:value="1"');
    const rows = `<table:table-row table:number-rows-repeated="8193">${wide}</table:table-row>`;
    await expect(read(rows)).rejects.toThrow('a.ods › Data: spreads over more than 134,217,728 cells');
  });

  it('refuses what is encrypted, is not a workbook, or uses prefixes that would hide every cell', async () => {
    const manifest =
      '<manifest:manifest xmlns:manifest="x"><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>';
    const sheet = '<table:table table:name="Data"/>';
    const encrypted = odsOf(sheet, '', [{ name: 'META-INF/manifest.xml', content: manifest }]);
    await expect(tablesOf('a.ods', encrypted)).rejects.toThrow('a.ods: is encrypted; remove the password');
    await expect(tablesOf('a.ods', zipOf([{ name: 'x', content: 'x' }]))).rejects.toThrow(
      'a.ods: is a zip file but not an .ods workbook',
    );
    await expect(tablesOf('a.ods', 'year,country')).rejects.toThrow('a.ods: is not an .ods workbook');
    const namespace = 'urn:oasis:names:tc:opendocument:xmlns';
    for (const [office, table] of [
      ['o', 'table'],
      ['office', 't'],
    ]) {
      const prefixes = `xmlns:${office}="${namespace}:office:1.0" xmlns:${table}="${namespace}:table:1.0"`;
      const content = `<${office}:document-content ${prefixes}/>`;
      await expect(tablesOf('a.ods', zipOf([{ name: 'content.xml', content }]))).rejects.toThrow(
        'uses prefixes that no spreadsheet program writes',
      );
    }
  });
});
