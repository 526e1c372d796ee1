// Tells by how much the totals of a running year may grow. Its figures still come in, month by month.

import type { Comparison } from '../compare/comparisonTypes.ts';
import { isRunningYear } from '../compare/comparisonYears.ts';
import type { Total } from '../compare/totalTypes.ts';

/** At least this many months of growth are explained, because sources that report quarters bring three months at once. */
const FEWEST_ELAPSED = 3;

/** The number of months by which a source may be late. */
const MOST_LATE = 4;

/** The fewest months that the earlier figures of a year are assumed to cover. Fewer would explain nearly any growth. */
const FEWEST_COVERED = 3;

/** A month may grow a total by this many times an average month, because markets grow and have seasons. */
const SEASON_FACTOR = 1.2;

/** The largest growth of a year's figures that the months since the earlier side explain, as a share: 0.5 is by half. */
export function explainedGrowth(year: number, { before, after }: Comparison): number {
  const from = monthsFrom(year, before.month);
  const elapsed = monthsFrom(year, after.month) - from;
  return (SEASON_FACTOR * Math.max(FEWEST_ELAPSED, elapsed)) / Math.max(FEWEST_COVERED, from - MOST_LATE);
}

/** The number of a month counted from the beginning of a year: 6 for June of it, 13 for January of the next year. */
const monthsFrom = (year: number, month: string) =>
  12 * (Number(month.slice(0, 4)) - year) + Number(month.slice(5, 7));

/**
 * Whether the months since the earlier side explain the growth of a total, because further figures of its year came in.
 *
 * @param byOthers The part of the growth that need not be explained, because another finding reports it.
 */
export function isGrowthExplained(
  { fx, year, forecast, before, after, joined }: Total,
  comparison: Comparison,
  byOthers = 0,
): boolean {
  if (forecast || fx === null || before === null || after === null || before <= 0) return false;
  if (!isRunningYear(year, comparison.after.month)) return false;
  const grown = (after - joined - byOthers) / before - 1;
  return grown > 0 && grown <= explainedGrowth(year, comparison);
}
