// Rules about exchange rates that compare the rates of one country with those of other countries or other currencies.

import { faultIn, yearsText } from '../yearFaults.ts';
import { areRatesApart, type RateRule, rateSeriesName, rateText, roundingShare } from './rateFault.ts';
import { FEWEST_RATES_OF_FLOATING, SAME_RATE_DISTANCE } from './rateRules.ts';
import { RATE_TERMS, type YearOfRates } from './rateSeries.ts';
import { areAtPar } from './usualRates.ts';

/** Finds years in which the rate in USD divided by the rate in EUR is not the USD per EUR of the other currencies. */
export const crossRates: RateRule = (series, common) =>
  RATE_TERMS.flatMap((terms) => {
    const crossIn = ({ usd, eur }: YearOfRates) => (usd[terms] ?? Number.NaN) / (eur[terms] ?? Number.NaN);
    const usualIn = (year: YearOfRates) => common.usdPerEur(terms, year) ?? Number.NaN;
    // A comparison with NaN is false, so a year with an empty rate counts as right.
    const years = series.years.filter((year) =>
      areRatesApart(
        crossIn(year),
        usualIn(year),
        CROSS_RATE_DISTANCE,
        year.usd[terms] ?? 1,
        year.eur[terms] ?? 1,
      ),
    );
    const isExchanged = years.every(
      (year) => !areRatesApart(crossIn(year), 1 / usualIn(year), CROSS_RATE_DISTANCE),
    );
    return faultIn(years, (first) => ({
      column: `fx_${terms}_eur`,
      problem: `fx_${terms}_usd and fx_${terms}_eur of ${rateSeriesName(series)} make ${rateText(crossIn(first))} USD per EUR in ${yearsText(years)}, and those of the other currencies ${rateText(usualIn(first))}`,
      remedy: isExchanged
        ? 'check whether the two columns were exchanged, or the rates are inverted'
        : 'check whether one of the two is inverted, or of another year or currency',
      kind: 'rates in USD and EUR that contradict the others',
    }));
  });

/**
 * The USD per EUR that follow from the rates of two currencies may differ by at most this, as a difference of logarithms.
 * Averages over a year cause a smaller difference. Exchanged columns cause a larger one in most years.
 */
const CROSS_RATE_DISTANCE = 0.08;

/** Finds years that repeat the rates of the year before in USD and in EUR, although the euro moved in USD. */
export const repeatedYear: RateRule = (series, common) => {
  const years = series.years.filter((at, i) => {
    const before = series.years[i - 1];
    const [usd, eur] = [at.usd.current, at.eur.current];
    if (before === undefined || at.year - before.year > 1 || usd === null || eur === null) return false;
    if (usd !== before.usd.current || eur !== before.eur.current) return false;
    const [now, then] = [at, before].map((year) => common.usdPerEur('current', year) ?? Number.NaN);
    return areRatesApart(now ?? Number.NaN, then ?? Number.NaN, LEAST_EURO_MOVE, usd, eur);
  });
  return faultIn(years, () => ({
    column: 'fx_current_usd',
    problem: `fx_current_usd and fx_current_eur of ${rateSeriesName(series)} in ${yearsText(years)} repeat the year before, and one EUR moved in USD between them`,
    remedy: 'write the rates of each year',
    kind: 'rates of a year that repeat the year before',
  }));
};

/** The smallest move of the euro in USD, as a difference of logarithms. Rounding may hide a smaller one. */
const LEAST_EURO_MOVE = 0.01;

/** Finds rates that are far from those of the same currency in other countries. */
export const sharedCurrency: RateRule = (series, common) =>
  RATE_TERMS.flatMap((terms) => {
    const usualIn = (year: YearOfRates) => common.rateOf(series.currency, terms, year);
    const years = series.years.filter((year) => {
      const [rate, usual] = [year.usd[terms], usualIn(year)];
      if (rate === null || usual === undefined) return false;
      return areRatesApart(rate, usual, SAME_RATE_DISTANCE, rate, usual);
    });
    return faultIn(years, (first) => ({
      column: `fx_${terms}_usd`,
      problem: `fx_${terms}_usd of ${rateSeriesName(series)} is ${rateText(first.usd[terms])} in ${yearsText(years)}, and ${rateText(usualIn(first))} in other countries with ${series.currency}`,
      remedy: 'check the rate and the currency of the rows',
      kind: 'two rates of one currency in one year',
    }));
  });

/** Finds currencies whose changing rates equal those of another currency in every year, because they were copied. */
export const copiedCurrency: RateRule = (series, common) => {
  const years = series.years.filter(({ usd }) => usd.current !== null);
  const [first, ...rest] = years;
  if (first === undefined || new Set(years.map(({ usd }) => usd.current)).size < FEWEST_RATES_OF_FLOATING)
    return [];
  const other = [...common.currenciesWith(first)].find(
    (code) => !areAtPar(code, series.currency) && rest.every((year) => common.currenciesWith(year).has(code)),
  );
  if (other === undefined || new Set(exactRates(years)).size < FEWEST_RATES_OF_FLOATING) return [];
  return faultIn(years, () => ({
    column: 'fx_current_usd',
    problem: `fx_current_usd of ${rateSeriesName(series)} is that of ${other} in ${yearsText(years)}`,
    remedy: 'check which of the two the rates are of',
    kind: 'rates of another currency',
  }));
};

/**
 * The rates that rounding changes by at most 1 %, if the source rounds all of them like the most exact one. Two of these
 * rates are hardly equal by chance.
 */
function exactRates(years: readonly YearOfRates[]): readonly number[] {
  const rates = years.flatMap(({ usd }) => usd.current ?? []);
  const hidden = Math.min(...rates.filter((rate) => rate !== 1).map((rate) => roundingShare(rate) * rate));
  return rates.filter((rate) => hidden <= 0.01 * rate);
}
