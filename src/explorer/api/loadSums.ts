// Loads the sums of a selection by year and one dimension.

import { groupBy } from '../../basics/lists.ts';
import { addTo } from '../../basics/maps.ts';
import { FORECAST } from '../model/facts.ts';
import { pairsOf, type Selection } from '../model/selection.ts';
import type { Failure, Pairs } from './client.ts';
import { pagesOf } from './loadPages.ts';
import { type Context, isFailure } from './loadCountedSelection.ts';
import type { TotalRow, Totals } from './responseTypes.ts';

export interface Sums {
  readonly rows: readonly TotalRow[];
  readonly missing: number;
  /**
   * The years of points that are left out, because they have reported and calculated values. These must not be added.
   */
  readonly mixedYears: readonly number[];
  /** Countries that the sums leave out, because in some year they have only rows of states. */
  readonly statesAlone: readonly string[];
  /** Countries that the sums leave out, because in some year all their rows are in other currencies. */
  readonly currenciesAlone: readonly string[];
  /**
   * Countries that the sums leave out, because `temporal` selects only forecasts or only reported figures, and in some
   * year of the sums all their rows are of the other kind.
   */
  readonly temporalAlone: readonly string[];
}

/**
 * Reported and calculated values must not be added, so sums are grouped by this dimension too, unless a filter fixes
 * it.
 */
export const CALCULATION = 'calculation';

/** The selection to sum. It often has another split or more filters than the selection of the chart. */
type SumSelection = Pick<Selection, 'dataset' | 'metric' | 'filters' | 'by'>;

/** Sums by year and the dimension `by`, for all years. */
export async function sums(
  { dataset, metric, filters, by }: SumSelection,
  context: Context,
): Promise<Sums | Failure> {
  const splitsCalculation =
    dataset.not_additive_over.includes(CALCULATION) &&
    filters[CALCULATION]?.length !== 1 &&
    by !== CALCULATION;
  const dimensions = [...(by === null ? [] : [by]), 'year', ...(splitsCalculation ? [CALCULATION] : [])];
  const pages = await totalsBy(dimensions, { dataset, filters }, context);
  if (isFailure(pages)) return pages;
  const { first, data } = pages;
  const missing = first.meta.missing?.[metric?.name ?? ''] ?? 0;
  const leftOut = {
    statesAlone: first.meta.states_alone ?? [],
    currenciesAlone: first.meta.currencies_alone ?? [],
    temporalAlone: first.meta.temporal_alone ?? [],
  };
  if (!splitsCalculation) return { rows: data, missing, mixedYears: [], ...leftOut };
  const points = [...groupBy(data, pointOf(by)).values()];
  const whole = points.filter((parts) => parts.length === 1).flat();
  const mixed = points.filter((parts) => parts.length > 1);
  const mixedYears = mixed.map(([part]) => Number(part?.dimensions.year));
  return { rows: whole, missing, mixedYears, ...leftOut };
}

/** Returns a function that gives the id of the point to which a row belongs. */
const pointOf =
  (by: string | null) =>
  ({ dimensions }: TotalRow): string =>
    `${dimensions.year} ${by === null ? '' : dimensions[by]}`;

/** Sums with the missing values of each year. Their `rows_summed` counts only rows that have a value. */
export interface CountedSums extends Sums {
  /** The number of missing values by year. Years without missing values are not in it. */
  readonly missingIn: ReadonlyMap<number, number>;
}

/**
 * Counts the missing values of each year, and subtracts them from `rows_summed`. A sum leaves missing values out, so it
 * falls where many are missing. The API counts missing values only for all sums together. Therefore sums of single
 * countries are requested: such a sum is null where values are missing.
 */
export async function countingValues(
  found: Sums,
  { dataset, metric, filters, by }: SumSelection,
  context: Context,
): Promise<CountedSums | Failure> {
  const missingIn = new Map<number, number>();
  // If the chart is divided by country, a missing value is null, which is a gap already.
  if (found.missing === 0 || metric === null || by === 'country') return { ...found, missingIn };
  const dimensions = [
    ...new Set([...(by === null ? [] : [by]), 'year', 'country', ...dataset.not_additive_over]),
  ];
  const pages = await totalsBy(dimensions, { dataset, filters }, context);
  if (isFailure(pages)) return pages;
  const idOf = pointOf(by);
  const missing = new Map<string, number>();
  for (const row of pages.data) {
    if (row.values[metric.name] !== null) continue;
    const year = Number(row.dimensions.year);
    addTo(missingIn, year, row.rows_summed);
    addTo(missing, idOf(row), row.rows_summed);
  }
  const rows = found.rows.map((row) => ({
    ...row,
    rows_summed: row.rows_summed - (missing.get(idOf(row)) ?? 0),
  }));
  return { ...found, rows, missingIn };
}

/** The sums of a selection over its forecast rows only; empty when it cannot have any. */
export async function forecastSums(selection: Selection, context: Context): Promise<Sums | Failure> {
  const { filters, dataset } = selection;
  const hasTemporal = dataset.dimensions.some(({ name }) => name === 'temporal');
  const chosen = filters.temporal;
  if (!hasTemporal || (chosen !== undefined && !chosen.includes(FORECAST))) return NO_SUMS;
  return sums({ ...selection, filters: { ...filters, temporal: [FORECAST] } }, context);
}

/** The sums of no rows. */
export const NO_SUMS: Sums = {
  rows: [],
  missing: 0,
  mixedYears: [],
  statesAlone: [],
  currenciesAlone: [],
  temporalAlone: [],
};

/** The totals of a selection, grouped by these dimensions. */
function totalsBy(
  dimensions: readonly string[],
  { dataset, filters }: Pick<Selection, 'dataset' | 'filters'>,
  context: Context,
) {
  const pairs: Pairs = [
    ['dataset', dataset.name],
    ...pairsOf(filters, null),
    ...dimensions.map((dimension) => ['by', dimension] as const),
  ];
  return pagesOf<Totals>('/v1/totals', pairs, context);
}
