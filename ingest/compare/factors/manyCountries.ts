// Finds figures of six countries or more that moved by the same factor, for example because a product was multiplied.

import { upperMedian } from '../../../src/basics/medians.ts';
import type { Change, PatternSearch } from '../patterns/cellChanges.ts';
import type { Pattern } from '../patterns/patternTypes.ts';
import { suspiciousPatterns } from '../patterns/valuePatterns.ts';
import { CHANGE_KIND, isForecastRow, isNonZero, isSettledRow } from '../rows/matchedRows.ts';
import { allRowsWhere } from '../rows/rowLists.ts';
import {
  type FactorKind,
  FEWEST_COUNTRIES_OF_FACTOR,
  findFewFactors,
  LEAST_FORECAST_MOVE,
  SAME_RATIO_SHARE,
} from './fewCountries.ts';

/** The number of currencies that must have moved. Pegged currencies move together with one exchange rate. */
const FEWEST_CURRENCIES = 6;

/** The smallest move of a reported figure that counts. Many smaller revisions have the same factor by chance. */
const MOVED_SHARE = 0.03;

/** The smallest figure that counts. Rounding changes the ratio of larger figures by less than `SAME_RATIO_SHARE`. */
const LEAST_FIGURE = 100_000;

/**
 * The smallest move that counts when half of all reported figures moved by one factor. Honest revisions are too different
 * for half of them to have one factor by chance.
 */
const LEAST_MOVE_OF_HALF = 0.0005;

/** Rounding makes the ratios of figures that were multiplied by one factor differ by less than this. */
const ROUNDING = 1e-5;

/** Finds figures of many countries that moved by one factor. Figures that an earlier step has explained are left out. */
export function findFactors(search: PatternSearch): Pattern[] {
  const { codes, metrics } = search.matched;
  if (!codes.has('fx')) return [];
  return metrics.flatMap((_, metricIndex) =>
    [false, true].flatMap((forecast) => factorsAmong(search, metricIndex, forecast)),
  );
}

function factorsAmong(search: PatternSearch, metricIndex: number, forecast: boolean): readonly Pattern[] {
  const { matched, changes } = search;
  const { metrics, before } = matched;
  const kind: FactorKind = { metric: metrics[metricIndex] ?? null, forecast };
  const movedBy = (change: Change) => Math.abs(changes.ratio(change) - 1);
  const large = (passes: (change: Change) => boolean) =>
    changes.unexplained(
      CHANGE_KIND.revised,
      (change) =>
        changes.metric[change] === metricIndex &&
        changes.forecast[change] === Number(forecast) &&
        changes.old(change) >= LEAST_FIGURE &&
        passes(change),
    );
  const values = before.values(metricIndex);
  const isComparable = (row: number) =>
    isNonZero(values[row] as number) && isForecastRow(matched, before, row) === forecast;
  const least = forecast ? LEAST_FORECAST_MOVE : MOVED_SHARE;
  const far = large((change) => movedBy(change) >= least);
  const many = groupsOfSameRatio(search, far).flatMap((cells) => {
    if (!areOfManyCountries(search, cells)) return [];
    const found = suspiciousPatterns(search, { family: 'factor', ...kind }, cells, isComparable);
    // Where a product or channel of many countries moved by the factor, a market of one country has the factor by chance.
    const ofManyCountries = found.filter(({ place }) => place.country === undefined);
    return ofManyCountries.length > 0 ? ofManyCountries : found;
  });
  const moved = forecast ? [] : large((change) => movedBy(change) >= LEAST_MOVE_OF_HALF);
  const half = factorOfHalf(search, moved, isComparable);
  many.push(...suspiciousPatterns(search, { family: 'factor', ...kind }, half, isComparable));
  const left = large((change) => forecast || changes.settled[change] === 1);
  const couldMove = (row: number) =>
    (values[row] as number) >= LEAST_FIGURE &&
    (forecast ? isForecastRow : isSettledRow)(matched, before, row);
  return [...many, ...findFewFactors(search, kind, left, couldMove)];
}

/** The cells that moved by one factor, if they are at least half of all reported figures; else none. */
function factorOfHalf(
  search: PatternSearch,
  moved: readonly Change[],
  isComparable: (row: number) => boolean,
): readonly Change[] {
  const { before } = search.matched;
  if (moved.length < FEWEST_MOVED_SHARE * before.count) return [];
  const usual = upperMedian(moved.map((change) => search.changes.ratio(change)));
  const cells = moved.filter((change) => Math.abs(search.changes.ratio(change) - usual) < ROUNDING);
  const comparable = allRowsWhere(before, isComparable).length;
  return 2 * cells.length < comparable || !areOfManyCountries(search, cells) ? [] : cells;
}

/**
 * Forecasts are fewer than reported figures. So if fewer than this share of all rows moved, less than half of the reported
 * figures did.
 */
const FEWEST_MOVED_SHARE = 0.2;

function groupsOfSameRatio(search: PatternSearch, cells: readonly Change[]): readonly Change[][] {
  const groups: Change[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const change of cells.toSorted(
    (one, other) => search.changes.ratio(one) - search.changes.ratio(other),
  )) {
    const ratio = search.changes.ratio(change);
    if (ratio - last > SAME_RATIO_SHARE * ratio) groups.push([]);
    groups.at(-1)?.push(change);
    last = ratio;
  }
  return groups;
}

function areOfManyCountries({ changes }: PatternSearch, cells: readonly Change[]): boolean {
  if (cells.length < FEWEST_COUNTRIES_OF_FACTOR) return false;
  const count = (dimension: 'country' | 'fx') =>
    new Set(cells.map((change) => changes.code(dimension, change))).size;
  return count('country') >= FEWEST_COUNTRIES_OF_FACTOR && count('fx') >= FEWEST_CURRENCIES;
}
