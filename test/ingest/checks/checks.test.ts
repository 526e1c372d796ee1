// The checks of all rows of a month name each fault with its place and remedy.

import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { CellInput } from '../../../ingest/workbook/sheets.ts';
import { DATASET_NAMES } from '../../../src/catalog/datasets.ts';
import {
  aMonth,
  aPublishedMonth,
  type Content,
  cellsOf,
  csvOf,
  type Month,
  problemsOf,
} from '../../support/month.ts';
import { aRow, countryReference, type Row } from '../../support/snapshot.ts';

let month: Month | undefined;
afterEach(() => month?.remove());

/** A workbook `ggr.xlsx` with one sheet `Data` whose first row of data is changed. */
const ggr = (change: (cells: CellInput[]) => unknown, ...more: Row[]) => {
  const rows = cellsOf('ggr', [aRow('ggr'), ...more]);
  const [, first] = rows;
  if (first !== undefined) change(first);
  return { 'ggr.xlsx': [{ name: 'Data', rows }] };
};

/** A sheet of ggr in wide form: a row of values of 2023 and 2024 for each of `values`. */
const wideGgr = (product: string, values: readonly CellInput[][], merged: readonly string[] = []) => {
  const [headings = [], facts = []] = cellsOf('ggr', [aRow('ggr', { product })]);
  const rows = [
    [...headings.slice(1, -1), 2023, 2024],
    ...values.map((more) => [...facts.slice(1, -1), ...more]),
  ];
  return { name: 'Data', rows, merged };
};

interface Case {
  readonly promise: string;
  /** The name of the file, as the expected problems write it. */
  readonly file: string;
  /** Each case gets a product of its own, so that no row is in two cases. */
  readonly content: (product: string) => Content;
  /** All problems of the file. */
  readonly expected: readonly unknown[];
}

/**
 * Tests all cases in one month. Each case has a file of its own: `ggr.csv` of the case with index 7 is `ggr-07.csv`
 * there.
 */
function itReports(cases: readonly Case[]): void {
  const own = cases.map((each, i) => ({ ...each, at: String(i).padStart(2, '0') }));
  const nameOf = ({ file, at }: { file: string; at: string }) => file.replace(/\.(\w+)$/, `-${at}.$1`);
  let problems: readonly string[] = [];
  beforeAll(async () => {
    const month = await aMonth(
      Object.fromEntries(own.map((each) => [nameOf(each), each.content(`Product ${each.at}`)])),
    );
    problems = await month.problems();
    await month.remove();
  });

  it.each(own)('report $promise', (each) => {
    const name = nameOf(each);
    const ownProblems = problems.filter((text) => text.startsWith(`${text.split(' ')[0]} ${name}`));
    expect(ownProblems.map((text) => text.replaceAll(name, each.file))).toEqual(each.expected);
  });

  it('report nothing else about these files', () => {
    const isOfCase = (text: string) => own.some((each) => text.includes(nameOf(each)));
    expect(problems.filter((text) => !isOfCase(text))).toEqual([]);
  });
}
const COLUMN = { year: 0, region: 1, country: 2, state: 3, fx: 8, ggr: 10 };

describe('the checks of a month', () => {
  const CELLS: readonly (readonly [string, (cells: CellInput[]) => unknown, string])[] = [
    [
      'an empty dimension',
      (cells) => (cells[COLUMN.region] = null),
      'error ggr.xlsx › Data!B2: region is empty; fill it in or delete the row',
    ],
    [
      'an empty dimension in the first column',
      (cells) => (cells[COLUMN.year] = null),
      'error ggr.xlsx › Data!A2: year is empty; fill it in or delete the row',
    ],
    [
      'a number that is none',
      (cells) => (cells[COLUMN.ggr] = '1,234'),
      'error ggr.xlsx › Data!K2: ggr is "1,234"; write a plain number such as 1234.5, or use --numbers ggr.xlsx=de (or en)',
    ],
    [
      'a year that is none',
      (cells) => (cells[COLUMN.year] = 'FY24'),
      'error ggr.xlsx › Data!A2: year is "FY24", a financial year; write the calendar year that the dataset counts it in, such as 2022',
    ],
    [
      'a date in place of a year',
      (cells) => (cells[COLUMN.year] = { date: '2024-01-01' }),
      'error ggr.xlsx › Data!A2: year is the date 2024-01-01; write the year alone, or give the cells the number format yyyy',
    ],
    [
      'an error cell',
      (cells) => (cells[COLUMN.ggr] = { error: '#DIV/0!' }),
      'error ggr.xlsx › Data!K2: ggr is the error #DIV/0!; correct the formula, or write a plain number such as 1234.5',
    ],
    [
      'a formula without a value',
      (cells) => (cells[COLUMN.ggr] = { formula: 'A1*2' }),
      'error ggr.xlsx › Data!K2: ggr is a formula without a calculated value; open the file in a spreadsheet program, let it calculate, save it again',
    ],
    [
      'a truth value for a text',
      (cells) => (cells[COLUMN.country] = true),
      'error ggr.xlsx › Data!C2: country is the truth value TRUE; write it as text',
    ],
    [
      'a number for a text',
      (cells) => (cells[COLUMN.country] = 7),
      'error ggr.xlsx › Data!C2: country is the number 7; write it as text',
    ],
    [
      'what is not a currency code',
      (cells) => (cells[COLUMN.fx] = '£'),
      'error ggr.xlsx › Data!I2: fx "£" is not a currency code; write three capital letters, such as GBP',
    ],
    [
      'a country that country_reference lacks',
      (cells) => (cells[COLUMN.country] = 'Maltta'),
      'error ggr.xlsx › Data!C2: country "Maltta" is not in country_reference; did you mean "Malta"?',
    ],
    [
      'a region that disagrees',
      (cells) => (cells[COLUMN.region] = 'Africa'),
      'error ggr.xlsx › Data!B2: region "Africa" disagrees with country_reference, where Malta is in "Europe"; make them agree',
    ],
    [
      'a text of more than 500 characters',
      (cells) => (cells[COLUMN.country] = 'M'.repeat(501)),
      'error ggr.xlsx › Data!C2: country is 501 characters long; shorten it to 500 characters or fewer',
    ],
    [
      'an invisible character',
      (cells) => (cells[COLUMN.country] = 'Mal\u200bta'),
      'error ggr.xlsx › Data!C2: country "Mal\\u200bta" holds the character U+200B; delete it',
    ],
    [
      'a mark of writing direction',
      (cells) => (cells[COLUMN.country] = 'Malta\u200e'),
      'error ggr.xlsx › Data!C2: country "Malta\\u200e" holds the character U+200E; delete it',
    ],
    [
      'a letter of the Tags block, which shows nothing',
      (cells) => (cells[COLUMN.country] = 'Poker\u{e0041}'),
      'error ggr.xlsx › Data!C2: country "Poker\\u{e0041}" holds the character U+E0041; delete it',
    ],
    [
      'a joiner among Latin letters',
      (cells) => (cells[COLUMN.country] = 'Po\u200dker'),
      'error ggr.xlsx › Data!C2: country "Po\\u200dker" holds the character U+200D; delete it',
    ],
    [
      'a Cyrillic letter among Latin ones',
      (cells) => (cells[COLUMN.country] = 'C\u0430sino'),
      'error ggr.xlsx › Data!C2: country "C\u0430sino" mixes two alphabets: "\u0430" is U+0430, no Latin letter; type "Casino" in Latin letters',
    ],
    [
      'a Latin letter among Cyrillic ones',
      (cells) => (cells[COLUMN.country] = 'Рoссия'),
      'error ggr.xlsx › Data!C2: country "Рoссия" mixes two alphabets: "Р" is U+0420, no Latin letter; type the word again in one alphabet',
    ],
    [
      'UTF-8 that was read as Windows-1252',
      (cells) => (cells[COLUMN.country] = 'PÃ´ker â€“ Ãlamos'.replace('Ãl', 'Ã\u0081l')),
      'error ggr.xlsx › Data!C2: country "PÃ´ker â€“ Ã\\u0081lamos" is "Pôker – Álamos" in a wrong encoding; read the file as UTF-8 in the program that wrote this one, and export it again',
    ],
    [
      'a text that was copied out of HTML',
      (cells) => (cells[COLUMN.country] = 'Trinidad &amp; Tobago'),
      'error ggr.xlsx › Data!C2: country "Trinidad &amp; Tobago" holds "&amp;", which stands for a character in HTML; write the character itself',
    ],
    [
      'a letter that an encoding lacked, in a word',
      (cells) => (cells[COLUMN.country] = 'R?union'),
      'error ggr.xlsx › Data!C2: country "R?union" holds "?" where a letter was probably lost; type the letter, and export the file as UTF-8',
    ],
    [
      'a letter that an encoding lacked, at the beginning of one',
      (cells) => (cells[COLUMN.country] = 'The ?land islands'),
      'error ggr.xlsx › Data!C2: country "The ?land islands" holds "?" where a letter was probably lost; type the letter, and export the file as UTF-8',
    ],
    [
      'a letter that could not be decoded',
      (cells) => (cells[COLUMN.country] = 'R\ufffdunion'),
      'error ggr.xlsx › Data!C2: country "R\ufffdunion" holds "\ufffd" where a letter was probably lost; type the letter, and export the file as UTF-8',
    ],
    [
      'a value below no heading',
      (cells) => cells.push(null, 'x'),
      'error ggr.xlsx › Data!M2: "x" has no heading above it; give the column a heading of the dataset or delete the value',
    ],
  ];
  const NUMBERS = [
    'NaN',
    'Infinity',
    '1e999',
    '1e-400',
    '1,234',
    '(5)',
    '$5',
    '5%',
    '+5',
    '0x10',
    '007',
    '1_000',
    '.5',
    '5.',
  ];

  itReports([
    ...CELLS.map(([promise, change, message]) => ({
      promise,
      file: 'ggr.xlsx',
      content: (product: string) => {
        const rows = cellsOf('ggr', [aRow('ggr', { product })]);
        const [, first] = rows;
        if (first !== undefined) change(first);
        return [{ name: 'Data', rows }];
      },
      expected: [message],
    })),
    ...NUMBERS.map((text) => ({
      promise: `the number ${JSON.stringify(text)} in a csv`,
      file: 'ggr.csv',
      content: (product: string) => csvOf('ggr', [aRow('ggr', { product, ggr: text })]),
      expected: [expect.stringMatching(/^error ggr\.csv › line 2, column ggr: /)],
    })),
    {
      promise: 'the line and column of a csv',
      file: 'ggr.csv',
      content: (product) =>
        csvOf('ggr', [aRow('ggr', { product }), aRow('ggr', { product: `${product}b`, fx: 'euro' })]),
      expected: [
        'error ggr.csv › line 3, column fx: fx "euro" is not a currency code; write three capital letters, such as GBP',
      ],
    },
    {
      promise: 'a negative turnover',
      file: 'turnover.csv',
      content: (product) => csvOf('turnover', [aRow('turnover', { product, turnover: -1 })]),
      expected: [
        expect.stringMatching(/^error turnover\.csv › line 2, .*: turnover is -1; it must not be negative$/),
      ],
    },
    {
      promise: 'a rate of zero',
      file: 'fx.csv',
      content: () => csvOf('fx', [aRow('fx', { fx_current_usd: 0 })]),
      expected: [
        expect.stringMatching(/^error fx\.csv › line 2, .*: fx_current_usd is 0; it must be above zero$/),
      ],
    },
    {
      promise: 'a negative product of a country',
      file: 'country.csv',
      content: () => csvOf('country', [aRow('country', { gdp_usd: -5 })]),
      expected: [
        expect.stringMatching(/^error country\.csv › line 2, .*: gdp_usd is -5; it must not be negative$/),
      ],
    },
    {
      promise: 'a negative ggr, which may be right, as a warning',
      file: 'ggr.csv',
      content: (product) => csvOf('ggr', [aRow('ggr', { product, ggr: -1 })]),
      expected: [
        expect.stringMatching(/^warning ggr\.csv › line 2, .*: ggr is -1; it is usually not negative$/),
      ],
    },
    {
      promise: 'values in a wide row whose dimensions are all empty',
      file: 'ggr.xlsx',
      content: (product) => {
        const { rows } = wideGgr(product, [[1, 2]]);
        return [{ name: 'Data', rows: [...rows, [...Array<null>(9).fill(null), 1, 2]] }];
      },
      expected: [
        'error ggr.xlsx › Data!A3: region, country, category, product, channel, sub_channel, fx and temporal are empty; fill them in or delete the row',
      ],
    },
    {
      promise: 'a state merged down over several rows',
      file: 'ggr.xlsx',
      content: (product) => {
        const rows = cellsOf('ggr', [
          aRow('ggr', { product, state: 'Gozo' }),
          aRow('ggr', { product: `${product}b` }),
        ]);
        return [{ name: 'Data', rows, merged: ['D2:D3'] }];
      },
      expected: [
        'error ggr.xlsx › Data!D2: the cells D2:D3 are merged, and only the first holds the value; unmerge them and fill in each',
      ],
    },
    {
      promise: 'a value merged over two years',
      file: 'ggr.xlsx',
      content: (product) => [wideGgr(product, [[1, null]], ['J2:K2'])],
      expected: [
        'error ggr.xlsx › Data!J2: the cells J2:K2 are merged, and only the first holds the value; unmerge them and fill in each',
      ],
    },
    {
      promise: 'titles, headings and footnotes that are merged, as a note',
      file: 'ggr.xlsx',
      content: (product) => {
        const [headings = [], facts = []] = cellsOf('ggr', [aRow('ggr', { product })]);
        const rows = [
          ['Gross gaming revenue'],
          headings,
          facts,
          [],
          ['Rounded.'],
          facts.with(0, 2023),
          [],
          ['Source: us.'],
        ];
        return [{ name: 'Data', rows, merged: ['A1:K1', 'A5:K5', 'A8:K9', 'L3:M3'] }];
      },
      expected: [
        expect.stringMatching(/^note ggr\.xlsx › Data!A5: text below the data was taken as a footnote/),
      ],
    },
    {
      promise: 'rows that were sorted to stand above their header',
      file: 'ggr.xlsx',
      content: (product) => {
        const [headings = [], facts = []] = cellsOf('ggr', [aRow('ggr', { product })]);
        const rows = [['Titles', 'may', 'stand', 'here', 2026], facts, headings, facts.with(0, 2025)];
        return [{ name: 'Data', rows }];
      },
      expected: ['error ggr.xlsx › Data!A2: a row of data above the header; move it below or delete it'],
    },
    {
      promise: 'spaces at the ends, non-breaking ones and decomposed text, as notes',
      file: 'ggr.csv',
      content: (product) =>
        csvOf('ggr', [
          aRow('ggr', { product, country: 'Malta ' }),
          aRow('ggr', { product, year: 2023, country: '\u00a0Malta' }),
          aRow('ggr', { year: 2022, product: 'Cafe\u0301' }),
          aRow('ggr', { year: 2022, product: 'Cleaned\u00a0Betting' }),
          aRow('ggr', { year: 2021, product: 'Cleaned\u2009Betting' }),
        ]),
      expected: [
        'note ggr.csv › line 2, column country: country was trimmed (first of 2)',
        'note ggr.csv › line 4, column product: product was composed to Unicode NFC',
        'note ggr.csv › line 5, column product: product had its special spaces made plain (first of 2)',
      ],
    },
    {
      promise: 'footnotes below the data, which are no rows, as a note',
      file: 'ggr.xlsx',
      content: (product) => {
        const rows = [
          ...cellsOf('ggr', [aRow('ggr', { product })]),
          { row: 4, cells: ['Source: synthetic.', ' '] },
          { row: 5, cells: ['Rounded.'] },
        ];
        return [{ name: 'Data', rows }];
      },
      expected: ['note ggr.xlsx › Data!A4: text below the data was taken as a footnote (first of 2)'],
    },
    {
      promise: 'text right below the data, which is a row at fault',
      file: 'ggr.xlsx',
      content: (product) => [
        { name: 'Data', rows: [...cellsOf('ggr', [aRow('ggr', { product })]), ['Total']] },
      ],
      expected: [
        'error ggr.xlsx › Data!A3: year is "Total", and the rest of the row is empty; delete the row, or leave an empty row above it, so that it counts as a footnote',
      ],
    },
    {
      promise: 'a source right below the data of a csv, which becomes a footnote below an empty line',
      file: 'ggr.csv',
      content: (product) => `${csvOf('ggr', [aRow('ggr', { product })])}Source: IMF\n`,
      expected: [
        'error ggr.csv › line 3, column year: year is "Source: IMF", and the rest of the line is empty; delete the line, or leave an empty line above it, so that it counts as a footnote',
      ],
    },
    {
      promise: 'a source with commas right below the data of a csv',
      file: 'ggr.csv',
      content: (product) =>
        `${csvOf('ggr', [aRow('ggr', { product })])}Note: 2025 is provisional, revised in May, see page 4\n`,
      expected: [
        'error ggr.csv › line 3, column year: year is "Note: 2025 is provisional, revised in May, see page 4", and the rest of the line is empty; delete the line, or leave an empty line above it, so that it counts as a footnote',
      ],
    },
    {
      promise: 'a source with commas below an empty line of a csv',
      file: 'ggr.csv',
      content: (product) => `${csvOf('ggr', [aRow('ggr', { product })])}\nSource: IMF, World Bank\n`,
      expected: ['note ggr.csv › line 4, column year: text below the data was taken as a footnote'],
    },
    {
      promise: 'a total in place of a year',
      file: 'ggr.csv',
      content: (product) => `${csvOf('ggr', [aRow('ggr', { product })])}Grand total,,,,,,,,,,404\n`,
      expected: [
        'error ggr.csv › line 3, column year: year is "Grand total"; delete the row: the figures of a total would be counted twice',
      ],
    },
    {
      promise: 'a currency in letters of full width',
      file: 'ggr.csv',
      content: (product) => csvOf('ggr', [aRow('ggr', { product, fx: '\uff25\uff35\uff32' })]),
      expected: [
        'error ggr.csv › line 2, column fx: fx "\uff25\uff35\uff32" is not a currency code: "\uff25" is U+FF25, not a letter from A to Z; write "EUR" in plain letters',
      ],
    },
    {
      promise: 'a currency in Greek letters',
      file: 'ggr.csv',
      content: (product) => csvOf('ggr', [aRow('ggr', { product, fx: 'ΔΡΧ' })]),
      expected: [
        'error ggr.csv › line 2, column fx: fx "ΔΡΧ" is not a currency code: "Δ" is U+0394, not a letter from A to Z; write three letters from A to Z, such as GBP',
      ],
    },
    {
      promise: 'the one digit that is left of a number',
      file: 'ggr.csv',
      content: (product) => csvOf('ggr', [aRow('ggr', { product, ggr: '1E+05' })]),
      expected: [expect.stringContaining('ggr is "1E+05": 1 digit of a number that has 6; ')],
    },
    {
      promise: 'a number closer to 0 than doubles beside a text, without an option that reads neither',
      file: 'ggr.csv',
      content: (product) =>
        csvOf('ggr', [
          aRow('ggr', { product, year: 2023, ggr: '1e-400' }),
          aRow('ggr', { product, ggr: '1.5x' }),
        ]),
      expected: [
        'error ggr.csv › line 2, column ggr: ggr is "1e-400", closer to 0 than the smallest number; leave the cell empty or write a plain number such as 1234.5',
        'error ggr.csv › line 3, column ggr: ggr is "1.5x"; write a plain number such as 1234.5',
      ],
    },
    {
      promise: 'sheets called like notes; others without a header are a warning',
      file: 'ggr.xlsx',
      content: (product) => {
        const sheet = (name: string) => ({ name, rows: [['About this file']] });
        return [
          sheet('Read me'),
          sheet('About'),
          { name: 'Data', rows: cellsOf('ggr', [aRow('ggr', { product })]) },
          sheet('Pivot'),
        ];
      },
      expected: [
        'warning ggr.xlsx › Pivot: this sheet has no header in its first 200 rows and was not read; if its rows count, give it a row that names columns of ggr, such as year, region, country',
        'note ggr.xlsx › Read me: a sheet of notes, not read',
        'note ggr.xlsx › About: a sheet of notes, not read',
      ],
    },
  ]);

  it('name both places of two rows that agree on all dimensions', async () => {
    const problems = await problemsOf(ggr(() => {}, aRow('ggr', { country: 'Malta', ggr: 2 })));
    expect(problems).toEqual([
      'error ggr.xlsx › Data!A3: duplicate of ggr.xlsx › Data!A2 (year 2024, region Europe, country Malta, ' +
        'category Betting, product Sport Betting, channel Online, sub_channel Onshore, fx EUR, temporal Current); delete one of them',
    ]);
  });

  it('name duplicates across the files of a dataset', async () => {
    const problems = await problemsOf({ 'ggr-a.csv': csvOf('ggr'), 'ggr-b.csv': `${csvOf('ggr')}\n` });
    expect(problems[0]).toMatch(/^error ggr-b\.csv › line 2: duplicate of ggr-a\.csv › line 2 \(/);
  });

  it('name a dataset without a source, and how to carry its rows once there are some', async () => {
    month = await aMonth({ 'ggr.csv': csvOf('ggr') }, true);
    expect(await month.problems()).toContain(
      'error fx: has no source; add a file named after it, such as fx.xlsx',
    );
    await month.remove();
    month = await aPublishedMonth();
    await rm(path.join(month.directory, 'fx.csv'));
    expect(await month.problems()).toContain(
      'error fx: has no source; add a file named after it, such as fx.xlsx, or keep the current rows with --carry fx',
    );
  });

  it('do not name one whose sheet is in the file of another dataset, which is an error of its own', async () => {
    const [heading = [], first = []] = cellsOf('ggr', [aRow('ggr')]);
    const years = [
      [...heading.slice(1, -1), 2025],
      [...first.slice(1, -1), 1],
    ];
    const others = { 'fx.csv': csvOf('fx'), 'country.csv': csvOf('country') };
    const lookup = { 'country-reference.csv': csvOf('country_reference') };
    const sheet = { name: 'Turnover', rows: years };
    month = await aMonth({ ...others, ...lookup, 'ggr.xlsx': [sheet] }, true);
    expect((await month.problems()).filter((text) => text.startsWith('error'))).toEqual([
      expect.stringMatching(/^error ggr\.xlsx › Turnover: the sheet is named after turnover/),
    ]);
  });

  it('name every source that has no row, all of them at once', async () => {
    const [fx = ''] = csvOf('fx').split('\n');
    const [country = ''] = csvOf('country').split('\n');
    expect(await problemsOf({ 'fx.csv': `${fx}\n`, 'country.csv': `${country}\n` })).toEqual([
      'error fx.csv: has no row with a value below its header; fill it in',
      'error country.csv: has no row with a value below its header; fill it in',
    ]);
    expect(await problemsOf({ 'fx.csv': csvOf('fx'), 'fx-asia.csv': `${fx}\n` })).toEqual([
      'warning fx-asia.csv: has no row with a value below its header; fill it in, or remove it if nothing is missing',
    ]);
  });

  it('name a file that belongs to no dataset', async () => {
    expect(await problemsOf({ 'sales.csv': 'a,b\n' })).toEqual([
      `error sales.csv: belongs to no dataset; name it after one (${DATASET_NAMES.join(', ')}) or move it away`,
    ]);
  });

  it('warn of a country under two names, and name the country that another name means', async () => {
    const lookup = countryReference(['Türkiye', 'Turkey', 'TUR', 'Malta']);
    const rows = [
      ...[2022, 2023].map((year) => aRow('ggr', { country: 'Türkiye', year })),
      ...['Turkey', 'TUR', 'MLT'].map((country) => aRow('ggr', { country })),
    ];
    const other = (at: string, name: string, usual: string, rows: string) =>
      `warning ${at}: country "${name}" (${rows}) is another name of "${usual}"; write one name, because its figures are split or count twice`;
    expect(
      await problemsOf({
        'ggr.csv': csvOf('ggr', rows),
        'country_reference.csv': csvOf('country_reference', lookup),
      }),
    ).toEqual([
      'error ggr.csv › line 6, column country: country "MLT" is not in country_reference; did you mean "Malta"?',
      other('country_reference.csv › line 4, column country', 'TUR', 'Türkiye', '2 rows'),
      other('country_reference.csv › line 3, column country', 'Turkey', 'Türkiye', '2 rows'),
      other('ggr.csv › line 6, column country', 'MLT', 'Malta', '1 row'),
    ]);
  });

  it('warn of a country that is new under its name in another language', async () => {
    const rows = [2022, 2023].map((year) => aRow('ggr', { country: 'Spain', year }));
    const added = aRow('ggr', { country: 'España' });
    const of = (countries: readonly string[], all: readonly Row[]) => ({
      'ggr.csv': csvOf('ggr', all),
      'country_reference.csv': csvOf('country_reference', countryReference(['Malta', ...countries])),
    });
    const after = of(['Spain', 'España'], [...rows, added]);
    const warning = (at: string, rows: string) =>
      `warning ${at}: country "España" (${rows}) is another name of "Spain"; write one name, because its figures are split or count twice`;
    expect(await problemsOf(after)).toEqual([
      warning('country_reference.csv › line 4, column country', '2 rows'),
    ]);
    expect(await problemsOf(of(['Spain'], [...rows, added]))).toEqual([
      'error ggr.csv › line 4, column country: country "España" is not in country_reference; did you mean "Spain"?',
      warning('ggr.csv › line 4, column country', '1 row'),
    ]);
  });

  it('warn of two spellings of one value', async () => {
    const rows = [aRow('ggr'), aRow('ggr', { year: 2023 }), aRow('ggr', { year: 2022, channel: 'online' })];
    expect(await problemsOf({ 'ggr.csv': csvOf('ggr', rows) })).toEqual([
      'warning ggr.csv › line 4, column channel: channel "online" (1 row) looks like "Online" spelled differently; write them alike',
    ]);
  });

  it('warn of a currency code that no currency has, and name the nearest code', async () => {
    const known = ['CLF', 'VED', 'XCG'].map((fx) => aRow('ggr', { fx, product: fx }));
    const rows = [aRow('ggr'), aRow('ggr', { fx: 'EUU' }), aRow('ggr', { fx: 'EUU', year: 2023 }), ...known];
    expect(await problemsOf({ 'ggr.csv': csvOf('ggr', rows) })).toEqual([
      'warning ggr.csv › line 3, column fx: no currency has the code "EUU" (2 rows); check the code; the nearest one is EUR',
    ]);
  });

  it('report all problems at once, whatever the file', async () => {
    const problems = await problemsOf({
      ...ggr((cells) => (cells[COLUMN.ggr] = 'x')),
      'fx.csv': csvOf('fx', [aRow('fx', { year: 'y' })]),
      'country.csv': csvOf('country', [aRow('country', { country: 'Atlantis' })]),
    });
    expect(problems).toHaveLength(3);
  });

  it('list the first 10,000 problems and count the rest', async () => {
    const rows = Array.from({ length: 10_050 }, (_, i) =>
      aRow('ggr', { year: 1000 + (i % 9000), product: `P${Math.floor(i / 9000)}`, ggr: 'x' }),
    );
    month = await aMonth({ 'ggr.csv': csvOf('ggr', rows) });
    const { problems, counts, exitCode } = await month.publish();
    expect([problems.length, counts.error, exitCode]).toEqual([10_000, 10_050, 4]);
  });
});

describe('checks of what only people see', () => {
  it('refuse percent shown where the unit is percent already: 5 % is held as 0.05', async () => {
    const [headings = [], facts = []] = cellsOf('country');
    const rows = [headings, facts.with(headings.indexOf('inflation'), { value: 0.07, format: '0.0%' })];
    const found = await problemsOf({ 'country.xlsx': [{ name: 'Data', rows }] });
    // The remedy contains no figure, so several such cells would form one group.
    expect(found).toEqual([
      'error country.xlsx › Data!J2: inflation shows 7 % and holds 0.07, while its unit is percent; write the number that it shows, without the percent format',
    ]);
  });

  it('quote what a row of a wide sheet has in place of its metric', async () => {
    const rows = [
      ['Region', 'Country', 'State', 'Temporal', 'Calculation', 'Metric', 2024],
      ...['GDP USB', 'GDP USD¹', 5, ' '].map((metric) => [
        ...['Europe', 'Malta', null, 'Current', 'Reported'],
        metric,
        -0.5,
      ]),
    ];
    const remedy = 'write one of: gdp_local_currency, gdp_usd, adult_population, inflation';
    expect(await problemsOf({ 'country.xlsx': [{ name: 'Data', rows }] })).toEqual([
      'error country.xlsx › Data!F2: "GDP USB" is not a metric of country; did you mean "gdp_usd"?',
      `error country.xlsx › Data!F3: metric is "GDP USD" with the footnote mark "1"; did you mean "gdp_usd"?`,
      `error country.xlsx › Data!F4: metric is the number 5; ${remedy}`,
      `error country.xlsx › Data!F5: metric is empty; ${remedy}`,
    ]);
  });

  it('refuse a second header, which in a lookup would pass for a country', async () => {
    const reference = 'Region,Country,Country type\nEurope,Malta,Tracked\n';
    expect(
      await problemsOf({ 'country-reference.csv': reference + reference.replace('Malta', 'Spain') }),
    ).toEqual([
      'error country-reference.csv › line 3, column region: names the columns a second time; delete this row, or give its table a file of its own',
    ]);
  });

  it('refuse a country that the lookup lists twice with two types, and warn of one in two regions', async () => {
    const rows = [{}, { country_type: 'Amalgamated' }, { region: 'Africa' }].map((row) =>
      aRow('country_reference', row),
    );
    expect(await problemsOf({ 'country-reference.csv': csvOf('country_reference', rows) })).toEqual([
      'error country-reference.csv › line 3, column country: country "Malta" is in country-reference.csv › line 2 already, with another type; keep one of them',
      'warning country-reference.csv › line 4, column country: country "Malta" is in country-reference.csv › line 3 already, in another region; keep one of them',
    ]);
  });

  it('are one group for the merged cells of a column, as a data frame with an index of several columns has them', async () => {
    const products = ['a', 'b', 'c', 'd'];
    const rows = cellsOf(
      'ggr',
      products.map((product) => aRow('ggr', { product })),
    );
    month = await aMonth({ 'ggr.xlsx': [{ name: 'Data', rows, merged: ['C2:C3', 'C4:C5', 'K2:K3'] }] });
    const { problems } = await month.publish();
    const groups = new Map<string, number>();
    for (const { kind, remedy } of problems) {
      const group = `${kind}: ${remedy}`;
      groups.set(group, (groups.get(group) ?? 0) + 1);
    }
    const kind = 'merged cells of which only the first holds the value';
    expect([...groups]).toEqual([
      [`${kind}: unmerge them and fill in each, or use --fill-down ggr.xlsx=country`, 2],
      [`${kind}: unmerge them and fill in each`, 1],
    ]);
  });
});
