// Tells whether a pattern of many countries explains a total that moved.

import type { Pattern } from '../compare/patterns/patternTypes.ts';
import { MANY_COUNTRIES } from './completeness.ts';
import type { MovedTotal } from './movedTotal.ts';

/**
 * Whether a pattern of many countries explains the move of a total.
 *
 * - A renaming explains no move, and figures of one factor explain no move beyond the factor.
 * - A total of reported figures of many countries may have moved by at most three times the share by which the pattern
 *   moves totals. Totals of forecasts or of few countries may have moved by any share.
 */
export const explainsTotal = (
  pattern: Pattern,
  { total, share }: Pick<MovedTotal, 'total' | 'share'>,
): boolean =>
  pattern.place.country === undefined &&
  (pattern.family !== 'factor' || isWithinFactor(share, pattern.ratio)) &&
  pattern.family !== 'renamed' &&
  (total.forecast ||
    total.countries < MANY_COUNTRIES ||
    Math.abs(share) <= MOST_USUAL_MOVES * usualMove(pattern));

const isWithinFactor = (share: number, ratio: number | null): boolean =>
  ratio !== null && share / (ratio - 1) > 0 && share / (ratio - 1) <= 1 + ROUNDING_SHARE;

/** Rounded totals may move by a little more than the factor. */
const ROUNDING_SHARE = 0.001;

/** The limit, in usual moves of the pattern. Some totals move further than usual, because countries and years differ. */
const MOST_USUAL_MOVES = 3;

/** The share by which a pattern moves the totals of the dataset; infinity where it is unknown. */
function usualMove({ family, datasetShare, ratio }: Pattern): number {
  if (datasetShare === null) return Number.POSITIVE_INFINITY;
  if (family === 'zero' || family === 'emptied' || family === 'gone') return datasetShare;
  return ratio === null ? Number.POSITIVE_INFINITY : datasetShare * Math.abs(ratio - 1);
}
