// Each kind of file that people really send is read correctly, or reported.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { type GivenOptions, readingOptions } from '../../../ingest/staging/readingOptions.ts';
import type { CellInput, SheetInput } from '../../../ingest/workbook/sheets.ts';
import {
  aMonth,
  aPublishedMonth,
  type Content,
  cellsOf,
  csvOf,
  type ReadMonth,
} from '../../support/month.ts';
import { aRow, publishRows, type Row } from '../../support/snapshot.ts';

/** The outcome of reading one file of a month. */
interface FileOutcome {
  /** The problems as `severity place: message`, including notes. */
  readonly problems: readonly string[];
  readonly sum: number;
  readonly values: (dimension: string) => readonly unknown[];
  readonly recorded: ReadMonth['recorded'];
}

/**
 * Reads many files in one month, with these options as people type them. The product of a row names its file: the
 * part after `ggr-`.
 */
async function readTogether(
  files: Readonly<Record<string, Content>>,
  given: GivenOptions = {},
): Promise<{ month: ReadMonth; resultOf: (file: string) => FileOutcome }> {
  const month = await aMonth(files);
  try {
    const read = await month.read('ggr', { reading: readingOptions(given) });
    const resultOf = (file: string): FileOutcome => {
      const rows = read.rows.filter(({ product }) => product === productOf(file));
      return {
        problems: read.problems.filter((problem) => problem.split(' ')[1]?.replace(/:$/, '') === file),
        sum: rows.reduce((sum, { ggr }) => sum + Number(ggr), 0),
        values: (dimension) => [...new Set(rows.map((row) => row[dimension]))],
        recorded: read.recorded.filter((option) => option.file === file),
      };
    };
    return { month: read, resultOf };
  } finally {
    await month.remove();
  }
}

const productOf = (file: string) => file.replace(/^ggr-/, '').replace(/\.[^.]*$/, '');

/** The rows of a file: ggr of one year for each value, the last one of 2024. */
const years = (file: string, ...values: readonly Row[string][]): Row[] =>
  values.map((ggr, i) => aRow('ggr', { product: productOf(file), year: 2025 - values.length + i, ggr }));

const csv = (file: string, ...values: readonly Row[string][]) => ({
  [file]: csvOf('ggr', years(file, ...values)),
});

/** A workbook of one sheet with two years of ggr, and the changes of a test. */
function book(
  file: string,
  change: (heading: readonly CellInput[], rows: readonly (readonly CellInput[])[]) => SheetInput,
) {
  const [heading = [], ...rows] = cellsOf('ggr', years(file, 1.1, 2.2));
  return { [file]: [change(heading, rows)] };
}

const NUMBERS_LOST = ['1.00E+07', '1.2E+07', '4.01236E+08', '1,00E+07'];

/** Columns whose format has few digits, such as `%.6g`. */
const FEW_DIGITS = [
  ['1.80851e+08', '2.2e+10', '1.95251e+08', '2.19019e+08', '2.33019e+08', '1.09101e+08'],
  ['1.808512e+08', '1.952514e+08', '2.190194e+08', '2.330187e+08', '3.750000e+00', '1.091009e+10'],
];
/** The same figures with all digits. R writes some in this form because it is shorter. */
const ALL_DIGITS = [
  ['1.8085118e+08', '1.952514e+08', '2.190194e+08', '2.330187e+08', '1.091009e+10', '1.091019e+10'],
  ['1.5e+08', '2.2e+10', '1e+05', '3e+08', '4e+09', '195251354'],
  ['1.80851E8', '1.95251E8', '2.19019E8', '2.33019E8', '1.09101E8', '1.09102E8'],
];

const UNMISTAKABLE = [
  ['de', 'ggr-fractions.csv', ['1.234,5', '12', '7.000'], 8246.5],
  ['de', 'ggr-large.csv', ['0,5', '1.234.567'], 1_234_567.5],
  ['en', 'ggr-commas.csv', ['1,234,567', '12.5', '7'], 1_234_586.5],
  ['en', 'ggr-spaces.csv', ['1 234 567', '8'], 1_234_575],
] as const;

const MISSING = ['n/a', '–', 1, '..', 'n/a'];

const GROUPED = years('ggr-grouped.csv', 1, 2, 3, 4).map((row, i) =>
  i % 2 === 0 ? row : { ...row, country: '', category: '' },
);

const COUNTRY = Object.keys(aRow('ggr')).indexOf('country');
const COUNTRY_LETTER = String.fromCharCode(65 + COUNTRY);

const merged = (): SheetInput => {
  const [heading = [], ...rows] = cellsOf('ggr', years('ggr-merged.xlsx', 1, 2, 3));
  return {
    name: 'Data',
    rows: [heading, ...rows.map((row, i) => row.map((cell, j) => (j === COUNTRY && i > 0 ? null : cell)))],
    merged: [`${COUNTRY_LETTER}2:${COUNTRY_LETTER}4`],
  };
};

/** Workbooks that state a unit. Each states it in another place. */
const UNITS = {
  ...book('ggr-title.xlsx', (heading, rows) => ({
    name: 'Data',
    rows: [['Gross gaming revenue, USD m'], [], heading, ...rows],
  })),
  ...book('ggr-heading.xlsx', (heading, rows) => ({
    name: 'Data',
    rows: [heading.map((name) => (name === 'ggr' ? 'GGR (USD m)' : name)), ...rows],
  })),
  ...book('ggr-sheet.xlsx', (heading, rows) => ({ name: 'ggr in millions', rows: [heading, ...rows] })),
  ...book('ggr-footnote.xlsx', (heading, rows) => ({
    name: 'Data',
    rows: [heading, ...rows, [], ['All figures in millions']],
  })),
};

// Files do not affect each other. So one month has all files without options, and another one those with options.
let plain: Awaited<ReturnType<typeof readTogether>>;
let opted: Awaited<ReturnType<typeof readTogether>>;
let affirmed: Awaited<ReturnType<typeof readTogether>>;
beforeAll(async () => {
  const slots = [
    aRow('ggr', { product: 'slots¹', year: 2023 }),
    aRow('ggr', { product: 'slots', year: 2024 }),
  ];
  const spaced = ['Land\u00a0based¹', 'Land\u00a0based'].map((channel, i) =>
    aRow('ggr', { product: 'spaced', year: 2023 + i, channel }),
  );
  plain = await readTogether({
    'ggr-footnoted.xlsx': [
      { name: 'Data', rows: cellsOf('ggr', years('ggr-footnoted.xlsx', '4012360²', 5)) },
    ],
    'ggr-spaced.xlsx': [{ name: 'Data', rows: cellsOf('ggr', spaced) }],
    'ggr-slots.xlsx': [{ name: 'Data', rows: cellsOf('ggr', slots) }],
    'ggr-poker.xlsx': [{ name: 'Data', rows: cellsOf('ggr', [aRow('ggr', { product: 'Poker¹' })]) }],
    ...csv('ggr-dots.csv', '404.021', '12.500', '950'),
    'fx.csv': csvOf(
      'fx',
      [2023, 2024].map((year) => aRow('fx', { year, fx_current_usd: '1.085' })),
    ),
    ...Object.assign({}, ...NUMBERS_LOST.map((text, i) => csv(`ggr-lost${i}.csv`, text))),
    ...Object.assign({}, ...FEW_DIGITS.map((texts, i) => csv(`ggr-few${i}.csv`, ...texts))),
    ...Object.assign({}, ...ALL_DIGITS.map((texts, i) => csv(`ggr-all${i}.csv`, ...texts))),
    ...Object.assign({}, ...UNMISTAKABLE.map(([, file, texts]) => csv(file, ...texts))),
    ...csv('ggr-either.csv', '1,234', '5'),
    ...csv('ggr-gaps.csv', ...MISSING),
    'ggr-grouped.csv': csvOf('ggr', GROUPED),
    'ggr-merged.xlsx': [merged()],
    ...UNITS,
    'ggr-lower.csv': csvOf('ggr', [aRow('ggr', { product: 'lower', fx: 'eur' })]),
  });
  const cells = cellsOf('ggr', years('ggr-errors.xlsx', 1, 2));
  cells[1] = [...(cells[1] ?? []).slice(0, -1), { error: '#N/A' }];
  opted = await readTogether(
    {
      ...csv('ggr-dots.csv', '404.021', '12.500', '950'),
      ...csv('ggr-decimals.csv', '404.021', '12.500', '950'),
      ...csv('ggr-either.csv', '1,234', '5'),
      ...csv('ggr-contrary.csv', '1234.5', '5'),
      ...csv('ggr-english.csv', '1,234', '5'),
      ...csv('ggr-gaps.csv', ...MISSING),
      'ggr-errors.xlsx': [{ name: 'Data', rows: cells }],
      'ggr-grouped.csv': csvOf('ggr', GROUPED),
      'ggr-merged.xlsx': [merged()],
      'ggr-first.csv': csvOf(
        'ggr',
        years('ggr-first.csv', 1, 2).map((row, i) => (i === 0 ? { ...row, country: '' } : row)),
      ),
      ...UNITS,
      ...csv('ggr-exact.csv', '1,1'),
      ...csv('ggr-thousandfold.csv', 1.005),
      ...Object.assign({}, ...NUMBERS_LOST.map((text, i) => csv(`ggr-lost${i}.csv`, text))),
    },
    {
      numbers: [
        'de',
        'ggr-decimals.csv=en',
        'ggr-english.csv=en',
        'ggr-thousandfold.csv=en',
        'ggr-lost0.csv=en',
        'ggr-lost1.csv=en',
        'ggr-lost2.csv=en',
      ],
      missing: ['n/a,–,..,#N/A'],
      'fill-down': ['country,category', 'ggr-merged.xlsx=country'],
      scale: [
        ...[...Object.keys(UNITS), 'ggr-exact.csv'].map((file) => `${file}=ggr=1e6`),
        'ggr-thousandfold.csv=ggr=1000',
        ...NUMBERS_LOST.map((_, i) => `ggr-lost${i}.csv=ggr=1`),
      ],
    },
  );
  affirmed = await readTogether(UNITS, { scale: ['ggr=1'] });
});

describe('footnote marks', () => {
  it('are dropped from numbers with a note', () => {
    const result = plain.resultOf('ggr-footnoted.xlsx');
    expect(result.sum).toBe(4_012_365);
    expect(result.problems).toEqual(['note ggr-footnoted.xlsx › Data!K2: ggr had its footnote mark dropped']);
  });

  it('are dropped from a dimension whose value another row has', () => {
    const result = plain.resultOf('ggr-slots.xlsx');
    expect(result.values('year')).toEqual([2023, 2024]);
    expect(result.problems).toEqual(['note ggr-slots.xlsx › Data!F2: product had its footnote mark dropped']);
  });

  it('are dropped beside a value with no-break spaces, which are made plain', () => {
    const result = plain.resultOf('ggr-spaced.xlsx');
    expect(result.values('channel')).toEqual(['Land based']);
    expect(result.problems).toEqual([
      'note ggr-spaced.xlsx › Data!G2: channel had its footnote mark dropped',
      'note ggr-spaced.xlsx › Data!G2: channel had its special spaces made plain (first of 2)',
    ]);
  });

  it('are dropped from a dimension whose value the current snapshot has', async () => {
    const month = await aMonth({
      'ggr.xlsx': [{ name: 'Data', rows: cellsOf('ggr', [aRow('ggr', { product: 'Poker¹' })]) }],
    });
    await publishRows(month.dataDir, '2026-11.1', { ggr: [aRow('ggr', { product: 'Poker' })] });
    const { rows } = await month.read('ggr', { month: '2026-12' });
    expect(rows.map(({ product }) => product)).toEqual(['Poker']);
    await month.remove();
  });

  it('make a dimension an error whose value nothing else has', () => {
    expect(plain.resultOf('ggr-poker.xlsx').problems).toEqual([
      'error ggr-poker.xlsx › Data!F2: product "Poker¹" ends in what looks like a footnote mark, and no other row has "Poker"; delete the mark 1',
    ]);
  });
});

describe('numbers in text', () => {
  it('with thousands written with dots all down a column are an error that names the option', () => {
    expect(plain.resultOf('ggr-dots.csv').problems).toEqual([
      'error ggr-dots.csv › line 2, column ggr: ggr is "404.021", whose dot may separate thousands or decimals: all 2 such numbers have three digits after it; if it separates thousands, write 404021 or use --numbers ggr-dots.csv=de; if it begins decimals, use --numbers ggr-dots.csv=en',
    ]);
    expect(opted.resultOf('ggr-dots.csv').sum).toBe(417_471);
    expect(opted.resultOf('ggr-decimals.csv').sum).toBe(1366.521);
  });

  it('of rates with three decimals are a warning', () => {
    expect(plain.resultOf('fx.csv').problems).toEqual([
      expect.stringMatching(/^warning fx\.csv › line 2, column fx_current_usd/),
    ]);
  });

  it.each(NUMBERS_LOST.map((text, i) => [text, `ggr-lost${i}.csv`]))(
    'as %s, digits lost, are an error',
    (_, file) => {
      expect(plain.resultOf(file).problems.filter((problem) => problem.startsWith('error'))).toEqual([
        expect.stringMatching(
          /^error ggr-lost\d\.csv › line 2, column ggr: ggr is ".*": \d digits of a number that has \d/,
        ),
      ]);
      expect(opted.resultOf(file).problems.filter((problem) => problem.startsWith('error'))).toEqual([]);
    },
  );

  it('in scientific notation of seven digits throughout are warned of, unless that is how all digits look', () => {
    const warnings = (file: string) =>
      plain.resultOf(file).problems.filter((problem) => !problem.startsWith('note'));
    expect(warnings('ggr-few0.csv')).toEqual([
      'warning ggr-few0.csv › line 2, column ggr: ggr is "1.80851e+08", and all 5 such numbers have seven digits or fewer: a program may have left out further ones; export the column again with all digits; if these are all its digits, use --scale ggr-few0.csv=ggr=1',
    ]);
    expect(warnings('ggr-few1.csv')).toEqual([
      expect.stringContaining('ggr is "1.808512e+08", and all 5 such'),
    ]);
    expect(ALL_DIGITS.flatMap((_, i) => warnings(`ggr-all${i}.csv`))).toEqual([]);
  });

  it.each(UNMISTAKABLE)(
    'of a column that is unmistakably %s are read, noted and recorded: %s',
    (style, file, _, sum) => {
      const result = plain.resultOf(file);
      expect(result.sum).toBe(sum);
      expect(result.problems).toEqual([
        expect.stringMatching(/^note ggr-\w+\.csv › .*ggr is written with .* read so/),
      ]);
      expect(result.recorded).toEqual([
        { option: 'numbers', value: style, file, column: 'ggr', found: true },
      ]);
    },
  );

  it('that fit both ways of writing stay errors, unless an option says which', () => {
    expect(plain.resultOf('ggr-either.csv').problems).toEqual([
      'error ggr-either.csv › line 2, column ggr: ggr is "1,234"; write a plain number such as 1234.5, or use --numbers ggr-either.csv=de (or en)',
    ]);
    expect(opted.resultOf('ggr-either.csv').sum).toBe(6.234);
    expect(opted.resultOf('ggr-english.csv')).toMatchObject({
      sum: 1239,
      recorded: [{ option: 'numbers', value: 'en', file: 'ggr-english.csv', found: false }],
    });
  });

  it('that an option contradicts are errors, cell by cell', () => {
    expect(opted.resultOf('ggr-contrary.csv').problems).toEqual([
      'error ggr-contrary.csv › line 2, column ggr: ggr is "1234.5", which is not a number in the style of --numbers de; correct it, or give the option only for the files written so, as in --numbers FILE=de',
    ]);
  });

  it('far down the file decide over those above them, and every row is staged once', async () => {
    const values = [...Array.from({ length: 6000 }, () => '1.500'), '2,5'];
    const rows = values.map((ggr, i) => aRow('ggr', { product: 'far', year: 1000 + i, ggr }));
    const { resultOf, month } = await readTogether({ 'ggr-far.csv': csvOf('ggr', rows) });
    expect(resultOf('ggr-far.csv').sum).toBe(6000 * 1500 + 2.5);
    expect(month.rows).toHaveLength(6001);
  });
});

describe('values that are missing', () => {
  it('in a value column are one error a column, and one option reads them as empty', () => {
    expect(plain.resultOf('ggr-gaps.csv').problems).toEqual([
      'error ggr-gaps.csv › line 2, column ggr: ggr is "n/a" or "–" or ".." in 4 cells; leave the cell empty, or use --missing "ggr-gaps.csv=n/a,–,.."',
    ]);
    const read = opted.resultOf('ggr-gaps.csv');
    expect(read.sum).toBe(1);
    expect(opted.month.recorded).toContainEqual({ option: 'missing', value: 'n/a,–,..,#N/A', found: false });
    expect(read.problems).toContain(
      'note ggr-gaps.csv › line 2, column ggr: ggr was read as empty where it says "n/a" (first of 2)',
    );
    expect(read.problems.filter((problem) => problem.startsWith('error'))).toEqual([]);
  });

  it('as error cells of a workbook are read as empty when the option names them', () => {
    expect(opted.resultOf('ggr-errors.xlsx').sum).toBe(2);
  });

  it('in groups of rows are repeated from above by an option that the error proposes', () => {
    expect(plain.resultOf('ggr-grouped.csv').problems[0]).toBe(
      'error ggr-grouped.csv › line 3, column country: country and category are empty; fill them in or delete the row, or repeat the cell above with --fill-down ggr-grouped.csv=country,category',
    );
    const result = opted.resultOf('ggr-grouped.csv');
    expect(result.problems.filter((problem) => problem.startsWith('error'))).toEqual([]);
    expect(result.sum).toBe(10);
    expect(result.values('country')).toEqual(['Malta']);
  });

  it('in merged cells are repeated from above too', () => {
    const letter = COUNTRY_LETTER;
    expect(plain.resultOf('ggr-merged.xlsx').problems).toContain(
      `error ggr-merged.xlsx › Data!${letter}2: the cells ${letter}2:${letter}4 are merged, and only the first holds the value; unmerge them and fill in each, or use --fill-down ggr-merged.xlsx=country`,
    );
    const result = opted.resultOf('ggr-merged.xlsx');
    expect(result.problems.filter((problem) => problem.startsWith('error'))).toEqual([]);
    expect(result.sum).toBe(6);
  });

  it('above the first value of a group cannot be filled', () => {
    expect(opted.resultOf('ggr-first.csv').problems).toEqual([
      'error ggr-first.csv › line 2, column country: country is empty, and no row above it has one to repeat; fill in the first row',
    ]);
  });
});

describe('units stated beside the data', () => {
  it.each(Object.keys(UNITS))('in %s are an error until a scale says what to do', (file) => {
    const errors = plain.resultOf(file).problems.filter((text) => text.startsWith('error'));
    expect(errors).toEqual([
      expect.stringMatching(
        new RegExp(
          `^error ${file} › .* says that the figures are in millions; multiply them with --scale ${file}=ggr=1e6, or keep them as they are with --scale ${file}=ggr=1$`,
        ),
      ),
    ]);
    expect(opted.resultOf(file).sum).toBe(3_300_000);
    expect(affirmed.resultOf(file).sum).toBe(1.1 + 2.2);
    for (const read of [opted, affirmed])
      expect(read.resultOf(file).problems.filter((text) => text.startsWith('error'))).toEqual([]);
  });

  it('are multiplied as decimals: 1.1 becomes exactly 1100000', () => {
    expect(opted.resultOf('ggr-exact.csv').sum).toBe(1_100_000);
    expect(opted.resultOf('ggr-thousandfold.csv').sum).toBe(1005);
  });
});

describe('currency codes', () => {
  it('in lower case are read and noted', () => {
    const result = plain.resultOf('ggr-lower.csv');
    expect(result.values('fx')).toEqual(['EUR']);
    expect(result.problems).toEqual(['note ggr-lower.csv › line 2, column fx: fx was written in lower case']);
  });
});

describe('options', () => {
  it('are in the manifest and count for "unchanged"', async () => {
    const month = await aPublishedMonth();
    expect((await month.publish()).status).toBe('unchanged');
    const again = await month.publish({ reading: readingOptions({ scale: ['ggr=1'] }) });
    expect(again).toMatchObject({
      status: 'published',
      snapshot: '2026-11.2',
      manifest: { reading: [{ option: 'scale', value: 'ggr=1', found: false }] },
    });
    await month.remove();
  });

  it('for one file replace those for all, and leave the others alone', () => {
    expect([opted.resultOf('ggr-either.csv').sum, opted.resultOf('ggr-english.csv').sum]).toEqual([
      6.234, 1239,
    ]);
  });

  it('for a file that is not there are an error that names the nearest', async () => {
    const { month } = await readTogether({}, { numbers: ['gr.csv=de'] });
    expect(month.problems).toEqual([
      'error --numbers gr.csv=de: there is no source gr.csv; did you mean "ggr.csv"?',
    ]);
  });

  it.each<[GivenOptions, RegExp]>([
    [{ scale: ['ggr=1e6', 'ggr=1e3'] }, /--scale ggr is given twice; give it once/],
    [{ scale: ['ggr=1e6,ggr=1e6'] }, /--scale ggr is given twice/],
    [{ numbers: ['a.csv=de', 'a.csv=en'] }, /--numbers is given twice for a\.csv/],
    [{ numbers: ['fr'] }, /--numbers fr: write de for 1\.234,5 or en for 1,234\.5/],
    [{ scale: ['ggr=0'] }, /--scale ggr=0: 0 is not a factor; write a number above zero, such as 1e6/],
    [{ scale: ['ggr=million'] }, /million is not a factor/],
    [{ scale: ['gr=1e6'] }, /gr is not a metric; did you mean "ggr"\?/],
    [{ scale: ['ggr'] }, /write a metric and its factor/],
    [{ 'fill-down': ['contry'] }, /contry is not a dimension; did you mean "country"\?/],
    [{ 'fill-down': ['nonsense'] }, /nonsense is not a dimension; write some of: year, /],
    [{ 'fill-down': ['state'] }, /an empty state means the country as a whole/],
    [{ missing: ['0'] }, /0 is a number/],
    [{ missing: [''] }, /--missing : the value is empty; write the texts that stand for an empty cell/],
  ])('that cannot be are refused before anything is read: %j', (given, message) => {
    expect(() => readingOptions(given)).toThrow(message);
  });
});
