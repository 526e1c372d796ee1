// Formulas of .ods workbooks: values that are not those of their formulas cause remarks.

import { describe, expect, it } from '@jest/globals';
import { openFile } from '../../../../../ingest/sources/readers/openFile.ts';
import { remarksOn } from '../../../../support/formulaWorkbooks.ts';
import { odsNumber, odsOf, odsRow, odsRows, odsText } from '../../../../support/ods.ts';
import { allOf, withFile } from '../../../../support/sourceFile.ts';

const SETTINGS =
  '<table:calculation-settings table:case-sensitive="false" table:use-regular-expressions="false" table:use-wildcards="true"/>';
const NAMES =
  '<table:named-expressions><table:named-range table:name="rate" table:cell-range-address="$Data.$A$1"/>' +
  '<table:named-expression table:name="factor" table:expression="[$Data.$A$2]*10"/></table:named-expressions>';

const formula = (text: string, value: number, attributes = '') =>
  `<table:table-cell ${attributes} table:formula="${text.replaceAll('"', '&quot;').replaceAll('<', '&lt;')}" office:value-type="float" office:value="${value}"/>`;

/** The remarks on a sheet with 2 and 3 below each other, texts beside them, a percentage, and these cells below. */
async function remarksOnCells(cells: readonly string[], settings = SETTINGS): Promise<readonly string[]> {
  const percent = '<table:table-cell office:value-type="percentage" office:value="0.5"/>';
  const rows = [
    odsRow(odsNumber(2), odsText('Malta'), percent),
    odsRow(odsNumber(3), odsText('Spain')),
    ...cells.map((cell) => odsRow(cell)),
  ];
  const other = `<table:table table:name="It's other">${odsRow(odsNumber(7))}</table:table>`;
  const book = odsOf(
    `${settings}<table:table table:name="Data">${rows.join('')}</table:table>${other}${NAMES}`,
  );
  return remarksOn('a.ods', book);
}

/** The remark on a formula whose cell holds 99, up to the computed value. */
const computed = async (text: string, settings?: string) =>
  /its formula has the value (.*)$/.exec((await remarksOnCells([formula(text, 99)], settings)).join())?.[1];

describe('a formula of an .ods workbook', () => {
  it.each([
    ['of:=[.A1]+[.$A$2]', '5'],
    ['of:=SUM([.A1:.A2];[$Data.A1])', '7'],
    ["of:=['It''s other'.A1]*2", '14'],
    ["of:=SUM([$'It''s other'.A1:.A9])", '7'],
    ['of:=SUM([.C:.C])+[.C1]', '1'],
    ['of:=VLOOKUP(3;[.A1:.C2];1;FALSE())', '3'],
    ['of:=SUMIF([.B1:.B2];"Spain";[.A1:.A2])', '3'],
    ['of:=COM.MICROSOFT.MAXIFS([.A1:.A2];[.B1:.B2];"Malta")', '2'],
    ['of:=rate*factor', '60'],
    ['of:=-[.A2]^2 + 1.5e1', '24'],
    ['oooc:=IF([.A1]<3;1;2)', '1'],
    ['msoxl:=A1*A2', '6'],
  ])('is computed: %s', async (text, value) => {
    expect(await computed(text)).toBe(value);
  });

  it('is named where its cell holds another value, and not where it holds this one', async () => {
    expect(await remarksOnCells([formula('of:=[.A1]*3', 6)])).toEqual([]);
    expect(await remarksOnCells([formula('of:=[.A1]*3', 7)])).toEqual([
      'warning 3,0 holds 7, and its formula has the value 6',
    ]);
  });

  it('is found where it refers to cells or a sheet that were deleted', async () => {
    for (const text of [
      ...['of:=[.#REF!]*2', 'of:=[.A#REF!]*2', 'of:=SUM([.#REF!1:.A2])', 'of:=[$#REF!.A1]+1', 'of:=#REF!*2'],
      ...['of:=[$Gone.A1]*2', "of:=SUM([$'Old sheet'.A1:.A9])"],
    ])
      expect([text, ...(await remarksOnCells([formula(text, 99)]))]).toEqual([
        text,
        'warning 3,0 holds 99, and its formula has the error #REF!',
      ]);
  });

  it('is not computed where it is not understood', async () => {
    const texts = [
      'of:=SUM([.A1]~[.A2])',
      'of:=SUM([Data.A1:Other.A1])',
      'of:=A1*2',
      'of:=[.A1],2',
      'of:={1;2}',
      'of:="[.A1]"',
      'of:=[.A1',
      '=[.A1]*2',
    ];
    expect(await remarksOnCells(texts.map((text) => formula(text, 99)))).toEqual([]);
  });

  it('is computed for each cell of an array', async () => {
    const spans = (rows: number) =>
      `table:number-matrix-rows-spanned="${rows}" table:number-matrix-columns-spanned="1"`;
    const cells = [formula('of:=[.A1:.A2]*2', 4, spans(2)), odsNumber(99)];
    expect(await remarksOnCells(cells)).toEqual(['warning 4,0 holds 99, and its formula has the value 6']);
    expect(await remarksOnCells([formula('of:=SUM([.A1:.A2]*[.A1:.A2])', 99, spans(1))])).toEqual([
      'warning 3,0 holds 99, and its formula has the value 13',
    ]);
  });

  it('is not computed where the settings decide what it finds', async () => {
    const searches = ['of:=SUMIF([.B1:.B2];"Spain";[.A1:.A2])', 'of:=IF([.B1]=[.B2];1;2)'];
    for (const settings of ['', SETTINGS.replace('table:case-sensitive="false"', '')])
      for (const text of searches) expect(await computed(text, settings)).toBeUndefined();
    expect(await computed('of:=[.A1]+1', '')).toBe('3');
    const unusual = SETTINGS.replace('/>', ' table:precision-as-shown="true"/>');
    expect(await computed('of:=[.A1]+1', unusual)).toBeUndefined();
  });

  it('is computed from what cells hold, whatever they show, without reading the sheet again', async () => {
    const styles =
      '<number:date-style style:name="N1"><number:year number:style="long"/></number:date-style>' +
      '<style:style style:name="ce1" style:family="table-cell" style:data-style-name="N1"/>';
    const cells = [
      '<table:table-cell office:value-type="percentage" office:value="0.5"/>',
      '<table:table-cell table:style-name="ce1" office:value-type="date" office:date-value="2024-01-01"/>',
      formula('of:=[.A1]*2', 99),
      formula('of:=[.B1]*2', 99),
    ];
    const book = odsRows(odsRow(...cells), styles);
    await withFile('a.ods', book, async (path) => {
      const file = await openFile(path, 'a.ods');
      await allOf(file);
      await file.close();
      const problems = (await file.tables[0]?.findings())?.remarks.map(({ problem }) => problem);
      expect(problems).toEqual([
        'holds 99, and its formula has the value 1',
        '1 cell of column D holds a formula that is not computed here; its saved value is taken',
      ]);
    });
  });

  it('is computed below many rows without one', async () => {
    const rows = odsRow(odsNumber(2)).repeat(2_100);
    const end = odsRow(formula('of:=SUM([.A1:.A2100])', 99));
    expect(await remarksOn('a.ods', odsRows(`${rows}${end}`))).toEqual([
      'warning 2101,0 holds 99, and its formula has the value 4200',
    ]);
  });

  it('is named where it takes values from other files, or changes each time', async () => {
    expect(
      await remarksOnCells([
        formula("of:=['file:///tmp/b.ods'#$Data.A1]", 1),
        formula('of:=RAND()*[.A1]', 1),
      ]),
    ).toEqual([
      'warning 4,0 1 formula has another value at each calculation, by RAND, TODAY or a function like them',
      'note 3,0 1 formula takes its value from other files, as these were when the workbook was calculated last',
    ]);
  });
});
