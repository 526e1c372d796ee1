// Guard `closed-years`, for single countries: totals of years that had ended moved.

import { groupBy } from '../../src/basics/lists.ts';
import { type AnyPattern, isMerger } from '../compare/patterns/patternTypes.ts';
import type { CountryMove } from '../compare/totalTypes.ts';
import { amountText, changeText, counted, listed, roundedPercent } from '../messages/numbers.ts';
import { MANY_COUNTRIES } from './completeness.ts';
import type { GuardSeverity } from './finding.ts';
import { type Guard, type GuardLimits, isWarnedOf, type PatternVerdict } from './guard.ts';
import { metricPrefix } from './wording.ts';

export interface MovedCountry {
  readonly move: CountryMove;
  readonly severity: GuardSeverity;
}

/**
 * Examines the totals of single countries. Many countries share a finding, because a line for each would bury a common
 * cause, such as a channel that all of them get. Refusals and warnings are merged separately: a few refusals beside many
 * warnings stay lines of their own.
 */
export const countryMovesGuard: Guard<MovedCountry, readonly CountryMove[]> = {
  find: ({ countryMoves: all }, { limits: { country: limit } }) =>
    all.flatMap((move): MovedCountry[] => {
      const { mean, largest } = move;
      if (mean >= limit.refuse || largest >= 2 * limit.refuse) return [{ move, severity: 'refuse' }];
      return mean < limit.warn && largest < 2 * limit.warn ? [] : [{ move, severity: 'warn' }];
    }),
  gather: (found) =>
    [...groupBy(found, ({ move: { metric }, severity }) => `${severity} ${metric}`).values()].flatMap(
      (group) => {
        const [{ severity }] = group;
        const moves = group.map(({ move }) => move);
        const together =
          moves.length < MANY_COUNTRIES
            ? moves.map((move) => ({ country: move.country, about: [move] }))
            : [{ country: null, about: moves.toSorted((a, b) => b.mean - a.mean) }];
        return together.map((one) => ({ rule: 'closed-years' as const, severity, ...one }));
      },
    ),
  words: (moves, { dataset }) => {
    const [most] = moves as readonly [CountryMove];
    const prefix = metricPrefix(most.metric, dataset);
    if (moves.length === 1)
      return {
        message: `${prefix}${most.country}: its totals of closed years moved by ${meanText(most)} on average, most in ${largestMoveText(most)}`,
      };
    const each = moves.map((one) => `${one.country} by ${meanText(one)}`);
    return {
      message: `${prefix}${counted(moves.length, 'country', 'countries')}: totals of closed years moved, most of ${most.country} in ${largestMoveText(most)}; on average ${listed(each, MOST_COUNTRIES_NAMED)}`,
    };
  },
};

const MOST_COUNTRIES_NAMED = 50;

const meanText = ({ mean }: CountryMove): string => roundedPercent(mean, 3);

/** The year that moved most: `2023 USD: 2.592 m → 11.42 m (+341 %)`. */
const largestMoveText = ({ year, fx, before, after }: CountryMove): string =>
  `${year}${fx === null ? '' : ` ${fx}`}: ${amountText(before)} → ${amountText(after)} (${changeText((after - before) / Math.abs(before))})`;

/**
 * Whether a pattern explains the move of a country: one of the country, or of many countries. A warning about the country
 * explains only a warning.
 */
export function isCountryMoveExplained(
  { move, severity: own }: MovedCountry,
  verdict: PatternVerdict,
  { country: limit }: GuardLimits,
): boolean {
  const { metric, country, mean, grown, year } = move;
  const { pattern, severity } = verdict;
  // If the mean is below its limit, the finding is about the year that moved most. A warning about that year then suffices.
  const about = mean < limit.warn ? { metric, year } : { metric };
  if (own === 'warn' && isWarnedOf(country, [verdict], about)) return true;
  // A pattern of values that moved, or of rows that are gone, does not explain a country that grew by new rows.
  const isGrown = grown >= limit.refuse;
  return (
    !pattern.forecast &&
    !isMerger(pattern) &&
    (!isGrown || FAMILIES_OF_NEW_ROWS.has(pattern.family)) &&
    (pattern.place.country === undefined || (pattern.place.country === country && severity === 'refuse'))
  );
}

const FAMILIES_OF_NEW_ROWS: ReadonlySet<AnyPattern['family']> = new Set([
  'renamed',
  'twice',
  'sums',
  'parts',
  'copied',
]);
