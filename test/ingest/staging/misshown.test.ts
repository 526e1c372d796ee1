// Figures that a sheet shows as other numbers, as texts or not at all cause a refusal or a warning.

import { describe, expect, it } from '@jest/globals';
import { NOT_SHOWN, SHOWN_AS_TEXT } from '../../../ingest/sources/readers/cellLooks.ts';
import { ShownNumbers } from '../../../ingest/sources/readers/xlsx/shownNumbers.ts';
import { workbook } from '../../../ingest/workbook/workbook.ts';
import { itInDepth } from '../../support/depth.ts';
import { partOf, SHEET_PART, workbookWith } from '../../support/handmadeZip.ts';
import { aMonth, type Content, cellsOf, problemsOf } from '../../support/month.ts';
import { odsCell, odsCells, odsNumber, odsRow, odsRows } from '../../support/ods.ts';
import { aRow } from '../../support/snapshot.ts';

/** The problems of a file of ggr, and the sum of the ggr that was read. */
async function read(content: Content, name = 'ggr.xlsx') {
  const month = await aMonth({ [name]: content });
  try {
    const { problems, rows } = await month.read('ggr');
    return { problems, sum: rows.reduce((sum, { ggr }) => sum + Number(ggr), 0) };
  } finally {
    await month.remove();
  }
}

/** The problems of each of these files of ggr, which are read as one month. */
async function problemsOfEach(files: readonly (readonly [name: string, content: Content])[]) {
  const problems = await problemsOf(Object.fromEntries(files));
  expect(problems.filter((text) => !files.some(([name]) => text.includes(` ${name} ›`)))).toEqual([]);
  return files.map(([name]) => problems.filter((text) => text.includes(` ${name} ›`)));
}

const [HEADING = [], FIRST = []] = cellsOf('ggr', [aRow('ggr', { year: 2025 })]);

/** A workbook with these figures in column K from row 2 on, all in one format. */
const bookOf = (format: string, ...figures: readonly number[]): Content => [
  {
    name: 'Data',
    rows: [HEADING, ...figures.map((value, i) => [2025 - i, ...FIRST.slice(1, -1), { value, format }])],
  },
];

const shownIn = (format: string, value: number) => ShownNumbers.of(format)?.of(value)?.text ?? null;

describe('a number format of shares', () => {
  it.each(['0.0‰', '0.0"‰"', '0.0\\ "per mille"', '0" bp"'])('%s is a warning', async (format) => {
    const { problems, sum } = await read(bookOf(format, 404));
    expect(problems).toContainEqual(
      expect.stringMatching(/^warning .*ggr is 404, and its number format shows "404 (‰|per mille|bp)"/),
    );
    expect(sum).toBe(404);
  });
});

describe('a number format with a percent sign that is mere text', () => {
  const formats = ['0.0\\%', '0.0" %"', '0" percent"', '"%"0'];
  const styles = `<number:number-style style:name="N1"><number:number/><number:text> %</number:text></number:number-style>
    <style:style style:name="ce1" style:family="table-cell" style:data-style-name="N1"/>`;
  const bookOfIndicators = (format: string): Content => {
    const [heading = [], row = []] = cellsOf('country', [aRow('country', { inflation: 5 })]);
    return [
      {
        name: 'Data',
        rows: [heading, row.map((value, i) => (heading[i] === 'inflation' ? { value: 5, format } : value))],
      },
    ];
  };

  it('is a warning in an amount, and shows inflation as it is', async () => {
    const figure = `<table:table-cell table:style-name="ce1" office:value-type="float" office:value="5"><text:p>5 %</text:p></table:table-cell>`;
    const rows = odsCells(...HEADING) + odsRow(...FIRST.slice(0, -1).map(odsCell), figure);
    const found = await problemsOfEach([
      ...formats.map((format, i) => [`ggr-${i}.xlsx`, bookOf(format, 5)] as const),
      ['ggr-9.ods', odsRows(rows, styles)],
      ...formats.map((format, i) => [`country-${i}.xlsx`, bookOfIndicators(format)] as const),
    ]);
    const ofPercent = found.map((problems) => problems.filter((one) => one.includes('number format')).length);
    expect(ofPercent).toEqual([1, 1, 1, 1, 1, 0, 0, 0, 0]);
    expect(found[0]).toContain(
      'warning ggr-0.xlsx › Data!K2: ggr is 5, and its number format shows 5 %; give the cell the number format 0, or write the figure itself if this is a share of it',
    );
  });
});

describe('a figure of .ods in a percent format', () => {
  const styles = `<number:percentage-style style:name="N1"><number:number/><number:text>%</number:text></number:percentage-style>
    <style:style style:name="ce1" style:family="table-cell" style:data-style-name="N1"/>`;
  const bookOf = (inside: string) => {
    const [heading = [], row = []] = cellsOf('country', [aRow('country')]);
    const figure = `<table:table-cell table:style-name="ce1" office:value-type="float" office:value="0.05">${inside}</table:table-cell>`;
    const cells = row.map((value, i) => (heading[i] === 'inflation' ? figure : odsCell(value)));
    return odsRows(odsCells(...heading) + odsRow(...cells), styles);
  };

  it('is a percentage also where the type of its cell is that of a number', async () => {
    const found = await problemsOfEach(
      ['<text:p>5%</text:p>', '', '<text:p>0.05</text:p>'].map(
        (inside, i) => [`country-${i}.ods`, bookOf(inside)] as const,
      ),
    );
    const ofInflation = found.map((problems) => problems.filter((one) => one.includes('inflation')));
    const error = (i: number) => [
      `error country-${i}.ods › Data!J2: inflation shows 5 % and holds 0.05, while its unit is percent; write the number that it shows, without the percent format`,
    ];
    expect(ofInflation).toEqual([error(0), error(1), []]);
  });
});

describe('a figure in the format of a date', () => {
  it('is an error that names the date', async () => {
    const remedy = 'give the cell the number format 0, and correct the number if that shows the wrong one';
    const found = await problemsOfEach([
      ['ggr-1.xlsx', bookOf('yyyy', 45291)],
      ['ggr-2.xlsx', bookOf('yyyy', 12345678)],
      ['ggr-3.xlsx', bookOf('dd/mm/yyyy', 45291)],
    ]);
    expect(found).toEqual([
      [`error ggr-1.xlsx › Data!K2: ggr is the date 2023-12-31, shown as "2023"; ${remedy}`],
      [`error ggr-2.xlsx › Data!K2: ggr is 12345678, and its number format shows "#####"; ${remedy}`],
      [
        'error ggr-3.xlsx › Data!K2: ggr is the date 2023-12-31; write a plain number such as 1234.5; in a workbook, give the cell the number format 0',
      ],
    ]);
  });
});

describe('a number format', () => {
  it.each([
    ['-0;0', 404, '-404'],
    ['-0;0', -404, '404'],
    ['0;0', -404, '404'],
    ['#,##0.0;#,##0.0;\\-', -404, '404'],
    ['General;General', -404, '404'],
    ['"+"0;0', -404, '404'],
    ['-0;+0', -404, '+404'],
    ['(0)', 404, '(404)'],
    ['"("0.0")"', 404, '(404)'],
    ['"–"0', 404, '–404'],
    ['0" –"', 404, '404 –'],
    ['0-', 404, '404-'],
    ['-"€ "0', 404, '-€ 404'],
    ['[$€-407] -0', 404, '€ -404'],
    ['0%;0%', -4, '400%'],
    ['[Red]0;[Red]0', -404, '404'],
    ['[>=0]0;0', -404, '404'],
    ['[>0]0;[<0]0;0', -404, '404'],
    ['0"00"', 404, '40400'],
    ['00"00"0', 404, '40004'],
    ['0".5"', 404, '404.5'],
    ['"1"000', 404, '1404'],
    ['0\\.00', 404, '4.04'],
    ['"<"0', 5, '<5'],
    ['[<5]"< "0;0', 4, '< 4'],
    ['"~"#,##0', 404, '~404'],
  ])('%s does not show %d as it is', (format, value, shown) => {
    expect(ShownNumbers.of(format)?.of(value)).toEqual({ text: shown, isNumber: true });
  });

  it.each([
    '0;(0)',
    '0;-0',
    '0;0-',
    '0;"minus "0',
    '#,##0;[Red]-#,##0',
    '#,##0.00;[Red]#,##0.00',
    '[Blue]0;[Red]0',
    '_(* #,##0_);_(* (#,##0);_(* "-"??_);_(@_)',
    '_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-;_-* "-"??\\ "€"_-;_-@_-',
    '"$"#,##0_);[Red]\\("$"#,##0\\)',
    '#,##0;"▲ "#,##0',
    '[Green]▲0;[Red]▼0',
    '+0;-0;0',
    '0;-0;;@',
    '0;-0;"nil"',
    '[=0]"";General',
    '[>=1000000]0.0,,"M";[>=1000]0.0,"K";0',
    '##\\,##\\,##\\,##0',
    '#"."##0',
    '0" / "000',
    '0.00E+00',
    '# ?/?',
    '0",-"',
    '0".–"',
    '0".00"',
    '0" (p)"',
    '0")"',
    '"Q-"0',
    'yyyy-mm-dd',
    '@',
    'General',
    '',
  ])('%s shows every number', (format) => {
    expect(ShownNumbers.of(format)).toBeNull();
  });

  it.each([
    ['#,##0.0;#,##0.0', -0.04],
    ['0;0', -0.4],
    ['-0', 0.4],
    ['0,,;0,,', -400_000],
  ])('%s may round %d to 0', (format, value) => {
    expect(shownIn(format, value)).toBeNull();
    expect(shownIn(format, value * 2)).not.toBeNull();
  });

  it.each([
    ['0;-0;"n/a"', 0, SHOWN_AS_TEXT],
    ['0;-0;".."', 0, SHOWN_AS_TEXT],
    ['0;-0;"–"', 0, 0],
    ['0;-0;"n/a"', 1, 0],
    ['"n/a"', 0, SHOWN_AS_TEXT],
    ['[>0.5]0;[<-0.5]-0;\\-', 0.3, SHOWN_AS_TEXT],
    ['[>0.5]0;[<-0.5]-0;\\-', 0, 0],
    ['[<5]"<5";0', 3, SHOWN_AS_TEXT],
    ['0;;', -1, NOT_SHOWN],
    ['0;;', 0, 0],
    ['[White]0;-0', 1, NOT_SHOWN],
    ['0;-0;0;', 'Malta', NOT_SHOWN],
    [';;;@', 'Malta', 0],
  ])('%s shows %p as %d', (format, cell, look) => {
    expect(ShownNumbers.of(format)?.lookOf(cell) ?? 0).toBe(look);
  });

  it('that shows another sign is an error where it does, in .xlsx', async () => {
    const { problems, sum } = await read(bookOf('#,##0;#,##0;\\-', 404, -5, 0));
    expect(problems).toEqual([
      'error ggr.xlsx › Data!K3: ggr is -5, and its number format shows "5"; give the cell the number format 0, and correct the number if that shows the wrong one',
    ]);
    expect(sum).toBe(404);
  });

  it('that shows another sign is an error in a year', async () => {
    const rows = [HEADING, [{ value: 2025, format: '"–"0' }, ...FIRST.slice(1)]];
    expect((await read([{ name: 'Data', rows }])).problems).toEqual([
      'error ggr.xlsx › Data!A2: year is the number 2025, shown as "–2025"; give the cell the number format 0',
    ]);
  });

  it('that shows zeros as a text is a warning', async () => {
    const { problems, sum } = await read(bookOf('0;-0;"n/a"', 404, 0, 0));
    expect(problems).toEqual([
      'warning ggr.xlsx › Data!K3: 2 cells are shown as a text, by a number format without digits, and were read like all others: K3, K4; empty what is not a figure, or give it the number format 0',
    ]);
    expect(sum).toBe(404);
  });
});

describe('a figure in .ods', () => {
  const cells = FIRST.map(odsCell);
  const figure = (value: number, shown: string, style = '') =>
    `<table:table-cell${style && ` table:style-name="${style}"`} office:value-type="float" office:value="${value}"><text:p>${shown}</text:p></table:table-cell>`;
  const ods = (figures: readonly string[], styles = '') =>
    odsRows(
      odsCells(...HEADING) +
        figures.map((one, i) => odsRow(odsNumber(2025 - i), ...cells.slice(1, -1), one)).join(''),
      styles,
    );

  it('is an error where it is shown with another sign', async () => {
    const figures = [
      figure(404, '404'),
      figure(-5, '5.00'),
      figure(6, '(6)'),
      figure(7, '–7'),
      figure(8, '&lt;8'),
    ];
    const plain = [figure(-8, '−8'), figure(-9, '▲ 9'), figure(-0.2, '0'), figure(0, '-')];
    const { problems } = await read(ods([...figures, ...plain]), 'ggr.ods');
    expect(problems.filter((text) => text.startsWith('error'))).toEqual(
      [
        ['K3', '-5', '5.00'],
        ['K4', '6', '(6)'],
        ['K5', '7', '–7'],
        ['K6', '8', '<8'],
      ].map(
        ([cell, value, shown]) =>
          `error ggr.ods › Data!${cell}: ggr is ${value}, and its number format shows "${shown}"; give the cell the number format 0, and correct the number if that shows the wrong one`,
      ),
    );
  });

  it('is an error where it is shown with other digits', async () => {
    const odd = [figure(404, '40400'), figure(405, '405.5'), figure(406, '1406'), figure(407, '4.07')];
    const plain = [
      figure(1234567.891, '1 234 567,9'),
      figure(1234567, '12,34,567'),
      figure(1234.5, 'CHF 1’234.50'),
      figure(408.9, '408'),
      figure(0.4, '0'),
      figure(1234567890123456, '1234567890123460'),
      figure(409, 'Q1 409'),
      figure(410, '4.1E+02'),
      figure(410.5, '410 1/2'),
      figure(411, '411 (2024)'),
    ];
    const { problems } = await read(ods([...odd, ...plain]), 'ggr.ods');
    expect(problems.filter((text) => text.startsWith('error'))).toEqual(
      [
        'K2: ggr is 404, and its number format shows "40400"',
        'K3: ggr is 405',
        'K4: ggr is 406',
        'K5: ggr is 407',
      ].map((text) => expect.stringContaining(`error ggr.ods › Data!${text}`)),
    );
  });

  it('is read where red stands for the minus', async () => {
    const styles =
      '<number:number-style style:name="N1P0"><number:number/></number:number-style>' +
      '<number:number-style style:name="N1"><style:text-properties fo:color="#ff0000"/><number:number/><style:map style:condition="value()&gt;=0" style:apply-style-name="N1P0"/></number:number-style>' +
      '<style:style style:name="ce1" style:family="table-cell" style:data-style-name="N1"/>';
    const { problems, sum } = await read(ods([figure(-5, '5', 'ce1')], styles), 'ggr.ods');
    expect(problems.filter((text) => text.startsWith('error'))).toEqual([]);
    expect(sum).toBe(-5);
  });

  it('is a warning where it is shown divided without a unit', async () => {
    const format = (name: string, unit: string) =>
      `<number:number-style style:name="N${name}"><number:number number:display-factor="1000"/><number:text>${unit}</number:text></number:number-style>` +
      `<style:style style:name="ce${name}" style:family="table-cell" style:data-style-name="N${name}"/>`;
    const figures = [figure(404_000, '404 ', 'ce1'), figure(505_000, '505 k', 'ce2')];
    const { problems } = await read(ods(figures, format('1', ' ') + format('2', ' k')), 'ggr.ods');
    expect(problems).toEqual([
      expect.stringContaining(
        'warning ggr.ods › Data!K2: ggr is 404000, and its number format shows 404; give the cell',
      ),
    ]);
  });

  it('is a warning where it is so large that it is shown divided', async () => {
    const styles =
      '<number:number-style style:name="N1P0"><number:number number:display-factor="1000000"/></number:number-style>' +
      '<number:number-style style:name="N1"><number:number/><style:map style:condition="value()&gt;=1000000" style:apply-style-name="N1P0"/></number:number-style>' +
      '<style:style style:name="ce1" style:family="table-cell" style:data-style-name="N1"/>';
    const figures = [figure(4_000_000, '4', 'ce1'), figure(404_000, '404000', 'ce1')];
    const { problems } = await read(ods(figures, styles), 'ggr.ods');
    expect(problems).toEqual([
      expect.stringContaining(
        'warning ggr.ods › Data!K2: ggr is 4000000, and its number format shows 4; give',
      ),
    ]);
  });

  it('is a warning where it is shown as a text or in the colour of its background', async () => {
    const styles =
      '<style:style style:name="ce1" style:family="table-cell"><style:text-properties fo:color="#FFFFFF"/></style:style>' +
      '<style:style style:name="ce2" style:family="table-cell" style:parent-style-name="ce1"><style:table-cell-properties fo:background-color="#1f497d"/></style:style>';
    const figures = [
      figure(0, 'n/a'),
      figure(0, '–'),
      figure(3, '-'),
      figure(4, '4', 'ce1'),
      figure(5, '5', 'ce2'),
    ];
    const { problems } = await read(ods(figures, styles), 'ggr.ods');
    expect(problems.filter((text) => text.includes('read like all others'))).toEqual([
      'warning ggr.ods › Data!K2: 2 cells are shown as a text, by a number format without digits, and were read like all others: K2, K4; empty what is not a figure, or give it the number format 0',
      'warning ggr.ods › Data!K5: 1 cell is shown in the colour of the background, and was read like all others: K5; delete what does not count, or give it another colour',
    ]);
  });

  it('is a warning where some digits of a number have the colour of its background', async () => {
    const styles =
      '<style:style style:name="T1" style:family="text"><style:text-properties fo:color="#ffffff"/></style:style>' +
      '<style:style style:name="T2" style:family="text"><style:text-properties fo:color="#ff0000"/></style:style>' +
      '<style:style style:name="ce1" style:family="table-cell"><style:table-cell-properties fo:background-color="#1f497d"/></style:style>';
    const span = (style: string, digits: string) =>
      `<text:span text:style-name="${style}">${digits}</text:span>`;
    const cell = (text: string, style = '') =>
      `<table:table-cell ${style && `table:style-name="${style}" `}office:value-type="string" calcext:value-type="string"><text:p>${text}</text:p></table:table-cell>`;
    const figures = [
      cell(`404${span('T1', '0')}`),
      cell(`404${span('T1', '0')}`, 'ce1'),
      cell(`404${span('T2', '0')}`),
      cell(span('T1', '4040')),
    ];
    const { problems } = await read(ods(figures, styles), 'ggr.ods');
    expect(problems.filter((said) => said.includes('read like all others'))).toEqual([
      'warning ggr.ods › Data!K2: 1 cell is shown in the colour of the background, and was read like all others: K2; delete what does not count, or give it another colour',
    ]);
  });

  it('has the unit of a conditional format, as LibreOffice writes it', async () => {
    const styles =
      '<number:number-style style:name="N1"><number:number/><number:text> m</number:text></number:number-style>' +
      '<style:style style:name="Big_5f_1" style:display-name="Big_1" style:family="table-cell" style:data-style-name="N1"/>';
    const rule =
      '<calcext:conditional-formats><calcext:conditional-format calcext:target-range-address="Data.A2:Data.B9 Data.J2:Data.K9"><calcext:condition calcext:apply-style-name="Big_1" calcext:value="&gt;9"/></calcext:conditional-format></calcext:conditional-formats>';
    const row = odsRow(...cells.slice(0, -1), figure(404, '404'));
    const withRule = odsRows(odsCells(...HEADING) + row + rule, styles);
    expect((await read(withRule, 'ggr.ods')).problems).toEqual([
      expect.stringContaining(
        'error ggr.ods › Data!K2: a conditional format says "m", so the figures may be in millions',
      ),
    ]);
  });

  it('may be made invisible by a conditional format, a warning', async () => {
    const cases: readonly (readonly [properties: string, condition: string, shown: string | null])[] = [
      ['<style:text-properties fo:color="#ffffff"/>', '&gt;9', 'in the colour of the background'],
      ['<style:text-properties fo:color="#ffffff"/>', '=0', null],
      ['<style:text-properties fo:color="#ffffff"/>', 'is-error', null],
      ['<style:text-properties fo:color="#ffffff"/>', 'formula-is(ISERROR([.K2]))', null],
      ['<style:text-properties fo:color="#ffffff"/>', 'formula-is([.K2]=0)', null],
      ['<style:text-properties fo:color="#9c0006"/>', '&gt;9', null],
      [
        '<style:table-cell-properties fo:background-color="#000000"/>',
        'formula-is([.A2]&gt;1990)',
        'in the colour of the background',
      ],
      ['<style:text-properties style:text-line-through-style="solid"/>', '!=1', 'struck out'],
      ['N2', '&gt;9', 'as "n/a"'],
      ['N3', '&gt;9', 'as nothing'],
      ['N4', '&gt;9', null],
      ['N4', '<calcext:data-bar calcext:show-value="false"/>', 'as nothing'],
      [
        'N4',
        '<calcext:icon-set><calcext:formatting-entry calcext:show-value="false"/></calcext:icon-set>',
        'as nothing',
      ],
      ['N4', '<calcext:data-bar calcext:show-value="true"/>', null],
    ];
    const formats =
      '<number:number-style style:name="N2"><number:text>n/a</number:text></number:number-style>' +
      '<number:number-style style:name="N3"></number:number-style>' +
      '<number:number-style style:name="N4"><number:fraction number:min-integer-digits="0"/></number:number-style>';
    const files = cases.map(([properties, condition], i) => {
      const style = properties.startsWith('N')
        ? `<style:style style:name="Odd" style:family="table-cell" style:data-style-name="${properties}"/>`
        : `<style:style style:name="Odd" style:family="table-cell">${properties}</style:style>`;
      const inside = condition.startsWith('<')
        ? condition
        : `<calcext:condition calcext:apply-style-name="Odd" calcext:value="${condition}"/>`;
      const rule = `<calcext:conditional-formats><calcext:conditional-format calcext:target-range-address="Data.K2:Data.K9">${inside}</calcext:conditional-format></calcext:conditional-formats>`;
      const row = odsRow(odsNumber(2025 - i), ...cells.slice(1, -1), figure(404, '404'));
      return [`ggr-${i}.ods`, odsRows(odsCells(...HEADING) + row + rule, formats + style)] as const;
    });
    expect(
      (await problemsOfEach(files)).map((problems, i) => [...(cases[i]?.slice(0, 2) ?? []), problems]),
    ).toEqual(
      cases.map(([properties, condition, shown], i) => [
        properties,
        condition,
        shown === null
          ? []
          : [
              `warning ggr-${i}.ods › Data!K2: a conditional format shows numbers such as 404 ${shown}, and the figures were read as they are; delete it, or check that the figures are right without it`,
            ],
      ]),
    );
  });
});

describe('a figure of .xlsx', () => {
  const bookOfYear = (year: number) =>
    workbook([{ name: 'Data', rows: cellsOf('ggr', [aRow('ggr', { year })]) }]);
  const PLAIN = bookOfYear(2025);
  const withRule = (behind: string, dxfs = '', book = PLAIN) =>
    workbookWith(
      {
        [SHEET_PART]: partOf(book, SHEET_PART).replace('</sheetData>', `</sheetData>${behind}`),
        'xl/styles.xml': partOf(PLAIN, 'xl/styles.xml').replace(
          '</styleSheet>',
          `<dxfs>${dxfs}</dxfs></styleSheet>`,
        ),
      },
      book,
    );
  const dxf = (code: string) => `<dxf><numFmt numFmtId="200" formatCode="${code}"/></dxf>`;
  const rule = (attributes: string, formula = '') =>
    `<conditionalFormatting sqref="K2:K9"><cfRule type="cellIs" dxfId="0" priority="1" ${attributes}><formula>${formula}</formula></cfRule></conditionalFormatting>`;
  const extension = (inner: string) =>
    `<extLst><ext uri="{78C0D931-6437-407d-A8EE-F0AAD7539E65}" xmlns:x14="http://x14"><x14:conditionalFormattings><x14:conditionalFormatting xmlns:xm="http://xm"><x14:cfRule type="cellIs" priority="1" operator="greaterThan" id="{1}"><xm:f>Other!$A$1</xm:f>${inner}</x14:cfRule><xm:sqref>J2:K9</xm:sqref></x14:conditionalFormatting></x14:conditionalFormattings></ext></extLst>`;
  const warningOf = (shown: string, name = 'ggr.xlsx') =>
    `warning ${name} › Data!K2: a conditional format shows ${shown}, and the figures were read as they are; delete it, or check that the figures are right without it`;

  /** Expects the problems of a workbook with each of these rules, and none when `shown` is null. */
  const expectProblems = async (
    cases: readonly (readonly [behind: string, dxfs: string, shown: string | null])[],
  ) => {
    const files = cases.map(
      ([behind, dxfs], i) => [`ggr-${i}.xlsx`, withRule(behind, dxfs, bookOfYear(2025 - i))] as const,
    );
    expect(
      (await problemsOfEach(files)).map((problems, i) => [...(cases[i]?.slice(0, 2) ?? []), problems]),
    ).toEqual(
      cases.map(([behind, dxfs, shown], i) => [
        behind,
        dxfs,
        shown === null ? [] : [warningOf(shown, `ggr-${i}.xlsx`)],
      ]),
    );
  };

  it('may be hidden or turned by a conditional format, which is a warning, and not by one for other numbers', async () => {
    const greater = rule('operator="greaterThan"', '9');
    const bar =
      '<conditionalFormatting sqref="K2"><cfRule type="dataBar" priority="1"><dataBar showValue="0"/></cfRule></conditionalFormatting>';
    await expectProblems([
      [greater, dxf(';;;'), 'numbers such as 404 as nothing'],
      [greater, dxf('-0'), 'numbers such as 404 as "-404"'],
      [bar, '', 'numbers such as 404 as nothing'],
      [rule('operator="equal"', '0'), dxf(';;;'), null],
      [rule('operator="lessThan"', '0'), dxf('(0)'), null],
      [rule('operator="lessThan"', '0'), dxf('#,##0;[Red]-#,##0'), null],
    ]);
  });

  itInDepth('may be made invisible by the colours of a conditional format, a warning', async () => {
    const cases: readonly (readonly [style: string, shown: string | null])[] = [
      ['<font><color rgb="FFFFFFFF"/></font>', 'in the colour of the background'],
      ['<font><color theme="0"/></font>', 'in the colour of the background'],
      [
        '<font><color rgb="FF1F497D"/></font><fill><patternFill><bgColor rgb="FF1F497D"/></patternFill></fill>',
        'in the colour of the background',
      ],
      [
        '<fill><patternFill patternType="solid"><bgColor rgb="FF000000"/></patternFill></fill>',
        'in the colour of the background',
      ],
      ['<font><strike/></font>', 'struck out'],
      ['<font><strike val="0"/></font>', null],
      [
        '<font><color rgb="FF9C0006"/></font><fill><patternFill><bgColor rgb="FFFFC7CE"/></patternFill></fill>',
        null,
      ],
      [
        '<font><color rgb="FFFFFFFF"/></font><fill><patternFill><bgColor rgb="FF1F497D"/></patternFill></fill>',
        null,
      ],
      ['<border><left><color rgb="FFFFFFFF"/></left></border>', null],
    ];
    const greater = rule('operator="greaterThan"', '9');
    await expectProblems(
      cases.flatMap(([style, how]) => {
        const shown = how && `numbers such as 404 ${how}`;
        const within = extension(`<x14:dxf>${style.replace(/<(\/?)/g, '<$1x14:')}</x14:dxf>`);
        return [
          [greater, `<dxf>${style}</dxf>`, shown],
          [within, '', shown],
        ] as const;
      }),
    );
  });

  it('is seen where the conditional format is for errors, empty cells or zeros', async () => {
    const conditions = [
      'type="containsErrors"',
      'type="expression"><formula>ISERROR(K2)</formula',
      'type="expression"><formula>$K2=0</formula',
      'type="expression"><formula>LEN(TRIM(K2))=0</formula',
      'type="cellIs" operator="equal"><formula>0</formula',
      'type="cellIs" operator="lessThanOrEqual"><formula>0</formula',
    ];
    await expectProblems(
      conditions.map((condition) => {
        const [attributes, ...formula] = condition.split('>');
        const pale = `<conditionalFormatting sqref="K2"><cfRule dxfId="0" priority="1" ${attributes}>${formula.length === 0 ? '' : `${formula.join('>')}>`}</cfRule></conditionalFormatting>`;
        const isForNegatives = condition.includes('lessThan');
        return [
          pale,
          '<dxf><font><color rgb="FFFFFFFF"/></font></dxf>',
          isForNegatives ? 'numbers such as -404 in the colour of the background' : null,
        ] as const;
      }),
    );
  });

  it('may have its conditional format in an extension, as rules about other sheets do', async () => {
    const unit = extension('<x14:dxf><numFmt numFmtId="200" formatCode="0.0&quot; m&quot;"/></x14:dxf>');
    expect((await read(withRule(unit))).problems).toEqual([
      expect.stringContaining(
        'error ggr.xlsx › Data!K2: a conditional format says "m", so the figures may be in millions',
      ),
    ]);
    const hiding = extension('<x14:dxf><numFmt numFmtId="200" formatCode="&quot;n/a&quot;"/></x14:dxf>');
    expect((await read(withRule(hiding))).problems).toEqual([warningOf('numbers such as 404 as "n/a"')]);
  });

  it('in the colour of its background is a warning, and a heading is none', async () => {
    const stylesWith = (behind = '') =>
      '<styleSheet xmlns="http://m"><fonts><font/><font><color rgb="FFFFFFFF"/></font><font><color theme="0"/></font><font><color indexed="18"/></font><font><color indexed="9"/></font></fonts>' +
      '<fills><fill><patternFill/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FF1F497D"/></patternFill></fill><fill><patternFill patternType="solid"><fgColor indexed="18"/></patternFill></fill></fills>' +
      '<cellXfs><xf/><xf fontId="1"/><xf fontId="2"/><xf fontId="1" fillId="2"/><xf fontId="3" fillId="3"/><xf fontId="1" fillId="1"/><xf fontId="4"/></cellXfs>' +
      `${behind}</styleSheet>`;
    const cell = (ref: string, style: number) => `<c r="${ref}" s="${style}"><v>${style}</v></c>`;
    const head = HEADING.map(
      (text, i) => `<c r="${'ABCDEFGHIJK'[i]}1" s="1" t="inlineStr"><is><t>${text}</t></is></c>`,
    );
    const row = (number: number, style: number) =>
      `<row r="${number}"><c r="A${number}"><v>${2026 - number}</v></c>${FIRST.slice(1, -1)
        .map((text, i) =>
          text === null ? '' : `<c r="${'BCDEFGHIJ'[i]}${number}" t="inlineStr"><is><t>${text}</t></is></c>`,
        )
        .join('')}${cell(`K${number}`, style)}</row>`;
    const sheet = `<worksheet xmlns="http://m"><sheetData><row r="1">${head.join('')}</row>${[1, 2, 3, 4, 5, 6].map((style) => row(style + 1, style)).join('')}</sheetData></worksheet>`;
    const problemsWith = async (behind?: string) =>
      (await read(workbookWith({ 'xl/styles.xml': stylesWith(behind), [SHEET_PART]: sheet }, PLAIN)))
        .problems;
    expect(await problemsWith()).toEqual([
      'warning ggr.xlsx › Data!K2: 4 cells are shown in the colour of the background, and were read like all others: K2, K3, K5, K7; delete what does not count, or give it another colour',
    ]);
    const grey = '<rgbColor rgb="ffbdc0bf"/>'.repeat(19);
    expect(await problemsWith(`<colors><indexedColors>${grey}</indexedColors></colors>`)).toEqual([
      expect.stringContaining('3 cells are shown in the colour of the background'),
    ]);
  });
});
