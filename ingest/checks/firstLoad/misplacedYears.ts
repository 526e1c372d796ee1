// Warns of a year whose figures do not fit those of the years beside it.
//
// There are three causes:
//
// - The column of the year was shifted, sorted or pasted beside other labels.
// - The figures of the year are ten or a hundred times too large or too small.
// - The figures cover a part of the year only.

import { groupBy } from '../../../src/basics/lists.ts';
import type { Diagnostic } from '../../messages/fault.ts';
import { amountText, listed } from '../../messages/numbers.ts';
import { type CheckedFigures, warnOfRow } from './checkedFigures.ts';
import { OFF_FACTOR, OffMarketCounts } from './offMarkets.ts';
import type { SeriesYears } from './seriesYears.ts';

/** A figure is compared with the years before and after it only if these two differ by at most this factor. */
const AGREEING_FACTOR = 2;
/** A figure is compared with two successive years on one side of it only if these two differ by at most this factor. */
const AGREEING_FACTOR_AT_END = 1.5;

/** A year in which all markets of a country are off by one factor of at least this size lacks months, or has some twice. */
const PART_FACTOR = 1.5;
/** All countries lack some months of a year if at least this share of the markets of all countries is off by one factor. */
const LEAST_OF_ALL = 0.9;

/**
 * From this number of countries on, one warning names all of them. For example, the figures of a year that has just begun
 * are ten times below the others in every country.
 */
const FEWEST_NAMED_TOGETHER = 10;

/** The years of the pandemic. Venues were closed for some months, so figures like those of a part of a year are right. */
const PANDEMIC: ReadonlySet<number> = new Set([2020, 2021]);

/**
 * Reports each year whose figures are mostly far from the years beside it, some above and some below, or all by one factor.
 * Gives the reported countries, or null when a warning was about several countries together.
 */
export function checkMisplacedYears(figures: CheckedFigures, years: SeriesYears): ReadonlySet<string> | null {
  const counted = countMarkets(figures, years);
  const countries = figures.rows.numbered('country').count;
  const reported = new Set<string>();
  let areSeveral = false;
  for (let yearIndex = 0; yearIndex < years.count; yearIndex += 1) {
    const cells = Array.from({ length: countries }, (_, country) => yearIndex * countries + country);
    const year: CheckedYear = { figures, counted, yearIndex, cells, year: years.yearOf(yearIndex) };
    warnOfUnit(year, reported);
    warnOfPart(year, reported);
    areSeveral = warnOfMisplaced(year, reported) || areSeveral;
  }
  return areSeveral ? null : reported;
}

/** Counts of the markets that are off. All counts but `stepsByCountry` compare a year with both years beside it. */
interface CountedMarkets {
  /** The markets of all countries, by year. */
  readonly allCountries: OffMarketCounts;
  /** The markets of each country, by year and country. */
  readonly byCountry: OffMarketCounts;
  /** The markets of each country, by year and country. Their figures are compared with those of the year before only. */
  readonly stepsByCountry: OffMarketCounts;
  /** The markets of all countries whose figures may be of a part of the year, by year. */
  readonly partsOfAllCountries: OffMarketCounts;
  /** The markets of each country whose figures may be of a part of the year, by year and country. */
  readonly partsByCountry: OffMarketCounts;
}

function countMarkets(figures: CheckedFigures, years: SeriesYears): CountedMarkets {
  const { metric, rows } = figures;
  const values = rows.values(metric);
  const countries = rows.numbered('country');
  const counted: CountedMarkets = {
    allCountries: new OffMarketCounts(),
    byCountry: new OffMarketCounts(),
    stepsByCountry: new OffMarketCounts(),
    partsOfAllCountries: new OffMarketCounts(PART_FACTOR),
    partsByCountry: new OffMarketCounts(PART_FACTOR),
  };
  for (const series of firstSeriesOfMarkets(figures)) {
    for (let yearIndex = 0; yearIndex < years.count; yearIndex += 1) {
      const row = years.row(series, yearIndex);
      if (row < 0) continue;
      const cell = yearIndex * countries.count + (countries.numbers[row] as number);
      const figureOf = (distance: number) => years.figure(values, series, yearIndex, distance);
      const step = stepOf(figureOf);
      if (step !== 0) counted.stepsByCountry.add(cell, step, row);
      const factor = factorOf(figureOf);
      if (factor === 0) continue;
      counted.allCountries.add(yearIndex, factor, row);
      counted.byCountry.add(cell, factor, row);
      if (PANDEMIC.has(years.yearOf(yearIndex)) || !canBePart(figureOf, factor)) continue;
      counted.partsOfAllCountries.add(yearIndex, factor, row);
      counted.partsByCountry.add(cell, factor, row);
    }
  }
  return counted;
}

interface CheckedYear {
  readonly figures: CheckedFigures;
  readonly counted: CountedMarkets;
  readonly yearIndex: number;
  /** The cell of this year and each country in the counts by year and country. */
  readonly cells: readonly number[];
  readonly year: number;
}

/** Warns of the countries whose figures of the year are in another unit, and adds them to `reported`. */
function warnOfUnit({ figures, counted, cells, year }: CheckedYear, reported: Set<string>): void {
  const { metric } = figures;
  const compared = [
    [counted.byCountry, 'the years beside it'],
    [counted.stepsByCountry, 'the year before, like the years behind it,'],
  ] as const;
  const inOtherUnit = compared.flatMap(([counts, comparedWith]) =>
    cells.flatMap((cell) => counts.inOtherUnit(cell) ?? []).map((off) => ({ ...off, comparedWith })),
  );
  const inGroups = groupBy(inOtherUnit, ({ factor, comparedWith }) => `${factor} ${comparedWith}`);
  for (const group of inGroups.values()) {
    const [{ factor, comparedWith }] = group;
    const countries = group.map(({ first }) => countryOf(figures, first));
    for (const country of countries) reported.add(country);
    const [times, direction] = [factor > 1 ? factor : 1 / factor, factor > 1 ? 'above' : 'below'];
    const kind = `${metric} of a year is in another unit than the years beside it`;
    const isOff = `in ${year} is about ${times} times ${direction} ${comparedWith}`;
    if (group.length >= FEWEST_NAMED_TOGETHER) {
      warn(figures, group[0].first, {
        problem: `${metric} of ${listed(countries)} ${isOff} in all their markets`,
        remedy: 'check the unit of the figures, and that they are of a whole year',
        kind,
      });
      continue;
    }
    for (const { first } of group) {
      const country = countryOf(figures, first);
      warn(figures, first, {
        problem: `${metric} of ${country} ${isOff} in all its markets`,
        remedy: 'check the unit of the figures',
        kind,
        country,
      });
    }
  }
}

/** Warns of countries whose figures may be of a part of the year, or once of all countries together. */
function warnOfPart(
  { figures, counted, yearIndex, cells, year }: CheckedYear,
  reported: ReadonlySet<string>,
): void {
  const { metric } = figures;
  const ofCountries = cells.flatMap((cell) => counted.partsByCountry.byOneFactor(cell, 1) ?? []);
  const ofAll =
    ofCountries.length === 1 ? null : counted.partsOfAllCountries.byOneFactor(yearIndex, LEAST_OF_ALL);
  for (const { first, factor } of ofAll === null ? ofCountries : [ofAll]) {
    const country = countryOf(figures, first);
    if (reported.has(country)) continue;
    const [ofCountry, which] = ofAll === null ? [` of ${country}`, 'all its'] : ['', 'most'];
    const times = Number(factor.toPrecision(2));
    warn(figures, first, {
      problem: `${metric}${ofCountry} in ${year} is about ${times} times the years beside it in ${which} markets`,
      remedy: 'check that the figures are of a whole year, and that no part of it counts twice',
      kind: `${metric} of a year is another multiple than the years beside it`,
      country: ofAll === null ? country : null,
    });
  }
}

/**
 * Warns of countries whose figures of the year are mostly far from the years beside it, and adds them to `reported`. Gives
 * whether a warning is about several countries together.
 */
function warnOfMisplaced(
  { figures, counted, yearIndex, cells, year }: CheckedYear,
  reported: Set<string>,
): boolean {
  const { metric } = figures;
  const found = cells.flatMap((cell) => counted.byCountry.misplaced(cell) ?? []);
  const ofAll = counted.allCountries.misplaced(yearIndex);
  const areSeveral = ofAll !== null && found.length !== 1;
  for (const { all, off, first } of areSeveral ? [ofAll] : found) {
    const country = countryOf(figures, first);
    reported.add(country);
    const ofCountry = areSeveral ? '' : ` of ${country}`;
    warn(figures, first, {
      problem: `${metric}${ofCountry} in ${year} is far from the years beside it in ${off} of ${all} markets, above in some and below in others`,
      remedy: 'check that the figures of the year were not shifted, sorted or pasted beside other labels',
      kind: `${metric} of a year does not go on with the years beside it`,
      country: areSeveral ? null : country,
    });
  }
  return areSeveral;
}

const countryOf = ({ staging, rows }: CheckedFigures, row: number): string =>
  staging.text(rows.dimension('country')[row]);

/** Warns at a row, and adds its figure to the message. */
const warn = (figures: CheckedFigures, row: number, fault: Diagnostic): void =>
  warnOfRow(figures, row, {
    ...fault,
    problem: `${fault.problem}: here ${amountText(figures.rows.values(figures.metric)[row] as number)}`,
  });

/** The figure of a series this number of years after a year: 0 without a row, NaN if it is empty. */
type FigureOf = (distance: number) => number;

/**
 * The factor between the figure of a series in a year and the years beside it; 0 where these are missing or do not agree.
 */
function factorOf(figureOf: FigureOf): number {
  const [value, before, after] = [figureOf(0), figureOf(-1), figureOf(1)];
  if (!(value > 0)) return 0;
  if (before > 0 && after > 0)
    return ratio(before, after) <= AGREEING_FACTOR ? value / Math.sqrt(before * after) : 0;
  const [nearest, next] = before > 0 ? [before, figureOf(-2)] : [after, figureOf(2)];
  return nearest > 0 && next > 0 && ratio(nearest, next) <= AGREEING_FACTOR_AT_END ? value / nearest : 0;
}

/**
 * Whether a year that is off by `factor` may have a part of its months only. The year must be between two years, or the
 * last one and below the years before it. Other years may differ by growth: where prices rise fast, the first year is far
 * below the next ones, and the last one far above.
 */
const canBePart = (figureOf: FigureOf, factor: number): boolean =>
  figureOf(-1) > 0 && (figureOf(1) > 0 || factor < 1);

/**
 * The factor between the figure of a series in a year and that of the year before; 0 where one is missing. A factor beyond
 * `OFF_FACTOR` counts only if the two years before the year agree, and the year and the next one, too. Otherwise the result
 * is 0.
 */
function stepOf(figureOf: FigureOf): number {
  const [value, before] = [figureOf(0), figureOf(-1)];
  if (!(value > 0 && before > 0)) return 0;
  if (ratio(value, before) <= OFF_FACTOR) return value / before;
  const [next, first] = [figureOf(1), figureOf(-2)];
  const doAgree = (a: number, b: number) => b > 0 && ratio(a, b) <= AGREEING_FACTOR_AT_END;
  return doAgree(value, next) && doAgree(before, first) ? value / before : 0;
}

const ratio = (a: number, b: number): number => Math.max(a / b, b / a);

/** The first series of each market, in one currency. The series in other currencies move alike. */
function firstSeriesOfMarkets({ rows, series, markets }: CheckedFigures): readonly number[] {
  const chosen = new Int32Array(markets.count).fill(-1);
  for (let row = 0; row < rows.count; row += 1) {
    const market = markets.numbers[row] as number;
    if (chosen[market] === -1) chosen[market] = series.numbers[row] as number;
  }
  return [...chosen];
}
