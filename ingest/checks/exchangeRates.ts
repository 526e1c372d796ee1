// Warns of exchange rates that contradict each other or are impossible: inverted, per 100 units, in the wrong column.

import type { CheckedRows } from './checkedRows.ts';
import { placeOfNumber } from './places.ts';
import type { RateFault, RateRule } from './rateFault.ts';
import { exchangedTerms, inSteps, oddConstant, ownRate, tooHigh, unusual } from './rateRules.ts';
import { copiedCurrency, crossRates, repeatedYear, sharedCurrency } from './rateRulesAmongCurrencies.ts';
import { commonRatesOf, rateSeriesOf } from './rateSeries.ts';

/**
 * Checks the rates of fx in every month: rates of a new year have no earlier figure that a guard could compare them
 * with.
 *
 * @param since Returns the first year of a country for which faults are reported.
 */
export async function checkExchangeRates(
  { staging, problems }: CheckedRows,
  since: (country: string) => number,
): Promise<void> {
  const all = await rateSeriesOf(staging);
  const common = commonRatesOf(all);
  for (const series of all) {
    const first = since(series.country);
    const isReported = ({ lastYear }: RateFault) => lastYear >= first;
    // An inverted rate breaks several rules. The first one explains it best.
    for (const rule of RULES) {
      const fault = rule(series, common).find(isReported);
      if (fault === undefined) continue;
      const { at, lastYear, column, ...diagnostic } = fault;
      problems.add('warning', placeOfNumber(staging, at.place, column), diagnostic);
      break;
    }
  }
}

/** The rules that tell most about a fault come first. */
const RULES: readonly RateRule[] = [
  ownRate,
  unusual,
  crossRates,
  sharedCurrency,
  copiedCurrency,
  exchangedTerms,
  oddConstant,
  inSteps,
  tooHigh,
  repeatedYear,
];
