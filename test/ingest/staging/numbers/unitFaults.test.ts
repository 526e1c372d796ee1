// Units that titles, headings, notes and file names state are errors until --scale answers them.

import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CellInput } from '../../../../ingest/workbook/sheets.ts';
import { type Content, cellsOf, csvOf, problemsOf } from '../../../support/month.ts';
import { problemsOfBooks, readCases } from '../../../support/readCases.ts';
import { aRow, type Row } from '../../../support/snapshot.ts';

const book = (rows: readonly (readonly CellInput[])[]): Content => [{ name: 'Data', rows }];

describe('a unit', () => {
  it('of "mil" may be thousands or millions, and both are offered', async () => {
    expect(await problemsOf({ 'ggr R$ mil.csv': csvOf('ggr') })).toEqual([
      'error ggr R$ mil.csv: "ggr R$ mil" says that the figures are in thousands or millions; multiply them with --scale "ggr R$ mil.csv=ggr=1e6" or --scale "ggr R$ mil.csv=ggr=1e3", or keep them as they are with --scale "ggr R$ mil.csv=ggr=1"',
    ]);
  });

  it('that --scale answers with another factor is an error, by file and by cell', async () => {
    const ofYear = (year: number, ...lines: readonly string[]) =>
      [...lines, csvOf('ggr', [aRow('ggr', { year })])].join('\n');
    const [heading = [], first = [], second = []] = cellsOf('ggr', [
      aRow('ggr', { year: 2025, ggr: 404 }),
      aRow('ggr', { year: 2024, ggr: 5 }),
    ]);
    const shown = (cells: readonly CellInput[], unit: string) => [
      ...cells.slice(0, -1),
      { value: 404, format: `#,##0" ${unit}"` },
    ];
    const files = {
      'ggr-m.csv': ofYear(2022, '"GGR, EUR m"'),
      'ggr-k.csv': ofYear(2023, '"GGR, EUR thousand"'),
      'ggr-book.xlsx': book([heading, shown(first, 'm'), shown(second, 'k')]),
    };
    expect(await problemsOf(files, { scale: ['ggr=1e6'] })).toEqual([
      'error ggr-book.xlsx › Data!K3: ggr is 404, and its number format shows "404 k", and --scale multiplies by 1e6; use --scale ggr-book.xlsx=ggr=1e3 for a file whose figures are all in thousands, or write all figures in one unit',
      'error ggr-k.csv › line 1, column 1: "GGR, EUR thousand" says that the figures are in thousands, and --scale multiplies by 1e6; use --scale ggr-k.csv=ggr=1e3 for a file whose figures are all in thousands, or write all figures in one unit',
    ]);
    const each = { scale: ['ggr=1e6', 'ggr-k.csv=ggr=1e3', 'ggr-book.xlsx=ggr=1'] };
    expect((await problemsOf(files, each)).filter((text) => text.startsWith('error'))).toEqual([]);
    const inDollars = { ...files, 'ggr-m.csv': ofYear(2022, '"GGR, USD m"') };
    expect(await problemsOf(inDollars, { scale: ['ggr=1.085e6'] })).toEqual([]);
  });

  it('beside a footnote mark is an error in a title, a heading and a footnote', async () => {
    const heading = csvOf('ggr').split('\n')[0] ?? '';
    const [, row = ''] = csvOf('ggr', [aRow('ggr', { year: 2021 })]).split('\n');
    const files = {
      'ggr-title.csv': `"GGR, USD m¹"\n${csvOf('ggr', [aRow('ggr', { year: 2020 })])}`,
      'ggr-heading.csv': `${heading.replace(/ggr$/, 'GGR (USD m)¹')}\n${row}\n`,
      'ggr-footnote.csv': `${csvOf('ggr', [aRow('ggr', { year: 2022 })])}\n"¹ in millions"\n`,
    };
    const problems = await problemsOf(files);
    expect(problems.filter((text) => text.startsWith('error'))).toEqual(
      Object.keys(files)
        .toSorted()
        .map((file) => expect.stringMatching(`^error ${file}.* says that the figures are in millions`)),
    );
  });

  it('in the heading of GDP is about that metric alone, and in a title in a currency not about people', async () => {
    const heading = csvOf('country', []).replace('gdp_usd', 'GDP USD (bn)');
    const [, row] = csvOf('country', [aRow('country', { gdp_usd: 24.5 })]).split('\n');
    const given = { scale: ['gdp_usd=1e9'] };
    const country = (text: string) => ({ 'country.csv': text });
    expect(await problemsOf(country(`${heading}${row}\n`))).toEqual([
      'error country.csv › line 1, column 8: "GDP USD (bn)" says that the figures are in billions; multiply them with --scale country.csv=gdp_usd=1e9, or keep them as they are with --scale country.csv=gdp_usd=1',
    ]);
    expect(await problemsOf(country(`${heading}${row}\n`), given)).toEqual([]);
    expect(await problemsOf(country(`USD bn\n${csvOf('country')}`))).toEqual([
      expect.stringMatching(/with --scale country\.csv=gdp_local_currency=1e9,gdp_usd=1e9, or keep/),
    ]);
  });

  it('in a row of units below the header is named, and kept when the row is deleted', async () => {
    const [asked, answered] = await readCases(
      [undefined, 'ggr=1e6'].map((scale) => [
        'ggr.xlsx',
        (own) => {
          const [heading = [], first = []] = cellsOf('ggr', [aRow('ggr', own)]);
          return book([heading, [...heading.slice(0, -1).map(() => null), 'EUR m'], first]);
        },
        scale,
      ]),
    );
    const unit = 'error ggr.xlsx › Data!K2: ggr is "EUR m", a unit, not a number';
    expect(asked?.problems).toContain(
      `${unit}; multiply them with --scale ggr.xlsx=ggr=1e6, or keep them as they are with --scale ggr.xlsx=ggr=1; delete the row if it holds no figures`,
    );
    expect(answered?.problems).toContain(`${unit}; delete the row if it holds no figures`);
  });

  it('in the name of a file is an error', async () => {
    expect(await problemsOf({ 'ggr USD m.csv': csvOf('ggr', [aRow('ggr', { fx: 'USD' })]) })).toEqual([
      expect.stringMatching(/^error ggr USD m\.csv: "ggr USD m" says that the figures are in millions/),
    ]);
  });

  it('in a sheet of notes is a warning', async () => {
    const rows = [...cellsOf('ggr')];
    const sheets = [
      { name: 'Data', rows },
      { name: 'Notes', rows: [['All amounts in USD million']] },
    ];
    expect(await problemsOf({ 'ggr.xlsx': sheets })).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^warning ggr\.xlsx › Notes!A1: the notes say "USD million"/),
      ]),
    );
  });
});

describe('a unit on a sheet that is not read', () => {
  it.each([
    ['hidden notes', { name: 'Notes', state: 'hidden' }, 'the notes say'],
    ['a cover', { name: 'Cover' }, 'this sheet says'],
  ] as const)('of %s is a warning', async (_, sheet, statement) => {
    const files = {
      'ggr.xlsx': [
        { name: 'Data', rows: cellsOf('ggr') },
        { ...sheet, rows: [['All amounts in USD million']] },
      ],
    };
    expect(await problemsOf(files)).toContainEqual(
      expect.stringContaining(`warning ggr.xlsx › ${sheet.name}!A1: ${statement} "USD million"`),
    );
  });
});

const SCALE =
  'multiply them with --scale ggr.xlsx=ggr=1e3, or keep them as they are with --scale ggr.xlsx=ggr=1';

describe('a unit alone above the header', () => {
  const [heading = []] = cellsOf('ggr', []);
  const above =
    (...titles: readonly (readonly CellInput[])[]) =>
    (own: Row): Content => [{ name: 'Data', rows: [...titles, ...cellsOf('ggr', [aRow('ggr', own)])] }];
  const last = (unit: CellInput): CellInput[] => [...heading.slice(0, -1).map(() => null), unit];
  const UNITS: readonly (readonly [
    cell: string,
    text: string,
    word: string,
    factor: string,
    title: readonly CellInput[],
  ])[] = [
    ['K1', 'k', 'thousands', '1e3', last('k')],
    ['K1', 'B', 'billions', '1e9', last('B')],
    ['B1', 'm', 'millions', '1e6', ['Unit:', 'm']],
    ['B1', '1000', 'thousands', '1e3', ['Scale factor', 1000]],
    ['B1', '1,000,000', 'millions', '1e6', ['Multiplier', '1,000,000']],
    ['A1', 'Unit: k', 'thousands', '1e3', ['Unit: k']],
    ['A1', 'Scale = 1000', 'thousands', '1e3', ['Scale = 1000']],
  ];
  let units: readonly (readonly string[])[];
  beforeAll(async () => {
    units = await problemsOfBooks(...UNITS.map(([, , , , title]) => [above(title)] as const));
  });

  it.each(UNITS.map((unit, i) => [...unit, i] as const))(
    'in %s is an error: %s',
    (cell, text, word, factor, _, i) => {
      expect(units[i]).toEqual([
        `error ggr.xlsx › Data!${cell}: "${text}" says that the figures are in ${word}; ${SCALE.replace('1e3', factor)}`,
      ]);
    },
  );

  it('is none above a dimension, beside another text or where it multiplies by one', async () => {
    const titles = [
      ['m', null, 'k'],
      ['Category', 'B'],
      ['Unit', 'EUR'],
      ['Scale', 1],
      ['Venues', 1000],
    ];
    expect(await problemsOfBooks([above(...titles)])).toEqual([[]]);
  });
});
