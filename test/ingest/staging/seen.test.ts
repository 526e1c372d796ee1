// Reads what a person reads in a file differently from a program, and expects a refusal or a warning.

import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { statedUnit } from '../../../ingest/messages/statedUnits.ts';
import type { CellInput } from '../../../ingest/sample/workbook.ts';
import { unitInFormat } from '../../../ingest/sources/readers/xlsx/numberFormat.ts';
import { type GivenOptions, readingOptions } from '../../../ingest/staging/readingOptions.ts';
import { runs } from '../../support/depth.ts';
import { type Case, eachTold } from '../../support/eachTold.ts';
import { aMonth, type Content, cellsOf, csvOf } from '../../support/month.ts';
import { aRow, type Row } from '../../support/snapshot.ts';

/** What reading and checking a month with these files tells, and the sum of its ggr. */
async function read(files: Readonly<Record<string, Content>>, given: GivenOptions = {}) {
  const month = await aMonth(files);
  try {
    const { problems, rows } = await month.read('ggr', { reading: readingOptions(given) });
    return { problems, sum: rows.reduce((sum, { ggr }) => sum + Number(ggr), 0) };
  } finally {
    await month.remove();
  }
}

const rowsOf = (...changes: readonly Row[]) =>
  changes.map((change, i) => aRow('ggr', { year: 2025 - i, ...change }));
const csv = (...changes: readonly Row[]) => ({ 'ggr.csv': csvOf('ggr', rowsOf(...changes)) });
const book = (rows: readonly (readonly CellInput[])[], name = 'Data'): Content => [{ name, rows }];

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
    const [asked, answered, contradicted] = await eachTold(
      [undefined, 'ggr=1e3', 'ggr=1e6'].map((scale) => shown(404_021, '#,##0.0,"m"', scale)),
    );
    expect(asked?.problems).toEqual([
      'error ggr.xlsx › Data!K2: ggr is 404021, and its number format shows "404.021 m"; multiply them with --scale ggr.xlsx=ggr=1e3, or affirm them as they stand with --scale ggr.xlsx=ggr=1',
    ]);
    expect(answered?.figures).toEqual([404_021_000]);
    expect(contradicted?.problems).toEqual([
      expect.stringContaining('and --scale multiplies by 1e6; say --scale ggr.xlsx=ggr=1e3'),
    ]);
  });

  it('that shows a text in place of figures is a warning, and none where the cell holds a text', async () => {
    const [noFigures, noZeros] = await eachTold(
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
      'warning ggr.xlsx › Data!A2: 3 cells are shown as a text, by a number format without digits, and were read like all others: A2, K2, K3; empty what is no figure, or give it the number format 0',
    ]);
    expect(noZeros?.problems).toEqual([expect.stringContaining('2 cells are shown as a text')]);
  });

  it('that divides contradicts --scale, which would multiply what is written in full', async () => {
    const [contradicted, affirmed] = await eachTold(
      ['ggr=1e6', 'ggr=1'].map((scale) => shown(404_000_000, '#,##0.0,,', scale, 'GGR (EUR m)')),
    );
    expect(contradicted?.problems).toEqual([
      'error ggr.xlsx › Data!K2: ggr is 404000000, and its number format divides it before it shows it; --scale would multiply the 404000000; if 404000000 is the figure in full, say --scale ggr.xlsx=ggr=1; otherwise give the cells the number format 0, and choose --scale for what they then show',
    ]);
    expect(affirmed).toEqual({ problems: [], figures: [404_000_000] });
  });

  it('that divides without a unit is a warning until --scale affirms the figures', async () => {
    const told = [
      'warning ggr.xlsx › Data!K2: ggr is 404000, and its number format shows 404; give the cell the number format 0 to see the figure that is read; if it is right, say --scale ggr.xlsx=ggr=1',
    ];
    const each = await eachTold([
      shown(404_000, '#,##0,'),
      shown(404_000, '#,##0,_);(#,##0,);"-"'),
      shown(404_000, '#,##0,', 'ggr=1'),
      shown(404_000, '#,##0,"k"'),
      shown(404_000, '[>=1000]0.0,"k";0'),
    ]);
    expect(each.map(({ problems }) => problems)).toEqual([told, told, [], [], []]);
    expect(each[2]?.figures).toEqual([404_000]);
  });

  it('that states a unit is an error until --scale answers it', async () => {
    const [asked, answered] = await eachTold(
      [undefined, 'ggr=1e6'].map((scale) => shown(1.1, '#,##0.0" m"', scale)),
    );
    expect(asked?.problems).toEqual([
      'error ggr.xlsx › Data!K2: ggr is 1.1, and its number format shows "1.1 m"; multiply them with --scale ggr.xlsx=ggr=1e6, or affirm them as they stand with --scale ggr.xlsx=ggr=1',
    ]);
    expect(answered?.figures).toEqual([1_100_000]);
  });
});

describe('a year whose number format shows another thing', () => {
  const [heading = [], first = []] = cellsOf('ggr', [aRow('ggr')]);
  const long = (year: CellInput) => ({ 'ggr.xlsx': book([heading, [year, ...first.slice(1)]]) });
  const wide = (year: CellInput) => ({
    'ggr.xlsx': book([
      [...heading.slice(1, -1), year],
      [...first.slice(1, -1), 1],
    ]),
  });
  const plain = 'give the cell the number format 0';
  const calendar = 'write the calendar year that the dataset counts it in, such as 2022';
  const mark = 'write the four digits alone, and put what the mark says into the column temporal';

  /** Two files for each format, a long and a wide one, with its number in their names. */
  const filesOf = (formats: readonly string[], yearOf: (i: number, isWide: boolean) => number) =>
    Object.fromEntries(
      formats.flatMap((format, i) => [
        [`ggr-long-${i}.xlsx`, long({ value: yearOf(i, false), format })['ggr.xlsx']],
        [`ggr-wide-${i}.xlsx`, wide({ value: yearOf(i, true), format })['ggr.xlsx']],
      ]),
    );
  const FORMATS = [
    ['0"E"', '2026E', 'a year with a mark behind it', mark],
    ['0\\p;-0', '2026p', 'a year with a mark behind it', mark],
    ['[Blue]"FY"0', 'FY2026', 'a financial year', calendar],
    ['General"/27"', '2026/27', 'a financial year', calendar],
  ] as const;

  describe('is an error', () => {
    let problems: readonly string[] = [];
    beforeAll(async () => {
      const formats = FORMATS.map(([format]) => format);
      ({ problems } = await read(filesOf(formats, () => 2026)));
    });

    it.each(FORMATS.map((row, i) => [...row, i] as const))(
      'with the format %s',
      (_, shown, what, remedy, i) => {
        expect(problems.filter((said) => said.includes(`ggr-long-${i}.xlsx`))).toEqual([
          `error ggr-long-${i}.xlsx › Data!A2: year is the number 2026, shown as "${shown}", ${what}; ${plain}, and ${remedy}`,
        ]);
        expect(problems.find((said) => said.includes(`ggr-wide-${i}.xlsx`))).toBe(
          `error ggr-wide-${i}.xlsx › Data!J1: column "${shown}" is headed by ${what}; ${plain}, and ${remedy}`,
        );
      },
    );
  });

  it('is an error where somebody typed it into a cell that shows the year of a date', async () => {
    const year = { value: 2023, format: 'yyyy' };
    expect((await read(long(year))).problems).toEqual([
      `error ggr.xlsx › Data!A2: year is the number 2023, shown as "1905"; ${plain}`,
    ]);
    expect((await read(wide(year))).problems[0]).toBe(
      `error ggr.xlsx › Data!J1: column "1905" is headed by a number in the format of a date; ${plain}`,
    );
  });

  it('is read with any other format', async () => {
    const formats = ['0', '#,##0', '0_)', '[Red]0;-0', '"Year "0'];
    // A year for each file, so that no row stands twice.
    const { problems, sum } = await read(filesOf(formats, (i, isWide) => (isWide ? 2020 : 2015) + i));
    expect({ problems, sum }).toEqual({ problems: [], sum: 2 * formats.length });
  });
});

describe('a label that is empty where another group begins', () => {
  const groups = (...labels: readonly (readonly [category: string, product: string, fx?: string])[]) =>
    csv(...labels.map(([category, product, fx = '']) => ({ category, product, fx, ggr: 1 })));

  it('is an error with --fill-down, because the label above is of the group before', async () => {
    const files = groups(
      ['Betting', 'Sport Betting', 'EUR'],
      ['', 'Horse Racing'],
      ['Lottery', ''],
      ['Gaming', 'Slots'],
    );
    expect((await read(files, { 'fill-down': ['category,product,fx'] })).problems).toContain(
      'error ggr.csv › line 4, column product: product is empty where another category begins, and the cell above belongs to the one before; fill it in or delete the row',
    );
  });

  it('repeats the one above where the whole table has no other', async () => {
    const files = groups(['Betting', 'Sport Betting', 'EUR'], ['', 'Horse Racing'], ['Gaming', 'Slots']);
    const { problems, sum } = await read(files, { 'fill-down': ['category,product,fx'] });
    expect(problems.filter((said) => said.startsWith('error'))).toEqual([]);
    expect(sum).toBe(3);
  });
});

describe('a unit', () => {
  it.each([
    ['GGR GBPm', '1e6'],
    ['GGR (MUSD)', '1e6'],
    ['GGR (Mio. EUR)', '1e6'],
    ["GGR '000", '1e3'],
    ['GGR x1,000', '1e3'],
    ['Unit: 10^6 USD', '1e6'],
    ['INR crore', '1e7'],
    ['Figures in lakh', '1e5'],
    ["en milliers d'euros", '1e3'],
    ['Millones de euros', '1e6'],
    ['GGR (EUR mln)', '1e6'],
    ['€mln', '1e6'],
    ['млн руб.', '1e6'],
    ['GGR, MSEK', '1e6'],
    ['GGR in mkr', '1e6'],
    ['GGR, m EUR', '1e6'],
    ['10⁶ EUR', '1e6'],
    ['Fr. Mio', '1e6'],
    ['(単位：百万円)', '1e6'],
    ['TEUR', '1e3'],
    ['T€', '1e3'],
    ['GGR (k€)', '1e3'],
    ['Angaben in Tausend Euro', '1e3'],
    ['Angaben in 1.000 EUR', '1e3'],
    ['EUR 1,000', '1e3'],
    ['tys. zł', '1e3'],
    ['valori in migliaia di euro', '1e3'],
    ['miles de euros', '1e3'],
    ['GGR in hundred thousands', '1e5'],
    ['USD thousand millions', '1e9'],
    ['Rs. crore', '1e7'],
    ['億円', '1e8'],
    ['mia. kr.', '1e9'],
    ['mdsEUR', '1e9'],
    ['IDR trillion', '1e12'],
    ['GGR ($B)', '1e9'],
    ['USD B', '1e9'],
    ['EURb', '1e9'],
    ['$bil', '1e9'],
    ['in T EUR', '1e3'],
    ["R'000", '1e3'],
    ["RM'000", '1e3'],
    ['MM USD', '1e6'],
    ['tuh. EUR', '1e3'],
    ['tūkst. EUR', '1e3'],
    ['ezer Ft', '1e3'],
    ['mii lei', '1e3'],
    ['milijuna EUR', '1e6'],
    ['mdp', '1e6'],
    ['εκατ. €', '1e6'],
    ['mlrd EUR', '1e9'],
    ['EUR Bio', '1e12'],
    ['Rs. mn', '1e6'],
    ['mDKK', '1e6'],
  ])('is found in %s', (text, factor) => {
    expect(statedUnit(text)?.factor).toBe(factor);
  });

  it.each([
    'Sports betting, 18 of 1000 adults',
    'Miles City',
    'GGR',
    'MBET',
    'over 2 million adults',
    'Operators above 2 m EUR',
    'licences below 100 k€',
    'All 1000 venues',
    'deposits of 1 000 EUR',
    'in 1000 venues',
    'Years (kept)',
    'Milano',
    'GGR in USD',
    'gdp_usd',
    'GDP (local currency)',
    'Kenya',
    'Category B',
    'USD Bonus',
    'B2B in EUR',
    "1'000",
    'All T-shirts',
  ])('is not found in %s', (text) => {
    expect(statedUnit(text)).toBeNull();
  });

  it('of "mil" may be thousands or millions, and both are offered', async () => {
    expect((await read({ 'ggr R$ mil.csv': csvOf('ggr') })).problems).toEqual([
      'error ggr R$ mil.csv: "ggr R$ mil" says that the figures are in thousands or millions; multiply them with --scale "ggr R$ mil.csv=ggr=1e6" or --scale "ggr R$ mil.csv=ggr=1e3", or affirm them as they stand with --scale "ggr R$ mil.csv=ggr=1"',
    ]);
  });

  it('that --scale answers with another factor is an error, by file and by cell', async () => {
    const ofYear = (year: number, ...lines: readonly string[]) =>
      [...lines, csvOf('ggr', [aRow('ggr', { year })])].join('\n');
    const [heading = [], first = [], second = []] = cellsOf('ggr', rowsOf({ ggr: 404 }, { ggr: 5 }));
    const shown = (cells: readonly CellInput[], unit: string) => [
      ...cells.slice(0, -1),
      { value: 404, format: `#,##0" ${unit}"` },
    ];
    const files = {
      'ggr-m.csv': ofYear(2022, '"GGR, USD m"'),
      'ggr-k.csv': ofYear(2023, '"GGR, USD thousand"'),
      'ggr-book.xlsx': book([heading, shown(first, 'm'), shown(second, 'k')]),
    };
    expect((await read(files, { scale: ['ggr=1e6'] })).problems).toEqual([
      'error ggr-book.xlsx › Data!K3: ggr is 404, and its number format shows "404 k", and --scale multiplies by 1e6; say --scale ggr-book.xlsx=ggr=1e3 for a file whose figures are all in thousands, or write all figures in one unit',
      'error ggr-k.csv › line 1, column 1: "GGR, USD thousand" says that the figures are in thousands, and --scale multiplies by 1e6; say --scale ggr-k.csv=ggr=1e3 for a file whose figures are all in thousands, or write all figures in one unit',
    ]);
    const each = { scale: ['ggr=1e6', 'ggr-k.csv=ggr=1e3', 'ggr-book.xlsx=ggr=1'] };
    expect((await read(files, each)).problems.filter((said) => said.startsWith('error'))).toEqual([]);
    expect((await read(files, { scale: ['ggr=1.085e6'] })).problems).toEqual([]);
  });

  it('beside a footnote mark is an error in a title, a heading and a footnote', async () => {
    const heading = csvOf('ggr').split('\n')[0] ?? '';
    const [, row = ''] = csvOf('ggr', [aRow('ggr', { year: 2021 })]).split('\n');
    const files = {
      'ggr-title.csv': `"GGR, USD m¹"\n${csvOf('ggr', [aRow('ggr', { year: 2020 })])}`,
      'ggr-heading.csv': `${heading.replace(/ggr$/, 'GGR (USD m)¹')}\n${row}\n`,
      'ggr-footnote.csv': `${csvOf('ggr', [aRow('ggr', { year: 2022 })])}\n"¹ in millions"\n`,
    };
    const { problems } = await read(files);
    expect(problems.filter((said) => said.startsWith('error'))).toEqual(
      Object.keys(files)
        .toSorted()
        .map((file) => expect.stringMatching(`^error ${file}.* says that the figures are in millions`)),
    );
  });

  it('is the same in a text that every pattern is tried on', () => {
    const pieces = [
      'USD',
      'usd',
      'kr',
      'Rs.',
      'cr',
      'TEUR',
      'mil',
      'trn',
      'tys.',
      '000',
      'TRY',
      'Malta',
      '$',
      "'000",
      '1,000',
      'x',
      '10^6',
      'k',
      'mn',
      'M',
      'bn',
    ];
    const accented = ['é', 'Ô', 'ÿ', '’', '’000', 'milhões', 'bilhões', 'millió'];
    const words = [
      'B',
      'b',
      'bil',
      'T',
      'EUR',
      'MM',
      'tuh.',
      'mii',
      'lei',
      'hiljada',
      'mlrd',
      'mdp',
      'thousands',
      'Millionen',
      'milioni',
      'mrd.',
      'tsd',
      'crore',
      'lac',
      'in',
      '7',
      'over',
      'mDKK',
      'fromUSD',
      'Country',
      'é',
      'orders',
      'units of',
      '1.000',
    ];
    const piece = fc.constantFrom(...pieces, ...accented, ...words, ' ', ' ', '(', ')', '_', '/');
    const text = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (one) => expect(statedUnit(one)?.factor).toBe(statedUnit(`${one},†`)?.factor)),
      { numRuns: runs(1000) },
    );
  });

  it('in a heading is an error that keeps the column', async () => {
    const headings = ['GGR GBPm', 'GGR (Mio. EUR)', "GGR '000", 'GGR x1,000'];
    const files = headings.map((heading, i) => [
      `ggr-${i}.csv`,
      csvOf('ggr', [aRow('ggr', { year: 2020 + i })]).replace(/ggr\n/, `"${heading}"\n`),
    ]);
    const { problems } = await read(Object.fromEntries(files));
    expect(problems).toEqual(
      headings.map((_, i) =>
        expect.stringMatching(`^error ggr-${i}\\.csv › line 1, column 11: .* says that the figures are in`),
      ),
    );
  });

  it('in the heading of GDP is about that metric alone, and in a title in a currency not about people', async () => {
    const heading = csvOf('country', []).replace('gdp_usd', 'GDP USD (bn)');
    const [, row] = csvOf('country', [aRow('country', { gdp_usd: 24.5 })]).split('\n');
    const given = { scale: ['gdp_usd=1e9'] };
    const country = (text: string) => ({ 'country.csv': text });
    expect((await read(country(`${heading}${row}\n`))).problems).toEqual([
      'error country.csv › line 1, column 8: "GDP USD (bn)" says that the figures are in billions; multiply them with --scale country.csv=gdp_usd=1e9, or affirm them as they stand with --scale country.csv=gdp_usd=1',
    ]);
    expect((await read(country(`${heading}${row}\n`), given)).problems).toEqual([]);
    expect((await read(country(`USD bn\n${csvOf('country')}`))).problems).toEqual([
      expect.stringMatching(/with --scale country\.csv=gdp_local_currency=1e9,gdp_usd=1e9, or affirm/),
    ]);
  });

  it('in a row of units below the header is named, and kept when the row is deleted', async () => {
    const [asked, answered] = await eachTold(
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
      `${unit}; multiply them with --scale ggr.xlsx=ggr=1e6, or affirm them as they stand with --scale ggr.xlsx=ggr=1; delete the row if it holds no figures`,
    );
    expect(answered?.problems).toContain(`${unit}; delete the row if it holds no figures`);
  });

  it('in the name of a file is an error', async () => {
    expect((await read({ 'ggr USD m.csv': csvOf('ggr') })).problems).toEqual([
      expect.stringMatching(/^error ggr USD m\.csv: "ggr USD m" says that the figures are in millions/),
    ]);
  });

  it('in a sheet of notes is a warning', async () => {
    const rows = [...cellsOf('ggr')];
    const sheets = [
      { name: 'Data', rows },
      { name: 'Notes', rows: [['All amounts in USD million']] },
    ];
    expect((await read({ 'ggr.xlsx': sheets })).problems).toEqual(
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
  ] as const)('of %s is a warning', async (_, sheet, said) => {
    const files = {
      'ggr.xlsx': [
        { name: 'Data', rows: cellsOf('ggr') },
        { ...sheet, rows: [['All amounts in USD million']] },
      ],
    };
    expect((await read(files)).problems).toContainEqual(
      expect.stringContaining(`warning ggr.xlsx › ${sheet.name}!A1: ${said} "USD million"`),
    );
  });
});

describe('a sheet with a column per year', () => {
  const [heading = [], first = []] = cellsOf('ggr', [aRow('ggr')]);
  const wide = [
    [...heading.slice(1, -1), 2025],
    [...first.slice(1, -1), 1],
  ];

  it('is an error when it is named after another dataset than its file', async () => {
    expect((await read({ 'ggr.xlsx': book(wide, 'Turnover') })).problems).toEqual([
      'error ggr.xlsx › Turnover: the sheet is named after turnover and the file after ggr; move the sheet to a file named after turnover, or rename it if its years hold ggr',
    ]);
  });

  it('may be named after a dimension, or name its metric above the years', async () => {
    const named = [[...heading.slice(1, -1).map(() => null), 'GGR'], ...wide];
    expect((await read({ 'ggr.xlsx': book(wide, 'Country') })).problems).toEqual([]);
    expect((await read({ 'ggr.xlsx': book(named, 'Turnover') })).problems).toEqual([]);
  });
});

describe('a mark that repeats the value above', () => {
  it('is a warning', async () => {
    const [heading = [], first = []] = cellsOf('ggr', [aRow('ggr')]);
    const channel = heading.indexOf('channel');
    const marks = ['"', '〃', 'do.', 'ditto'];
    const rows = marks.map((mark, i) => first.with(0, 2001 + i).with(channel, mark));
    const { problems } = await read({ 'ggr.xlsx': book([heading, first, ...rows]) });
    expect(problems).toEqual(
      expect.arrayContaining(
        marks.map(
          (mark, i) =>
            `warning ggr.xlsx › Data!G${3 + i}: channel "${mark}" looks like a word for no value (1 row); write the value, or delete the row`,
        ),
      ),
    );
  });
});

describe('numbers', () => {
  it('beside texts with dots between thousands are errors when they have decimals', async () => {
    const rows = cellsOf('ggr', rowsOf({ ggr: '1.404.021' }, { ggr: 404.021 }, { ggr: '2.000.000' }));
    expect((await read({ 'ggr.xlsx': book(rows) })).problems).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^error ggr\.xlsx › Data!K3: ggr is the number 404\.021, beside texts with dots.+ say --numbers ggr\.xlsx=de$/,
        ),
      ]),
    );
    const [heading = [], first = [], second = [], third = []] = rows;
    const priced = second.with(-1, { value: 404.021, format: '[$€-407] #,##0.00' });
    expect((await read({ 'ggr.xlsx': book([heading, first, priced, third]) })).problems).toEqual(
      expect.arrayContaining([expect.stringMatching(/Data!K3: ggr is the number 404\.021, beside texts/)]),
    );
  });
});

describe('a first load warns of', () => {
  const CASES: readonly (readonly [what: string, rows: readonly Row[], warning: RegExp])[] = [
    [
      'a former currency, with its rate',
      [{ fx: 'BYR' }, {}],
      /column fx: no currency has the code "BYR" today \(1 row\); convert the figures at 10,000 BYR for 1 BYN, and write BYN$/,
    ],
    [
      'a code that people use for another',
      [{ fx: 'RMB' }, {}],
      /column fx: no currency has the code "RMB" today \(1 row\); write CNY$/,
    ],
    ['a code that is no currency', [{ fx: 'LCU' }, {}], /column fx: no currency has the code "LCU"/],
    [
      'a state named like its country',
      [{ country: 'Malta', state: 'Malta' }, {}],
      /state "Malta" is the country itself/,
    ],
    [
      'a value that is named like a sum',
      [{ product: 'Total Betting' }, {}],
      /product "Total Betting" is named like a sum/,
    ],
    [
      'a value that is named like a sum in another language',
      [{ product: 'Totale Scommesse' }, {}],
      /product "Totale Scommesse" is named like a sum/,
    ],
    [
      'a footnote mark in brackets',
      [{ product: 'Poker (1)' }, { product: 'Poker' }],
      /"Poker( \(1\))?" \(1 row\) looks like/,
    ],
    [
      'a word for no value in temporal',
      [{ temporal: 'n/a' }, {}],
      /temporal "n\/a" looks like a word for no value/,
    ],
  ];
  let problems: readonly string[] = [];
  // One month with a file for each case, whose rows have a sub-channel of their own.
  beforeAll(async () => {
    const files = CASES.map(([, rows], i) => {
      const own = rows.map((row) => ({ ...row, sub_channel: `Of case ${i}` }));
      return [`ggr-${i}.csv`, csvOf('ggr', rowsOf(...own))];
    });
    ({ problems } = await read(Object.fromEntries(files)));
  });

  it.each(CASES.map((row, i) => [...row, i] as const))('%s', (_, __, warning, i) => {
    const its = problems.filter((said) => said.startsWith(`warning ggr-${i}.csv`));
    expect(its).toContainEqual(expect.stringMatching(warning));
  });

  it('more categories than products', async () => {
    const changes = [
      { category: 'Sport Betting', product: 'Betting' },
      { category: 'Casino Slots', product: 'Gaming' },
      { category: 'Bingo', product: 'Gaming' },
    ];
    expect((await read(csv(...changes))).problems).toContainEqual(
      expect.stringMatching(/^warning .*there are 3 categories and 2 products/),
    );
  });

  it('ggr per adult that is too low to be true', async () => {
    const years = [2022, 2023, 2024];
    const files = {
      'ggr.csv': csvOf(
        'ggr',
        years.map((year) => aRow('ggr', { year, ggr: 180.9 })),
      ),
      'country.csv': csvOf(
        'country',
        years.map((year) => aRow('country', { year, adult_population: 50_000_000 })),
      ),
    };
    expect((await read(files)).problems).toEqual(
      expect.arrayContaining([expect.stringMatching(/^warning ggr\.csv › .*the figures may be in millions/)]),
    );
  });
});
