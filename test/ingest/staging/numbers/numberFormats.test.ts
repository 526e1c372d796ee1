// Number formats that show more than the figure: units, other numbers, texts, percent and currencies.

import { describe, expect, it } from '@jest/globals';
import { currencyInFormat, unitInFormat } from '../../../../ingest/sources/readers/xlsx/numberFormat.ts';
import type { CellInput } from '../../../../ingest/workbook/sheets.ts';
import { itInDepth } from '../../../support/depth.ts';
import { aMonth, type Content, cellsOf, ownProblemsOf } from '../../../support/month.ts';
import { odsCell, odsCells, odsRow, odsRows } from '../../../support/ods.ts';
import { type Case, readCases } from '../../../support/readCases.ts';
import { aRow, type Row } from '../../../support/snapshot.ts';

const book = (rows: readonly (readonly CellInput[])[]): Content => [{ name: 'Data', rows }];

/** A workbook with one figure in this format. */
const shown = (value: number, format: string, scale?: string, title = 'ggr'): Case => [
  'ggr.xlsx',
  (own) => {
    const [heading = [], first = []] = cellsOf('ggr', [aRow('ggr', own)]);
    return book([
      [...heading.slice(0, -1), title],
      [...first.slice(0, -1), { value, format }],
    ]);
  },
  scale,
];

describe('a number format', () => {
  it.each([
    ['#,##0.0" m"', 'm'],
    ['#,##0"k"', 'k'],
    ['0\\M', 'M'],
    ['0.0" Mio. "', 'Mio.'],
    ['#,##0" USD m"', 'USD m'],
    ['#,##0" mln"', 'mln'],
    ['#,##0" TEUR"', 'TEUR'],
    ['#,##0\\ \\b\\n', 'bn'],
    ['#,##0\\ "T"[$€-407]', 'T€'],
    ['#,##0",000"', ',000'],
    ['#,##0" (\'000)"', "('000)"],
    ['[$€-407] #,##0', null],
    ['[$USD] #,##0.00', null],
    ['0.0,,"m"', null],
    ['#,##0,"k"', null],
    ['#,##0" m²"', null],
    ['0.0"B"', 'B'],
    ['$0.0"B"', 'B'],
    ['0" Bio"', 'Bio'],
    ['0"T"', 'T'],
    ['#,##0万', '万'],
    ['0.0" mlrd"', 'mlrd'],
    ['[>=1000]0.0,"K";0', null],
    ['[>=1000]0"K";0', 'K'],
    ['[<1000]0.0" m";0.0,"bn"', 'm'],
    ['0.0,,"m";-0.0,,"m";0" m"', null],
    ['0.0,"T"', null],
    ['0.0,,"MM"', null],
    ['0\\.0000"万"', null],
    ['0\\.00,,"亿"', null],
    ['[>=10000000]##\\,##\\,##\\,##0;##\\,##0', null],
    ['0" b"', null],
    ['"£"#,##0', null],
    ['"£"#,##0" USD"', null],
    ['#,##0', null],
  ])('%s states the unit %s', (format, unit) => {
    expect(unitInFormat(format)?.unit ?? null).toBe(unit);
  });

  it.each([
    ['0.0,"m"', 1e3],
    ['0.0,," bn"', 1e6],
    ['0.0,,"k"', 1e6],
    ['0.0,"M";-0.0,"M"', 1e3],
  ])('%s divides by less or more than its unit', (format, divisor) => {
    expect(unitInFormat(format)?.divisor).toBe(divisor);
  });

  it('that divides by less than its unit is an error until --scale answers it', async () => {
    const [asked, answered, contradicted] = await readCases(
      [undefined, 'ggr=1e3', 'ggr=1e6'].map((scale) => shown(404_021, '#,##0.0,"m"', scale)),
    );
    expect(asked?.problems).toEqual([
      'error ggr.xlsx › Data!K2: ggr is 404021, and its number format shows "404.021 m"; multiply them with --scale ggr.xlsx=ggr=1e3, or keep them as they are with --scale ggr.xlsx=ggr=1',
    ]);
    expect(answered?.figures).toEqual([404_021_000]);
    expect(contradicted?.problems).toEqual([
      expect.stringContaining('and --scale multiplies by 1e6; use --scale ggr.xlsx=ggr=1e3'),
    ]);
  });

  it('that shows a text in place of figures is a warning, and none where the cell holds a text', async () => {
    const [noFigures, noZeros] = await readCases(
      ['"n/a"', '0;-0;"n/a"'].map((format) => [
        'ggr.xlsx',
        (own) => {
          const [heading = [], first = []] = cellsOf('ggr', [aRow('ggr', { ...own, year: 2024, ggr: 400 })]);
          const texts = first.map((cell) =>
            cell === null ? cell : { value: cell as string | number, format: '"c";"c";"c"' },
          );
          return book([
            heading,
            texts,
            [2025, ...first.slice(1, -1), { value: 404 + format.length, format }],
          ]);
        },
      ]),
    );
    expect(noFigures?.problems).toEqual([
      'warning ggr.xlsx › Data!A2: 3 cells are shown as a text, by a number format without digits, and were read like all others: A2, K2, K3; empty what is not a figure, or give it the number format 0',
    ]);
    expect(noZeros?.problems).toEqual([expect.stringContaining('2 cells are shown as a text')]);
  });

  it('that divides contradicts --scale, which would multiply what is written in full', async () => {
    const [contradicted, affirmed] = await readCases(
      ['ggr=1e6', 'ggr=1'].map((scale) => shown(404_000_000, '#,##0.0,,', scale, 'GGR (EUR m)')),
    );
    expect(contradicted?.problems).toEqual([
      'error ggr.xlsx › Data!K2: ggr is 404000000, and its number format divides it before it shows it; --scale would multiply the 404000000; if 404000000 is the figure in full, use --scale ggr.xlsx=ggr=1; otherwise give the cells the number format 0, and choose --scale for what they then show',
    ]);
    expect(affirmed).toEqual({ problems: [], figures: [404_000_000] });
  });

  it('that divides without a unit is a warning until --scale affirms the figures', async () => {
    const expected = [
      'warning ggr.xlsx › Data!K2: ggr is 404000, and its number format shows 404; give the cell the number format 0 to see the figure that is read; if it is right, use --scale ggr.xlsx=ggr=1',
    ];
    const each = await readCases([
      shown(404_000, '#,##0,'),
      shown(404_000, '#,##0,_);(#,##0,);"-"'),
      shown(404_000, '#,##0,', 'ggr=1'),
      shown(404_000, '#,##0,"k"'),
      shown(404_000, '[>=1000]0.0,"k";0'),
    ]);
    expect(each.map(({ problems }) => problems)).toEqual([expected, expected, [], [], []]);
    expect(each[2]?.figures).toEqual([404_000]);
  });

  it('that divides large numbers alone is a warning where the number is as large', async () => {
    const shows = (problems: readonly string[] = []) =>
      problems.map((text) => /ggr is \d+, and its number format shows [\d.]+/.exec(text)?.[0]);
    const each = await readCases([
      shown(4_040_000, '[>=1000000]0.0,,;0'),
      shown(404_000, '[>=1000000]0.0,,;0'),
      shown(404_000, '[<1000]0;[<1000000]0.0,;0.0,,'),
      shown(4_040_000, '[<1000]0;[<1000000]0.0,;0.0,,'),
      shown(404, '[<1000]0;[<1000000]0.0,;0.0,,'),
      shown(4_040_000, '[>=1000000]0.0,,"m";0'),
      shown(4_040_000, '[>=1000000]0.0,,;0', 'ggr=1'),
    ]);
    expect(each.map(({ problems }) => shows(problems))).toEqual([
      ['ggr is 4040000, and its number format shows 4.04'],
      [],
      ['ggr is 404000, and its number format shows 404'],
      ['ggr is 4040000, and its number format shows 4.04'],
      [],
      [],
      [],
    ]);
    // A number that the format shows in full may be multiplied.
    const [multiplied] = await readCases([shown(404, '[>=1000000]0.0,,;0', 'ggr=1e3')]);
    expect(multiplied).toEqual({ problems: [], figures: [404_000] });
  });

  it('that states a unit is an error until --scale answers it', async () => {
    const [asked, answered] = await readCases(
      [undefined, 'ggr=1e6'].map((scale) => shown(1.1, '#,##0.0" m"', scale)),
    );
    expect(asked?.problems).toEqual([
      'error ggr.xlsx › Data!K2: ggr is 1.1, and its number format shows "1.1 m"; multiply them with --scale ggr.xlsx=ggr=1e6, or keep them as they are with --scale ggr.xlsx=ggr=1',
    ]);
    expect(answered?.figures).toEqual([1_100_000]);
  });

  it('that only some figures have is an error with --scale, which would multiply all of them', async () => {
    const [heading = [], first = []] = cellsOf('ggr', [aRow('ggr')]);
    const figures = (...cells: CellInput[]) =>
      book([heading, ...cells.map((cell, i) => [2020 + i, ...first.slice(1, -1), cell])]);
    const inMillions = (value: number) => ({ value, format: '0.0" m"' });
    const problemsWith = (...cells: CellInput[]) =>
      ownProblemsOf({ 'ggr.xlsx': figures(...cells) }, { scale: ['ggr=1e6'] });
    expect(await problemsWith(inMillions(1.1), 5_000_000, 0)).toEqual([
      'error ggr.xlsx › Data!K3: ggr is 5000000, and its number format states no unit, as those of other figures do; --scale would multiply all of them; write all figures in one unit, or give all of them the same number format',
    ]);
    const ofErrors = (await problemsWith(inMillions(1.1), 0, inMillions(5.5))).filter((text) =>
      text.startsWith('error'),
    );
    expect(ofErrors).toEqual([]);
    expect(await problemsWith(1.1, 5.5)).toEqual([]);
  });

  it('that shows an amount as percent is a warning', async () => {
    const [heading = [], first = []] = cellsOf('ggr', [aRow('ggr')]);
    const rows = [heading, [...first.slice(0, -1), { value: 0.05, format: '0%' }]];
    expect(await ownProblemsOf({ 'ggr.xlsx': [{ name: 'Data', rows }] })).toEqual([
      'warning ggr.xlsx › Data!K2: ggr is 0.05, and its number format shows 5 %; give the cell the number format 0, or write the figure itself if this is a share of it',
    ]);
  });
});

describe('a number format that shows a currency', () => {
  it.each([
    ['"£"#,##0', '£'],
    ['$#,##0.00', '$'],
    ['[$€-407] #,##0;[Red]-[$$-409]#,##0', '€'],
    ['#,##0\\ [$USD]', 'USD'],
    ['_-[$R$-416]* #,##0_-', 'R$'],
    ['#,##0" kr"', 'kr'],
    ['#,##0" krona"', null],
    ['"£"#,##0" USD"', null],
    ['#,##0', null],
    ['General', null],
    ['[>1000]#,##0;0', null],
  ])('%s shows %s', (format, currency) => {
    expect(currencyInFormat(format)).toBe(currency);
  });

  const rowsShown = (fx: string, format: string, change: Row = {}) => {
    const [heading = [], first = []] = cellsOf('ggr', [aRow('ggr', { fx, ...change })]);
    return [heading, [...first.slice(0, -1), { value: 404, format }]];
  };
  const inCurrency = (fx: string, format: string): Case => [
    'ggr.xlsx',
    (own) => book(rowsShown(fx, format, own)),
  ];

  it('is a warning where the row names another currency', async () => {
    const each = await readCases([
      inCurrency('USD', '"£"#,##0'),
      inCurrency('usd', '[$€-407] 0.0,,'),
      inCurrency('EUR', '[$€-407] #,##0'),
      inCurrency('AUD', '$#,##0'),
      inCurrency('SEK', '#,##0\\ "kr"'),
    ]);
    const [pounds, euros, ...others] = each.map(({ problems }) => problems);
    expect(pounds).toEqual([
      'warning ggr.xlsx › Data!K2: ggr is in USD, and its number format shows £; correct the currency of the row, or the number format',
    ]);
    expect(euros).toContain(
      'warning ggr.xlsx › Data!K2: ggr is in USD, and its number format shows €; correct the currency of the row, or the number format',
    );
    expect(others).toEqual([[], [], []]);
  });

  it('is a warning where the unit of the metric is another currency', async () => {
    const [heading = [], first = []] = cellsOf('country', [aRow('country', { gdp_usd: 1e9 })]);
    const at = heading.indexOf('gdp_usd');
    const rows = [heading, first.with(at, { value: 1e9, format: '[$€-2]\\ #,##0' })];
    expect(await ownProblemsOf({ 'country.xlsx': [{ name: 'Data', rows }] })).toEqual([
      'warning country.xlsx › Data!H2: gdp_usd is in USD, and its number format shows €; correct the currency of the row, or the number format',
    ]);
  });

  it('leaves a year what it is, in a heading and in a cell', async () => {
    const format = '[$€-407] #,##0';
    const [heading = [], first = []] = cellsOf('ggr', [aRow('ggr', { fx: 'EUR' })]);
    const wide = [
      [...heading.slice(1, -1), { value: 2023, format }, { value: 2024, format }],
      [...first.slice(1, -1), { value: 1, format }, { value: 2, format }],
    ];
    const long = [heading, [{ value: 2022, format }, ...first.slice(1)]];
    const month = await aMonth({
      'ggr-wide.xlsx': [{ name: 'Data', rows: wide }],
      'ggr-long.xlsx': [{ name: 'Data', rows: long }],
    });
    try {
      const { problems, rows } = await month.read('ggr');
      expect(problems).toEqual([]);
      expect(rows.map(({ year }) => year).sort()).toEqual([2022, 2023, 2024]);
    } finally {
      await month.remove();
    }
  });

  itInDepth('is found in a large sheet, which is read column by column', async () => {
    const rows = Array.from({ length: 3000 }, (_, i) => i).map((i) =>
      rowsShown(i === 2500 ? 'USD' : 'EUR', '[$€-407] #,##0', { product: `P${i}` }).at(-1),
    );
    const all = [rowsShown('EUR', '0')[0] ?? [], ...rows.map((row) => row ?? [])];
    expect(await ownProblemsOf({ 'ggr.xlsx': [{ name: 'Data', rows: all }] })).toContain(
      'warning ggr.xlsx › Data!K2502: ggr is in USD, and its number format shows €; correct the currency of the row, or the number format',
    );
  });

  it('is found in rows of a metric with a unit of its own, below others that agree', async () => {
    const [heading = [], first = []] = cellsOf('country', [aRow('country', { gdp_usd: 1e9 })]);
    const at = heading.indexOf('gdp_usd');
    const rows = Array.from({ length: 2500 }, (_, i) =>
      first
        .with(heading.indexOf('country'), `C${i}`)
        .with(at, { value: 1e9, format: i < 2400 ? '[$$-409]#,##0' : '[$€-2]\\ #,##0' }),
    );
    const problems = await ownProblemsOf({ 'country.xlsx': [{ name: 'Data', rows: [heading, ...rows] }] });
    const warned = problems.filter((text) => text.includes('shows €'));
    expect(warned).toHaveLength(100);
    expect(warned[0]).toContain('warning country.xlsx › Data!H2402: gdp_usd is in USD');
  });

  it('is read in an .ods file, too', async () => {
    const [heading = [], first = []] = cellsOf('ggr', [aRow('ggr', { fx: 'USD' })]);
    const styles =
      '<number:currency-style style:name="N1"><number:currency-symbol>€</number:currency-symbol><number:text> </number:text><number:number/></number:currency-style><style:style style:name="ce1" style:family="table-cell" style:data-style-name="N1"/>';
    const figure =
      '<table:table-cell table:style-name="ce1" office:value-type="currency" office:currency="EUR" office:value="404"/>';
    const rows = odsCells(...heading) + odsRow(...first.slice(0, -1).map(odsCell), figure);
    expect(await ownProblemsOf({ 'ggr.ods': odsRows(rows, styles) })).toEqual([
      'warning ggr.ods › Data!K2: ggr is in USD, and its number format shows €; correct the currency of the row, or the number format',
    ]);
  });
});
