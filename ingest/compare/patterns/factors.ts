// Finds figures of several countries that moved by one factor, such as a product that was multiplied.

import { isForecastRow, isNonZero, isSettledRow, KIND } from '../rows/matched.ts';
import { FEWEST_COUNTRIES, FORECASTS_MOVED, findFewFactors, GAP } from './fewFactors.ts';
import type { Search, Shift } from './shifts.ts';
import type { Pattern } from './types.ts';
import { patternsOf } from './values.ts';

/** A rate moves one currency, and those that are pegged to it. So many do not move by one rate. */
const FEWEST_CURRENCIES = 6;

/** Smaller moves are revisions, which have one factor by chance where they are many. */
const MOVED_SHARE = 0.03;

/** Rounding moves the ratio of figures of this size by less than the gap between ratios that are the same. */
const LEAST_FIGURE = 100_000;

/** Finds what the steps before it left: moves that are small for each country. */
export function findFactors(search: Search): Pattern[] {
  const { matched, shifts } = search;
  const { codes, metrics, before } = matched;
  if (!codes.has('fx')) return [];
  return metrics.flatMap((metric, m) =>
    [false, true].flatMap((forecast) => {
      const ratioOf = (i: Shift) => (shifts.after[i] as number) / (shifts.before[i] as number);
      const least = forecast ? FORECASTS_MOVED : MOVED_SHARE;
      const moved = shifts.unexplained(
        KIND.revised,
        (i) =>
          shifts.metric[i] === m &&
          (shifts.forecast[i] === 1) === forecast &&
          (shifts.before[i] as number) >= LEAST_FIGURE &&
          Math.abs(ratioOf(i) - 1) >= least,
      );
      const values = before.values(m);
      const isComparable = (row: number) =>
        isNonZero(values[row] as number) && isForecastRow(matched, before, row) === forecast;
      const many = alike(moved, ratioOf).flatMap((cells) => {
        if (!areOfManyCountries(search, cells)) return [];
        const found = patternsOf(search, { family: 'factor', metric, forecast }, cells, isComparable);
        // A market that moved by this factor by chance is no part of it.
        const wide = found.filter(({ place }) => place.country === undefined);
        return wide.length > 0 ? wide : found;
      });
      const left = shifts.unexplained(
        KIND.revised,
        (i) =>
          shifts.metric[i] === m &&
          (forecast ? shifts.forecast : shifts.settled)[i] === 1 &&
          (shifts.before[i] as number) >= LEAST_FIGURE,
      );
      const couldMove = (row: number) =>
        (values[row] as number) >= LEAST_FIGURE &&
        (forecast ? isForecastRow : isSettledRow)(matched, before, row);
      return [...many, ...findFewFactors(search, { metric, forecast }, left, couldMove)];
    }),
  );
}

/** Groups of cells with one ratio. */
function alike(cells: readonly Shift[], ratioOf: (i: Shift) => number): readonly Shift[][] {
  const groups: Shift[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const i of cells.toSorted((one, other) => ratioOf(one) - ratioOf(other))) {
    const ratio = ratioOf(i);
    if (ratio - last > GAP * ratio) groups.push([]);
    groups.at(-1)?.push(i);
    last = ratio;
  }
  return groups;
}

function areOfManyCountries({ shifts }: Search, cells: readonly Shift[]): boolean {
  if (cells.length < FEWEST_COUNTRIES) return false;
  const count = (dimension: 'country' | 'fx') => new Set(cells.map((i) => shifts.code(dimension, i))).size;
  return count('country') >= FEWEST_COUNTRIES && count('fx') >= FEWEST_CURRENCIES;
}
