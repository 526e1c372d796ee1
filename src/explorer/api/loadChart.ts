// Loads the data of a selection's chart: sums from the API, or plain rows if values do not add up.

import { groupBy } from '../../basics/lists.ts';
import { type ChartData, leftOutOf, type Note } from '../model/chartData.ts';
import { WHOLE_COUNTRY } from '../model/facts.ts';
import { pairsOf, type Selection } from '../model/selection.ts';
import {
  type Clash,
  everyYear,
  plainSeries,
  ranked,
  type Series,
  summedSeries,
  yearsIn,
} from '../model/series.ts';
import { type Failure, type Fields, isAmbiguous, type Pairs, queryOf } from './client.ts';
import { namedBreaks } from './loadNamedBreaks.ts';
import { withOnlyValues } from './withOnlyValues.ts';
import { pagesOf } from './loadPages.ts';
import { RANKED_SERIES, rank, type Split } from './loadLargestValues.ts';
import { type Context, type CountedSelection, isFailure } from './loadCountedSelection.ts';
import type { MetricFacts, Rows, TotalRow, Values } from './responseTypes.ts';
import { CALCULATION, type CountedSums, countingValues, forecastSums, type Sums, sums } from './loadSums.ts';

export type ChartAnswer =
  | { readonly kind: 'chart'; readonly data: ChartData }
  /** The API refuses the sum: values do not add up over these dimensions. */
  | { readonly kind: 'ambiguous'; readonly fields: Fields }
  /** One point has several values, which must not be added. */
  | { readonly kind: 'clash'; readonly clash: Clash }
  | { readonly kind: 'too many'; readonly rows: number }
  | { readonly kind: 'empty' }
  | { readonly kind: 'lookup' };

/**
 * The most series of a chart. Readers cannot tell more apart, and twelve with all their years fit into a page of the
 * API.
 */
const MAX_SERIES = 12;

/** The chart of a selection, or why it has none. It needs several requests. Some of them run at the same time. */
export async function chartAnswer(
  counted: CountedSelection,
  context: Context,
): Promise<ChartAnswer | Failure> {
  const { selection, counts } = counted;
  const { metric } = selection;
  if (metric === null) return { kind: 'lookup' };
  if (counts.meta.row_count === 0) return { kind: 'empty' };
  const drawn = metric.adds_up
    ? await summedChart(counted, metric, context)
    : await plainChart(counted, metric, context);
  if ('kind' in drawn) {
    const clear = drawn.kind === 'ambiguous' ? withOnlyValues(counted, drawn.fields) : null;
    return clear === null ? drawn : await chartAnswer(clear, context);
  }
  const chart = { selection, metric, names: namesOf(counts, selection.by), ...drawn };
  const breaks = await namedBreaks(chart, context);
  return isFailure(breaks) ? breaks : { kind: 'chart', data: { ...chart, breaks } };
}

/** The parts of a chart that come from its sums or rows. */
type ChartParts = Pick<ChartData, 'series' | 'country' | 'notes'>;

async function summedChart(
  counted: CountedSelection,
  metric: MetricFacts,
  context: Context,
): Promise<ChartParts | ChartAnswer | Failure> {
  const { selection, counts } = counted;
  const { by, filters, years } = selection;
  const country = await countryOfStates(counted, context);
  if (country !== null && isFailure(country)) return ambiguous(country);
  // The API counts the values of a dimension without the filter on this dimension, so the filter is applied here. Values
  // of the filter that have no rows are not drawn.
  const names = namesOf(counts, by).filter((name) => filters[by ?? '']?.includes(name) ?? true);
  // Null when the series are few enough to draw them all.
  const split = by !== null && names.length > MAX_SERIES ? { ...selection, by, metric } : null;
  // These need no ranking, so their sums are requested at the same time as the forecasts.
  const first = split === null ? sums(selection, context) : null;
  const forecasts = await forecastSums(selection, context);
  if (isFailure(forecasts)) return ambiguous(forecasts);
  const ranking = split === null ? null : await rank(split, forecasts.rows, context);
  if (ranking !== null && isFailure(ranking)) return ambiguous(ranking);
  // The ranking is empty when nothing has a sum, for example because every sum would mix reported and calculated values.
  const top =
    ranking === null ? names : ranking.names.length > 0 ? ranking.names : names.slice(0, RANKED_SERIES);
  const drawn = split === null ? selection : withValues(split, top);
  const summed = await (first ?? sums(drawn, context));
  if (isFailure(summed)) return ambiguous(summed);
  const shown = await countingValues(summed, drawn, context);
  if (isFailure(shown)) return shown;
  const undrawn = names.filter((name) => !top.includes(name));
  const other = split === null ? NO_OTHER : await otherOf(split, undrawn, forecasts.rows, context);
  if (isFailure(other)) return ambiguous(other);
  const shape = { by, metric: metric.name, years: everyYear(years) };
  return {
    series: inOrder([...withRows(summedSeries(shown.rows, forecasts.rows, shape), counted), ...other.series]),
    country,
    notes: [
      ...mixedNotes(shown, selection),
      ...other.notes,
      ...missingNotes(shown, selection),
      // The requests for the ranking cover all countries, so they name all those that the sums leave out. The request for
      // the drawn sums covers only the ranked countries.
      ...leftOutOf(ranking ?? shown),
    ],
  };
}

/**
 * The series that have rows in the chosen period. The sums are those of all years, so they include countries whose rows
 * begin after the period. Values that a filter names are drawn in any case.
 */
function withRows(series: readonly Series[], { selection, counts }: CountedSelection): readonly Series[] {
  const { by, filters } = selection;
  if (by === null || filters[by] !== undefined) return series;
  const names = new Set(namesOf(counts, by));
  return series.filter(({ name }) => names.has(name));
}

/** The selection with a filter on `by`. */
const withValues = (split: Split, values: readonly string[]): Split => ({
  ...split,
  filters: { ...split.filters, [split.by]: values },
});

/** The sums of the whole country, if the chart shows the states of one country; null for other charts. */
async function countryOfStates(
  { selection, counts }: CountedSelection,
  context: Context,
): Promise<Series | Failure | null> {
  const { by, filters, metric, years } = selection;
  if (by !== 'state' || metric === null) return null;
  const countries = filters.country ?? (counts.values.country ?? []).map(({ value }) => String(value));
  if (countries.length !== 1) return null;
  const wholeCountry = { ...filters, state: [WHOLE_COUNTRY] };
  const found = await sums({ ...selection, filters: wholeCountry, by: null }, context);
  if (isFailure(found)) return found;
  const [series] = summedSeries(found.rows, [], { by: null, metric: metric.name, years: everyYear(years) });
  return series ?? null;
}

const namesOf = (counts: Values, by: string | null): string[] =>
  by === null ? [] : (counts.values[by] ?? []).map(({ value }) => String(value));

/** A refusal that names dimensions becomes an answer, so that the page can ask for their values. Others stay failures. */
const ambiguous = (failure: Failure): ChartAnswer | Failure =>
  isAmbiguous(failure) ? { kind: 'ambiguous', fields: failure.fields } : failure;

function mixedNotes({ mixedYears }: Sums, { period }: Selection): Note[] {
  const drawn = mixedYears.filter((year) => period === null || (year >= period.first && year <= period.last));
  return drawn.length === 0 ? [] : [{ kind: 'mixed', dimension: CALCULATION, points: drawn.length }];
}

function missingNotes({ missing, missingIn }: CountedSums, { period, years }: Selection): Note[] {
  if (missing === 0) return [];
  const isWhole = period === null || (period.first <= (years[0] ?? 0) && period.last >= (years.at(-1) ?? 0));
  return [{ kind: 'missing', values: missing, isOfAllYears: !isWhole, inYear: missingIn }];
}

/** The sum of the values that have no series of their own, as one series, and a note about it. */
interface Other {
  readonly series: readonly Series[];
  readonly notes: readonly Note[];
}

const NO_OTHER: Other = { series: [], notes: [] };

async function otherOf(
  split: Split,
  members: readonly string[],
  forecasts: readonly TotalRow[],
  context: Context,
): Promise<Other | Failure> {
  const { dataset, by } = split;
  const noSum = ({ areTooMany = false } = {}): Other => ({
    series: [],
    notes: [{ kind: 'no other', members: members.length, areTooMany }],
  });
  // Values such as states and currencies must not be added up.
  if (dataset.not_additive_over.includes(by)) return noSum();
  const { filters } = withValues(split, members);
  if (queryOf(pairsOf(filters, null)).length > MOST_QUERY_BYTES) return noSum({ areTooMany: true });
  const found = await sums({ ...split, filters, by: null }, context);
  if (isFailure(found)) return found;
  if (found.missing > 0 || found.mixedYears.length > 0) return noSum();
  return {
    series: [otherSeries(split, found.rows, forecasts, members)],
    notes: [{ kind: 'other', members: members.length }],
  };
}

/**
 * The longest query that is sent. Proxies such as nginx refuse request lines of more than 8 KB. A query of this length
 * names about 300 countries.
 */
const MOST_QUERY_BYTES = 7000;

function otherSeries(
  { by, metric: { name: metric }, years }: Split,
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
  const [other] = summedSeries(rows, byYear, { by: null, metric, years: everyYear(years) });
  return { name: REST, kind: 'other', members: members.length, points: other?.points ?? [] };
}

/** The name of the series `other`. No value has it: ingest trims values, and a product may be called `Other`. */
const REST = ' rest';

async function plainChart(
  { selection, counts }: CountedSelection,
  metric: MetricFacts,
  context: Context,
): Promise<ChartParts | ChartAnswer | Failure> {
  const { dataset, filters, by, years } = selection;
  if (counts.meta.row_count > MAX_PLAIN_ROWS) return { kind: 'too many', rows: counts.meta.row_count };
  const pairs: Pairs = [['metric', dataset.name], ...pairsOf(filters, null)];
  const pages = await pagesOf<Rows>('/v1/financials', pairs, context);
  if (isFailure(pages)) return pages;
  const { series, clash } = plainSeries(pages.data, { by, metric: metric.name, years: everyYear(years) });
  if (clash !== null) return { kind: 'clash', clash };
  const inPeriod = withRows(series, { selection, counts });
  const drawn = inOrder(inPeriod).slice(0, MAX_SERIES);
  const notes: Note[] =
    drawn.length < inPeriod.length ? [{ kind: 'left out', shown: drawn.length, all: inPeriod.length }] : [];
  return { series: drawn, country: null, notes };
}

/** The most rows that are loaded if values do not add up: five pages of the API. */
const MAX_PLAIN_ROWS = 5000;

/** The series sorted by their values in the last year that has a reported value, the largest first and "Other" last. */
function inOrder(series: readonly Series[]): Series[] {
  const years = yearsIn(series);
  const reported = series.flatMap(({ points }) =>
    points.filter(({ forecast, value }) => forecast === 0 && value !== null),
  );
  return ranked(series, Math.max(...reported.map(({ year }) => year), years[0] ?? 0));
}
