// How far an amount is from what the rates of fx make of the local one, at current and at constant rates.

import type { Amounts } from './amounts.ts';
import type { Rate } from './rates.ts';

/** Amounts agree with rates up to this relative distance: rows are rounded, and rates have six digits. */
export const AGREES = 0.02;

/** Amounts that agree with the rates to this relative distance were computed with them. */
export const CLOSE = 2e-4;

/** The same for an amount that is now computed with the other kind of rates; rounding moves small amounts by as much. */
export const CONVERTED = 0.002;

/** The distances of an amount from current and from constant rates. */
export interface Distances {
  readonly current: number;
  readonly constant: number;
}

/**
 * The distances of an amount in a foreign currency from the local one at the rates of fx; NaN when no rate is known.
 *
 * @param smallest Smaller amounts are not compared.
 */
export function distancesFrom(
  rates: readonly Rate[],
  amounts: Amounts,
  foreign: number,
  smallest: number,
): Distances {
  let [leastCurrent, leastConstant] = [Number.NaN, Number.NaN];
  for (const { own: ownName, current, constant } of rates) {
    const own = amounts.get(ownName) ?? 0;
    if (own === 0 || Math.min(Math.abs(own), Math.abs(foreign)) < smallest) continue;
    leastCurrent = lesser(leastCurrent, Math.abs(foreign / own / current - 1));
    leastConstant = lesser(leastConstant, Math.abs(foreign / own / constant - 1));
  }
  return { current: leastCurrent, constant: leastConstant };
}

export const nearest = ({ current, constant }: Distances): number => lesser(current, constant);

/** The lesser number; NaN when neither is known. */
export const lesser = (a: number, b = Number.NaN): number => (Number.isNaN(a) || b < a ? b : a);

/**
 * How far amounts are from the kind of rates, current or constant, that they agreed with in the year before. Where both
 * kinds agreed, or none, the nearer one counts.
 */
export function sameRates(before: Distances, now: Distances): number {
  if (before.current <= AGREES && before.constant > AGREES) return now.current;
  if (before.constant <= AGREES && before.current > AGREES) return now.constant;
  return nearest(now);
}

/**
 * The same for forecasts, whose current rates are held at the last known one and are thus near the constant ones: the kind
 * of rates that was nearer before counts, so that a moved rate does not hide behind the other kind.
 */
export const nearerRates = (before: Distances, now: Distances): number =>
  before.current <= before.constant || Number.isNaN(before.constant) ? now.current : now.constant;

/**
 * The same for reported figures. Where they were computed with one kind of rates, and are now computed with neither, they may
 * be near the other kind by chance, as those of a year whose rates are near the constant ones.
 */
export const reportedRates = (before: Distances, now: Distances): number =>
  nearest(before) <= CLOSE && nearest(now) > CONVERTED ? nearerRates(before, now) : nearest(now);
