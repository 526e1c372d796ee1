// Rules about exchange rates that examine one currency of one country alone.

import { lowerMedian } from '../../../src/basics/medians.ts';
import { faultIn, yearsText } from '../yearFaults.ts';
import { areRatesApart, type RateRule, rateSeriesName, rateText } from './rateFault.ts';
import { RATE_TERMS, RATES_SINCE, type YearOfRates } from './rateSeries.ts';
import { USUAL_RATES } from './usualRates.ts';

const UNIT_REMEDY = 'write USD for one unit of the local currency, not the other way round';

/** Finds rates of USD in USD, and of EUR in EUR, that are not 1. */
export const ownRateNotOne: RateRule = (series) => {
  const { currency } = series;
  if (currency !== 'USD' && currency !== 'EUR') return [];
  const to = currency === 'USD' ? 'usd' : 'eur';
  return RATE_TERMS.flatMap((terms) => {
    const column = `fx_${terms}_${to}`;
    const rateIn = (year: YearOfRates) => year[to][terms];
    const years = series.years.filter((year) => areRatesApart(rateIn(year) ?? 1, 1, ROUNDING_DISTANCE));
    return faultIn(years, (first) => ({
      column,
      problem: `${column} of ${rateSeriesName(series)} is ${rateText(rateIn(first))} in ${yearsText(years)}, and one ${currency} is 1 ${currency}`,
      remedy: 'check the currency of the row and the order of the columns',
      kind: `one ${currency} is not 1 ${currency}`,
    }));
  });
};

/** The largest difference of logarithms between 1 and a rate that still counts as 1. It allows for rounding. */
const ROUNDING_DISTANCE = 0.002;

/** Finds rates that a major currency never had. */
export const unusualRate: RateRule = (series) => {
  const usual = USUAL_RATES.get(series.currency);
  if (usual === undefined) return [];
  const { least, most } = usual;
  const isUsual = (rate: number) => rate >= least && rate <= most;
  const hintOn = (rate: number) => {
    if (isUsual(1 / rate)) return '; its inverse would be usual';
    return isUsual(rate * 100) || isUsual(rate / 100)
      ? '; a hundredth or a hundred units would be usual'
      : '';
  };
  return RATE_TERMS.flatMap((terms) => {
    const column = `fx_${terms}_usd`;
    const rateIn = ({ usd }: YearOfRates) => usd[terms] ?? least;
    const years = series.years.filter((year) => !isUsual(rateIn(year)));
    return faultIn(years, (first) => ({
      column,
      problem: `${column} of ${rateSeriesName(series)} is ${rateText(rateIn(first))} in ${yearsText(years)}, and one ${series.currency} has been worth ${least} to ${most} USD since ${RATES_SINCE}${hintOn(rateIn(first))}`,
      remedy: UNIT_REMEDY,
      kind: 'a rate that the currency never had',
    }));
  });
};

/** Finds series whose constant rates change while their current rates do not. The columns were probably exchanged. */
export const exchangedTerms: RateRule = (series) => {
  const years = series.years.filter(({ usd }) => usd.current !== null && usd.constant !== null);
  const [current, constant] = RATE_TERMS.map((terms) => new Set(years.map(({ usd }) => usd[terms])).size);
  if (current !== 1 || constant === undefined || constant < FEWEST_RATES_OF_FLOATING) return [];
  return faultIn(years, () => ({
    column: 'fx_current_usd',
    problem: `fx_current_usd of ${rateSeriesName(series)} is the same in ${yearsText(years)}, and fx_constant_usd changes`,
    remedy: 'check whether the columns of current and constant rates were exchanged',
    kind: 'current rates that never change beside constant ones that do',
  }));
};

/** The fewest different rates of a floating currency. With fewer, it may be pegged. */
export const FEWEST_RATES_OF_FLOATING = 4;

/** The largest share of odd years. With more odd years, no rate is usual. */
const MOST_ODD_SHARE = 0.25;

/** Finds years whose constant rate is far from the usual one, unless more than a quarter of the years differ from it. */
export const oddConstant: RateRule = (series) => {
  const known = series.years.filter(({ usd }) => usd.constant !== null);
  const rateIn = ({ usd }: YearOfRates) => usd.constant ?? Number.NaN;
  const usual = lowerMedian(known.map(rateIn));
  const others = known.filter((year) => rateIn(year) !== usual);
  if (others.length > MOST_ODD_SHARE * known.length) return [];
  return faultIn(
    others.filter((year) => areRatesApart(rateIn(year), usual, SAME_RATE_DISTANCE)),
    (first) => ({
      column: 'fx_constant_usd',
      problem: `fx_constant_usd of ${rateSeriesName(series)} is ${rateText(rateIn(first))} in ${yearsText([first])}, and ${rateText(usual)} in most other years`,
      remedy: 'write the rate of the base year in all years; check whether the columns were exchanged',
      kind: 'a constant rate that changes in a few years',
    }),
  );
};

/** Two right sources of a rate differ by at most this, as a difference of logarithms. */
export const SAME_RATE_DISTANCE = 0.05;

/** Finds a year whose current rate is inverted, or in another unit than the rates of the years beside it. */
export const oddCurrent: RateRule = (series) => {
  const known = series.years.filter(({ usd }) => usd.current !== null);
  const logOf = ({ usd }: YearOfRates) => Math.log(usd.current ?? Number.NaN);
  return known.flatMap((at, i) => {
    const [twoBefore, before, after] = [known[i - 2], known[i - 1], known[i + 1]];
    if (before === undefined || at.year - before.year > 1) return [];
    const size = Math.abs(logOf(at) - logOf(before));
    const isNear = (one: YearOfRates | undefined, other: YearOfRates) =>
      one !== undefined && Math.abs(logOf(one) - logOf(other)) < size / 2;
    // The year before was wrong, and was reported. This year is right again.
    if (isNear(twoBefore, at)) return [];
    const isSingle = after === undefined || isNear(after, before);
    const isTurned =
      size > INVERSE_DISTANCE && Math.abs(logOf(at) + logOf(before)) < Math.min(INVERSE_DISTANCE, size / 5);
    // A currency can lose value for good. So a rate that stays at its new level is wrong only if it became its inverse. In
    // hyperinflation a rate becomes its inverse by chance, so the years before must be steady.
    const isSteady = twoBefore === undefined || isNear(twoBefore, before);
    const isInverse = isTurned && (isSingle || (size > Math.LN2 && isSteady));
    if (!isInverse && !(isSingle && size > JUMP_DISTANCE)) return [];
    const rateBefore = isInverse ? 'nearly its inverse' : rateText(before.usd.current);
    const beside = after !== undefined && isSingle ? `${before.year} and ${after.year}` : before.year;
    return faultIn([at], () => ({
      column: 'fx_current_usd',
      problem: `fx_current_usd of ${rateSeriesName(series)} is ${rateText(at.usd.current)} in ${at.year}, and ${rateBefore} in ${beside}`,
      remedy: isInverse ? UNIT_REMEDY : 'check the rate and its unit',
      kind: 'the rate of one year is far from those beside it',
    }));
  });
};

/**
 * The difference of logarithms between a rate of 1.16 and its inverse. A rate nearer to 1 hardly differs from its inverse.
 */
const INVERSE_DISTANCE = 0.3;
/** The difference of logarithms between a rate and a rate twenty times as high. */
const JUMP_DISTANCE = Math.log(20);

/**
 * Finds currencies that are worth more than any real one. Only the last year counts, because currencies are redenominated.
 */
export const tooHighRate: RateRule = (series) => {
  const latest = series.years.at(-1);
  const rate = latest?.usd.current ?? latest?.usd.constant ?? null;
  if (latest === undefined || rate === null || rate <= HIGHEST_RATE_USD) return [];
  return faultIn([latest], () => ({
    column: latest.usd.current === null ? 'fx_constant_usd' : 'fx_current_usd',
    problem: `one ${series.currency} of ${series.country} is worth ${rateText(rate)} USD in ${latest.year}, more than any currency`,
    remedy: UNIT_REMEDY,
    kind: 'a currency that is worth more than any',
  }));
};

/** The most USD that a currency is worth. The dinar of Kuwait has been worth up to 3.7. */
const HIGHEST_RATE_USD = 4;
