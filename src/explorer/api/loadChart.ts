// Loads the data of a selection's chart: sums from the API, or plain rows if values do not add up.

import { groupBy } from '../../basics/lists.ts';
import type { ChartData, Note } from '../model/chartData.ts';
import { WHOLE_COUNTRY } from '../model/facts.ts';
import {
  type CountedSelection,
  isWithin,
  queryPairsOf,
  type Selection,
  valuesWithRows,
} from '../model/selection.ts';
import {
  type AmbiguousPoint,
  plainSeries,
  type Series,
  sortedByValue,
  summedSeries,
  yearRange,
  yearsIn,
} from '../model/series.ts';
import { type QueryPairs, queryString, type RequestContext } from './client.ts';
import { type Failure, type FieldErrors, isAmbiguousSum, isFailure } from './failure.ts';
import { LARGEST_COUNT, loadLargestValues, type SplitSelection } from './loadLargestValues.ts';
import { loadNamedBreaks } from './loadNamedBreaks.ts';
import { loadPages } from './loadPages.ts';
import {
  CALCULATION,
  type CountedSums,
  loadForecastSums,
  loadSums,
  type Sums,
  withMissingCounts,
} from './loadSums.ts';
import type { MetricFacts, Rows, TotalRow, Values } from './responseTypes.ts';
import { withOnlyValues } from './withOnlyValues.ts';

export type ChartAnswer =
  | { readonly kind: 'chart'; readonly data: ChartData }
  /** The API refuses the sum: values do not add up over these dimensions. */
  | { readonly kind: 'ambiguous sum'; readonly fields: FieldErrors }
  /** One point has several values, which must not be added. */
  | { readonly kind: 'ambiguous point'; readonly ambiguousPoint: AmbiguousPoint }
  | { readonly kind: 'too many'; readonly rows: number }
  | { readonly kind: 'empty' }
  | { readonly kind: 'lookup' };

/**
 * The most series of a chart. Readers cannot tell more apart, and twelve with all their years fit into a page of the
 * API.
 */
const MAX_SERIES = 12;

/** The chart of a selection, or why it has none. It needs several requests. Some of them run at the same time. */
export async function loadChart(
  countedSelection: CountedSelection,
  context: RequestContext,
): Promise<ChartAnswer | Failure> {
  const { selection, counts } = countedSelection;
  const { metric } = selection;
  if (metric === null) return { kind: 'lookup' };
  if (counts.meta.row_count === 0) return { kind: 'empty' };
  const parts = metric.adds_up
    ? await loadSummedChart(countedSelection, metric, context)
    : await loadPlainChart(countedSelection, metric, context);
  if ('kind' in parts) {
    const clear = parts.kind === 'ambiguous sum' ? withOnlyValues(countedSelection, parts.fields) : null;
    return clear === null ? parts : await loadChart(clear, context);
  }
  const chart = { selection, metric, names: valuesOf(counts, selection.by), ...parts };
  const breaks = await loadNamedBreaks(chart, context);
  return isFailure(breaks) ? breaks : { kind: 'chart', data: { ...chart, breaks } };
}

/** The parts of a chart that come from its sums or rows. */
type ChartParts = Pick<ChartData, 'series' | 'country' | 'notes'>;

async function loadSummedChart(
  countedSelection: CountedSelection,
  metric: MetricFacts,
  context: RequestContext,
): Promise<ChartParts | ChartAnswer | Failure> {
  const { selection, counts } = countedSelection;
  const { by, filters, years } = selection;
  const country = await loadCountryOfStates(countedSelection, context);
  if (country !== null && isFailure(country)) return ambiguousOr(country);
  const names = by === null ? [] : valuesWithRows(by, filters, counts);
  // Null when the series are few enough to draw them all.
  const split = by !== null && names.length > MAX_SERIES ? { ...selection, by, metric } : null;
  // These need no ranking, so their sums are requested at the same time as the forecasts.
  const sumsWithoutRanking = split === null ? loadSums(selection, context) : null;
  const forecasts = await loadForecastSums(selection, context);
  if (isFailure(forecasts)) return ambiguousOr(forecasts);
  const ranking = split === null ? null : await loadLargestValues(split, forecasts.rows, context);
  if (ranking !== null && isFailure(ranking)) return ambiguousOr(ranking);
  // The ranking is empty when nothing has a sum, for example because every sum would mix reported and calculated values.
  const drawnNames =
    ranking === null ? names : ranking.names.length > 0 ? ranking.names : names.slice(0, LARGEST_COUNT);
  const drawnSelection = split === null ? selection : filteredBy(split, drawnNames);
  const summed = await (sumsWithoutRanking ?? loadSums(drawnSelection, context));
  if (isFailure(summed)) return ambiguousOr(summed);
  const countedSums = await withMissingCounts(summed, drawnSelection, context);
  if (isFailure(countedSums)) return countedSums;
  const undrawnNames = names.filter((name) => !drawnNames.includes(name));
  const other = split === null ? NO_OTHER : await loadOther(split, undrawnNames, forecasts.rows, context);
  if (isFailure(other)) return ambiguousOr(other);
  const dimensions = { by, metric: metric.name, years: yearRange(years) };
  return {
    series: largestFirst([
      ...withRowsInPeriod(summedSeries(countedSums.rows, forecasts.rows, dimensions), countedSelection),
      ...other.series,
    ]),
    country,
    notes: [
      ...mixedNotes(countedSums, selection),
      ...other.notes,
      ...missingNotes(countedSums, selection),
      // The requests for the ranking cover all countries, so they name all those that the sums leave out. The request for
      // the drawn sums covers only the ranked countries.
      ...(ranking ?? countedSums).leftOut,
    ],
  };
}

/**
 * The series that have rows in the chosen period. The sums are those of all years, so they include countries whose rows
 * begin after the period. Values that a filter names are drawn in any case.
 */
function withRowsInPeriod(
  series: readonly Series[],
  { selection, counts }: CountedSelection,
): readonly Series[] {
  const { by, filters } = selection;
  if (by === null || filters[by] !== undefined) return series;
  const names = new Set(valuesOf(counts, by));
  return series.filter(({ name }) => names.has(name));
}

/** The selection with a filter on `by`. */
const filteredBy = (split: SplitSelection, values: readonly string[]): SplitSelection => ({
  ...split,
  filters: { ...split.filters, [split.by]: values },
});

/** The sums of the whole country, if the chart shows the states of one country; null for other charts. */
async function loadCountryOfStates(
  { selection, counts }: CountedSelection,
  context: RequestContext,
): Promise<Series | Failure | null> {
  const { by, filters, metric, years } = selection;
  if (by !== 'state' || metric === null) return null;
  const countries = filters.country ?? (counts.values.country ?? []).map(({ value }) => String(value));
  if (countries.length !== 1) return null;
  const wholeCountry = { ...filters, state: [WHOLE_COUNTRY] };
  const found = await loadSums({ ...selection, filters: wholeCountry, by: null }, context);
  if (isFailure(found)) return found;
  const [series] = summedSeries(found.rows, [], { by: null, metric: metric.name, years: yearRange(years) });
  return series ?? null;
}

const valuesOf = (counts: Values, by: string | null): string[] =>
  by === null ? [] : (counts.values[by] ?? []).map(({ value }) => String(value));

/** A refusal that names dimensions becomes an answer, so that the page can ask for their values. Others stay failures. */
const ambiguousOr = (failure: Failure): ChartAnswer | Failure =>
  isAmbiguousSum(failure) ? { kind: 'ambiguous sum', fields: failure.fieldErrors } : failure;

function mixedNotes({ mixedYears }: Sums, { period }: Selection): Note[] {
  const drawn = mixedYears.filter((year) => isWithin(year, period));
  return drawn.length === 0 ? [] : [{ kind: 'mixed', dimension: CALCULATION, points: drawn.length }];
}

function missingNotes({ missingCount, missingByYear }: CountedSums, { period, years }: Selection): Note[] {
  if (missingCount === 0) return [];
  const isWhole = period === null || (period.first <= (years[0] ?? 0) && period.last >= (years.at(-1) ?? 0));
  return [{ kind: 'missing', values: missingCount, isOfAllYears: !isWhole, missingByYear: missingByYear }];
}

/** The sum of the values that have no series of their own, as one series, and a note about it. */
interface Other {
  readonly series: readonly Series[];
  readonly notes: readonly Note[];
}

const NO_OTHER: Other = { series: [], notes: [] };

async function loadOther(
  split: SplitSelection,
  members: readonly string[],
  forecasts: readonly TotalRow[],
  context: RequestContext,
): Promise<Other | Failure> {
  const { dataset, by } = split;
  const noSum = ({ areTooMany = false } = {}): Other => ({
    series: [],
    notes: [{ kind: 'no other', members: members.length, areTooMany }],
  });
  // Values such as states and currencies must not be added up.
  if (dataset.not_additive_over.includes(by)) return noSum();
  const { filters } = filteredBy(split, members);
  if (queryString(queryPairsOf(filters, null)).length > MAX_QUERY_BYTES) return noSum({ areTooMany: true });
  const found = await loadSums({ ...split, filters, by: null }, context);
  if (isFailure(found)) return found;
  if (found.missingCount > 0 || found.mixedYears.length > 0) return noSum();
  return {
    series: [otherSeries(split, found.rows, forecasts, members)],
    notes: [{ kind: 'other', members: members.length }],
  };
}

/**
 * The longest query that is sent. Proxies such as nginx refuse request lines of more than 8 KB. A query of this length
 * names about 300 countries.
 */
const MAX_QUERY_BYTES = 7000;

function otherSeries(
  { by, metric: { name: metric }, years }: SplitSelection,
  rows: readonly TotalRow[],
  forecasts: readonly TotalRow[],
  members: readonly string[],
): Series {
  const ofMembers = forecasts.filter(({ dimensions }) => members.includes(String(dimensions[by])));
  const byYear = [...groupBy(ofMembers, ({ dimensions }) => dimensions.year)].map(([year, parts]) => ({
    dimensions: { year: year ?? 0 },
    // This sum is only used for the share of forecasts, so its last digits do not matter.
    values: { [metric]: parts.reduce((sum, { values }) => sum + (values[metric] ?? 0), 0) },
    rows_summed: parts.reduce((sum, { rows_summed }) => sum + rows_summed, 0),
  }));
  const [other] = summedSeries(rows, byYear, { by: null, metric, years: yearRange(years) });
  return { name: OTHER_NAME, kind: 'other', memberCount: members.length, points: other?.points ?? [] };
}

/** The name of the series `other`. No value has it: ingest trims values, and a product may be called `Other`. */
const OTHER_NAME = ' rest';

async function loadPlainChart(
  { selection, counts }: CountedSelection,
  metric: MetricFacts,
  context: RequestContext,
): Promise<ChartParts | ChartAnswer | Failure> {
  const { dataset, filters, by, years } = selection;
  if (counts.meta.row_count > MAX_PLAIN_ROWS) return { kind: 'too many', rows: counts.meta.row_count };
  const pairs: QueryPairs = [['metric', dataset.name], ...queryPairsOf(filters, null)];
  const pages = await loadPages<Rows>('/v1/financials', pairs, context);
  if (isFailure(pages)) return pages;
  const { series, ambiguousPoint } = plainSeries(pages.data, {
    by,
    metric: metric.name,
    years: yearRange(years),
  });
  if (ambiguousPoint !== null) return { kind: 'ambiguous point', ambiguousPoint };
  const inPeriod = withRowsInPeriod(series, { selection, counts });
  const drawn = largestFirst(inPeriod).slice(0, MAX_SERIES);
  const notes: Note[] =
    drawn.length < inPeriod.length ? [{ kind: 'left out', drawn: drawn.length, all: inPeriod.length }] : [];
  return { series: drawn, country: null, notes };
}

/** The most rows that are loaded if values do not add up: five pages of the API. */
const MAX_PLAIN_ROWS = 5000;

/** The series sorted by their values in the last year that has a reported value, the largest first and "Other" last. */
function largestFirst(series: readonly Series[]): Series[] {
  const years = yearsIn(series);
  const reported = series.flatMap(({ points }) =>
    points.filter(({ forecastShare, value }) => forecastShare === 0 && value !== null),
  );
  return sortedByValue(series, Math.max(...reported.map(({ year }) => year), years[0] ?? 0));
}
