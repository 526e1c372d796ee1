// Finds new years in which the totals of most countries moved alike, for example because they cover only nine months.

import { groupBy } from '../../../../src/basics/lists.ts';
import { upperMedian } from '../../../../src/basics/medians.ts';
import { metricUnit } from '../../../../src/catalog/datasets.ts';
import { logDistance } from '../../ratios.ts';
import type { YearPattern } from '../patternTypes.ts';
import { yearPattern } from './yearPattern.ts';
import { FALL_FACTOR_OF_TOTAL, type NewYear, RISE_FACTOR_OF_TOTAL, type YearRows } from './yearRows.ts';

/** The number of countries that must have begun the year. Fewer prove nothing about all countries. */
const FEWEST_COUNTRIES = 10;

/** The factor from which on a move of the median country is suspicious. Only a pandemic has moved GDP as far. */
const MEDIAN_MOVE_FACTOR = 1.25;

/**
 * A fall of ggr or turnover by this factor is suspicious in the median country of all countries, or of a region. Figures of
 * ten months are a sixth below a whole year. Without a pandemic, honest figures fall by less than a tenth.
 */
const MEDIAN_FALL_FACTOR = 1.1;

/** For populations, this is the factor per year. The population of the median country grows by 1 to 3 % a year. */
const MEDIAN_MOVE_FACTOR_OF_PERSONS = 1.05;

/** How far the total of a country's new year moved. */
export interface MovedYear {
  readonly newYear: NewYear;
  readonly metric: string;
  readonly forecast: boolean;
  readonly ratio: number;
}

type MovedYears = readonly [MovedYear, ...MovedYear[]];

/**
 * The patterns of years in which totals moved alike. Moves as large as those reported for single countries are left out.
 */
export function movedTogether(rows: YearRows, moved: readonly MovedYear[]): YearPattern[] {
  const alike = groupBy(
    moved,
    ({ newYear: { year, comparedYear }, metric }) => `${metric} ${year} ${comparedYear}`,
  );
  return [...alike.values()].flatMap((all) => {
    const isSuspicious = (countries: MovedYears) => isMovedTogether(rows, countries);
    if (isSuspicious(all)) return [patternOf(rows, all)];
    if (!isOfMarkets(rows)) return [];
    const [first, ...others] = fallenRegions(rows, all).filter(isSuspicious).flat();
    return first === undefined ? [] : [patternOf(rows, [first, ...others])];
  });
}

/**
 * Whether the median of these countries moved too far, but less than the total of a single country must move to be a
 * pattern.
 */
function isMovedTogether(rows: YearRows, countries: MovedYears): boolean {
  const ratio = medianOf(countries);
  const by = logDistance(ratio);
  const most = ratio < 1 && isOfMarkets(rows) ? FALL_FACTOR_OF_TOTAL : RISE_FACTOR_OF_TOTAL;
  return (
    countries.length >= FEWEST_COUNTRIES &&
    by >= Math.log(leastOf(rows, countries, ratio)) &&
    by < Math.log(most)
  );
}

function leastOf(rows: YearRows, [{ newYear, metric }]: MovedYears, ratio: number): number {
  const { codes } = rows.matched;
  if (isOfMarkets(rows)) return ratio < 1 ? MEDIAN_FALL_FACTOR : MEDIAN_MOVE_FACTOR;
  if (metricUnit(codes.dataset, metric) !== 'persons') return MEDIAN_MOVE_FACTOR;
  return MEDIAN_MOVE_FACTOR_OF_PERSONS ** Math.abs(newYear.year - newYear.comparedYear);
}

const isOfMarkets = ({ matched: { codes } }: YearRows): boolean => codes.has('fx');

/** The countries of each region whose median country fell. */
function fallenRegions({ matched: { after }, list }: YearRows, all: MovedYears): MovedYears[] {
  const [countries, regions] = [after.codes('country'), after.codes('region')];
  const regionOf = new Map<number, number>();
  for (const row of list) regionOf.set(countries[row] as number, regions[row] as number);
  const byRegion = groupBy(all, ({ newYear: { country } }) => regionOf.get(country));
  return [...byRegion.values()].filter((ofRegion) => medianOf(ofRegion) < 1);
}

const medianOf = (countries: MovedYears): number => upperMedian(countries.map(({ ratio }) => ratio));

function patternOf(rows: YearRows, all: MovedYears): YearPattern {
  const [{ newYear, metric }] = all;
  return togetherPattern(rows, newYear, {
    metric,
    place: {},
    forecast: all.filter(({ forecast }) => forecast).length > all.length / 2,
    countries: all.map((one) => one.newYear.country),
    ratio: medianOf(all),
  });
}

/**
 * The pattern of figures that moved alike in several countries.
 *
 * @param years The year that the countries begin, and the compared one.
 */
export function togetherPattern(
  { matched: { codes } }: YearRows,
  years: Pick<NewYear, 'year' | 'comparedYear'>,
  {
    place,
    countries,
    ...facts
  }: Pick<YearPattern, 'metric' | 'place' | 'forecast' | 'ratio'> & { readonly countries: readonly number[] },
): YearPattern {
  const [from, to] = [codes.valueOf('year', years.comparedYear), codes.valueOf('year', years.year)];
  return yearPattern({
    family: 'year-together',
    ...facts,
    place: { ...place, year: to },
    cells: countries.length,
    further: countries.map((country) => codes.textOf('country', country)),
    between: ['year', from, to],
  });
}
