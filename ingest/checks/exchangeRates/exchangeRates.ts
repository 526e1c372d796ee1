// Warns of exchange rates that are impossible or contradict each other: inverted, for 100 units, in the wrong column.

import type { CheckInput } from '../checkInput.ts';
import { placeOfCellAt } from '../stagedPlaces.ts';
import type { RateFault, RateRule } from './rateFault.ts';
import {
  exchangedTerms,
  oddConstant,
  oddCurrent,
  ownRateNotOne,
  tooHighRate,
  unusualRate,
} from './rateRules.ts';
import { copiedCurrency, crossRates, repeatedYear, sharedCurrency } from './rateRulesAmongCurrencies.ts';
import { commonRatesOf, rateSeriesOf } from './rateSeries.ts';

/**
 * Checks the rates of fx. It runs in every month, because guards cannot compare the rates of a new year with earlier ones.
 * `since` returns, for a country, the first year whose faults are reported. A fault of several years counts as one of its
 * last year.
 */
export async function checkExchangeRates(
  { staging, problems }: CheckInput,
  since: (country: string) => number,
): Promise<void> {
  const all = await rateSeriesOf(staging);
  const common = commonRatesOf(all);
  for (const series of all) {
    const first = since(series.country);
    const isReported = ({ lastYear }: RateFault) => lastYear >= first;
    // One mistake, such as an inverted rate, breaks several rules. Only the first broken rule is reported, because it
    // explains the mistake best.
    for (const rule of RULES) {
      const fault = rule(series, common).find(isReported);
      if (fault === undefined) continue;
      const { at, lastYear, column, ...diagnostic } = fault;
      problems.add('warning', placeOfCellAt(staging, at.place, column), diagnostic);
      break;
    }
  }
}

/** The rules. A rule that explains a mistake better precedes the others. */
const RULES: readonly RateRule[] = [
  ownRateNotOne,
  unusualRate,
  crossRates,
  sharedCurrency,
  copiedCurrency,
  exchangedTerms,
  oddConstant,
  oddCurrent,
  tooHighRate,
  repeatedYear,
];
