// Writes each kind of file that people really send, and tells what becomes of it.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { PublishOptions } from '../../../ingest/commands/publishOptions.ts';
import type { PublishResult } from '../../../ingest/commands/publishResult.ts';
import type { SheetInput } from '../../../ingest/sample/workbook.ts';
import { type GivenOptions, readingOptions } from '../../../ingest/staging/readingOptions.ts';
import { aMonth, type Content, cellsOf, csvOf, type Month } from '../../support/month.ts';
import { aRow, type Row } from '../../support/snapshot.ts';

let month: Month | undefined;
afterEach(() => month?.remove());

interface Told {
  readonly status: PublishResult['status'];
  /** `severity place: message`, notes included. */
  readonly problems: readonly string[];
  readonly sum: number | null | undefined;
  readonly values: (dimension: string) => readonly string[] | undefined;
  readonly reading: unknown;
}

/** Publishes a month with these files and options, as people type them. */
async function publish(
  files: Readonly<Record<string, Content>>,
  given: GivenOptions = {},
  more: Partial<PublishOptions> = {},
): Promise<Told> {
  month = await aMonth(files);
  return tell(await month.publish({ reading: readingOptions(given), ...more }));
}

const tell = ({ status, problems, manifest }: PublishResult): Told => ({
  status,
  problems: problems.map(({ severity, place, message }) => `${severity} ${place}: ${message}`),
  sum: manifest?.datasets.ggr.metrics.ggr?.sum,
  values: (dimension) => manifest?.datasets.ggr.dimensions[dimension]?.map(({ value }) => value),
  reading: manifest?.reading,
});

/** ggr of as many years as there are values, the last one in 2024. */
const years = (...values: readonly Row[string][]): Row[] =>
  values.map((ggr, i) => aRow('ggr', { year: 2025 - values.length + i, ggr }));

const csv = (...values: readonly Row[string][]) => ({ 'ggr.csv': csvOf('ggr', years(...values)) });
const sheet = (name: string, rows: SheetInput['rows'], more: Partial<SheetInput> = {}): SheetInput[] => [
  { name, rows, ...more },
];

describe('footnote marks', () => {
  it('are dropped from numbers with a note', async () => {
    const told = await publish({ 'ggr.xlsx': sheet('Data', cellsOf('ggr', years('4012360²', 5))) });
    expect(told).toMatchObject({ status: 'published', sum: 4_012_365 });
    expect(told.problems).toEqual(['note ggr.xlsx › Data!K2: ggr had its footnote mark dropped']);
  });

  it('are dropped from a dimension whose value another row has', async () => {
    const rows = [
      aRow('ggr', { year: 2023, product: 'Casino Slots¹' }),
      aRow('ggr', { year: 2024, product: 'Casino Slots' }),
    ];
    const told = await publish({ 'ggr.xlsx': sheet('Data', cellsOf('ggr', rows)) });
    expect(told.values('product')).toEqual(['Casino Slots']);
    expect(told.problems).toEqual(['note ggr.xlsx › Data!F2: product had its footnote mark dropped']);
  });

  it('are dropped from a dimension whose value the current snapshot has', async () => {
    const marked = sheet('Data', cellsOf('ggr', [aRow('ggr', { product: 'Poker¹' })]));
    month = await aMonth({ 'ggr.xlsx': sheet('Data', cellsOf('ggr', [aRow('ggr', { product: 'Poker' })])) });
    await month.publish();
    await month.write({ 'ggr.xlsx': marked });
    expect(tell(await month.publish({ month: '2026-12' })).values('product')).toEqual(['Poker']);
  });

  it('make a dimension an error whose value nothing else has', async () => {
    const told = await publish({
      'ggr.xlsx': sheet('Data', cellsOf('ggr', [aRow('ggr', { product: 'Poker¹' })])),
    });
    expect(told.problems).toEqual([
      'error ggr.xlsx › Data!F2: product "Poker¹" ends in what looks like a footnote mark, and no other row has "Poker"; delete the mark 1',
    ]);
  });
});

describe('numbers in text', () => {
  it('with thousands written with dots all down a column are an error that names the option', async () => {
    const told = await publish(csv('404.021', '12.500', '950'));
    expect(told.status).toBe('rejected');
    expect(told.problems).toEqual([
      'error ggr.csv › line 2, column ggr: ggr is "404.021", and all 2 numbers like it have three digits after a dot: a dot that separates thousands, or decimals; write 404021 for the first, or say --numbers ggr.csv=de; for decimals say --numbers ggr.csv=en',
    ]);
    expect((await publish(csv('404.021', '12.500', '950'), { numbers: ['de'] })).sum).toBe(417_471);
    expect((await publish(csv('404.021', '12.500', '950'), { numbers: ['ggr.csv=en'] })).sum).toBe(1366.521);
  });

  it('of rates with three decimals are a warning', async () => {
    const rows = [2023, 2024].map((year) => aRow('fx', { year, fx_current_usd: '1.085' }));
    const told = await publish({ 'fx.csv': csvOf('fx', rows) });
    expect(told.status).toBe('published');
    expect(told.problems).toEqual([
      expect.stringMatching(/^warning fx\.csv › line 2, column fx_current_usd/),
    ]);
  });

  it.each(['1.00E+07', '1.2E+07', '4.01236E+08'])('as %s, digits lost, are an error', async (text) => {
    const told = await publish(csv(text));
    expect(told.problems).toEqual([
      expect.stringMatching(
        /^error ggr\.csv › line 2, column ggr: ggr is ".*": \d digits of a number that has \d/,
      ),
    ]);
    expect((await publish(csv(text), { scale: ['ggr=1'] })).status).toBe('published');
  });

  it.each([
    ['de', ['1.234,5', '12', '7.000'], 8246.5],
    ['de', ['0,5', '1.234.567'], 1_234_567.5],
    ['en', ['1,234,567', '12.5', '7'], 1_234_586.5],
    ['en', ['1 234 567', '8'], 1_234_575],
  ] as const)(
    'of a column that is unmistakably %s are read, noted and recorded',
    async (style, texts, sum) => {
      const told = await publish(csv(...texts));
      expect(told).toMatchObject({ status: 'published', sum });
      expect(told.problems).toEqual([
        expect.stringMatching(/^note ggr\.csv › .*ggr is written with .* read so/),
      ]);
      expect(told.reading).toEqual([
        { option: 'numbers', value: style, file: 'ggr.csv', column: 'ggr', found: true },
      ]);
    },
  );

  it('that fit both ways of writing stay errors, unless an option says which', async () => {
    const told = await publish(csv('1,234', '5'));
    expect(told.problems).toEqual([
      'error ggr.csv › line 2, column ggr: ggr is "1,234"; write a plain number such as 1234.5, or say --numbers ggr.csv=de (or en)',
    ]);
    expect(await publish(csv('1,234', '5'), { numbers: ['en'] })).toMatchObject({ sum: 1239 });
    expect(await publish(csv('1,234', '5'), { numbers: ['ggr.csv=de'] })).toMatchObject({
      sum: 6.234,
      reading: [{ option: 'numbers', value: 'de', file: 'ggr.csv', found: false }],
    });
  });

  it('that an option contradicts are errors, cell by cell', async () => {
    const told = await publish(csv('1234.5', '5'), { numbers: ['de'] });
    expect(told.problems).toEqual([
      'error ggr.csv › line 2, column ggr: ggr is "1234.5", which is no number in the style of --numbers de; correct it, or leave the option out',
    ]);
  });

  it('far down the file decide over those above them, and every row is staged once', async () => {
    const values = [...Array.from({ length: 6000 }, () => '1.500'), '2,5'];
    const rows = values.map((ggr, i) => aRow('ggr', { year: 1000 + i, ggr }));
    const told = await publish({ 'ggr.csv': csvOf('ggr', rows) });
    expect(told.sum).toBe(6000 * 1500 + 2.5);
  });
});

describe('values that are missing', () => {
  it('in a value column are one error a column, and one option reads them as empty', async () => {
    const values = ['n/a', '–', 1, '..', 'n/a'];
    const told = await publish(csv(...values));
    expect(told.problems).toEqual([
      'error ggr.csv › line 2, column ggr: ggr is "n/a" or "–" or ".." in 4 cells; leave the cell empty, or say --missing "ggr.csv=n/a,–,.."',
    ]);
    const read = await publish(csv(...values), { missing: ['n/a,–,..'] });
    expect(read).toMatchObject({ status: 'published', sum: 1 });
    expect(read.reading).toEqual([{ option: 'missing', value: 'n/a,–,..', found: false }]);
    expect(read.problems).toContain(
      'note ggr.csv › line 2, column ggr: ggr was read as empty where it says "n/a" (first of 2)',
    );
  });

  it('as error cells of a workbook are read as empty when the option names them', async () => {
    const cells = cellsOf('ggr', years(1, 2));
    cells[1] = [...(cells[1] ?? []).slice(0, -1), { error: '#N/A' }];
    expect((await publish({ 'ggr.xlsx': sheet('Data', cells) }, { missing: ['#N/A'] })).sum).toBe(2);
  });

  it('in groups of rows are repeated from above by an option that the error proposes', async () => {
    const rows = years(1, 2, 3, 4).map((row, i) =>
      i % 2 === 0 ? row : { ...row, country: '', category: '' },
    );
    const file = { 'ggr.csv': csvOf('ggr', rows) };
    expect((await publish(file)).problems[0]).toBe(
      'error ggr.csv › line 3, column country: country and category are empty; fill them in or delete the row, or repeat the cell above with --fill-down ggr.csv=country,category',
    );
    const told = await publish(file, { 'fill-down': ['country,category'] });
    expect(told).toMatchObject({ status: 'published', sum: 10 });
    expect(told.values('country')).toEqual(['Malta']);
  });

  it('in merged cells are repeated from above too', async () => {
    const [heading = [], ...rows] = cellsOf('ggr', years(1, 2, 3));
    const at = heading.indexOf('country');
    const merged = rows.map((row, i) => row.map((cell, j) => (j === at && i > 0 ? null : cell)));
    const letter = String.fromCharCode(65 + at);
    const file = {
      'ggr.xlsx': sheet('Data', [heading, ...merged], { merged: [`${letter}2:${letter}4`] }),
    };
    expect((await publish(file)).problems).toContain(
      `error ggr.xlsx › Data!${letter}2: the cells ${letter}2:${letter}4 are merged, and only the first holds the value; unmerge them and fill in each, or say --fill-down ggr.xlsx=country`,
    );
    expect(await publish(file, { 'fill-down': ['ggr.xlsx=country'] })).toMatchObject({
      status: 'published',
      sum: 6,
    });
  });

  it('above the first value of a group cannot be filled', async () => {
    const rows = years(1, 2).map((row, i) => (i === 0 ? { ...row, country: '' } : row));
    expect((await publish({ 'ggr.csv': csvOf('ggr', rows) }, { 'fill-down': ['country'] })).problems).toEqual(
      [
        'error ggr.csv › line 2, column country: country is empty, and no row above it has one to repeat; fill in the first row',
      ],
    );
  });
});

describe('units stated beside the data', () => {
  const [heading = [], ...rows] = cellsOf('ggr', years(1.1, 2.2));
  const files: readonly (readonly [where: string, Content])[] = [
    ['a title', sheet('Data', [['Gross gaming revenue, USD m'], [], heading, ...rows])],
    ['a heading', sheet('Data', [heading.map((name) => (name === 'ggr' ? 'GGR (USD m)' : name)), ...rows])],
    ['a sheet name', sheet('ggr in millions', [heading, ...rows])],
    ['a footnote', sheet('Data', [heading, ...rows, [], ['All figures in millions']])],
  ];

  it.each(files)('in %s are an error until a scale says what to do', async (_, content) => {
    const told = await publish({ 'ggr.xlsx': content });
    expect(told.problems.filter((text) => text.startsWith('error'))).toEqual([
      expect.stringMatching(
        /^error ggr\.xlsx › .* says that the figures are in millions; multiply them with --scale ggr\.xlsx=ggr=1e6, or affirm them as they stand with --scale ggr\.xlsx=ggr=1$/,
      ),
    ]);
    expect((await publish({ 'ggr.xlsx': content }, { scale: ['ggr=1e6'] })).sum).toBe(3_300_000);
    expect((await publish({ 'ggr.xlsx': content }, { scale: ['ggr.xlsx=ggr=1'] })).sum).toBe(1.1 + 2.2);
  });

  it.each(['€ 000', "USD'000", 'in thousands', 'GBP thousand', 'Tsd. EUR', '(000s)'])(
    '%s is one of thousands',
    async (text) => {
      const told = await publish({ 'ggr.xlsx': sheet('Data', [[`Revenue ${text}`], heading, ...rows]) });
      expect(told.problems[0]).toMatch(/says that the figures are in thousands/);
    },
  );

  it.each([
    'Countries with over 2 million adults',
    'USD, constant terms',
    'Monthly delivery, 2026-11',
    'EUR 000123',
  ])('a title such as %j states none', async (text) => {
    expect((await publish({ 'ggr.xlsx': sheet('Data', [[text], heading, ...rows]) })).status).toBe(
      'published',
    );
  });

  it('are multiplied as decimals: 1.1 becomes exactly 1100000', async () => {
    expect((await publish(csv('1.1'), { scale: ['ggr=1e6'] })).sum).toBe(1_100_000);
    expect((await publish(csv(1.005), { scale: ['ggr=1000'] })).sum).toBe(1005);
  });
});

describe('currency codes', () => {
  it('in lower case are read and noted', async () => {
    const told = await publish({ 'ggr.csv': csvOf('ggr', [aRow('ggr', { fx: 'eur' })]) });
    expect(told.values('fx')).toEqual(['EUR']);
    expect(told.problems).toEqual(['note ggr.csv › line 2, column fx: fx was written in lower case']);
  });
});

describe('options', () => {
  it('stand in the manifest and count for "unchanged"', async () => {
    month = await aMonth(csv(1));
    await month.publish();
    expect((await month.publish()).status).toBe('unchanged');
    const affirmed = await month.publish({ reading: readingOptions({ scale: ['ggr=1'] }) });
    expect(affirmed).toMatchObject({
      status: 'published',
      snapshot: '2026-11.2',
      manifest: { reading: [{ option: 'scale', value: 'ggr=1', found: false }] },
    });
  });

  it('for one file replace those for all, and leave the others alone', async () => {
    const files = {
      'ggr-de.csv': csvOf('ggr', [aRow('ggr', { year: 2023, ggr: '1.234' })]),
      'ggr-en.csv': csvOf('ggr', [aRow('ggr', { year: 2024, ggr: '1,234' })]),
    };
    expect((await publish(files, { numbers: ['en', 'ggr-de.csv=de'] })).sum).toBe(2468);
  });

  it('for a file that is not there are an error that names the nearest', async () => {
    expect((await publish(csv(1), { numbers: ['gr.csv=de'] })).problems).toEqual([
      'error --numbers gr.csv=de: there is no source gr.csv; did you mean "ggr.csv"?',
    ]);
  });

  it.each<[GivenOptions, RegExp]>([
    [{ scale: ['ggr=1e6', 'ggr=1e3'] }, /--scale ggr is given twice; give it once/],
    [{ scale: ['ggr=1e6,ggr=1e6'] }, /--scale ggr is given twice/],
    [{ numbers: ['a.csv=de', 'a.csv=en'] }, /--numbers is given twice for a\.csv/],
    [{ numbers: ['fr'] }, /write de for 1\.234,5 or en for 1,234\.5/],
    [{ scale: ['ggr=0'] }, /0 is no factor/],
    [{ scale: ['ggr=million'] }, /million is no factor/],
    [{ scale: ['gr=1e6'] }, /gr is no metric; did you mean "ggr"\?/],
    [{ scale: ['ggr'] }, /write a metric and its factor/],
    [{ 'fill-down': ['contry'] }, /contry is no dimension; did you mean "country"\?/],
    [{ 'fill-down': ['state'] }, /an empty state means the country as a whole/],
    [{ missing: ['0'] }, /0 is a number/],
    [{ missing: [''] }, /the value is empty/],
  ])('that cannot be are refused before anything is read: %j', (given, message) => {
    expect(() => readingOptions(given)).toThrow(message);
  });
});
