// Finds the patterns of years that were forecasts before and became reported.

import { groupBy } from '../../../../src/basics/lists.ts';
import type { Arrivals } from '../../rowChanges.ts';
import type { MatchedRows } from '../../rows/matchedRows.ts';
import type { YearPattern } from '../patternTypes.ts';
import { farReports } from './farReports.ts';
import { staleYears } from './staleYears.ts';
import { figuresOfBoth, type NewYear, YearRows } from './yearRows.ts';

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
