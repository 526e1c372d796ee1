// Warns of gross domestic products of a country that agree with each other at the rates of another year.

import { spans } from '../../messages/numbers.ts';
import { faultIn } from '../yearRows.ts';
import { nameOfPlace, type Rule, type YearOfIndicators } from './indicatorSeries.ts';

/** A rate that moved by less shows no year. */
const LEAST_MOVE = Math.log(1.02);

/** Figures that one source converts at the rates of fx differ by their rounding. */
const AGREEING = Math.log(1.005);

/**
 * The years in which they must agree, and their share of the years in which the rate moved. Of 183 countries of the World Bank,
 * none comes to half of them, although a third of the financial years begin in July.
 */
const FEWEST_YEARS = 4;
const AGREEING_SHARE = 0.8;

/** Reports figures in both currencies, or rates, that are shifted by a year. Nothing shows that figures in USD alone are shifted. */
export const shiftedByOneYear: Rule = (of) => {
  const before = atOtherRates(of.years, -1);
  const [years, words] =
    before.length > 0 ? [before, 'year before'] : [atOtherRates(of.years, 1), 'next year'];
  if (of.state !== '') return [];
  return faultIn(years, () => ({
    country: of.country,
    column: 'gdp_usd',
    isOfFirstLoad: true,
    problem: `gdp_usd and gdp_local_currency of ${nameOfPlace(of)} agree at the rates of fx of the ${words} in ${spans(years.map(({ year }) => year))}`,
    remedy: 'check whether both, or the rates, are shifted by a year',
    kind: 'a gross domestic product at the rates of another year',
  }));
};

/** The years whose figures agree at the rate of the year `by` years away; none where those of some years do not. */
function atOtherRates(years: readonly YearOfIndicators[], by: 1 | -1): readonly YearOfIndicators[] {
  const moved = years.flatMap((one) => {
    const other = years.find(({ year }) => year === one.year + by)?.rate ?? 0;
    const { gdpUsd, gdpLocal, rate } = one;
    const move = Math.abs(Math.log(other / (rate ?? 0)));
    if (!(move > LEAST_MOVE && Number.isFinite(move))) return [];
    return [{ one, distance: Math.abs(Math.log((gdpUsd ?? 0) / ((gdpLocal ?? 0) * other))) }];
  });
  const found = moved.filter(({ distance }) => distance <= AGREEING);
  return found.length < Math.max(FEWEST_YEARS, AGREEING_SHARE * moved.length)
    ? []
    : found.map(({ one }) => one);
}
