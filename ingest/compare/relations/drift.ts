// Tells which figures drifted: they now deviate a little from figures that they equal in most countries.

import { ascending, groupBy } from '../../../src/basics/lists.ts';
import type { BrokenOfKind } from '../brokenRelation.ts';
import { AGREEING_DISTANCE, CLOSE_DISTANCE } from './rateDistances.ts';

/** The smallest distance that counts. Honest revisions of rates or amounts cause smaller distances. */
export const DRIFTED_DISTANCE = 0.005;

/**
 * The number of years that must deviate where rates moved: a single year may be converted at a rate of its own, or its rate
 * may be revised later.
 */
export const FEWEST_DRIFTED_YEARS = 3;

/** The number of other countries that must still agree. Fewer do not show what is usual. */
export const FEWEST_AGREEING_COUNTRIES = 3;

/** A figure that agreed closely before, with its distances on both sides. */
export interface CloseFigure {
  readonly year: number;
  readonly before: number;
  readonly after: number;
}

/** Whether a figure deviates a little now. `currenciesApart` finds figures that deviate by more. */
export const hasDrifted = ({ after }: CloseFigure): boolean =>
  after >= DRIFTED_DISTANCE && after <= AGREEING_DISTANCE;

/** The figures by country. An empty list unless most countries still agree closely. */
export function whereMostAgree<One extends CloseFigure, Country>(
  known: readonly One[],
  countryOf: (one: One) => Country,
): readonly (readonly [Country, readonly [One, ...One[]]])[] {
  const countries = [...groupBy(known, countryOf)];
  const close = countries.filter(([, all]) => all.every(({ after }) => after <= CLOSE_DISTANCE)).length;
  return close < FEWEST_AGREEING_COUNTRIES || close < countries.length / 2 ? [] : countries;
}

/** The years of figures that drifted, and the largest distances. */
export const extentOf = (all: readonly CloseFigure[]): Pick<BrokenOfKind, 'years' | 'before' | 'after'> => ({
  years: ascending(all.map(({ year }) => year)),
  before: Math.max(...all.map(({ before }) => before)),
  after: Math.max(...all.map(({ after }) => after)),
});
