// Unsupported forms of numbers and years: each has a name and a remedy.

import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ColumnNumberStyle, withAccountingSigns } from '../../../../ingest/staging/numbers/numberText.ts';
import { unsupportedNumberForm } from '../../../../ingest/staging/numbers/unsupportedForms.ts';
import { readingOptions } from '../../../../ingest/staging/readingOptions.ts';
import { aMonth, csvOf, type Month } from '../../../support/month.ts';
import { type CaseResult, readCases } from '../../../support/readCases.ts';
import { aRow } from '../../../support/snapshot.ts';

let month: Month | undefined;
afterEach(() => month?.remove());

const ggrMonth = async (...cells: readonly string[]) => {
  month = await aMonth({
    'ggr.csv': csvOf(
      'ggr',
      cells.map((ggr, i) => aRow('ggr', { year: 2020 + i, ggr })),
    ),
  });
  return month;
};

describe('the style of a column', () => {
  it.each([
    [['1,5', '2'], 'de', false],
    [['1.234,5', '2'], 'de', true],
    [['1,234.5', '2'], 'en', false],
    [['1', '2'], 'en', false],
    [['1', '2', '1,234'], null, false],
    [['1', '2', '3', '1,234', '2,5'], 'de', false],
    [['1', '2', '3', 'x'], null, false],
    [['1', '1,5', '1.234,5', '2'], 'de', true],
    [['1 234,567', '2'], 'de', false],
    [["1'234.567", '2'], 'en', false],
    [['1\u00a0234 567', '2'], 'en', false],
    // This may be 1,234,567 or 1.234567.
    [['1.234 567', '2'], null, false],
    [["1,234'567", '2'], null, false],
  ] as const)('that holds %j is %s, however few of its texts are remembered', (texts, style, isDotted) => {
    for (const most of [0, 1, 100]) {
      const column = new ColumnNumberStyle(most);
      for (const text of texts) column.add(text);
      expect([column.style, column.isDotted]).toEqual([style, isDotted]);
    }
  });
});

describe('a number beyond the range of a double', () => {
  it('is named as such in a cell of any style, and where --scale makes it so', async () => {
    const digits = '9'.repeat(400);
    const figures: readonly (readonly [cell: string, scale?: string])[] = [
      [digits],
      [`${digits},5`],
      [`0.${'0'.repeat(330)}1`],
      [`-0,${'0'.repeat(330)}1`],
      ['1e308', 'ggr=1e6'],
      ['1e-300', 'ggr=1e-100'],
    ];
    const each = await readCases(
      figures.map(([cell, scale]) => [
        'ggr.csv',
        (own) =>
          csvOf('ggr', [
            aRow('ggr', { ...own, ggr: cell }),
            aRow('ggr', { ...own, year: 2023, ggr: cell.includes(',') ? '1.234,5' : 5 }),
          ]),
        scale,
      ]),
    );
    const errors = each.map(({ problems }) => problems.filter((text) => text.startsWith('error')));
    const place = 'error ggr.csv › line 2, column ggr';
    const remedy = 'correct the figure, or leave the cell empty';
    expect(errors).toEqual([
      [`${place}: ggr is beyond the largest number; ${remedy}`],
      [`${place}: ggr is beyond the largest number; ${remedy}`],
      [`${place}: ggr is closer to 0 than the smallest number; ${remedy}`],
      [`${place}: ggr is closer to 0 than the smallest number; ${remedy}`],
      [
        `${place}: ggr is 1e+308, and times 1e6 it is beyond the largest number; correct the figure, or the factor of --scale`,
      ],
      [
        `${place}: ggr is 1e-300, and times 1e-100 it is closer to 0 than the smallest number; correct the figure, or the factor of --scale`,
      ],
    ]);
  });
});

describe('a number that is not read', () => {
  it.each([
    ['(123)', 'a negative number in parentheses, or a footnote'],
    ['(1,234.5)', 'a negative number in parentheses, or a footnote'],
    ['123-', 'a number with its minus behind it'],
    ['£1,234', 'a number with its currency'],
    ['-€ 5', 'a number with its currency'],
    ['US$1,234.00', 'a number with its currency'],
    ['1 234 EUR', 'a number with its currency'],
    ['(£12)', 'a number with its currency'],
    ['12,34,567', 'a number in lakhs and crores'],
    ['1.2m', 'a number with its unit'],
    ['3 bn', 'a number with its unit'],
    ['850k', 'a number with its unit'],
    ['1,234*', 'a number with a mark behind it'],
    ['1,234 (p)', 'a number with a mark behind it'],
    ['1,234[1]', 'a number with a mark behind it'],
    ['~500', 'an approximate number'],
    ['c. 500', 'an approximate number'],
    ['Circa 500', 'an approximate number'],
    ['<5', 'a limit, not a number'],
    ['Under 5', 'a limit, not a number'],
    ['5-10', 'a range, not a number'],
    ['5 TO 10', 'a range, not a number'],
    ['+5', 'a number with a plus'],
    ['3.5%', 'a percentage as text'],
    ['１２３', 'a number in digits of another script'],
    ['５e3', 'a number in digits of another script'],
    ['1e３', 'a number in digits of another script'],
    ['－５', 'a number in digits of another script'],
    ['١٢٣٫٥', 'a number in digits of another script'],
  ])('is called by its name: %s', (text, what) => {
    expect(unsupportedNumberForm('ggr', text, '--numbers en')).toMatchObject({
      problem: `ggr is "${text}", ${what}`,
      kind: `ggr is ${what}`,
    });
  });

  it.each(['Malta', '1.2.3.4', '', '-', 'm', '()', '2024-12-31'])(
    'has no name when it is in no known form: %s',
    (text) => {
      expect(unsupportedNumberForm('ggr', text, '--numbers en')).toBeNull();
    },
  );

  it('comes with what to type, in one group whatever the figure', async () => {
    const { problems } = await (await ggrMonth('1.2m', '3.4m', '(77)')).publish();
    expect(problems.map(({ place, message }) => `${place}: ${message}`)).toEqual([
      'ggr.csv › line 2, column ggr: ggr is "1.2m", a number with its unit; write it in full, 1200000 for 1.2m',
      'ggr.csv › line 3, column ggr: ggr is "3.4m", a number with its unit; write it in full, 1200000 for 1.2m',
      'ggr.csv › line 4, column ggr: ggr is "(77)", a negative number in parentheses, or a footnote; write -123 for (123), and nothing for a footnote, or use --numbers ggr.csv=en',
    ]);
    expect(new Set(problems.map(({ kind, remedy }) => JSON.stringify([kind, remedy]))).size).toBe(2);
  });
});

it('a year with a footnote mark is read without it', async () => {
  month = await aMonth({ 'ggr.csv': csvOf('ggr', [aRow('ggr', { year: '2024²' })]) });
  const { problems, rows } = await month.read('ggr');
  expect(problems).toEqual(['note ggr.csv › line 2, column year: year had its footnote mark dropped']);
  expect(rows.map(({ year }) => Number(year))).toEqual([2024]);
});

describe('a year that is not read', () => {
  const YEARS = [
    ['FY 2022', 'a financial year'],
    ['2022/23', 'a financial year'],
    ['2022-2023', 'a financial year'],
    ['2004/05', 'a financial year'],
    ['2022-05', 'a month'],
    ['2022/11', 'a month'],
    ['2025E', 'a year with a mark behind it'],
    ['31.12.2022', 'a date'],
    ['2022-12-31', 'a date'],
    ['Q1 2024', 'a part of a year'],
    ['Dec-22', 'a part of a year'],
    ['22', 'a year of two digits'],
  ] as const;
  let results: readonly CaseResult[];
  beforeAll(async () => {
    results = await readCases(
      YEARS.map(([year]) => ['ggr.csv', (own) => csvOf('ggr', [aRow('ggr', { ...own, year })])]),
    );
  });

  it.each(YEARS.map((row, i) => [...row, i] as const))('is called by its name: %s', (year, what, i) => {
    expect(results[i]?.problems).toEqual([
      expect.stringMatching(
        new RegExp(`^error ggr\\.csv › line 2, column year: year is "${year}", ${what}; \\w`),
      ),
    ]);
  });
});

describe('spaces of any width', () => {
  const SPACES = ['\u0020', '\u00a0', '\u2007', '\u2009', '\u202f'];
  let results: readonly CaseResult[];
  beforeAll(async () => {
    results = await readCases(
      SPACES.map((space) => [
        'ggr.csv',
        (own) =>
          csvOf(
            'ggr',
            [`1${space}234${space}567`, `-55${space}050.5`, '7'].map((ggr, i) =>
              aRow('ggr', { ...own, year: 2020 + i, ggr }),
            ),
          ),
      ]),
    );
  });

  it.each(SPACES.map((space, i) => [space, i] as const))(
    'separate thousands, also beside a unit: %j',
    (space, i) => {
      const { problems = [], figures } = results[i] ?? {};
      expect(problems.map((problem) => problem.split(' ')[0])).toEqual(['warning', 'note']);
      expect(figures).toEqual([1234567, -55050.5, 7]);
      expect(unsupportedNumberForm('ggr', `1${space}234 EUR`, '')).toMatchObject({
        problem: `ggr is "1${space}234 EUR", a number with its currency`,
      });
    },
  );
});

it('says that a figure has the minus sign, where nothing else is unusual', async () => {
  const { problems } = await (await ggrMonth('\u22125', '7')).publish();
  expect(problems.map(({ message }) => message)).toContain(
    'ggr is written with the minus sign −, and was read so',
  );
});

describe('the signs of accounting', () => {
  it.each([
    ['(1,234)', '-1,234'],
    [' ( 5 ) ', '-5'],
    ['1,234-', '-1,234'],
    ['7\u2212', '-7'],
  ])('become a minus in front: %s', (text, plain) => {
    expect(withAccountingSigns(text)).toBe(plain);
  });

  it.each(['-5', '5', '(-5)', '-5-', '((5))', '5)', '-', '()', ''])(
    'leave any other text alone: %s',
    (text) => {
      expect(withAccountingSigns(text)).toBe(text);
    },
  );

  it('are read where --numbers gives the style, and are not numbers without it', async () => {
    const month = await ggrMonth('1,234.5', '(1,000.5)', '2,000-');
    const reading = readingOptions({ numbers: ['ggr.csv=en'] });
    const read = await month.publish({ reading });
    expect(read.status).toBe('published');
    expect(read.problems.map(({ severity, message }) => `${severity} ${message}`)).toEqual([
      'warning ggr is -1000.5; it is usually not negative',
      'warning ggr is -2000; it is usually not negative',
      'note ggr is written with thousands separators (1,234.5), and was read so (first of 3)',
    ]);
    // Both problems are of one kind, under whose name they are printed as one group.
    expect(read.problems.slice(0, 2).map(({ kind }) => kind)).toEqual(['ggr is negative', 'ggr is negative']);
    expect((await month.publish()).counts.error).toBe(3);
  });
});

describe('a number with more digits than a double holds', () => {
  it.each([
    '9007199254740993',
    '12345678901234567890',
    '1234567.12345678901234',
    '12,345,678,901,234,567,891',
  ])('%s is rounded with a note', async (text) => {
    const { problems } = await (await ggrMonth(text)).read('ggr');
    expect(problems).toContainEqual(
      expect.stringMatching(/^note .*ggr has more digits than a double holds, and was rounded/),
    );
  });

  it.each([
    '9007199254740992',
    '0.30000000000000004',
    '0.1000000000000000055511151231257827',
    '1234567.50000000000000',
  ])('%s, which a double is, is not a note', async (text) => {
    const { problems } = await (await ggrMonth(text)).read('ggr');
    expect(problems.filter((one) => one.includes('digits'))).toEqual([]);
  });
});
