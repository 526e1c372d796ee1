// Finds the patterns of years that were forecasts before and became reported.

import { groupBy } from '../../../../src/basics/lists.ts';
import type { Arrivals } from '../../rowChanges.ts';
import type { MatchedRows } from '../../rows/matchedRows.ts';
import type { YearPattern } from '../patternTypes.ts';
import { staleYears } from './staleYears.ts';
import { placeInYear, yearPattern } from './yearPattern.ts';
import {
  type CountryFigures,
  figuresOfBoth,
  type NewYear,
  RISE_FACTOR_OF_TOTAL,
  YearRows,
} from './yearRows.ts';

/** The fewest figures of a country and year, over all currencies, that must have become reported. Fewer prove nothing. */
const FEWEST_ARRIVED = 2;

/**
 * The patterns of first reports that look wrong beside the year before or beside their forecasts.
 *
 * @param ggr The rows of ggr when the dataset is turnover; else null.
 */
export function findArrivedYears(
  matched: MatchedRows,
  arrivals: Arrivals,
  ggr: MatchedRows | null,
): YearPattern[] {
  const { codes, after } = matched;
  if (!codes.has('fx')) return [];
  const arrived = groupBy([...arrivals.forecastOf.keys()], (row) =>
    [after.code('country', row), after.code('year', row)].join(' '),
  );
  const years = [...arrived.values()].flatMap((own): NewYear[] => {
    const [country, year] = [after.code('country', own[0]), after.code('year', own[0])];
    return own.length < FEWEST_ARRIVED || year === 0
      ? []
      : [{ country, year, comparedYear: year - 1, isOfNewCountry: false }];
  });
  if (years.length === 0) return [];
  const rows = new YearRows(matched, years);
  const both = years.map((year) => figuresOfBoth(rows, year));
  return [...staleYears(rows, both, ggr), ...farReports(rows, both, arrivals)];
}

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
  /** The sum, in the year before, of the series that have a forecast and a first report. */
  old: number;
  /** The sum, in the year before, of all series of the country in this currency. */
  all: number;
}

/**
 * Finds countries whose first reports of a year are far from both their forecasts and the year before, in every currency.
 * They are below 1 / `FALL_FACTOR_OF_REPORTS` of both, or above `RISE_FACTOR_OF_TOTAL` times both. In a pandemic, honest
 * first reports of many countries are as low.
 */
function farReports(
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
