// Finds new years whose figures differ from the year before by so little that they are probably figures of the year before.

import { groupBy } from '../../../../src/basics/lists.ts';
import type { DimensionName } from '../../../../src/catalog/datasets.ts';
import { isForecastRow, type MatchedRows } from '../../rows/matchedRows.ts';
import type { YearPattern } from '../patternTypes.ts';
import { placeInYear, yearPattern } from './yearPattern.ts';
import {
  type CountryFigures,
  type FigureOfBothYears,
  largestExamples,
  type NewYear,
  type YearRows,
} from './yearRows.ts';

/** The largest share by which a stale figure moves. Figures of another year seldom move by so little. */
const NEAR_SHARE = 0.005;

/** The number of figures of a country, of ggr and turnover together, that must all have moved by `NEAR_SHARE` or less. */
const FEWEST_NEAR = 5;

/** When all figures moved by no more than this smaller share, `FEWEST_VERY_NEAR` figures of one dataset are enough. */
const VERY_NEAR_SHARE = 0.002;
const FEWEST_VERY_NEAR = 3;

/**
 * The largest share of figures that are exactly equal. A year with more of them is a copy, and other functions find copies.
 */
const MOST_EQUAL_SHARE = 0.5;

/** The smallest figure that counts. Rounding moves smaller ones by as much as `NEAR_SHARE`. */
const LEAST_FIGURE = 1000;

/**
 * Finds countries whose new year repeats the year before. In one currency, at least five reported figures must all have
 * moved by 0.5 % or less, or at least three by 0.2 % or less.
 *
 * @param ggr The rows of ggr when the dataset is turnover, because five figures of both together are enough; else null.
 */
export function staleYears(
  rows: YearRows,
  both: readonly CountryFigures[],
  ggr: MatchedRows | null,
): YearPattern[] {
  return both.flatMap((country) => {
    const stale = staleCurrenciesOf(rows, country, ggr);
    const cells = stale.flat();
    const equal = cells.filter(({ now, old }) => now === old).length;
    if (cells.length === 0 || equal > MOST_EQUAL_SHARE * cells.length) return [];
    return [patternOf(rows, country.newYear, stale)];
  });
}

/** The reported figures of a country in each currency in which they are stale. */
function staleCurrenciesOf(
  rows: YearRows,
  { newYear, figures }: CountryFigures,
  ggr: MatchedRows | null,
): FigureOfBothYears[][] {
  const { codes } = rows.matched;
  const reported = figures.filter(({ item, old }) => old >= LEAST_FIGURE && !rows.isForecast(item));
  const byCurrency = groupBy(reported, ({ item }) => rows.code('fx', item));
  return [...byCurrency].flatMap(([fx, own]) => {
    const most = Math.max(...own.map(({ now, old }) => Math.abs(now / old - 1)));
    if (most > NEAR_SHARE) return [];
    const isStale =
      own.length >= FEWEST_NEAR ||
      (own.length >= FEWEST_VERY_NEAR && most <= VERY_NEAR_SHARE) ||
      (ggr !== null && own.length + staleFiguresOf(ggr, codes, { ...newYear, fx }) >= FEWEST_NEAR);
    return isStale ? [own] : [];
  });
}

/** @param stale The stale figures of the country, a list for each currency. */
function patternOf(
  rows: YearRows,
  newYear: NewYear,
  stale: readonly (readonly FigureOfBothYears[])[],
): YearPattern {
  const { codes, metrics } = rows.matched;
  const cells = stale.flat();
  const [first] = cells;
  const fx = stale.length === 1 && first ? { fx: codes.valueOf('fx', rows.code('fx', first.item)) } : {};
  const sum = (sideOf: (figure: FigureOfBothYears) => number) =>
    cells.reduce((total, figure) => total + sideOf(figure), 0);
  return yearPattern({
    family: 'year-stale',
    metric: metrics[0] ?? '',
    ...placeInYear(codes, newYear, fx),
    forecast: false,
    cells: cells.length,
    countryShare: 1,
    ratio: sum(({ now }) => now) / sum(({ old }) => old),
    examples: largestExamples(rows, cells),
  });
}

/**
 * The number of reported figures of ggr that a country has in a year and currency, if all are near those of the compared
 * year; else 0.
 */
function staleFiguresOf(
  ggr: MatchedRows,
  codes: MatchedRows['codes'],
  { country, year, comparedYear, fx }: NewYear & { readonly fx: number },
): number {
  const { codes: own, after } = ggr;
  const codeOf = (dimension: DimensionName, code: number) =>
    own.codeOf(dimension, codes.valueOf(dimension, code));
  const [place, currency] = [codeOf('country', country), codeOf('fx', fx)];
  const [newYear, oldYear] = [codeOf('year', year), codeOf('year', comparedYear)];
  const [countries, years, currencies] = [after.codes('country'), after.codes('year'), after.codes('fx')];
  const keyOf = own.keys.without('year', 'temporal');
  const [olds, news] = [new Map<number | string, number>(), new Map<number | string, number>()];
  for (let row = 0; row < after.count; row += 1) {
    if (countries[row] !== place || currencies[row] !== currency) continue;
    if (years[row] === oldYear) olds.set(keyOf(after, row), after.value(0, row));
    else if (years[row] === newYear && !isForecastRow(ggr, after, row))
      news.set(keyOf(after, row), after.value(0, row));
  }
  const pairs = [...news].map(([key, now]) => ({ now, old: olds.get(key) ?? 0 }));
  const large = pairs.filter(({ now, old }) => now > 0 && old >= LEAST_FIGURE);
  return large.every(({ now, old }) => Math.abs(now / old - 1) <= NEAR_SHARE) ? large.length : 0;
}
