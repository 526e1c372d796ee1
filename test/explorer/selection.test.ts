// What the explorer asks for, chosen or by default, and which charts and tables it offers for the answer.

import { describe, expect, it } from '@jest/globals';
import { leftOutNotes } from '../../src/explorer/api/loadSums.ts';
import type { DatasetFacts, Values } from '../../src/explorer/api/responseTypes.ts';
import { type ChartData, chartOffers, drawnSeries } from '../../src/explorer/model/chartData.ts';
import { chartTable } from '../../src/explorer/model/chartTable.ts';
import { DEFAULT_QUESTION, type Question } from '../../src/explorer/model/question.ts';
import { isSameSelection, queryPairsOf, selectionFor } from '../../src/explorer/model/selection.ts';
import type { Series } from '../../src/explorer/model/series.ts';
import { withoutUnknownNames } from '../../src/explorer/model/unknownNames.ts';

const dataset = (name: string, metric: string, addsUp: boolean, ...dimensions: string[]): DatasetFacts => ({
  name,
  description: '',
  row_count: 1,
  years: { first: 2020, last: 2023 },
  dimensions: dimensions.map((one) => ({ name: one, description: '', values: 1 })),
  metrics: [
    {
      ...{ name: metric, unit: 'persons', description: '' },
      ...{ adds_up: addsUp, adds_up_over_years: false, missing: 0 },
    },
  ],
  not_additive_over: [],
  sources: [],
});
const GGR = dataset('ggr', 'ggr', true, 'year', 'region', 'country', 'state', 'product', 'channel', 'fx');
const FX = dataset('fx', 'fx_current_usd', false, 'year', 'country');

/** The counts of rows of each value. */
const countsOf = (values: Readonly<Record<string, Readonly<Record<string, number>>>>): Values => ({
  meta: { row_count: 1 },
  values: Object.fromEntries(
    Object.entries(values).map(([name, counts]) => [
      name,
      Object.entries(counts).map(([value, row_count]) => ({ value, row_count })),
    ]),
  ),
});
const COUNTS = {
  fx: { EUR: 9, USD: 5, XAF: 1 },
  state: { '': 5, Nevada: 3 },
  year: { 2020: 50, 2021: 95, 2022: 100, 2023: 99 },
};

const selected = (question: Partial<Question>, counts: typeof COUNTS | object = COUNTS, facts = GGR) =>
  selectionFor({ ...DEFAULT_QUESTION, dataset: facts.name, ...question }, facts, countsOf({ ...counts }));

describe('by default, a selection has', () => {
  it('one currency, whole countries, and the years of full coverage, and says so', () => {
    expect(selected({})).toMatchObject({
      filters: { fx: ['USD'], state: [''] },
      period: { first: 2021, last: 2023 },
      defaultFilters: [
        { dimension: 'fx', why: 'one currency' },
        { dimension: 'state', why: 'whole countries' },
        { dimension: 'year', why: 'full coverage' },
      ],
    });
    expect(selected({}, { ...COUNTS, fx: { XAF: 1, XOF: 2 } }).filters.fx).toEqual(['XOF']);
    const countries = { country: ['Chad', 'Peru'] };
    expect(selected({ filters: countries })).toMatchObject({ period: { first: 2021, last: 2023 } });
  });

  it('all years of a single country, whose rows tell nothing of coverage', () => {
    const { period, defaultFilters } = selected({ filters: { country: ['Chad'] } });
    expect(period).toEqual({ first: 2020, last: 2023 });
    expect(defaultFilters.map(({ why }) => why)).toEqual(['one currency', 'whole countries']);
    expect(selected({}, COUNTS, FX).period).toEqual({ first: 2020, last: 2023 });
  });

  it('no year after the last one that was chosen', () => {
    expect(selected({ lastYear: 2020 }).period).toEqual({ first: 2020, last: 2020 });
    expect(selected({ firstYear: 2022, lastYear: 2030 }).period).toEqual({ first: 2022, last: 2030 });
  });

  it('no filter on states where there are none, and names the only state that has rows', () => {
    expect(selected({}, { ...COUNTS, state: {} }).filters).toEqual({ fx: ['USD'], state: [''] });
    const one = selected({}, { ...COUNTS, state: { Nevada: 3 } });
    expect(one.filters.state).toEqual(['Nevada']);
    expect(one.defaultFilters).not.toContainEqual(expect.objectContaining({ dimension: 'state' }));
    const two = { ...COUNTS, state: { Nevada: 3, Ohio: 1 } };
    expect(selected({}, two).filters.state).toBeUndefined();
    expect(selected({ by: 'state' }, two).filters.state).toEqual(['Nevada', 'Ohio']);
  });

  it('a few countries where values do not add up', () => {
    const country = { Brazil: 1, Chad: 1, India: 1, Japan: 1, Mali: 1, 'United Kingdom': 1 };
    const usual = ['Brazil', 'India', 'Japan', 'United Kingdom'];
    expect(selected({}, { ...COUNTS, country }, FX)).toMatchObject({
      filters: { country: usual },
      defaultFilters: [{ dimension: 'country', why: 'some countries' }],
    });
    expect(selected({}, { ...COUNTS, country: { Chad: 1, Mali: 1 } }, FX).filters.country).toEqual([
      'Chad',
      'Mali',
    ]);
    expect(selected({ unfilteredDimensions: ['country'] }, { ...COUNTS, country }, FX).filters).toEqual({});
  });
});

it('two selections are the same where their filters and their series are', () => {
  const [one, other] = [selected({}), selected({ filters: { country: ['Chad'] } })];
  expect([isSameSelection(one, selected({})), isSameSelection(one, other)]).toEqual([true, false]);
  expect(isSameSelection(one, selected({ by: 'country' }))).toBe(false);
});

it('a request names each value of each filter, and the days of the period', () => {
  expect(queryPairsOf({ country: ['Chad', 'Peru'], fx: ['USD'] }, { first: 2020, last: 2021 })).toEqual([
    ['country', 'Chad'],
    ['country', 'Peru'],
    ['fx', 'USD'],
    ['period', '2020-01-01:2021-12-31'],
  ]);
});

it('names that the dataset lacks are left out and listed, and all others stay', () => {
  const filters = { country: ['Chad'], planet: ['Mars'] };
  const given = {
    ...DEFAULT_QUESTION,
    filters,
    metric: 'gold',
    by: 'planet',
    unfilteredDimensions: ['fx', 'moon'],
  };
  const { question, unknownNames } = withoutUnknownNames(given, GGR);
  expect(question).toEqual({
    ...DEFAULT_QUESTION,
    filters: { country: ['Chad'] },
    unfilteredDimensions: ['fx'],
  });
  expect(unknownNames.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'metric gold',
    'dimension planet',
    'split planet',
  ]);
  const known = { ...DEFAULT_QUESTION, filters: { country: ['Chad'] }, by: 'region', firstYear: 2021 };
  expect(withoutUnknownNames(known, GGR)).toEqual({ question: known, unknownNames: [] });
});

/** A chart of these series from 2020 on. Each point is a value and the share of forecasts in it. */
function chartOf(
  points: Readonly<Record<string, readonly (readonly [value: number | null, forecasts: number])[]>>,
  question: Partial<Question> = {},
): ChartData {
  const series = Object.entries(points).map(
    ([name, all]): Series => ({
      name,
      kind: name === 'other' ? 'other' : 'value',
      memberCount: 1,
      points: all.map(([value, forecastShare], i) => ({ year: 2020 + i, value, forecastShare, rowCount: 1 })),
    }),
  );
  const [metric] = GGR.metrics;
  if (metric === undefined) throw new Error('no metric');
  return {
    selection: selected({ by: 'region', firstYear: 2020, ...question }),
    metric,
    names: Object.keys(points),
    series,
    breaks: [],
    country: null,
    notes: [],
  };
}

const FULL = [
  [1, 0],
  [2, 0],
  [3, 0],
  [4, 1],
] as const;

describe('a chart', () => {
  const refusals = (data: ChartData) =>
    Object.fromEntries(chartOffers(data).map(({ kind, refusal }) => [kind, refusal]));

  it('is offered in the kinds that its numbers allow', () => {
    expect(refusals(chartOf({ Asia: FULL, Africa: FULL }))).toEqual({
      lines: null,
      areas: null,
      bars: null,
      multiples: null,
    });
    expect(refusals(chartOf({ Asia: FULL }))).toMatchObject({ multiples: 'one series', areas: null });
    const gap = [...FULL.slice(0, 3), [null, 0] as const];
    expect(refusals(chartOf({ Asia: FULL, Africa: gap }))).toMatchObject({
      areas: 'incomplete',
      lines: null,
    });
    const loss = [...FULL.slice(0, 3), [-4, 0] as const];
    expect(refusals(chartOf({ Asia: FULL, Africa: loss }))).toMatchObject({ areas: 'negative' });
    const year = { firstYear: 2023, lastYear: 2023 };
    expect(refusals(chartOf({ Asia: FULL, Africa: FULL }, year))).toMatchObject({ areas: 'one year' });
  });

  it('draws the rest of all values only in a stack', () => {
    const data = chartOf({ Asia: FULL, other: FULL });
    const drawn = (['areas', 'lines', 'bars'] as const).map((kind) => drawnSeries(data, kind).length);
    expect(drawn).toEqual([2, 1, 1]);
  });

  it('is a table of its years, which says whether all or some of its values are forecasts', () => {
    const partly = [FULL[0], FULL[1], [30, 0.5], [null, 0]] as const;
    const { columns, rows } = chartTable(chartOf({ Asia: FULL, Africa: partly }), 'lines');
    expect(columns.map(({ heading }) => heading)).toEqual(['year', 'Asia', 'Africa', 'forecast']);
    expect(rows).toEqual([
      { year: 2020, 0: 1, 1: 1, forecast: '' },
      { year: 2021, 0: 2, 1: 2, forecast: '' },
      { year: 2022, 0: 3, 1: 30, forecast: 'some' },
      { year: 2023, 0: 4, 1: null, forecast: 'all' },
    ]);
  });
});

it('countries that sums leave out are listed under each reason, in a fixed order', () => {
  const meta = { temporal_alone: ['Togo'], states_alone: ['Chad', 'Peru'], currencies_alone: [] };
  expect(leftOutNotes({ meta })).toEqual([
    { kind: 'states alone', countries: ['Chad', 'Peru'] },
    { kind: 'other temporal', countries: ['Togo'] },
  ]);
  expect(leftOutNotes({ meta: { currencies_alone: ['Chad'] } })).toEqual([
    { kind: 'other currencies', countries: ['Chad'] },
  ]);
});
