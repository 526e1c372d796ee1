// Loads the sums of a selection by year and one dimension.

import { groupBy } from '../../basics/lists.ts';
import { addTo } from '../../basics/maps.ts';
import { LEFT_OUT_REASONS, type LeftOutNote } from '../model/chartData.ts';
import { FORECAST } from '../model/facts.ts';
import { queryPairsOf, type Selection } from '../model/selection.ts';
import type { QueryPairs, RequestContext } from './client.ts';
import { type Failure, isFailure } from './failure.ts';
import { loadPages } from './loadPages.ts';
import type { TotalRow, Totals } from './responseTypes.ts';

export interface Sums {
  readonly rows: readonly TotalRow[];
  readonly missingCount: number;
  /**
   * The years of points that are left out, because they have reported and calculated values. These must not be added.
   */
  readonly mixedYears: readonly number[];
  readonly leftOut: readonly LeftOutNote[];
}

/**
 * Reported and calculated values must not be added, so sums are grouped by this dimension too, unless a filter fixes
 * it.
 */
export const CALCULATION = 'calculation';

/** The selection to sum. It often has another split or more filters than the selection of the chart. */
type SumSelection = Pick<Selection, 'dataset' | 'metric' | 'filters' | 'by'>;

/** Sums by year and the dimension `by`, for all years. */
export async function loadSums(
  { dataset, metric, filters, by }: SumSelection,
  context: RequestContext,
): Promise<Sums | Failure> {
  const splitsCalculation =
    dataset.not_additive_over.includes(CALCULATION) &&
    filters[CALCULATION]?.length !== 1 &&
    by !== CALCULATION;
  const dimensions = [...(by === null ? [] : [by]), 'year', ...(splitsCalculation ? [CALCULATION] : [])];
  const pages = await loadTotals(dimensions, { dataset, filters }, context);
  if (isFailure(pages)) return pages;
  const { first, data } = pages;
  const missingCount = first.meta.missing?.[metric?.name ?? ''] ?? 0;
  const leftOut = leftOutNotes(first);
  if (!splitsCalculation) return { rows: data, missingCount, mixedYears: [], leftOut };
  const points = [...groupBy(data, pointIdOf(by)).values()];
  const unmixed = points.filter((parts) => parts.length === 1).flat();
  const mixed = points.filter((parts) => parts.length > 1);
  const mixedYears = mixed.map(([part]) => Number(part?.dimensions.year));
  return { rows: unmixed, missingCount, mixedYears, leftOut };
}

/** The countries that these totals leave out, by the reason. */
export function leftOutNotes({ meta }: Pick<Totals, 'meta'>): LeftOutNote[] {
  const countriesByReason = {
    'states alone': meta.states_alone ?? [],
    'other currencies': meta.currencies_alone ?? [],
    'other temporal': meta.temporal_alone ?? [],
  };
  return LEFT_OUT_REASONS.map((kind) => ({ kind, countries: countriesByReason[kind] })).filter(
    ({ countries }) => countries.length > 0,
  );
}

/** Returns a function that gives the id of the point to which a row belongs. */
const pointIdOf =
  (by: string | null) =>
  ({ dimensions }: TotalRow): string =>
    `${dimensions.year} ${by === null ? '' : dimensions[by]}`;

/** Sums with the missing values of each year. Their `rows_summed` counts only rows that have a value. */
export interface CountedSums extends Sums {
  /** The number of missing values by year. Years without missing values are not in it. */
  readonly missingByYear: ReadonlyMap<number, number>;
}

/**
 * Counts the missing values of each year, and subtracts them from `rows_summed`. A sum leaves missing values out, so it
 * falls where many are missing. The API counts missing values only for all sums together. Therefore sums of single
 * countries are requested: such a sum is null where values are missing.
 */
export async function withMissingCounts(
  found: Sums,
  { dataset, metric, filters, by }: SumSelection,
  context: RequestContext,
): Promise<CountedSums | Failure> {
  const missingByYear = new Map<number, number>();
  // If the chart is divided by country, a missing value is null, which is a gap already.
  if (found.missingCount === 0 || metric === null || by === 'country') return { ...found, missingByYear };
  const dimensions = [
    ...new Set([...(by === null ? [] : [by]), 'year', 'country', ...dataset.not_additive_over]),
  ];
  const pages = await loadTotals(dimensions, { dataset, filters }, context);
  if (isFailure(pages)) return pages;
  const idOf = pointIdOf(by);
  const missingByPoint = new Map<string, number>();
  for (const row of pages.data) {
    if (row.values[metric.name] !== null) continue;
    const year = Number(row.dimensions.year);
    addTo(missingByYear, year, row.rows_summed);
    addTo(missingByPoint, idOf(row), row.rows_summed);
  }
  const rows = found.rows.map((row) => ({
    ...row,
    rows_summed: row.rows_summed - (missingByPoint.get(idOf(row)) ?? 0),
  }));
  return { ...found, rows, missingByYear };
}

/** The sums of a selection over its forecast rows only; empty when it cannot have any. */
export async function loadForecastSums(
  selection: Selection,
  context: RequestContext,
): Promise<Sums | Failure> {
  const { filters, dataset } = selection;
  const hasTemporal = dataset.dimensions.some(({ name }) => name === 'temporal');
  const chosen = filters.temporal;
  if (!hasTemporal || (chosen !== undefined && !chosen.includes(FORECAST))) return NO_SUMS;
  return loadSums({ ...selection, filters: { ...filters, temporal: [FORECAST] } }, context);
}

/** The sums of all rows of a selection, and those of its forecast rows only. */
export interface BothSums {
  readonly summed: Sums;
  readonly forecasts: Sums;
}

/** Loads both sums at the same time. */
export async function loadBothSums(
  selection: Selection,
  context: RequestContext,
): Promise<BothSums | Failure> {
  const [summed, forecasts] = await Promise.all([
    loadSums(selection, context),
    loadForecastSums(selection, context),
  ]);
  if (isFailure(summed)) return summed;
  return isFailure(forecasts) ? forecasts : { summed, forecasts };
}

/** The sums of no rows. */
export const NO_SUMS: Sums = { rows: [], missingCount: 0, mixedYears: [], leftOut: [] };

/** The totals of a selection, grouped by these dimensions. */
function loadTotals(
  dimensions: readonly string[],
  { dataset, filters }: Pick<Selection, 'dataset' | 'filters'>,
  context: RequestContext,
) {
  const pairs: QueryPairs = [
    ['dataset', dataset.name],
    ...queryPairsOf(filters, null),
    ...dimensions.map((dimension) => ['by', dimension] as const),
  ];
  return loadPages<Totals>('/v1/totals', pairs, context);
}
