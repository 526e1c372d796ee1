// Finds first reports of a country that are far from their forecasts and from the year before: they cover nine months.

import { groupBy } from '../../../../src/basics/lists.ts';
import type { Arrivals } from '../../rowChanges.ts';
import type { YearPattern } from '../patternTypes.ts';
import { placeInYear, yearPattern } from './yearPattern.ts';
import { type CountryFigures, RISE_FACTOR_OF_TOTAL, type YearRows } from './yearRows.ts';

/**
 * First reports below 1 ÷ this factor are too low. Honest first reports differ from their forecasts by up to 15 %. Reports
 * of nine months are a quarter too low.
 */
const FALL_FACTOR_OF_REPORTS = 1.25;

/** The share of the year before that the reported series must make up. The other series may be reported late. */
const FEWEST_SHARE = 0.5;

/** The sums of one currency over the series that were forecasts and are reported now. */
interface Sums {
  now: number;
  forecast: number;
  /** The sum of these series in the year before. */
  old: number;
  /** The sum of all series in the year before. */
  all: number;
}

/**
 * Finds countries whose first reports of a year are far from both their forecasts and the year before, in every currency.
 * They are below 1 / `FALL_FACTOR_OF_REPORTS` of both, or above `RISE_FACTOR_OF_TOTAL` times both. In a pandemic, honest
 * first reports of many countries are as low.
 */
export function farReports(
  rows: YearRows,
  both: readonly CountryFigures[],
  { forecastOf }: Arrivals,
): YearPattern[] {
  const { before } = rows.matched;
  return both.flatMap((country) => {
    const byCurrency = groupBy(country.figures, ({ item }) => rows.code('fx', item));
    const ratios = [...byCurrency.values()].flatMap((figures) => {
      const sums: Sums = { now: 0, forecast: 0, old: 0, all: 0 };
      for (const { item, now, old } of figures) {
        sums.all += old;
        const earlier = forecastOf.get(rows.row(item));
        if (earlier === undefined) continue;
        sums.now += now;
        sums.old += old;
        sums.forecast += before.value(0, earlier);
      }
      return sums.old >= FEWEST_SHARE * sums.all
        ? [[sums.now / sums.forecast, sums.now / sums.old] as const]
        : [];
    });
    const all = ratios.flat();
    const isFar =
      all.every((ratio) => ratio <= 1 / FALL_FACTOR_OF_REPORTS) ||
      all.every((ratio) => ratio >= RISE_FACTOR_OF_TOTAL);
    const [first] = ratios;
    return first !== undefined && isFar ? [patternOf(rows, country, first[0])] : [];
  });
}

function patternOf(
  { matched: { codes, metrics } }: YearRows,
  { newYear, figures }: CountryFigures,
  ratio: number,
): YearPattern {
  return yearPattern({
    family: 'year-far',
    metric: metrics[0] ?? '',
    ...placeInYear(codes, newYear),
    forecast: false,
    cells: figures.length,
    ratio,
  });
}
