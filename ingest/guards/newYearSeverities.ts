// Tells how severe missing rows and leaps of a new year are, and whether a pattern concerns a whole place.

import type { YearPattern } from '../compare/patterns/patternTypes.ts';
import { logDistance } from '../compare/ratios.ts';
import { FEWEST_CELLS, isComplete } from './completeness.ts';
import type { GuardSeverity } from './finding.ts';
import type { GuardLimits } from './guard.ts';

/** The share of a country's figures from which on missing figures are refused. Markets as large as that seldom close. */
const MISSING_FIGURES_SHARE = 1 / 3;

/** Missing rows are refused from this share of a country's rows on, and leaps from this share of its figures on. */
const MAJORITY_SHARE = 0.5;

/** The factor from which on figures are in another unit. No market grows or shrinks by so much in a year. */
const OTHER_UNIT_FACTOR = 50;

/** An inverted rate times the rate of the year before is 1 up to this factor, because the rate also moved. */
const INVERSE_FACTOR = 2;

/**
 * The kind of figures. `market`: figures of markets, in several currencies. `price`: amounts and rates of one currency,
 * which may lose its value within a year. `indicator`: all others.
 */
export type MetricKind = 'market' | 'price' | 'indicator';

/** Whether a pattern concerns a whole country, or a part of it that its place names, such as a product. */
export const isOfWholePlace = (pattern: YearPattern) =>
  isComplete(pattern) || Object.keys(pattern.place).some((one) => one !== 'country' && one !== 'year');

/**
 * Missing rows are refused if they are a large part of a country's figures or rows. A small part is a warning, because
 * markets close.
 */
export function yearMissingSeverity(
  pattern: YearPattern,
  { material }: GuardLimits,
  kind: MetricKind,
): GuardSeverity | null {
  const { cells, of, countryShare, further } = pattern;
  const isMost = isComplete(pattern) || (cells >= MAJORITY_SHARE * of && cells >= FEWEST_CELLS);
  // Missing indicators only warn, because sources publish them one after the other.
  if (kind === 'market' && (further !== null || isMost || countryShare >= MISSING_FIGURES_SHARE))
    return 'refuse';
  // A product may be less than a hundredth of a large country, and still have more figures than a small country.
  const least = isOfWholePlace(pattern) ? material.warn : material.refuse;
  return countryShare >= least ? 'warn' : null;
}

/**
 * The severity of a leap; null if its effect is too small. A price is refused only if it was inverted. Other figures are
 * refused if they leapt as far as a change of unit. Figures of markets are also refused if the whole place of the pattern
 * leapt, or at least half of the country's figures. All other leaps are warnings, because new markets may grow many times
 * over.
 */
export function yearLeapSeverity(
  pattern: YearPattern,
  { material }: GuardLimits,
  kind: MetricKind,
): GuardSeverity | null {
  const { countryShare, effect, ratio } = pattern;
  if (effect < material.refuse) return null;
  if (kind === 'price') return isInverse(pattern) ? 'refuse' : 'warn';
  const isLarge = kind === 'market' && (isComplete(pattern) || countryShare >= MAJORITY_SHARE);
  return isLarge || isOfOtherUnit(ratio) ? 'refuse' : 'warn';
}

/** Whether each value is nearly 1 divided by the value before, so that the rate was inverted. */
const isInverse = ({ examples }: YearPattern): boolean =>
  examples.length > 0 &&
  examples.every(({ from, to }) => logDistance((from ?? 0) * (to ?? 0)) <= Math.log(INVERSE_FACTOR));

/** Whether a ratio is so large or small that the unit is probably wrong. */
export const isOfOtherUnit = (ratio: number | null): boolean =>
  ratio !== null && (ratio >= OTHER_UNIT_FACTOR || ratio <= 1 / OTHER_UNIT_FACTOR);
