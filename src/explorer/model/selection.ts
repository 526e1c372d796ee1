// Turns a question into a selection for the API, with default filters.

import type { DatasetFacts, MetricFacts, ValueCount, Values } from '../api/responseTypes.ts';
import {
  CURRENCY,
  DEFAULT_COUNTRIES,
  DEFAULT_CURRENCIES,
  dimensionNames,
  isExchangeRate,
  metricOf,
  WHOLE_COUNTRY,
} from './facts.ts';
import { type ChartKind, type Filters, NO_SPLIT, type Question, withoutAnyFilter } from './question.ts';

/** A default filter, and the reason for it, which the page shows. */
export interface DefaultFilter {
  readonly dimension: string;
  readonly why: 'one currency' | 'whole countries' | 'states' | 'some countries' | 'full coverage';
}

export interface Years {
  readonly first: number;
  readonly last: number;
}

export interface Selection {
  readonly dataset: DatasetFacts;
  /** The metric; null for a lookup. */
  readonly metric: MetricFacts | null;
  /** The dimension by which series are divided; null for one series. */
  readonly by: string | null;
  readonly chartKind: ChartKind;
  /** The filters, including the default ones, but not the period. */
  readonly filters: Filters;
  /** The period; null for a dataset without years, and while the years are not known yet. */
  readonly period: Years | null;
  /** The years that have rows under the filters. */
  readonly years: readonly number[];
  readonly defaultFilters: readonly DefaultFilter[];
}

/** A selection with the number of rows of each value. */
export interface CountedSelection {
  readonly selection: Selection;
  readonly counts: Values;
}

/** The dimensions by which series can be divided: all except the year, which is the axis. */
export const splitDimensions = (dataset: DatasetFacts): readonly string[] =>
  dataset.metrics.length === 0 ? [] : dimensionNames(dataset).filter((name) => name !== 'year');

/**
 * The selection for a question. `counts` are the row counts under the filters of the guess before; null for the first
 * guess. When the result has the same filters as that guess, it is final. Otherwise it is the next guess, for which
 * loadCountedSelection.ts counts again.
 */
export function selectionFor(question: Question, dataset: DatasetFacts, counts: Values | null): Selection {
  const metric = metricOf(dataset, question.metric);
  const by = splitDimensionOf(question, dataset);
  const defaultFilters: DefaultFilter[] = [];
  const filters: Record<string, readonly string[]> = { ...question.filters };
  const addDefault = (dimension: string, why: DefaultFilter['why'], values: readonly string[]) => {
    if (values.length === 0) return;
    filters[dimension] = values;
    defaultFilters.push({ dimension, why });
  };
  const isOpen = (dimension: string) =>
    dimensionNames(dataset).includes(dimension) &&
    filters[dimension] === undefined &&
    !question.unfilteredDimensions.includes(dimension);
  if (isOpen(CURRENCY) && by !== CURRENCY) addDefault(CURRENCY, 'one currency', defaultCurrency(counts));
  if (isOpen('state') && by === 'state') addDefault('state', 'states', statesOf(counts));
  else if (isOpen('state')) addDefault('state', 'whole countries', wholeCountry(counts));
  // The title names filters. A country of which one state alone has rows would otherwise look like the whole country.
  const states = statesOf(counts);
  if (filters.state === undefined && by !== 'state' && states.length === 1 && !hasWholeCountry(counts))
    filters.state = states;
  if (metric !== null && !metric.adds_up && isOpen('country') && by === 'country')
    addDefault('country', 'some countries', defaultCountries(dataset, counts));
  const countsByYear = yearCounts(filters, counts);
  const years = countsByYear.map(({ value }) => Number(value));
  const period = periodOf(question, years, countsByYear);
  if (period !== null && question.firstYear === null && period.first > (years[0] ?? 0))
    defaultFilters.push({ dimension: 'year', why: 'full coverage' });
  return {
    dataset,
    metric,
    by,
    chartKind: chartKindOf(question, metric, filters),
    filters,
    period,
    years,
    defaultFilters,
  };
}

/** The question without a default that its selection has. Instead of the default period, it has all years. */
export const withoutDefault = (question: Question, { years }: Selection, dimension: string): Question =>
  dimension === 'year' ? { ...question, firstYear: years[0] ?? null } : withoutAnyFilter(question, dimension);

/** Whether two selections ask for the same rows. */
export const isSameSelection = (a: Selection, b: Selection): boolean =>
  JSON.stringify([a.filters, a.by]) === JSON.stringify([b.filters, b.by]);

/** The dimension of the series: the chosen one, or the default for the filters; null for one series. */
export function splitDimensionOf({ by, filters }: Question, dataset: DatasetFacts): string | null {
  const possible = splitDimensions(dataset);
  if (possible.length === 0 || by === NO_SPLIT) return null;
  if (by !== '') return by;
  const chosen = (dimension: string) => filters[dimension]?.length ?? 0;
  if (!possible.includes('product')) return 'country';
  if (chosen('country') > 1) return 'country';
  if (chosen('state') > 1) return 'state';
  if (chosen('country') === 1) return chosen('product') === 1 ? 'channel' : 'product';
  return chosen('region') === 1 ? 'country' : 'region';
}

function defaultCurrency(counts: Values | null): readonly string[] {
  const currencies = counts?.values[CURRENCY];
  if (currencies === undefined) return DEFAULT_CURRENCIES.slice(0, 1);
  const usual = DEFAULT_CURRENCIES.find((currency) => currencies.some(({ value }) => value === currency));
  const most = [...currencies].sort((a, b) => b.row_count - a.row_count)[0]?.value;
  const taken = usual ?? most;
  return taken === undefined ? [] : [String(taken)];
}

const wholeCountry = (counts: Values | null): readonly string[] =>
  hasWholeCountry(counts) ? [WHOLE_COUNTRY] : [];

/** Whether there are rows of whole countries, or no rows at all. */
function hasWholeCountry(counts: Values | null): boolean {
  const states = counts?.values.state;
  return states === undefined || states.length === 0 || states.some(({ value }) => value === WHOLE_COUNTRY);
}

const statesOf = (counts: Values | null): readonly string[] =>
  (counts?.values.state ?? []).map(({ value }) => String(value)).filter((state) => state !== WHOLE_COUNTRY);

function defaultCountries(dataset: DatasetFacts, counts: Values | null): readonly string[] {
  const countries = counts?.values.country?.map(({ value }) => String(value));
  const usual = DEFAULT_COUNTRIES[dataset.name] ?? [];
  if (countries === undefined) return usual;
  const found = usual.filter((country) => countries.includes(country));
  // One country alone would look as if no other had a value, for example in a region.
  return [...new Set([...found, ...countries])].slice(0, Math.max(found.length, 4));
}

/** The chosen period, or the default one. A chosen period may extend beyond the years that exist. */
function periodOf(
  { firstYear, lastYear, dataset, filters }: Question,
  years: readonly number[],
  counts: readonly ValueCount[],
): Years | null {
  const last = years.at(-1);
  if (last === undefined)
    return firstYear === null || lastYear === null ? null : { first: firstYear, last: lastYear };
  const end = lastYear ?? Math.max(last, firstYear ?? last);
  // A later year with more rows says nothing about the coverage of a period that ends before it.
  const countsUntilEnd = counts.filter(({ value }) => Number(value) <= end);
  const first =
    beginsWithFullCoverage({ dataset, filters }) && countsUntilEnd.length > 0
      ? firstFullYear(countsUntilEnd)
      : (years[0] ?? last);
  return { first: firstYear ?? Math.min(first, end), last: end };
}

/**
 * Whether the default period begins with the first year of full coverage. The period of one country begins with its
 * first year, because its coverage does not change when others begin.
 */
const beginsWithFullCoverage = ({ dataset, filters }: Pick<Question, 'dataset' | 'filters'>): boolean =>
  (dataset === 'ggr' || dataset === 'turnover') && filters.country?.length !== 1;

/** Whether an answer to `question` gets default filters that `selection` does not have, and so may have fewer rows. */
export function addsDefaultFilters(question: Question, { dataset, defaultFilters }: Selection): boolean {
  const isAssumed = (dimension: string) => defaultFilters.some((one) => one.dimension === dimension);
  const defaults = selectionFor(question, dataset, null).defaultFilters;
  return (
    defaults.some(({ dimension }) => !isAssumed(dimension)) ||
    (question.firstYear === null && beginsWithFullCoverage(question))
  );
}

/**
 * The chosen period; null when no year was chosen. If only one end was chosen, the other is the first or last year that
 * data can have.
 */
export const chosenPeriod = ({
  firstYear,
  lastYear,
}: Pick<Question, 'firstYear' | 'lastYear'>): Years | null =>
  firstYear === null && lastYear === null
    ? null
    : { first: firstYear ?? FIRST_YEAR, last: lastYear ?? LAST_YEAR };

/** The first and the last year that the data can have. */
const FIRST_YEAR = 1000;
const LAST_YEAR = 9999;

/**
 * The period of a comparison; null for all years. By default it begins with the first year of full coverage, if the
 * selection does so too. By default it has no end, because a year that only one of the snapshots has is a change.
 */
export function comparedPeriod(question: Question, { period, defaultFilters }: Selection): Years | null {
  const covered = defaultFilters.some(({ why }) => why === 'full coverage') ? (period?.first ?? null) : null;
  return chosenPeriod({ firstYear: question.firstYear ?? covered, lastYear: question.lastYear });
}

/** Whether a year is in a period. The period null has all years. */
export const isWithin = (year: number, period: Years | null): boolean =>
  period === null || (year >= period.first && year <= period.last);

/** The counts of the years that the filter on years keeps. The counts of the API ignore this filter. */
function yearCounts(filters: Filters, counts: Values | null): readonly ValueCount[] {
  const all = counts?.values.year ?? [];
  const wanted = filters.year?.map(Number);
  return wanted === undefined ? all : all.filter(({ value }) => wanted.includes(Number(value)));
}

/**
 * The first year from which on all years have at least 90 % of the rows of the year with most rows; the first year of
 * all when the last year has fewer.
 */
export function firstFullYear(counts: readonly ValueCount[]): number {
  const leastRows = 0.9 * Math.max(...counts.map(({ row_count }) => row_count));
  const lastIncomplete = counts.findLastIndex(({ row_count }) => row_count < leastRows);
  return Number((counts[lastIncomplete + 1] ?? counts[0])?.value ?? 0);
}

function chartKindOf(question: Question, metric: MetricFacts | null, filters: Filters): ChartKind {
  if (question.chartKind !== '') return question.chartKind;
  if (metric?.name === 'adult_population') return 'bars';
  const countries = filters.country?.length ?? 0;
  return metric !== null && isExchangeRate(metric) && countries !== 1 ? 'multiples' : 'lines';
}

/** The filters and the period as parameters, which are the same for all endpoints. */
export function queryPairsOf(filters: Filters, period: Years | null): [string, string][] {
  const pairs = Object.entries(filters).flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  );
  if (period !== null) pairs.push(['period', `${period.first}-01-01:${period.last}-12-31`]);
  return pairs;
}

/**
 * The values of a dimension that have rows and that the filter on it keeps. The API counts the values of a dimension
 * without the filter on this dimension, so the filter is applied here.
 */
export const valuesWithRows = (dimension: string, filters: Filters, { values }: Values): string[] =>
  (values[dimension] ?? [])
    .map(({ value }) => String(value))
    .filter((value) => filters[dimension]?.includes(value) ?? true);

/** The number of rows of the selection within its period. */
export function rowCountOf({ selection, counts }: CountedSelection): number {
  const { period, filters } = selection;
  if (period === null || counts.values.year === undefined) return counts.meta.row_count;
  return yearCounts(filters, counts)
    .filter(({ value }) => isWithin(Number(value), period))
    .reduce((sum, { row_count }) => sum + row_count, 0);
}
