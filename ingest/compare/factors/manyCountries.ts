// Finds figures of several countries that moved by the same factor, such as those of a product that was multiplied.

import type { Change, Search } from '../patterns/changes.ts';
import type { Pattern } from '../patterns/types.ts';
import { patternsOf } from '../patterns/valuePatterns.ts';
import { isForecastRow, isNonZero, isSettledRow, KIND } from '../rows/matchedRows.ts';
import { FEWEST_COUNTRIES, FORECASTS_MOVED, findFewFactors, GAP } from './fewCountries.ts';

/** The number of currencies that must have moved. Fewer may have moved with one exchange rate, which pegged currencies share. */
const FEWEST_CURRENCIES = 6;

/** The smallest move of a reported figure that counts. Many smaller revisions have the same factor by chance. */
const MOVED_SHARE = 0.03;

/** The smallest figure that counts. Rounding changes the ratio of larger figures by less than `GAP`. */
const LEAST_FIGURE = 100_000;

/** The smallest move of half of all reported figures by one factor. Honest revisions differ, so that no smaller part has one by chance. */
const LEAST_MOVE_OF_HALF = 0.0005;

/** How far the ratios of figures that were multiplied by one factor differ, which rounding explains. */
const ROUNDING = 1e-5;

/** Finds such figures among those that no earlier step has explained: their moves are small for each country. */
export function findFactors(search: Search): Pattern[] {
  const { matched, changes } = search;
  const { codes, metrics, before } = matched;
  if (!codes.has('fx')) return [];
  return metrics.flatMap((metric, metricIndex) =>
    [false, true].flatMap((forecast) => {
      const ratioOf = (change: Change) =>
        (changes.after[change] as number) / (changes.before[change] as number);
      const least = forecast ? FORECASTS_MOVED : MOVED_SHARE;
      const moved = changes.unexplained(
        KIND.revised,
        (change) =>
          changes.metric[change] === metricIndex &&
          (changes.forecast[change] === 1) === forecast &&
          (changes.before[change] as number) >= LEAST_FIGURE &&
          Math.abs(ratioOf(change) - 1) >= least,
      );
      const values = before.values(metricIndex);
      const isComparable = (row: number) =>
        isNonZero(values[row] as number) && isForecastRow(matched, before, row) === forecast;
      const many = alike(moved, ratioOf).flatMap((cells) => {
        if (!areOfManyCountries(search, cells)) return [];
        const found = patternsOf(search, { family: 'factor', metric, forecast }, cells, isComparable);
        // When a place in many countries moved by the factor, a market of one country with the factor has it by chance.
        const ofManyCountries = found.filter(({ place }) => place.country === undefined);
        return ofManyCountries.length > 0 ? ofManyCountries : found;
      });
      if (!forecast) many.push(...findFactorOfHalf(search, { metric, metricIndex }, ratioOf, isComparable));
      const left = changes.unexplained(
        KIND.revised,
        (change) =>
          changes.metric[change] === metricIndex &&
          (forecast ? changes.forecast : changes.settled)[change] === 1 &&
          (changes.before[change] as number) >= LEAST_FIGURE,
      );
      const couldMove = (row: number) =>
        (values[row] as number) >= LEAST_FIGURE &&
        (forecast ? isForecastRow : isSettledRow)(matched, before, row);
      return [...many, ...findFewFactors(search, { metric, forecast }, left, couldMove)];
    }),
  );
}

/** Finds one factor, however near to 1, by which half of all reported figures moved. */
function findFactorOfHalf(
  search: Search,
  { metric, metricIndex }: { readonly metric: string; readonly metricIndex: number },
  ratioOf: (change: Change) => number,
  isComparable: (row: number) => boolean,
): readonly Pattern[] {
  const { matched, changes } = search;
  const moved = changes.unexplained(
    KIND.revised,
    (change) =>
      changes.metric[change] === metricIndex &&
      changes.forecast[change] === 0 &&
      (changes.before[change] as number) >= LEAST_FIGURE &&
      Math.abs(ratioOf(change) - 1) >= LEAST_MOVE_OF_HALF,
  );
  if (moved.length < FEWEST_MOVED_SHARE * matched.before.count) return [];
  const ratios = Float64Array.from(moved, ratioOf).sort();
  const usual = ratios[Math.floor(ratios.length / 2)] as number;
  const cells = moved.filter((change) => Math.abs(ratioOf(change) - usual) < ROUNDING);
  let comparable = 0;
  for (let row = 0; row < matched.before.count; row += 1) if (isComparable(row)) comparable += 1;
  if (2 * cells.length < comparable || !areOfManyCountries(search, cells)) return [];
  return patternsOf(search, { family: 'factor', metric, forecast: false }, cells, isComparable);
}

/** Below this share of all rows, half of the reported figures cannot have moved: forecasts are fewer than reported figures. */
const FEWEST_MOVED_SHARE = 0.2;

/** Groups of cells whose values moved by the same ratio. */
function alike(cells: readonly Change[], ratioOf: (change: Change) => number): readonly Change[][] {
  const groups: Change[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const change of cells.toSorted((one, other) => ratioOf(one) - ratioOf(other))) {
    const ratio = ratioOf(change);
    if (ratio - last > GAP * ratio) groups.push([]);
    groups.at(-1)?.push(change);
    last = ratio;
  }
  return groups;
}

function areOfManyCountries({ changes }: Search, cells: readonly Change[]): boolean {
  if (cells.length < FEWEST_COUNTRIES) return false;
  const count = (dimension: 'country' | 'fx') =>
    new Set(cells.map((change) => changes.code(dimension, change))).size;
  return count('country') >= FEWEST_COUNTRIES && count('fx') >= FEWEST_CURRENCIES;
}
