// Numbers and copied rows are readable for people.

import { describe, expect, it } from '@jest/globals';
import { delimitedText } from '../../src/explorer/model/delimitedText.ts';
import {
  bidiIsolated,
  changeText,
  exactText,
  isReadExactly,
  logTickFormat,
  shareText,
  shortText,
  signedPercentText,
  tickFormat,
  withNonBreakingNumbers,
} from '../../src/explorer/model/numberFormats.ts';
import type { Selection } from '../../src/explorer/model/selection.ts';
import { summaryOf, titleOf } from '../../src/explorer/model/summary.ts';
import { sortedRows, splitColumns } from '../../src/explorer/model/tableRows.ts';

describe('numbers', () => {
  it('have three significant digits in short form and all digits in exact form', () => {
    expect(
      [517_165_415_885, 28_377_884_422, 999_600_000, 0.181211, 12_345.6, -2_500_000].map(shortText),
    ).toEqual(['517 bn', '28.4 bn', '1.00 bn', '0.181', '12,346', '−2.50 m']);
    expect([165_152_819_427, 0.1, 31_750_000.5].map(exactText)).toEqual([
      '165,152,819,427',
      '0.1',
      '31,750,000.5',
    ]);
    expect([4.385157307055574e-6, -9_007_199_254_740_993_000_000, 5e-324].map(exactText)).toEqual([
      '0.000004385157307055574',
      '−9,007,199,254,740,993,000,000',
      '5e−324',
    ]);
  });

  it('of one axis have one scale and one number of decimals; those of a logarithmic axis have their own', () => {
    const ticks = [0, 400_000_000, 800_000_000, 1_200_000_000];
    expect(ticks.map(tickFormat(ticks))).toEqual(['0', '0.4 bn', '0.8 bn', '1.2 bn']);
    expect([-1, -0.5, 0, 0.5].map(tickFormat([-1, -0.5, 0, 0.5]))).toEqual(['−1.0', '−0.5', '0', '0.5']);
    expect([0, 5e-9, 1e-8].map(tickFormat([0, 5e-9, 1e-8]))).toEqual(['0', '0.000000005', '0.000000010']);
    expect([5_000_000, 20_000_000_000].map(logTickFormat)).toEqual(['5 m', '20 bn']);
  });

  it('have a power of ten from 1e18 on, where no short word is left', () => {
    expect([9.99e17, 1e18, -1.2345e21].map(shortText)).toEqual(['999,000 tn', '1e18', '−1.23e21']);
    expect([0, 5e17, 1e18].map(tickFormat([0, 5e17, 1e18]))).toEqual(['0', '5e17', '1e18']);
    expect([1e15, 1e18].map(logTickFormat)).toEqual(['1,000 tn', '1e18']);
  });

  it('have a power of ten where their zeros would fill the page', () => {
    expect([1e-9, 1e-300, -1.5e-12, 0, 1e300].map(shortText)).toEqual([
      '0.000000001',
      '1e−300',
      '−1.5e−12',
      '0',
      '1e300',
    ]);
    expect([1e-300, -1e300, 5e23, 0].map(exactText)).toEqual([
      '1e−300',
      '−1e300',
      '500,000,000,000,000,000,000,000',
      '0',
    ]);
    expect([1e-300, 1e-10].map(logTickFormat)).toEqual(['1e−300', '1e−10']);
    expect([0, 2e-301].map(tickFormat([0, 2e-301]))).toEqual(['0', '2e−301']);
  });

  it('stay in one line with their unit', () => {
    expect(withNonBreakingNumbers('Asia 145 bn, up 38.8 % since 2018; 3 more')).toBe(
      'Asia 145\u00a0bn, up 38.8\u00a0% since 2018; 3 more',
    );
  });

  it('have a second, exact form only where the short one leaves digits out', () => {
    const percent = { kind: 'percent' } as const;
    expect([4.3, 4.25].map((value) => isReadExactly(value, percent))).toEqual([true, false]);
    const money = { kind: 'currency', code: 'USD' } as const;
    expect([12_345, 26_048_040].map((value) => isReadExactly(value, money))).toEqual([true, false]);
  });

  it('of change and share are never rounded to nothing', () => {
    expect(
      [
        [100_000, 100_010],
        [100_000, 99_990],
        [100, 122.4],
        [-10, -20],
        [0, 5],
        [100_000, 1],
        [100_000, 0],
      ].map(([before = 0, after = 0]) => signedPercentText(before, after)),
    ).toEqual(['under 0.1 %', 'under 0.1 %', '+22.4 %', '−100 %', '', '−99.9 %', '−100 %']);
    expect(changeText(100_000, 1)).toBe('down 99.9 %');
    expect(changeText(100, 114.5)).toBe('up 14.5 %');
    expect(changeText(0, 5)).toBeNull();
    expect([changeText(100, 100), changeText(100, 99.96)]).toEqual(['unchanged', 'almost unchanged']);
    expect([0.0001, 0.5, 0.9999].map(shareText)).toEqual(['under 0.1 %', '50.0 %', 'over 99.9 %']);
  });
});

const columns = ['country', 'ggr'].map((name) => ({
  name,
  label: name,
  isNumber: name === 'ggr',
  unit: null,
}));

describe('a name within a sentence', () => {
  it('is set apart in right-to-left letters, so that the number behind it stays behind it', () => {
    expect(bidiIsolated('المغرب')).toBe('\u2068المغرب\u2069');
    expect(bidiIsolated('Malta')).toBe('Malta');
  });
});

describe('rows that are copied', () => {
  it('are CSV with quotes where needed, all digits, and empty fields for missing values', () => {
    const rows = [
      { country: 'Congo, "DR"', ggr: 31750000.5 },
      { country: 'Malta', ggr: null },
    ];
    expect(delimitedText(columns, rows, 'csv')).toBe(
      'country,ggr\r\n"Congo, ""DR""",31750000.5\r\nMalta,\r\n',
    );
  });

  it('never become a formula or another row in a spreadsheet', () => {
    expect(delimitedText(columns, [{ country: '=1+1\tx', ggr: -5 }], 'tsv')).toBe(
      "country\tggr\n'=1+1 x\t-5\n",
    );
    expect(delimitedText(columns, [{ country: '"Old" Land', ggr: 1 }], 'tsv')).toBe(
      'country\tggr\n"""Old"" Land"\t1\n',
    );
  });

  it('are sorted with missing values last in both directions', () => {
    const rows = [{ ggr: null }, { ggr: 2 }, { ggr: 10 }];
    expect(sortedRows(rows, { column: 'ggr', isDescending: true }).map(({ ggr }) => ggr)).toEqual([
      10,
      2,
      null,
    ]);
    expect(sortedRows(rows, { column: 'ggr', isDescending: false }).map(({ ggr }) => ggr)).toEqual([
      2,
      10,
      null,
    ]);
  });

  it('have the columns with one value in all rows set apart', () => {
    const rows = [
      { country: 'Malta', ggr: 1 },
      { country: 'Malta', ggr: 1 },
    ];
    const { varying, constant } = splitColumns(columns, rows, () => true);
    expect(varying.map(({ name }) => name)).toEqual(['ggr']);
    expect(constant.map(({ value }) => value)).toEqual(['Malta']);
    // Rows that are not loaded may have other countries.
    expect(splitColumns(columns, rows, () => false).varying).toEqual(columns);
  });
});

describe('the sentence about a chart', () => {
  /** The sentence about one series of inflation with these values from 2020 on. */
  const summary = (...values: readonly (number | null)[]) => summaryBy(values, 'percent', 'lines', null);

  /**
   * The sentence about one series with these values from 2020 on, of a metric with this unit. If `kind` is `bars`, coverage
   * breaks in 2022, and forecasts begin in that year.
   */
  const summaryBy = (
    values: readonly (number | null)[],
    unit: string,
    kind: 'lines' | 'bars',
    year: number | null,
    filters: Readonly<Record<string, readonly string[]>> = {},
  ) => {
    const isBroken = kind === 'bars';
    const points = values.map((value, i) => ({
      year: 2020 + i,
      value,
      forecastShare: isBroken && i > 1 ? 1 : 0,
      rowCount: 1,
    }));
    const additive = { adds_up: false, adds_up_over_years: false };
    const metric = { name: 'inflation', unit, description: '', ...additive, missing: 0 };
    const dataset = {
      name: 'country',
      description: '',
      row_count: 0,
      years: { first: 2020, last: 2024 },
      dimensions: [],
      metrics: [metric],
      not_additive_over: [],
      sources: [],
      files: {},
    };
    const selection = { dataset, metric, by: null, chartKind: 'lines', filters, period: null } as const;
    return summaryOf(
      {
        selection: { ...selection, years: [], defaultFilters: [] },
        metric,
        names: [],
        series: [{ name: '', kind: 'all', memberCount: 1, points }],
        breaks: isBroken
          ? [
              {
                year: 2022,
                yearBefore: 2021,
                beginning: ['Peru'],
                ending: [],
                missingCount: 0,
                missingCountBefore: 0,
              },
            ]
          : [],
        country: null,
        notes: [],
      },
      kind,
      year,
    );
  };

  it('of one series names its lowest year, unless that is the last, and counts missing values', () => {
    expect(summary(5, 2, 2, 4)).toMatch(/: 4\.0 % in 2023; lowest 2\.0 % in 2021\.$/);
    expect(summary(5, 4, 3)).toMatch(/: 3\.0 % in 2022\.$/);
    expect(summary(5, null, 4)).toMatch(/: 4\.0 % in 2022\. 1 value is missing\.$/);
    expect(summary(5, null, null, 4)).toMatch(/: 4\.0 % in 2023\. 2 values are missing\.$/);
  });

  it('names a filter on the only year that is drawn once', () => {
    const filters = { country: ['Malta'], year: ['2020'] };
    expect(summaryBy([5], 'percent', 'lines', null, filters)).toMatch(/, Malta, 2020: 5\.0 % in 2020\.$/);
  });

  it('has no growth across a break in coverage, also in a year of forecasts', () => {
    expect(summaryBy([10, 20, 90, 99], 'persons', 'bars', 2021)).toContain(
      '20 in 2021, up 100 % since 2020.',
    );
    expect(summaryBy([10, 20, 90, 99], 'persons', 'bars', 2023)).toContain(
      '99 in 2023, up 10.0 % since 2022.',
    );
  });
});

describe('the title of a selection', () => {
  it.each([
    [{}, null, 'Gross gaming revenue'],
    [{ fx: ['USD'] }, null, 'Gross gaming revenue'],
    [{ state: [''] }, null, 'Gross gaming revenue'],
    [{ country: ['Canada'], state: ['Ontario'] }, null, 'Gross gaming revenue, Canada, Ontario'],
    [{ country: ['Malta', 'Spain'] }, null, 'Gross gaming revenue, Malta or Spain'],
    [{ country: ['Malta', 'Spain'] }, 'country', 'Gross gaming revenue by country'],
    [
      { country: ['Malta'], channel: ['Online'] },
      'product',
      'Gross gaming revenue, Malta, Online, by product',
    ],
    [{ temporal: ['Current'], country: ['Malta'] }, null, 'Gross gaming revenue, Malta'],
    [{ country: ['A', 'B', 'C', 'D'] }, null, 'Gross gaming revenue, 4 countries'],
    [
      {
        region: ['Europe'],
        country: ['Malta'],
        channel: ['Online'],
        product: ['Poker'],
        sub_channel: ['Onshore'],
      },
      null,
      'Gross gaming revenue, Europe, Malta, Online, 2 more filters',
    ],
  ] as [Record<string, string[]>, string | null, string][])('of %j by %j is %s', (filters, by, title) => {
    const metric = { name: 'ggr', unit: 'currency of the fx dimension', adds_up: true };
    const selection = {
      metric,
      dataset: { name: 'ggr' },
      by,
      filters,
      defaultFilters: [{ dimension: 'temporal' }],
    };
    const shown = titleOf(selection as unknown as Selection);
    expect(shown.replace(/[\u2068\u2069]/g, '')).toBe(title);
  });

  it('names the metric, and the dataset where that has none', () => {
    const selection = { dataset: { name: 'country' }, by: null, filters: {}, defaultFilters: [] };
    const titles = [{ name: 'adult_population' }, null].map((metric) =>
      titleOf({ ...selection, metric } as unknown as Selection),
    );
    expect(titles).toEqual(['Adult population', 'Country indicators']);
  });
});
