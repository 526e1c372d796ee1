// Warns of inflation that was shifted by a year against the labels of its years.

import { groupBy } from '../../../src/basics/lists.ts';
import { lowerMedian } from '../../../src/basics/medians.ts';
import { exact } from '../../messages/numbers.ts';
import {
  ALL_COUNTRIES,
  faultOf,
  type IndicatorFault,
  type IndicatorSeries,
  type YearOfIndicators,
} from './indicatorSeries.ts';

/** The fewest countries of a median. The median of fewer would say little about a year. */
const FEWEST_COUNTRIES = 10;

const FEWEST_YEARS = 12;

/** The smallest correlation of a shifted country with the medians of the year before, or of the next year. */
const FOLLOWING_CORRELATION = 0.8;
/** That correlation exceeds the correlation of the country with the medians of the same year by at least this. */
const LEAST_EXCESS_CORRELATION = 0.4;

/** Pairs of years. In nearly all countries, inflation was higher in `high` than in `low`. */
const KNOWN_TURNS = [
  { high: 2008, low: 2009 },
  { high: 2022, low: 2021 },
];

/**
 * Reports all countries together if the medians contradict one of `KNOWN_TURNS`. Otherwise reports each country whose
 * inflation follows the medians of all countries a year too late or too early. It checks only a first load, because guards
 * compare later months.
 */
export function shiftedInflation(all: readonly IndicatorSeries[]): readonly IndicatorFault[] {
  const countries = all.filter(({ state }) => state === '');
  const medians = mediansOf(countries);
  const ofAll = KNOWN_TURNS.flatMap((turn) => faultOfTurn(turn, medians)).slice(0, 1);
  return ofAll.length > 0 ? ofAll : countries.flatMap((series) => faultOfCountry(series, medians));
}

/** The indicators of the first country and the median inflation of all countries, by year. */
type Medians = ReadonlyMap<number, { readonly first: YearOfIndicators; readonly median: number }>;

function mediansOf(countries: readonly IndicatorSeries[]): Medians {
  const known = countries.flatMap(({ years }) => years.filter(({ inflation }) => inflation !== null));
  return new Map(
    [...groupBy(known, ({ year }) => year)]
      .filter(([, ofYear]) => ofYear.length >= FEWEST_COUNTRIES)
      .map(([year, ofYear]) => [year, { first: ofYear[0], median: lowerMedian(ofYear.map(inflationOf)) }]),
  );
}

/** A fault of all countries if the medians contradict a known turn. */
function faultOfTurn(
  { high, low }: (typeof KNOWN_TURNS)[number],
  medians: Medians,
): readonly IndicatorFault[] {
  const [before, after] = [medians.get(high), medians.get(low)];
  if (before === undefined || after === undefined || before.median >= after.median) return [];
  return faultOf(ALL_COUNTRIES, 'inflation', [after.first], () => ({
    problem: `inflation of the median country is ${exact(before.median)} in ${high} and ${exact(after.median)} in ${low}; prices rose faster in ${high} in nearly all countries`,
    remedy: 'check that the years of inflation were not shifted by one',
    kind: 'inflation of other years',
  }));
}

function faultOfCountry({ country, years }: IndicatorSeries, medians: Medians): readonly IndicatorFault[] {
  const known = years.filter(({ inflation }) => inflation !== null);
  const likeness = (lag: number) =>
    correlation(
      known.flatMap((at): (readonly [number, number])[] => {
        const other = medians.get(at.year - lag)?.median;
        return other === undefined ? [] : [[inflationOf(at), other]];
      }),
    );
  const inSameYear = likeness(0);
  const lag = [1, -1].find(
    (one) => likeness(one) >= Math.max(FOLLOWING_CORRELATION, inSameYear + LEAST_EXCESS_CORRELATION),
  );
  return faultOf({ country }, 'inflation', lag === undefined ? [] : known, () => ({
    problem: `inflation of ${country} follows that of the other countries a year ${lag === 1 ? 'late' : 'early'}`,
    remedy: 'check that its years were not shifted by one',
    kind: 'inflation of other years',
  }));
}

const inflationOf = ({ inflation }: YearOfIndicators): number => inflation ?? 0;

/** The correlation of pairs of numbers; NaN for fewer than `FEWEST_YEARS` pairs. */
function correlation(pairs: readonly (readonly [number, number])[]): number {
  if (pairs.length < FEWEST_YEARS) return Number.NaN;
  const mean = (at: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[at], 0) / pairs.length;
  const [a, b] = [mean(0), mean(1)];
  const sum = (termOf: (one: number, other: number) => number) =>
    pairs.reduce((total, [one, other]) => total + termOf(one - a, other - b), 0);
  return (
    sum((one, other) => one * other) / Math.sqrt(sum((one) => one * one) * sum((_, other) => other * other))
  );
}
