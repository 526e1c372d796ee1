// Warns of a country whose gross domestic products in USD and in local currency agree at the rates of another year.

import { nameOfPlace, yearsText } from '../yearFaults.ts';
import { faultOf, type IndicatorRule, type YearOfIndicators } from './indicatorSeries.ts';

/**
 * The smallest difference of logarithms between the rates of two years that shows which year a figure was converted with.
 */
const LEAST_MOVE = Math.log(1.02);

/** The largest difference of logarithms that rounding makes between figures in USD and converted figures. */
const AGREEING_DISTANCE = Math.log(1.005);

/**
 * A country is reported if at least this many years agree at the rate of another year, and at least this share of the years
 * in which the rate moved. Of 183 countries of the World Bank, none agrees in half of these years, although a third of the
 * financial years begin in July.
 */
const FEWEST_YEARS = 4;
const AGREEING_SHARE = 0.8;

/** Reports countries whose figures in both currencies, or whose rates, are shifted by a year. */
export const shiftedGdp: IndicatorRule = (series) => {
  const before = atOtherRates(series.years, -1);
  const [years, words] =
    before.length > 0 ? [before, 'year before'] : [atOtherRates(series.years, 1), 'next year'];
  if (series.state !== '') return [];
  return faultOf(series, 'gdp_usd', years, () => ({
    problem: `gdp_usd and gdp_local_currency of ${nameOfPlace(series)} agree at the rates of fx of the ${words} in ${yearsText(years)}`,
    remedy: 'check whether both, or the rates, are shifted by a year',
    kind: 'a gross domestic product at the rates of another year',
  }));
};

/** The years whose figures agree at the rate of the year `by` years away; none if too few years do. */
function atOtherRates(years: readonly YearOfIndicators[], by: 1 | -1): readonly YearOfIndicators[] {
  const moved = years.flatMap((examined) => {
    const other = years.find(({ year }) => year === examined.year + by)?.rate ?? 0;
    const { gdpUsd, gdpLocal, rate } = examined;
    const move = Math.abs(Math.log(other / (rate ?? 0)));
    if (!(move > LEAST_MOVE && Number.isFinite(move))) return [];
    return [{ examined, distance: Math.abs(Math.log((gdpUsd ?? 0) / ((gdpLocal ?? 0) * other))) }];
  });
  const found = moved.filter(({ distance }) => distance <= AGREEING_DISTANCE);
  return found.length < Math.max(FEWEST_YEARS, AGREEING_SHARE * moved.length)
    ? []
    : found.map(({ examined }) => examined);
}
