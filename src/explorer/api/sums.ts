// Loads the sums of a selection by year and one dimension.

import { groupBy } from '../../groupBy.ts';
import type { Filters } from '../model/question.ts';
import { pairsOf, type Selection } from '../model/resolve.ts';
import type { Failure, Pairs } from './client.ts';
import { pagesOf } from './pages.ts';
import { type Context, isFailure } from './selection.ts';
import type { TotalRow, Totals } from './shapes.ts';

export interface Sums {
  readonly rows: readonly TotalRow[];
  readonly missing: number;
  /** The years of points that are left out: they have reported and calculated values, which must not be added. */
  readonly mixedYears: readonly number[];
  /** Countries that the sums leave out, because in some year they have only rows of states. */
  readonly statesAlone: readonly string[];
  /** Countries that the sums leave out, because in some year all their rows are in other currencies. */
  readonly currenciesAlone: readonly string[];
}

/** Reported and calculated values must not be added, so every request for sums groups by this dimension too. */
export const CALCULATION = 'calculation';

/** Sums by year and one dimension, for all years. */
export async function sums(
  { dataset, metric }: Selection,
  filters: Filters,
  by: string | null,
  context: Context,
): Promise<Sums | Failure> {
  const splitsCalculation =
    dataset.not_additive_over.includes(CALCULATION) &&
    filters[CALCULATION]?.length !== 1 &&
    by !== CALCULATION;
  const dimensions = [...(by === null ? [] : [by]), 'year', ...(splitsCalculation ? [CALCULATION] : [])];
  const pairs: Pairs = [
    ['dataset', dataset.name],
    ...pairsOf(filters, null),
    ...dimensions.map((dimension) => ['by', dimension] as const),
  ];
  const pages = await pagesOf<Totals>('/v1/totals', pairs, context);
  if (isFailure(pages)) return pages;
  const { first, data } = pages;
  const missing = first.meta.missing?.[metric?.name ?? ''] ?? 0;
  const leftOut = {
    statesAlone: first.meta.states_alone ?? [],
    currenciesAlone: first.meta.currencies_alone ?? [],
  };
  if (!splitsCalculation) return { rows: data, missing, mixedYears: [], ...leftOut };
  const points = groupBy(
    data,
    ({ dimensions: { year, ...rest } }) => `${year} ${by === null ? '' : rest[by]}`,
  );
  const whole = [...points.values()].filter((parts) => parts.length === 1).flat();
  const mixed = [...points.values()].filter((parts) => parts.length > 1);
  const mixedYears = mixed.map(([part]) => Number(part?.dimensions.year));
  return { rows: whole, missing, mixedYears, ...leftOut };
}

/** The value of `temporal` in rows of forecasts. */
export const FORECAST = 'Forecast';

/** The sums of a selection over its forecast rows only; empty when it cannot have any. */
export async function forecastSums(selection: Selection, context: Context): Promise<Sums | Failure> {
  const { filters, by, dataset } = selection;
  const hasTemporal = dataset.dimensions.some(({ name }) => name === 'temporal');
  const chosen = filters.temporal;
  if (!hasTemporal || (chosen !== undefined && !chosen.includes(FORECAST)))
    return { rows: [], missing: 0, mixedYears: [], statesAlone: [], currenciesAlone: [] };
  return sums(selection, { ...filters, temporal: [FORECAST] }, by, context);
}
