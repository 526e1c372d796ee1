// Defines the type of a fault of exchange rates, compares rates, and writes series and rates in words.

import type { Diagnostic } from '../../messages/fault.ts';
import { significantDigits } from '../../messages/numbers.ts';
import { nameOfPlace, type YearsFault } from '../yearFaults.ts';
import type { CommonRates, RateSeries, YearOfRates } from './rateSeries.ts';

/** Finds the faults of a series of rates. `checkExchangeRates` reports the first fault whose last year is checked. */
export type RateRule = (series: RateSeries, common: CommonRates) => readonly RateFault[];

/** A fault in one column of a series of rates, in one or more years. */
export interface RateFault extends Diagnostic, YearsFault<YearOfRates> {
  readonly column: string;
}

/**
 * Whether two rates differ by more than `allowed`, a difference of logarithms, and by more than rounding explains.
 * `written` are the rates as the source writes them. Their rounding is computed last, because few rates differ by more than
 * `allowed`.
 */
export function areRatesApart(
  rate: number,
  usual: number,
  allowed: number,
  ...written: readonly number[]
): boolean {
  const distance = Math.abs(Math.log(rate) - Math.log(usual));
  return distance > allowed && distance > written.reduce((sum, one) => sum + roundingShare(one), allowed);
}

/**
 * The largest share by which rounding may have changed a rate: 1/8 for 0.00004, which may have been 0.000045. A rate of 1
 * is exact.
 */
export function roundingShare(rate: number): number {
  if (rate === 1) return 0;
  const [mantissa = '1', exponent] = rate.toExponential().split('e');
  const places = mantissa.length > 1 ? mantissa.length - 2 : 0;
  return (0.5 * 10 ** (Number(exponent) - places)) / rate;
}

/** The name of a series in messages: `Malta (EUR)`. */
export const rateSeriesName = (series: RateSeries): string => `${nameOfPlace(series)} (${series.currency})`;

/** A rate in words, as messages write it. */
export const rateText = (rate: number | null | undefined): string =>
  rate === null || rate === undefined ? 'empty' : significantDigits(rate, 4);
