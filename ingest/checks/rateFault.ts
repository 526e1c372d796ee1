// Shared by the rules about exchange rates: how they report a fault, and when two rates are far from each other.

import type { Diagnostic } from '../messages/fault.ts';
import { significantDigits, spans } from '../messages/numbers.ts';
import type { CommonRates, RateSeries, YearOfRates } from './rateSeries.ts';
import type { YearsFault } from './yearRows.ts';

/** Finds what is wrong with the rates of a series, in the order in which it is reported. */
export type RateRule = (series: RateSeries, common: CommonRates) => readonly RateFault[];

export interface RateFault extends Diagnostic, YearsFault<YearOfRates> {
  readonly column: string;
}

/**
 * Whether two rates differ by more than `allowed`, a difference of logarithms, and by more than the rounding of the
 * `written` rates explains. Rounding is computed only for rates that are this far apart, which are few.
 */
export function isFar(rate: number, usual: number, allowed: number, ...written: readonly number[]): boolean {
  const distance = Math.abs(Math.log(rate) - Math.log(usual));
  return distance > allowed && distance > written.reduce((sum, one) => sum + rounding(one), allowed);
}

/** How much rounding may have changed a rate, as a share of it: 0.00004 may be 0.000045. A rate of 1 is exact. */
export function rounding(rate: number): number {
  if (rate === 1) return 0;
  const [mantissa = '1', exponent] = rate.toExponential().split('e');
  const places = mantissa.length > 1 ? mantissa.length - 2 : 0;
  return (0.5 * 10 ** (Number(exponent) - places)) / rate;
}

/** `Malta (EUR)` */
export const seriesName = ({ country, state, currency }: RateSeries): string =>
  `${state === '' ? country : `${state}, ${country},`} (${currency})`;

export const yearsText = (years: readonly YearOfRates[]): string => spans(years.map(({ year }) => year));

export const rateText = (rate: number | null | undefined): string =>
  rate === null || rate === undefined ? 'empty' : significantDigits(rate, 4);
