// Warns of a single year of a country whose gross domestic product or population contradicts its other years.

import { amountText, multiple } from '../../messages/numbers.ts';
import { nameOfPlace } from '../yearFaults.ts';
import { faultOf, gdpDistance, type IndicatorRule, type YearOfIndicators } from './indicatorSeries.ts';

/**
 * The largest difference of logarithms between GDP in USD and GDP in local currency at the rate of fx. In some years,
 * sources use another rate than the official one. The two rates differ by less than this.
 */
const MOST_DISTANCE = Math.log(1.1);

/** The two GDPs of a year agree if their logarithms differ by at most this. */
const AGREEING_DISTANCE = Math.log(1.01);
/** The smallest share of years in which the two GDPs must agree. */
const MAJORITY_SHARE = 0.8;
/** The fewest years in which the two GDPs must agree. */
const FEWEST_YEARS = 5;

/**
 * Reports a year in which the two gross domestic products disagree. It checks only a first load, because guards compare
 * later months.
 */
export const gdpApart: IndicatorRule = (series) => {
  const known = series.years.filter(
    ({ gdpUsd, gdpLocal, rate }) => (gdpUsd ?? 0) > 0 && (gdpLocal ?? 0) > 0 && (rate ?? 0) > 0,
  );
  const agrees = (at: YearOfIndicators | undefined) =>
    at !== undefined && Math.abs(gdpDistance(at)) <= AGREEING_DISTANCE;
  const agreeing = known.filter(agrees);
  if (series.state !== '' || agreeing.length < Math.max(FEWEST_YEARS, MAJORITY_SHARE * known.length))
    return [];
  // Both years beside the year must agree, because the first years of a series may be in a former currency.
  const apart = known.filter(
    (at, i) => Math.abs(gdpDistance(at)) > MOST_DISTANCE && agrees(known[i - 1]) && agrees(known[i + 1]),
  );
  return faultOf(series, 'gdp_usd', apart, (first) => ({
    problem: `gdp_usd of ${nameOfPlace(series)} in ${first.year} is ${multiple(Math.exp(Math.abs(gdpDistance(first))))} times ${gdpDistance(first) > 0 ? 'more' : 'less'} than gdp_local_currency at the rate of fx, and they agree in other years`,
    remedy: 'check both figures of the year, and the rate',
    kind: 'gdp_usd of a year disagrees with gdp_local_currency and fx',
  }));
};

/** The smallest factor between a reported population and those of the years before and after. */
const LEAST_TIMES = 1.05;
/** The largest factor between the populations of the years before and after. */
const MOST_BETWEEN = 1.04;

/** Reports a population that leaps for a single year, as no country's does. It checks only a first load. */
export const populationSpike: IndicatorRule = (series) => {
  const known = series.years.filter(({ adults }) => (adults ?? 0) > 0);
  const spikes = known.filter((at, i) => {
    const [before, after] = [known[i - 1], known[i + 1]];
    if (before?.year !== at.year - 1 || after?.year !== at.year + 1) return false;
    const [one, other, value] = [before.adults ?? 0, after.adults ?? 0, at.adults ?? 0];
    const [low, high] = [Math.min(one, other), Math.max(one, other)];
    return high < MOST_BETWEEN * low && (value > LEAST_TIMES * high || LEAST_TIMES * value < low);
  });
  return faultOf(series, 'adult_population', spikes, (first) => ({
    problem: `adult_population of ${nameOfPlace(series)} is ${amountText(first.adults ?? 0)} in ${first.year}, apart from the years before and after, which are alike`,
    remedy: 'check the figure',
    kind: 'adult_population of one year is far from those beside it',
  }));
};
