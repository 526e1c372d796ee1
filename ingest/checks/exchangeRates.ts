// Warns of exchange rates that contradict each other or cannot be: turned round, per 100 units, of another currency or column.

import type { Said } from '../messages/fault.ts';
import { digits, spans } from '../messages/numbers.ts';
import type { CheckedRows } from './checkedRows.ts';
import { placeOfNumber } from './places.ts';
import {
  type CommonRates,
  commonRatesOf,
  RATES_SINCE,
  type RateSeries,
  rateSeriesOf,
  rounding,
  TERMS,
  type YearOfRates,
} from './rateSeries.ts';
import { areAtPar, usualRateOf } from './usualRates.ts';

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
    const isReported = ({ lastYear }: RateFault) => lastYear >= since(series.country);
    // A rate that is turned round contradicts several rules. The first one says most.
    for (const rule of RULES) {
      const fault = rule(series, common);
      if (fault === null || !isReported(fault)) continue;
      const { at, lastYear, column, ...said } = fault;
      problems.add('warning', placeOfNumber(staging, at.place, column), said);
      break;
    }
  }
}

interface RateFault extends Said {
  readonly column: string;
  /** The first year whose rate is wrong. */
  readonly at: YearOfRates;
  /** The last one. */
  readonly lastYear: number;
}

type Rule = (series: RateSeries, common: CommonRates) => RateFault | null;

/** USD in USD and EUR in EUR are 1. */
const inItself: Rule = (series) => {
  const { currency } = series;
  if (currency !== 'USD' && currency !== 'EUR') return null;
  const column = currency === 'USD' ? 'usd' : 'eur';
  for (const terms of TERMS) {
    const years = series.years.filter((year) => far(year[column][terms], 1, ROUNDED));
    const [first] = years;
    if (first === undefined) continue;
    return {
      column: `fx_${terms}_${column}`,
      ...from(first, years),
      problem: `fx_${terms}_${column} of ${who(series)} is ${shown(first[column][terms])} in ${when(years)}, and one ${currency} is 1 ${currency}`,
      remedy: 'check the currency of the row and the order of the columns',
      kind: `one ${currency} is not 1 ${currency}`,
    };
  }
  return null;
};

/** Of a major currency: rates that it never had. */
const unusual: Rule = (series) => {
  const usual = usualRateOf(series.currency);
  if (usual === undefined) return null;
  const { least, most } = usual;
  const isUsual = (rate: number) => rate >= least && rate <= most;
  for (const terms of TERMS) {
    const years = series.years.filter(({ usd }) => usd[terms] !== null && !isUsual(usd[terms]));
    const [first] = years;
    const rate = first?.usd[terms] ?? null;
    if (first === undefined || rate === null) continue;
    const hint = isUsual(1 / rate)
      ? '; its inverse would be usual'
      : isUsual(rate * 100) || isUsual(rate / 100)
        ? '; a hundredth or a hundred units would be usual'
        : '';
    return {
      column: `fx_${terms}_usd`,
      ...from(first, years),
      problem: `fx_${terms}_usd of ${who(series)} is ${shown(rate)} in ${when(years)}, and one ${series.currency} has been worth ${least} to ${most} USD since ${RATES_SINCE}${hint}`,
      remedy: UNIT,
      kind: 'a rate that the currency never had',
    };
  }
  return null;
};

/** The rates in USD and in EUR of every currency have the same ratio: USD per EUR. */
const crossed: Rule = (series, common) => {
  for (const terms of TERMS) {
    const offBy = ({ usd, eur, year }: YearOfRates) => {
      const [inUsd, inEur, usual] = [usd[terms], eur[terms], common.usdPerEur(terms, year)];
      if (inUsd === null || inEur === null || usual === undefined) return null;
      const cross = inUsd / inEur;
      const allowed = CROSS + rounding(inUsd) + rounding(inEur);
      return far(cross, usual, allowed) ? { cross, usual } : null;
    };
    const years = series.years.filter((year) => offBy(year) !== null);
    const [first] = years;
    const off = first === undefined ? null : offBy(first);
    if (first === undefined || off === null) continue;
    const isExchanged = years.every((year) => {
      const { cross, usual } = offBy(year) ?? off;
      return !far(cross, 1 / usual, CROSS);
    });
    return {
      column: `fx_${terms}_eur`,
      ...from(first, years),
      problem: `fx_${terms}_usd and fx_${terms}_eur of ${who(series)} make ${shown(off.cross)} USD per EUR in ${when(years)}, and those of the other currencies ${shown(off.usual)}`,
      remedy: isExchanged
        ? 'check whether the two columns were exchanged, or the rates turned round'
        : 'check whether one of the two was turned round, or is of another year or currency',
      kind: 'rates in USD and EUR that contradict the others',
    };
  }
  return null;
};

/** Countries with the same currency have the same rates. */
const ofOneCurrency: Rule = (series, common) => {
  const { currency } = series;
  for (const terms of TERMS) {
    const usualOf = (year: number) => common.rateOf(currency, terms, year);
    const years = series.years.filter(({ year, usd }) => {
      const [rate, usual] = [usd[terms], usualOf(year)];
      return (
        rate !== null && usual !== undefined && far(rate, usual, SAME + rounding(rate) + rounding(usual))
      );
    });
    const [first] = years;
    if (first === undefined) continue;
    return {
      column: `fx_${terms}_usd`,
      ...from(first, years),
      problem: `fx_${terms}_usd of ${who(series)} is ${shown(first.usd[terms])} in ${when(years)}, and ${shown(usualOf(first.year))} in other countries with ${currency}`,
      remedy: 'check the rate and the currency of the rows',
      kind: 'two rates of one currency in one year',
    };
  }
  return null;
};

/** Two currencies whose changing rates are equal in every year: the rates of one were copied to the other. */
const ofAnother: Rule = (series, common) => {
  const years = series.years.filter(({ usd }) => usd.current !== null);
  const values = new Set(years.map(({ usd }) => usd.current));
  const [first, ...rest] = years;
  if (first === undefined || values.size < FEW) return null;
  const sharers = ({ year, usd }: YearOfRates) => common.currenciesAt(usd.current ?? Number.NaN, year);
  const other = [...sharers(first)].find(
    (code) => !areAtPar(code, series.currency) && rest.every((year) => sharers(year).has(code)),
  );
  if (other === undefined) return null;
  return {
    column: 'fx_current_usd',
    ...from(first, years),
    problem: `fx_current_usd of ${who(series)} is that of ${other} in ${when(years)}`,
    remedy: 'check which of the two the rates are of',
    kind: 'rates of another currency',
  };
};

/** Constant rates that change and current ones that do not. */
const exchangedTerms: Rule = (series) => {
  const years = series.years.filter(({ usd }) => usd.current !== null && usd.constant !== null);
  const [first] = years;
  const distinct = (of: (year: YearOfRates) => number | null) => new Set(years.map(of)).size;
  if (
    first === undefined ||
    distinct(({ usd }) => usd.current) > 1 ||
    distinct(({ usd }) => usd.constant) < FEW
  )
    return null;
  return {
    column: 'fx_current_usd',
    ...from(first, years),
    problem: `fx_current_usd of ${who(series)} is the same in ${when(years)}, and fx_constant_usd changes`,
    remedy: 'check whether the columns of current and constant rates were exchanged',
    kind: 'current rates that never change beside constant ones that do',
  };
};

/** A constant rate of the last year that is not that of the years before it, which agree. */
const newConstant: Rule = (series) => {
  const known = series.years.filter(({ usd }) => usd.constant !== null);
  const last = known.at(-1);
  const before = known.slice(0, -1).map(({ usd }) => usd.constant);
  if (last === undefined || before.length < FEW - 1 || new Set(before).size > 1) return null;
  const usual = before[0] ?? Number.NaN;
  if (!far(last.usd.constant, usual, SAME)) return null;
  return {
    column: 'fx_constant_usd',
    ...from(last),
    problem: `fx_constant_usd of ${who(series)} is ${shown(last.usd.constant)} in ${last.year}, and ${shown(usual)} in all earlier years`,
    remedy: 'write the rate of the base year in all years; check whether the columns were exchanged',
    kind: 'a constant rate that changes in the last year',
  };
};

/** One year turned round, or in another unit than the years beside it. */
const inSteps: Rule = (series) => {
  const known = series.years.filter(({ usd }) => usd.current !== null);
  const log = ({ usd }: YearOfRates) => Math.log(usd.current ?? Number.NaN);
  for (const [i, year] of known.entries()) {
    const before = known[i - 1];
    if (before === undefined || year.year - before.year > 1) continue;
    const after = known[i + 1];
    const up = log(year) - log(before);
    const isInverse =
      Math.abs(up) > INVERSE && Math.abs(log(year) + log(before)) < Math.min(INVERSE, Math.abs(up) / 5);
    const isBack = after === undefined || Math.abs(log(after) - log(before)) < Math.abs(up) / 2;
    if (!isBack || !(isInverse || Math.abs(up) > JUMP)) continue;
    const what = isInverse ? 'nearly its inverse' : shown(before.usd.current);
    return {
      column: 'fx_current_usd',
      ...from(year),
      problem: `fx_current_usd of ${who(series)} is ${shown(year.usd.current)} in ${year.year}, and ${what} in ${before.year}${after === undefined ? '' : ` and ${after.year}`}`,
      remedy: isInverse ? UNIT : 'check the rate and its unit',
      kind: 'the rate of one year is far from those beside it',
    };
  }
  return null;
};

/** No currency is worth as much as `MOST_USD`; rates of former units of a currency may be, before it fell. */
const tooHigh: Rule = (series) => {
  const latest = series.years.at(-1);
  const rate = latest?.usd.current ?? latest?.usd.constant ?? null;
  if (latest === undefined || rate === null || rate <= MOST_USD) return null;
  return {
    column: latest.usd.current === null ? 'fx_constant_usd' : 'fx_current_usd',
    ...from(latest),
    problem: `one ${series.currency} of ${series.country} is worth ${shown(rate)} USD in ${latest.year}, more than any currency`,
    remedy: UNIT,
    kind: 'a currency that is worth more than any',
  };
};

const RULES: readonly Rule[] = [
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

const UNIT = 'write USD for one unit of the local currency, not the other way round';

/** Differences of logarithms. What rounding to three digits makes of 1: */
const ROUNDED = 0.002;
/** Averages of quotients and quotients of averages differ by less. Rates in USD and EUR, exchanged, differ by more in most years. */
const CROSS = 0.08;
/** Two sources of one rate differ by less. */
const SAME = 0.05;
/** A rate of 1.16 and its inverse. */
const INVERSE = 0.3;
const JUMP = Math.log(20);

/** With fewer different values a currency may be pegged. */
const FEW = 4;

/** The dinar of Kuwait has been worth up to 3.7. */
const MOST_USD = 4;

const far = (rate: number | null, usual: number, allowed: number): boolean =>
  rate !== null && Math.abs(Math.log(rate) - Math.log(usual)) > allowed;

/** The place and the last year of rates that are wrong, in the order of years. */
const from = (at: YearOfRates, years: readonly YearOfRates[] = [at]) => ({
  at,
  lastYear: years.at(-1)?.year ?? at.year,
});

const who = ({ country, state, currency }: RateSeries): string =>
  `${state === '' ? country : `${state}, ${country},`} (${currency})`;

const when = (years: readonly YearOfRates[]): string => spans(years.map(({ year }) => year));

const shown = (rate: number | null | undefined): string =>
  rate === null || rate === undefined ? 'empty' : digits(rate, 4);
