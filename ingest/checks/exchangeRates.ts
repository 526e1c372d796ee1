// Warns of exchange rates that contradict each other or cannot be: turned round, per 100 units, of another currency or column.

import type { CheckedRows } from './checkedRows.ts';
import { placeOfNumber } from './places.ts';
import type { RateFault, RateRule } from './rateFault.ts';
import { exchangedTerms, inItself, inSteps, newConstant, tooHigh, unusual } from './rateRules.ts';
import { crossed, ofAnother, ofOneCurrency } from './rateRulesAmongCurrencies.ts';
import { commonRatesOf, rateSeriesOf } from './rateSeries.ts';

/**
 * Checks the rates of fx, in any month: rates of a new year have no earlier figure that a guard could compare them with.
 *
 * @param since The first year of a country that is reported.
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
    // A rate that is turned round breaks several rules. The first one says most.
    for (const rule of RULES) {
      const fault = rule(series, common).find(isReported);
      if (fault === undefined) continue;
      const { at, lastYear, column, ...said } = fault;
      problems.add('warning', placeOfNumber(staging, at.place, column), said);
      break;
    }
  }
}

/** The rules that tell most about a fault come first. */
const RULES: readonly RateRule[] = [
  inItself,
  unusual,
  crossed,
  ofOneCurrency,
  ofAnother,
  exchangedTerms,
  newConstant,
  inSteps,
  tooHigh,
];
