// Warns of inflation that is a fraction, an index or computed, and of a year whose decimal point was lost.

import { groupBy } from '../../../src/basics/lists.ts';
import { lowerMedian } from '../../../src/basics/medians.ts';
import { count, counted, exact } from '../../messages/numbers.ts';
import { nameOfPlace } from '../yearFaults.ts';
import {
  ALL_COUNTRIES,
  faultOf,
  type IndicatorFault,
  type IndicatorRule,
  type IndicatorSeries,
  type YearOfIndicators,
} from './indicatorSeries.ts';

/** The fewest years of a country that show the unit of its inflation. Fewer may all be unusual. */
const FEWEST_YEARS = 5;

/**
 * The fewest countries whose figures show the unit or the source of a year. In 2015, inflation was about zero in some euro
 * countries, but in fewer than this.
 */
const COUNTRIES_THAT_SHOW_UNIT = 10;

/**
 * Figures are fractions when their median is below this. The median of percentages is higher, both of five years of a
 * country and of many countries in one year.
 */
const FRACTIONS_BELOW = 0.12;

/**
 * Figures of a country are an index, or in basis points, when all are above this. Since 2000, no country had inflation
 * above this in `FEWEST_YEARS` years, except in hyperinflation.
 */
const INDEX_ABOVE = 50;

/**
 * Reports countries whose inflation is in another unit than percent. Fractions in all countries are left to `firstLoad.ts`.
 */
export function inflationUnits(all: readonly IndicatorSeries[]): readonly IndicatorFault[] {
  const values = all.flatMap(({ years }) => years.map(sizeOf));
  return values.every((value) => value < 0.5) ? [] : all.flatMap(inflationUnit);
}

const nonZeroYears = ({ years }: IndicatorSeries): readonly YearOfIndicators[] =>
  years.filter(({ inflation }) => inflation !== null && inflation !== 0);

const sizeOf = ({ inflation }: YearOfIndicators): number => Math.abs(inflation ?? 0);

/** Reports inflation that is a fraction, an index or in basis points in all years of a country. */
const inflationUnit: IndicatorRule = (series) => {
  const known = nonZeroYears(series);
  if (known.length < FEWEST_YEARS) return [];
  const sizes = known.map(sizeOf);
  const [typical, least] = [lowerMedian(sizes), Math.min(...sizes)];
  if (typical >= FRACTIONS_BELOW && least <= INDEX_ABOVE) return [];
  const isLow = typical < FRACTIONS_BELOW;
  const years = `${count(known.length)} years, and its unit is percent`;
  return faultOf(series, 'inflation', known, () => ({
    problem: isLow
      ? `inflation of ${nameOfPlace(series)} is ${exact(typical)} in the median of ${years}: it looks like a fraction`
      : `inflation of ${nameOfPlace(series)} is ${exact(least)} or more in all ${years}: it looks like an index or like basis points`,
    remedy: 'write 3.5 for 3.5 %',
    kind: isLow ? 'inflation that looks like fractions' : 'inflation that looks like an index',
  }));
};

/** The fewest successive years that show another unit. Since 2000, no country had such stable prices for as long. */
const FEWEST_FRACTIONS_IN_A_ROW = 4;

/** The median inflation of the other years is at least this many times the median of the fractions. */
const OTHER_YEARS_FACTOR = 10;

/** Reports successive years of a country whose inflation is a fraction, while its other years are in percent. */
export const fractionsInARow: IndicatorRule = (series) => {
  const known = nonZeroYears(series);
  const isFraction = (year: YearOfIndicators | undefined) =>
    Math.abs(year?.inflation ?? FRACTIONS_BELOW) < FRACTIONS_BELOW;
  const inARow = known.filter((at, i) =>
    Array.from({ length: FEWEST_FRACTIONS_IN_A_ROW }, (_, from) => i - from).some((start) => {
      const run = known.slice(Math.max(0, start), start + FEWEST_FRACTIONS_IN_A_ROW);
      return run.length === FEWEST_FRACTIONS_IN_A_ROW && run.includes(at) && run.every(isFraction);
    }),
  );
  const others = known.filter((year) => !inARow.includes(year));
  const [size, usual] = [inARow, others].map((years) => lowerMedian(years.map(sizeOf)));
  if (size === undefined || usual === undefined || !(usual >= OTHER_YEARS_FACTOR * size)) return [];
  return faultOf(series, 'inflation', inARow, (first) => ({
    problem: `inflation of ${nameOfPlace(series)} is ${exact(size)} in the median of ${counted(inARow.length, 'year')} from ${first.year} on, and ${exact(usual)} in that of its other years: it looks like a fraction`,
    remedy: 'write 3.5 for 3.5 %',
    kind: 'inflation of some years that looks like fractions',
  }));
};

const FEWEST_NEGATIVE = 8;

/** The smallest share of such years that is reported. Prices in Japan fell in ten of the 13 years from 2000 to 2012. */
const NEGATIVE_SHARE = 0.8;

/** Reports countries whose inflation is below zero in most years. No real country has that, so the sign was changed. */
export const negativeInflation: IndicatorRule = (series) => {
  const known = nonZeroYears(series);
  const negative = known.filter(({ inflation }) => (inflation ?? 0) < 0);
  if (negative.length < Math.max(FEWEST_NEGATIVE, NEGATIVE_SHARE * known.length)) return [];
  return faultOf(series, 'inflation', negative, () => ({
    problem: `inflation of ${nameOfPlace(series)} is below zero in ${count(negative.length)} of ${count(known.length)} years`,
    remedy: 'check the sign: prices that rise by 3.5 % are 3.5',
    kind: 'inflation below zero in most years',
  }));
};

/** The median inflation of some other year is at least this many times the median of the year with fractions. */
const OTHER_MEDIANS_FACTOR = 20;

/** Reports years in which the inflation of most countries is a fraction, while other years are in percent. */
export function fractionYears(all: readonly IndicatorSeries[]): readonly IndicatorFault[] {
  const countries = all.filter(({ state }) => state === '');
  const known = countries.flatMap(({ years }) => years.filter(({ inflation }) => inflation !== null));
  const typical = [...groupBy(known, ({ year }) => year).values()]
    .filter((ofYear) => ofYear.length >= COUNTRIES_THAT_SHOW_UNIT)
    .map((ofYear) => ({ ofYear, size: lowerMedian(ofYear.map(sizeOf)) }));
  const most = Math.max(...typical.map(({ size }) => size));
  return typical
    .filter(({ size }) => size > 0 && size < FRACTIONS_BELOW && most >= size * OTHER_MEDIANS_FACTOR)
    .flatMap(({ ofYear, size }) =>
      faultOf(ALL_COUNTRIES, 'inflation', ofYear, ({ year }) => ({
        problem: `inflation is ${exact(size)} in ${year} in the median country, and up to ${exact(most)} in other years: it looks like a fraction`,
        remedy: 'write 3.5 for 3.5 %',
        kind: 'inflation of a year that looks like fractions',
      })),
    );
}

/**
 * A year is reported if its inflation is at least this many times that of the years beside it. Few honest figures exceed
 * this and `SPIKE_POINTS`. Of 5,422 years of countries since 2000, 29 exceed the year before by so much, such as Lebanon in
 * 2020, and 4 exceed both years beside them.
 */
const SPIKE_FACTOR = 6;

/** The inflation of a reported year exceeds that of the years beside it by at least this many percentage points. */
const SPIKE_POINTS = 10;

/** Replaces `SPIKE_FACTOR` in a first load. It is larger, because a first load has the currency crises of all years. */
const SPIKE_FACTOR_OF_FIRST_LOAD = 30;

/** Reports a single year of inflation far above the years beside it, because a decimal point is probably missing. */
export const inflationSpike: IndicatorRule = (series) => {
  const known = series.years.filter(({ inflation }) => inflation !== null);
  return known.flatMap((at, i) => {
    const beside = [known[i - 1], known[i + 1]].flatMap((year) => year?.inflation ?? []);
    const usual = Math.max(1, ...beside.map(Math.abs));
    const size = sizeOf(at);
    const isLarge = size >= usual * SPIKE_FACTOR && size - usual >= SPIKE_POINTS;
    return faultOf(series, 'inflation', isLarge && beside.length > 0 ? [at] : [], () => ({
      isOfLaterMonths: size < Math.max(usual * SPIKE_FACTOR_OF_FIRST_LOAD, INDEX_ABOVE),
      problem: `inflation of ${nameOfPlace(series)} is ${exact(at.inflation)} in ${at.year}, and at most ${exact(usual)} in the years beside it`,
      remedy: 'check the decimal point: 3.5 is 3.5 %',
      kind: 'inflation of one year is far from those beside it',
    }));
  });
};

/** Inflation that somebody computed has at least this number of decimals more than that of any other year. */
const FURTHER_DECIMALS = 2;

/** The most decimals of the other years. Published figures have one or two. */
const MOST_USUAL_DECIMALS = 2;

/**
 * Reports inflation with more decimals than that of all other years of its country, because it was divided by 12 or by 100.
 * If many countries have more decimals in one year, the year is from another source and is not reported.
 */
export function computedInflation(all: readonly IndicatorSeries[]): readonly IndicatorFault[] {
  const found = all.flatMap((series) => {
    const known = series.years.flatMap((at) =>
      at.inflation === null ? [] : [{ at, decimals: decimalsOf(at.inflation) }],
    );
    const [finest, second] = known.toSorted((a, b) => b.decimals - a.decimals);
    if (finest === undefined || second === undefined || known.length < FEWEST_YEARS) return [];
    const isComputed =
      finest.decimals >= second.decimals + FURTHER_DECIMALS && second.decimals <= MOST_USUAL_DECIMALS;
    return isComputed ? [{ series, at: finest.at, others: second.decimals }] : [];
  });
  return [...groupBy(found, ({ at }) => at.year).values()]
    .filter((ofYear) => ofYear.length < COUNTRIES_THAT_SHOW_UNIT)
    .flatMap((ofYear) =>
      ofYear.flatMap(({ series, at, others }) =>
        faultOf(series, 'inflation', [at], () => ({
          problem: `inflation of ${nameOfPlace(series)} is ${exact(at.inflation)} in ${at.year}, and has at most ${counted(others, 'decimal')} in other years`,
          remedy: 'write the published percentage of the whole year: 3.5 for 3.5 %',
          kind: 'inflation with more decimals than in other years',
        })),
      ),
    );
}

/**
 * The number of decimals, at most six. Rounding errors do not count: 2.2 + 0.1 is 2.3000000000000003, and has one decimal.
 */
function decimalsOf(value: number): number {
  for (let decimals = 0; decimals < 6; decimals += 1) {
    const scaled = Math.abs(value) * 10 ** decimals;
    if (Math.abs(scaled - Math.round(scaled)) < 1e-7) return decimals;
  }
  return 6;
}
