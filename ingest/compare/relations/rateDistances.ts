// Measures how far an amount is from the amount in local currency at the current and at the constant rates of fx.

import type { Amounts } from './amounts.ts';
import type { Rate } from './ratesOfCountries.ts';

/**
 * The largest relative distance at which an amount agrees with the rates. Figures are rounded, and rates have six digits.
 */
export const AGREEING_DISTANCE = 0.02;

/** The largest relative distance at which an amount was surely converted at the rates. */
export const CLOSE_DISTANCE = 2e-4;

/**
 * The largest distance at which a reported amount counts as converted at a kind of rates. Rounding moves small amounts by
 * as much.
 */
export const CONVERTED_DISTANCE = 0.002;

/** The relative distances of an amount from the local amount, at current rates and at constant rates. */
export interface Distances {
  readonly current: number;
  readonly constant: number;
}

/**
 * The distances of an amount in a foreign currency from the local amount at these rates; NaN when no rate is known.
 *
 * @param smallest The smallest amount that is compared.
 */
export function distancesFromRates(
  rates: readonly Rate[],
  amounts: Amounts,
  foreign: number,
  smallest: number,
): Distances {
  let [leastCurrent, leastConstant] = [Number.NaN, Number.NaN];
  for (const { localKey, current, constant } of rates) {
    const local = amounts.get(localKey) ?? 0;
    if (local === 0 || Math.min(Math.abs(local), Math.abs(foreign)) < smallest) continue;
    leastCurrent = lesser(leastCurrent, Math.abs(foreign / local / current - 1));
    leastConstant = lesser(leastConstant, Math.abs(foreign / local / constant - 1));
  }
  return { current: leastCurrent, constant: leastConstant };
}

/** The smallest relative distance of a quotient, such as USD for one unit of local currency, from these current rates. */
export const distanceFromCurrent = (rates: readonly Rate[] | undefined, quotient: number): number =>
  Math.min(...(rates ?? []).map(({ current }) => Math.abs(quotient / current - 1)));

/** The smaller one of the distances from the current and the constant rate; NaN when neither is known. */
export const nearerDistance = ({ current, constant }: Distances): number => lesser(current, constant);

/** The smaller number. NaN counts as unknown: the other number is returned, or NaN when both are unknown. */
const lesser = (a: number, b: number): number => (Number.isNaN(a) || b < a ? b : a);

/**
 * The distance of an amount from the kind of rates, current or constant, with which the earlier amount agreed. If the
 * earlier amount agreed with both kinds or with none, it is the distance from the nearer kind.
 */
export function distanceFromEarlierKind(before: Distances, now: Distances): number {
  if (before.current <= AGREEING_DISTANCE && before.constant > AGREEING_DISTANCE) return now.current;
  if (before.constant <= AGREEING_DISTANCE && before.current > AGREEING_DISTANCE) return now.constant;
  return nearerDistance(now);
}

/**
 * The distance of a forecast from the kind of rates that was nearer before. Forecasts of current rates repeat the last
 * known rate, so both kinds are near each other. The distance from the other kind could hide that a rate moved.
 */
export const distanceFromNearerKind = (before: Distances, now: Distances): number =>
  before.current <= before.constant || Number.isNaN(before.constant) ? now.current : now.constant;

/**
 * The distance of a reported figure from the nearer kind of rates. If a figure was converted at one kind and is now near
 * neither, it may be near the other kind by chance. Then the distance is that from the kind that was nearer before.
 */
export const distanceOfReported = (before: Distances, now: Distances): number =>
  nearerDistance(before) <= CLOSE_DISTANCE && nearerDistance(now) > CONVERTED_DISTANCE
    ? distanceFromNearerKind(before, now)
    : nearerDistance(now);
