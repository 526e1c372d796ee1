// Tells how severe zeros, losses, leaps and moves are, by their size and their share of the place. Null is no finding.

import type { Pattern } from '../compare/patterns/patternTypes.ts';
import { FEWEST_CELLS, isComplete } from './completeness.ts';
import type { GuardLimits } from './guard.ts';

/** Zeros are refused when a wide place became zero, or a large part of a country's total. */
export function zeroSeverity(pattern: Pattern, { material }: GuardLimits) {
  const { cells, countryShare } = pattern;
  const isAll = isComplete(pattern) && isOfWidePlace(pattern) && cells >= FEWEST_CELLS;
  if (isAll || countryShare >= material.refuse) return 'refuse';
  return countryShare >= material.warn || cells >= FEWEST_CELLS ? 'warn' : null;
}

/** Losses are refused when a wide place is gone, or a large part of a country. Single rows may come and go. */
export function lossSeverity(pattern: Pattern, { material, country }: GuardLimits) {
  const { cells, of, countryShare, historyShare, place } = pattern;
  const isAll = isComplete(pattern) && isOfWidePlace(pattern);
  const isCountry = Object.keys(place).length === 1 && place.country !== undefined;
  if (isAll && (cells >= FEWEST_CELLS || (isCountry && of === cells))) return 'refuse';
  if (historyShare >= country.refuse && cells >= FEWEST_CELLS) return 'refuse';
  return countryShare >= material.refuse || cells >= FEWEST_CELLS ? 'warn' : null;
}

/** Leaps and changed signs are refused when they concern a whole place, or change the country's total much. */
export function leapSeverity(pattern: Pattern, { material }: GuardLimits) {
  const { cells, effect, place } = pattern;
  const isAll = isComplete(pattern) && cells >= FEWEST_CELLS && Object.keys(place).length <= 2;
  if (isAll || effect >= material.refuse) return 'refuse';
  return effect >= material.warn || cells >= FEWEST_CELLS ? 'warn' : null;
}

/**
 * Moves are judged by how far they moved the country's total. A part that is large enough to matter is also judged by its
 * own move.
 */
export function moveSeverity(pattern: Pattern, { country, part, material }: GuardLimits) {
  const { effect, ratio } = pattern;
  const own = ratio === null || ratio <= 0 ? 0 : Math.max(ratio, 1 / ratio) - 1;
  if (effect >= country.refuse) return 'refuse';
  if (own >= part.refuse && effect >= material.refuse && isComplete(pattern)) return 'refuse';
  if (effect >= country.warn || (own >= partLimit(pattern, part) && effect >= material.refuse)) return 'warn';
  return null;
}

/**
 * Whether the place names at most one dimension beside the country: the whole dataset, a country, or a value of a dimension
 * in all countries or in one.
 */
const isOfWidePlace = ({ place }: Pattern): boolean =>
  Object.keys(place).length <= (place.country === undefined ? 1 : 2);

/**
 * The move of a part of a country from which on a pattern is a warning: the limit, or less where many values moved by 10 %
 * or more. Net revenue in place of gross moves all years and markets of a channel by 15 to 25 %.
 */
const partLimit = ({ counted = 0 }: Pattern, { warn }: GuardLimits['part']): number =>
  counted >= MANY_CELLS ? MANY_CELLS_WARN * warn : warn;

/** Honest revisions seldom move so many values by 10 % or more. */
const MANY_CELLS = 30;

/** The share of the limit from which on so many values warn. */
const MANY_CELLS_WARN = 0.6;
