// Tells whether a pattern of changes concerns its whole place, and from how many cells on it is more than a few errors.

import type { Pattern } from '../compare/patterns/types.ts';
import type { GuardLimits } from './guard.ts';

/** From this number of cells on, a pattern is more than a few typing errors or closed markets. */
export const FEWEST_CELLS = 3;

/** From this share of a place's cells on, a pattern concerns the whole place. */
const COMPLETE_SHARE = 0.9;

/** Whether a pattern concerns all cells of its place, or nearly all. */
export const isComplete = ({ cells, of }: Pick<Pattern, 'cells' | 'of'>): boolean =>
  cells >= COMPLETE_SHARE * of;

/**
 * The move of a part of a country from which on a pattern is a warning: the limit, or less where many values moved by 10 %
 * or more. Net revenue in place of gross moves all years and markets of a channel by 15 to 25 %.
 */
export const partLimit = (
  { counted = 0 }: Pick<Pattern, 'counted'>,
  { warn }: GuardLimits['part'],
): number => (counted >= MANY_CELLS ? MANY_CELLS_WARN * warn : warn);

/** Honest revisions seldom move so many values by 10 % or more. */
const MANY_CELLS = 30;

/** The share of the limit from which on so many values warn. */
const MANY_CELLS_WARN = 0.6;

/**
 * Whether the place names at most one dimension beside the country: the whole dataset, a country, or a value of a dimension
 * in all countries or in one.
 */
export const isWhole = ({ place }: Pattern): boolean =>
  Object.keys(place).length <= (place.country === undefined ? 1 : 2);
