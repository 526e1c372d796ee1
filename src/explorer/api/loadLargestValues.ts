// Finds the largest values of a dimension, for a chart that cannot draw them all.

import type { Selection } from '../model/selection.ts';
import type { RequestContext } from './client.ts';
import { type Failure, isFailure } from './failure.ts';
import { loadAmalgamatedCountries } from './loadAmalgamatedCountries.ts';
import { loadSums, NO_SUMS, type Sums } from './loadSums.ts';
import type { MetricFacts, TotalRow } from './responseTypes.ts';

/** How many series are drawn of a chart with too many: the largest ones, because there are eight colours. */
export const LARGEST_COUNT = 8;

/** A selection whose series are the values of a dimension. */
export type SplitSelection = Selection & { readonly by: string; readonly metric: MetricFacts };

/**
 * The largest values of `by`, and the countries that the sums leave out in any year. The values are ranked by the last
 * year that has sums and no forecasts. Amalgamated countries are not ranked.
 */
export async function loadLargestValues(
  split: SplitSelection,
  forecasts: readonly TotalRow[],
  context: RequestContext,
): Promise<({ readonly names: string[] } & Pick<Sums, 'leftOut'>) | Failure> {
  const { by, metric, years, period } = split;
  const forecastYears = new Set(forecasts.map(({ dimensions }) => Number(dimensions.year)));
  const yearsToTry = years.filter((year) => period === null || year <= period.last).toReversed();
  const reported = yearsToTry.filter((year) => !forecastYears.has(year));
  const inYear = loadSumsOfFirstYear(reported.length > 0 ? reported : yearsToTry, split, context);
  const [found, allYears, unranked] = await Promise.all([
    inYear,
    // Values such as states have no sum over all of them.
    split.dataset.not_additive_over.includes(by) ? inYear : loadSums({ ...split, by: null }, context),
    by === 'country' ? loadAmalgamatedCountries(context) : Promise.resolve<string[]>([]),
  ]);
  if (isFailure(found)) return found;
  if (isFailure(allYears)) return allYears;
  if (isFailure(unranked)) return unranked;
  const names = found.rows
    .filter(({ dimensions }) => !unranked.includes(String(dimensions[by])))
    .sort((a, b) => (b.values[metric.name] ?? -Infinity) - (a.values[metric.name] ?? -Infinity))
    .slice(0, LARGEST_COUNT)
    .map(({ dimensions }) => String(dimensions[by]));
  return { names, leftOut: allYears.leftOut };
}

/**
 * The sums of the first of these years in which something has a sum. A year may have rows of other metrics alone, or
 * only sums that would mix reported and calculated values. If none of the first years has a sum, gives the sums of the
 * last year tried.
 */
async function loadSumsOfFirstYear(
  years: readonly number[],
  split: SplitSelection,
  context: RequestContext,
): Promise<Sums | Failure> {
  const { filters, metric } = split;
  let found: Sums | Failure = NO_SUMS;
  for (const year of years.slice(0, MAX_YEARS_TRIED)) {
    found = await loadSums({ ...split, filters: { ...filters, year: [String(year)] } }, context);
    if (isFailure(found) || found.rows.some(({ values }) => (values[metric.name] ?? null) !== null)) break;
  }
  return found;
}

/** Each year takes a request of the key. */
const MAX_YEARS_TRIED = 5;
