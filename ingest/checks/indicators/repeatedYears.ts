// Warns of a gross domestic product or a population that repeats the year before to the last digit.

import { hasDigits } from '../../figures/digits.ts';
import { amountText } from '../../messages/numbers.ts';
import { nameOfPlace } from '../yearFaults.ts';
import { faultOf, type IndicatorRule, type YearOfIndicators } from './indicatorSeries.ts';

const REPEATED = [
  { column: 'gdp_usd', name: 'gdpUsd' },
  { column: 'gdp_local_currency', name: 'gdpLocal' },
  { column: 'adult_population', name: 'adults' },
] as const;

/** A figure of fewer digits may equal that of the year before by chance. */
const FEWEST_DIGITS = 6;

/**
 * Replaces `FEWEST_DIGITS` if both gross domestic products are repeated although the exchange rate moved. That is rarely
 * chance.
 */
const FEWEST_DIGITS_OF_BOTH = 4;

/** Reports years that repeat the year before. It checks only a first load, because guards compare later months. */
export const repeatedYears: IndicatorRule = (series) =>
  REPEATED.flatMap(({ column, name }) => {
    const repeated = series.years.filter((at, i) => {
      const before = series.years[i - 1];
      if (before?.year !== at.year - 1) return false;
      return (
        isRepeated(name, at, before, FEWEST_DIGITS) || (name !== 'adults' && areBothRepeated(at, before))
      );
    });
    return faultOf(series, column, repeated, (first) => ({
      problem: `${column} of ${nameOfPlace(series)} is ${amountText(first[name] ?? 0)} in ${first.year}, as in the year before to the last digit`,
      remedy: 'check whether one of the two years was copied',
      kind: `${column} that repeats the year before`,
    }));
  });

function isRepeated(
  name: (typeof REPEATED)[number]['name'],
  at: YearOfIndicators,
  before: YearOfIndicators,
  fewestDigits: number,
): boolean {
  const figure = at[name];
  return figure !== null && figure === before[name] && hasDigits(figure, fewestDigits);
}

/**
 * Whether both gross domestic products are repeated although the rate moved. At the same rate, one repetition causes the
 * other.
 */
const areBothRepeated = (at: YearOfIndicators, before: YearOfIndicators): boolean =>
  at.rate !== null &&
  at.rate !== before.rate &&
  isRepeated('gdpUsd', at, before, FEWEST_DIGITS_OF_BOTH) &&
  isRepeated('gdpLocal', at, before, FEWEST_DIGITS_OF_BOTH);
