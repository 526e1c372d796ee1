// The header of a table is found below titles, over two rows, in wide and long form.

import { describe, expect, it } from '@jest/globals';
import { messageOf } from '../../../../ingest/messages/fault.ts';
import { findHeader } from '../../../../ingest/sources/header/header.ts';
import { looksLikeHeader } from '../../../../ingest/sources/header/headerRow.ts';
import type { Cell, RawRow } from '../../../../ingest/sources/readers/rawFile.ts';
import { processorMs } from '../../../support/processorMs.ts';

const LONG = 'Year,Region,Country,State,Category,Product,Channel,Sub Channel,FX,Temporal,GGR'.split(',');
const PLACE = ['Region', 'Country', 'State', 'Temporal', 'Calculation'];

const at = (row: number, ...cells: Cell[]): RawRow => ({ row, cells });
const names = (header: ReturnType<typeof findHeader>) =>
  Array.from(header?.columns ?? [], (column) => column?.name);

it.each<[boolean, readonly Cell[]]>([
  [true, ['Country', 'Region', 'Year']],
  [true, ['Country', 2023, '2024']],
  [true, ['Country', { kind: 'with currency', value: 2023, currency: 'EUR' }, 2024]],
  [true, ['Country', { kind: 'dated year', value: 2023, iso: '1905-07-15' }, 2024]],
  [false, ['Country', 'Region']],
  [false, ['Country', '  ', 'Year']],
  [false, ['Malta', 'Europe', 19_972]],
  [false, ['Malta', 'Europe', '1.234,5']],
  [false, [2022, 2023, 2024]],
])('says %s to the question whether a row of an unknown dataset is a header: %j', (isHeader, cells) => {
  expect(looksLikeHeader(at(1, ...cells))).toBe(isHeader);
});

describe('findHeader', () => {
  it('finds the header below a preamble', () => {
    const header = findHeader('ggr', [
      at(1, 'Gross gaming revenue by country'),
      at(2, 'Last updated', 'today'),
      at(5, ...LONG),
    ]);
    expect(header).toMatchObject({ row: 5, form: 'long', faults: [], complete: true });
  });

  it.each([
    'Sub Channel',
    'sub-channel',
    'SUB_CHANNEL',
    'Sub\nChannel',
    ' sub  channel ',
    'Sub\u00a0Channel',
  ])('takes %j for sub_channel', (spelling) => {
    const header = findHeader('ggr', [at(1, ...LONG.with(7, spelling))]);
    expect(names(header)[7]).toBe('sub_channel');
    expect(header?.faults).toEqual([]);
  });

  it('takes years as numbers and as text for wide form', () => {
    const header = findHeader('country', [at(1, ...PLACE, 'Metric', 2003, '2004')]);
    expect(header).toMatchObject({ form: 'wide', faults: [], complete: true });
    expect(names(header).slice(-3)).toEqual(['metric', '2003', '2004']);
  });

  it('needs no metric column where a dataset has one metric', () => {
    const header = findHeader('ggr', [at(1, ...LONG.slice(1, -1), 2024)]);
    expect(header).toMatchObject({ form: 'wide', faults: [], complete: true });
  });

  it('reads a header whose cells are merged over two rows', () => {
    const upper = at(4, ...PLACE, 'Metric', 'Calendar year');
    const header = findHeader('country', [
      upper,
      at(5, ...PLACE.map(() => null), null, 2003, 2004),
      at(6, 'Europe'),
    ]);
    expect(header).toMatchObject({ row: 5, form: 'wide', faults: [], complete: true });
    expect(names(header).slice(-2)).toEqual(['2003', '2004']);
  });

  it('finds names in the row above where merged cells leave the header row empty', () => {
    const above = at(4, 'Region', 'Country', 'State');
    const header = findHeader('country', [
      above,
      at(5, null, null, null, 'Temporal', 'Calculation', 'Metric', 2003),
    ]);
    expect(header).toMatchObject({ row: 5, faults: [], complete: true });
  });

  it('does not take a row of data below the header for its second line', () => {
    const header = findHeader('country_reference', [
      at(1, 'Region', 'Country', 'Country type'),
      at(2, 'Europe', 'Malta', 'Tracked'),
    ]);
    expect(header).toMatchObject({ row: 1, complete: true });
  });

  it('names what is missing', () => {
    const header = findHeader('ggr', [at(1, ...LONG.filter((name) => name !== 'FX'))]);
    expect(header?.complete).toBe(false);
    const problem = 'column fx is missing from the header';
    const present = 'year, region, country, state, category, product, channel, sub_channel, temporal, ggr';
    expect(header?.faults).toEqual([
      { index: null, problem, remedy: `add it beside ${present}`, kind: problem },
    ]);
    const wide = findHeader('country_reference', [at(1, 'Region', 'Country')]);
    expect(wide?.faults).toMatchObject([{ index: null, remedy: 'add it beside region, country' }]);
  });

  it('names a column once, whose heading is misspelt', () => {
    const misspelt = LONG.map((name) => (name === 'FX' ? 'Currency' : name.replace('Country', 'Contry')));
    const header = findHeader('ggr', [at(1, ...misspelt.filter((name) => name !== 'Temporal'))]);
    expect(header?.faults).toMatchObject([
      { problem: expect.stringContaining('"Contry"'), remedy: 'did you mean "country"?' },
      { problem: expect.stringContaining('"Currency"'), remedy: 'did you mean "fx"?' },
      { index: null, problem: 'column temporal is missing from the header' },
    ]);
  });

  it.each(['Currency', 'FX.1', 'sub_channel.1'])(
    'does not ask for a column a second time in place of %s',
    (heading) => {
      const header = findHeader('ggr', [at(1, ...LONG, heading)]);
      expect(header?.faults).toMatchObject([{ index: 11, remedy: expect.stringMatching(/, or delete it$/) }]);
    },
  );

  it.each(['20226', '202'])('asks for a year where %s stands, so that nobody deletes its column', (typed) => {
    const header = findHeader('ggr', [at(1, ...LONG, typed)]);
    expect(header?.faults).toEqual([
      {
        index: 11,
        problem: `column "${typed}" is headed by a number that is not a year`,
        remedy: 'write the year with four digits, such as 2022',
        kind: 'columns headed by a number that is not a year',
      },
    ]);
  });

  it.each(['2024', 'H1'])('is not slow where %s and many spaces begin a heading', (begin) => {
    const begunMs = processorMs();
    const header = findHeader('ggr', [at(1, ...LONG, `${begin}${' '.repeat(200_000)}x`)]);
    // With a step for each pair of spaces, this would take tens of seconds.
    expect(processorMs() - begunMs).toBeLessThan(3000);
    expect(header?.faults).toMatchObject([{ index: 11, remedy: expect.stringContaining('rename it') }]);
  });

  it('names a misspelt column and the nearest one that is known', () => {
    const header = findHeader('ggr', [at(1, ...LONG.with(7, 'Sub chanel'))]);
    expect(header?.faults).toEqual([
      {
        index: 7,
        problem: 'column "Sub chanel" is neither a dimension nor a metric of ggr',
        remedy: 'did you mean "sub_channel"?',
        kind: 'a column that is neither a dimension nor a metric of ggr',
      },
    ]);
  });

  it.each([
    ['ggr', 'Status', 'temporal'],
    ['ggr', 'Currency', 'fx'],
    ['fx', 'Currency code', 'fx_local_currency'],
    ['country_reference', 'Type', 'country_type'],
  ] as const)('knows usual words for dimensions: in %s, %s is %s', (dataset, heading, dimension) => {
    const header = findHeader(dataset, [at(1, 'Region', 'Country', 'State', 'Year', heading)]);
    const fault = header?.faults.find(({ problem }) => problem.includes(`"${heading}"`));
    expect(fault?.remedy).toBe(`did you mean "${dimension}"?`);
  });

  it('asks for one column where several are named after one metric', () => {
    const header = findHeader('ggr', [at(1, ...LONG.slice(0, -1), 'GGR EUR', 'GGR USD')]);
    const below =
      'write the figures of all columns of ggr below each other, and what they differ in, such as the currency, in a column of its own';
    expect(header?.faults.slice(0, 2).map(({ remedy }) => remedy)).toEqual([below, below]);
  });

  it.each([
    ['FY 2022', 'a financial year'],
    ['2022/23', 'a financial year'],
    ['2025E', 'a year with a mark behind it'],
    ['2025 (est.)', 'a year with a mark behind it'],
    ['Q1 2024', 'a part of a year'],
    ['X2023', 'a year with a letter before it'],
    ['GGR 2023', 'a metric and a year'],
    ['ggr_2023', 'a metric and a year'],
    ['2023 GGR', 'a metric and a year'],
  ])('says what to do with a heading that is nearly a year: %s', (heading, what) => {
    const header = findHeader('ggr', [at(1, ...LONG.slice(1, -1), heading)]);
    expect(header?.faults[0]).toMatchObject({
      index: 9,
      problem: `column "${heading}" is headed by ${what}`,
      remedy: expect.stringMatching(/^write|^figures are annual/),
    });
  });

  it('does not take a heading with a unit for the metric: the unit may be another', () => {
    const header = findHeader('ggr', [at(1, ...LONG.with(10, 'GGR (EUR m)'))]);
    expect(header?.faults.map(({ index }) => index)).toEqual([10]);
  });

  it('asks for no column year beside years in another form', () => {
    const header = findHeader('ggr', [at(1, ...LONG.slice(1, -1), 'FY2023', 'FY2024')]);
    expect(header?.faults.map(({ index }) => index)).toEqual([9, 10]);
  });

  it('names both places of a column that appears twice', () => {
    const header = findHeader('ggr', [at(1, ...LONG, 'fx')]);
    expect(header?.faults).toEqual([
      {
        index: 11,
        problem: 'column fx appears twice, in I and L',
        remedy: 'delete one',
        kind: 'a column appears twice',
      },
    ]);
  });

  it('asks for a place of its own for a second table beside the first, so that nobody deletes its columns', () => {
    const header = findHeader('ggr', [at(1, ...LONG, '', ...LONG)]);
    expect(header?.faults).toHaveLength(LONG.length);
    for (const { remedy } of header?.faults ?? [])
      expect(remedy).toMatch(/^move the second table to a sheet/);
  });

  it('refuses a year column beside a column per year', () => {
    const header = findHeader('ggr', [at(1, ...LONG.slice(0, -1), 2024)]);
    expect(header?.faults.map(messageOf)[0]).toBe(
      'column year appears beside a column per year; keep the one or the other',
    );
  });

  it('finds none where a row names fewer than three columns', () => {
    expect(findHeader('ggr', [at(1, 'Country', 'Region', 'Population')])).toBeNull();
    expect(findHeader('ggr', [])).toBeNull();
  });

  it('reads years below a metric that is merged over them, with dimensions merged downwards', () => {
    const header = findHeader('ggr', [
      at(1, 'Gross gaming revenue by market'),
      at(3, ...LONG.slice(1, -1), 'GGR'),
      at(4, ...LONG.slice(1, -1).map(() => null), 2023, 2024),
      at(5, 'Europe', 'Malta'),
    ]);
    expect(header).toMatchObject({ row: 4, form: 'wide', faults: [], complete: true });
    expect(header?.columns.slice(-2)).toEqual([
      { kind: 'year', name: '2023', year: 2023, metric: 'ggr' },
      { kind: 'year', name: '2024', year: 2024, metric: 'ggr' },
    ]);
  });

  it('reads years below a metric when the dimensions stand beside the years', () => {
    const header = findHeader('ggr', [
      at(3, ...LONG.slice(1, -1).map(() => null), 'GGR'),
      at(4, ...LONG.slice(1, -1), '2023', '2024'),
    ]);
    expect(header).toMatchObject({ row: 4, form: 'wide', faults: [], complete: true });
  });

  it('distinguishes the years of several metrics by the metric above them', () => {
    const header = findHeader('country', [
      at(1, ...PLACE, 'GDP USD', null, 'GDP local currency'),
      at(2, ...PLACE.map(() => null), 2023, 2024, 2023, 2024),
    ]);
    expect(header).toMatchObject({ row: 2, form: 'wide', faults: [], complete: true });
    expect(names(header).slice(-4)).toEqual([
      'gdp_usd 2023',
      'gdp_usd 2024',
      'gdp_local_currency 2023',
      'gdp_local_currency 2024',
    ]);
  });

  it('refuses a metric column beside years below the names of metrics', () => {
    const header = findHeader('country', [
      at(1, ...PLACE, 'Metric', 'GDP USD', null),
      at(2, ...PLACE.map(() => null), null, 2023, 2024),
    ]);
    expect(header?.faults.map(messageOf)[0]).toBe(
      'column metric appears beside years below the names of metrics; keep the one or the other',
    );
  });

  it('refuses years below the metric of another dataset', () => {
    const header = findHeader('ggr', [
      at(1, ...LONG.slice(1, -1).map(() => null), 'Turnover'),
      at(2, ...LONG.slice(1, -1), 2023, 2024),
    ]);
    expect(header?.faults.map(messageOf)).toEqual([
      'the years below "Turnover" do not hold ggr; move them to a file named after their dataset, such as turnover.xlsx',
    ]);
  });

  it('does not take a title above the years for a metric', () => {
    const header = findHeader('ggr', [
      at(1, ...LONG.slice(1, -1).map(() => null), 'Calendar year'),
      at(2, ...LONG.slice(1, -1), 2023, 2024),
    ]);
    expect(header).toMatchObject({ faults: [], warnings: [], complete: true });
  });

  it('refuses texts above the years that tell them apart and name no metric', () => {
    const [blank, dimensions] = [LONG.slice(1, -1).map(() => null), LONG.slice(1, -1)];
    const years = at(2, ...dimensions, 2024, 2025, 2026);
    const remedy = 'give these years rows of their own with the text in a column, or delete the text';
    const forecast = `"Forecast" is above some of the years and was not read; ${remedy}`;
    const refused = (...upper: Cell[]) =>
      findHeader('ggr', [at(1, ...blank, ...upper), years])?.faults.map(messageOf);
    expect(refused(null, null, 'Forecast')).toEqual([forecast]);
    expect(refused('GGR', null, 'Forecast')).toEqual([forecast]);
    expect(refused('Actual', null, 'Forecast')).toEqual([forecast.replace('Forecast', 'Actual'), forecast]);
  });

  it('warns of a text above all years also where they are the first columns', () => {
    const header = findHeader('ggr', [at(1, 'Forecast'), at(2, 2023, 2024, ...LONG.slice(1, -1))]);
    expect(header?.warnings.map(messageOf)).toEqual([
      expect.stringContaining('"Forecast" is above all of the years and was not read'),
    ]);
  });

  it.each(['Forecast', 'USD', 'Growth'])('warns of %s above all years', (text) => {
    const blank = LONG.slice(1, -1).map(() => null);
    const header = findHeader('ggr', [at(1, ...blank, text), at(2, ...LONG.slice(1, -1), 2023, 2024)]);
    expect(header?.faults).toEqual([]);
    expect(header?.warnings.map(messageOf)).toEqual([
      `"${text}" is above all of the years and was not read; make sure that the years hold ggr, and delete the text`,
    ]);
  });

  it.each(['GGR', 'Gross gaming revenue', 'Year', 'EUR million'])(
    'does not warn of %s above all years',
    (text) => {
      const blank = LONG.slice(1, -1).map(() => null);
      const header = findHeader('ggr', [at(1, ...blank, text), at(2, ...LONG.slice(1, -1), 2023, 2024)]);
      expect(header).toMatchObject({ faults: [], warnings: [] });
    },
  );

  it('does not take a row of values below a long header for years', () => {
    const header = findHeader('ggr', [at(1, ...LONG), at(2, ...LONG.slice(0, -1).map(() => null), 2024)]);
    expect(header?.faults.map(messageOf)[0]).toContain('appears beside');
  });

  it('drops the footnote mark of a heading and notes it', () => {
    const marked = (value: string): Cell => ({ kind: 'footnoted', value, mark: '1', text: `${value}¹` });
    const header = findHeader('ggr', [at(1, ...LONG.slice(0, -1), marked('GGR'))]);
    expect(header).toMatchObject({ faults: [], complete: true });
    expect(header?.notes).toEqual([
      { index: 10, problem: 'the footnote mark "1" was dropped from the heading "GGR"', remedy: null },
    ]);
  });

  it.each([
    ['right above the header', 'Report', 4],
    ['above an empty row', 'GGR', 3],
  ])('notes no footnote mark of a title %s', (_, value, row) => {
    const title: Cell = { kind: 'footnoted', value, mark: '1', text: `${value}¹` };
    expect(findHeader('ggr', [at(row, title), at(5, ...LONG)])).toMatchObject({
      row: 5,
      faults: [],
      notes: [],
    });
  });
});
