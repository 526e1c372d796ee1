// Finds values that lost digits: someone pasted them as a sheet shows them, or a program wrote them as 32-bit numbers.

import { groupBy } from '../../../src/basics/lists.ts';
import { metricUnit } from '../../../src/catalog/datasets.ts';
import { digitsOf, hasManyDigits } from '../../figures/digits.ts';
import { CHANGE_KIND } from '../rows/matchedRows.ts';
import { type Change, cellsByMetric, type PatternSearch } from './cellChanges.ts';
import { describePattern } from './describePattern.ts';
import { groupedByCountry } from './patternsByCountry.ts';
import type { Pattern } from './patternTypes.ts';

/** The number of a country's values that must be rounded. Fewer may be honest revisions to round figures. */
const FEWEST_ROUNDED = 5;

/** The share of a country's revised values that must be rounded. */
const ROUNDED_SHARE = 0.5;

/** The number of digits that a value must have lost. Sources sometimes drop the last digit. */
const FEWEST_DIGITS_LOST = 2;

/** The least unit to which an amount must be rounded. Rounding to a smaller unit loses nothing that matters. */
const LEAST_UNIT = 100;

/**
 * A rate with at least this number of digits does not count as rounded. Central banks publish rates with as many digits.
 */
const DIGITS_OF_RATES = 4;

/** The largest share by which rounding moves a value. `valuePatterns.ts` finds values that moved further. */
const NEAR_SHARE = 0.05;

/**
 * Finds revised values that are the earlier ones with fewer digits. The cells are not marked as explained, so later steps
 * may find them as well.
 */
export function findRoundedValues(search: PatternSearch): Pattern[] {
  const { matched, changes } = search;
  const { codes } = matched;
  const isRate = (metric: string) =>
    codes.dataset === 'fx' || metricUnit(codes.dataset, metric) === 'percent';
  const countryOf = (change: Change) => changes.code('country', change);
  return cellsByMetric(search, changes.unexplained(CHANGE_KIND.revised)).flatMap(
    ({ metric, forecast, cells }) => {
      const isRounded = isRate(metric) ? isRateRounded : isAmountRounded;
      const rounded = cells.filter((change) => isRounded(changes.old(change), changes.now(change)));
      if (rounded.length < FEWEST_ROUNDED) return [];
      const revisedOf = groupBy(cells, countryOf);
      const revisedIn = (country: number) => revisedOf.get(country)?.length ?? 0;
      const wide = [...groupBy(rounded, countryOf)].flatMap(([country, own]) =>
        own.length >= Math.max(FEWEST_ROUNDED, ROUNDED_SHARE * revisedIn(country)) ? own : [],
      );
      return groupedByCountry(wide, countryOf, codes).map(({ place, items }) => {
        const countries = [...new Set(items.map(countryOf))];
        const revised = countries.reduce((sum, country) => sum + revisedIn(country), 0);
        return describePattern(search, { family: 'rounded', metric, forecast, place, of: revised }, items);
      });
    },
  );
}

function isAmountRounded(from: number, to: number): boolean {
  if (!(Math.abs(to - from) <= NEAR_SHARE * Math.abs(from))) return false;
  if (Math.fround(from) === to) return Math.abs(to - from) >= 1;
  return to % LEAST_UNIT === 0 && hasManyDigits(from) && isShortened(from, to);
}

const isRateRounded = (from: number, to: number): boolean =>
  Math.abs(to - from) <= NEAR_SHARE * Math.abs(from) &&
  digitsOf(to).count < DIGITS_OF_RATES &&
  isShortened(from, to);

/** Whether a value was rounded or cut to fewer digits. */
function isShortened(from: number, to: number): boolean {
  const { count, unit } = digitsOf(to);
  return Math.abs(to - from) < unit && count <= digitsOf(from).count - FEWEST_DIGITS_LOST;
}
