// Warns of a gross domestic product or a population that repeats the year before to the last digit.

import { amountText } from '../../messages/numbers.ts';
import { hasDigits } from '../figureDigits.ts';
import { faultIn } from '../yearFaults.ts';
import { type IndicatorRule, nameOfPlace, type YearOfIndicators } from './indicatorSeries.ts';

const REPEATED = [
  { column: 'gdp_usd', name: 'gdpUsd' },
  { column: 'gdp_local_currency', name: 'gdpLocal' },
  { column: 'adult_population', name: 'adults' },
] as const;

/** The most digits of a figure that may equal that of the year before by chance. */
const MOST_DIGITS_OF_CHANCE = 5;

/**
 * Replaces `MOST_DIGITS_OF_CHANCE` if both gross domestic products are repeated although the exchange rate moved. That is
 * rarely chance.
 */
const MOST_DIGITS_OF_BOTH = 3;

/** Reports years that repeat the year before. It checks only a first load, because guards compare later months. */
export const repeatedYears: IndicatorRule = (series) =>
  REPEATED.flatMap(({ column, name }) => {
    const repeated = series.years.filter((at, i) => {
      const before = series.years[i - 1];
      if (before === undefined || at.year - before.year !== 1 || !hasRepeated(name, at, before)) return false;
      const isLong = hasMoreDigits(at[name], MOST_DIGITS_OF_CHANCE);
      return isLong || (name !== 'adults' && haveBothRepeated(at, before));
    });
    return faultIn(repeated, (first) => ({
      country: series.country,
      column,
      isOfFirstLoad: true,
      problem: `${column} of ${nameOfPlace(series)} is ${amountText(first[name] ?? 0)} in ${first.year}, as in the year before to the last digit`,
      remedy: 'check whether one of the two years was copied',
      kind: `${column} that repeats the year before`,
    }));
  });

type Figure = (typeof REPEATED)[number]['name'];

const hasRepeated = (name: Figure, at: YearOfIndicators, before: YearOfIndicators): boolean =>
  at[name] !== null && at[name] === before[name];

/**
 * Whether both gross domestic products are repeated although the rate moved. At the same rate, one repetition causes the
 * other.
 */
const haveBothRepeated = (at: YearOfIndicators, before: YearOfIndicators): boolean =>
  at.rate !== null &&
  at.rate !== before.rate &&
  hasRepeated('gdpUsd', at, before) &&
  hasRepeated('gdpLocal', at, before) &&
  hasMoreDigits(at.gdpUsd, MOST_DIGITS_OF_BOTH) &&
  hasMoreDigits(at.gdpLocal, MOST_DIGITS_OF_BOTH);

const hasMoreDigits = (figure: number | null, digits: number): boolean =>
  figure !== null && hasDigits(figure, digits + 1);
