// Finds new years whose indicators equal those of the year before to the last digit, because somebody copied them.

import { groupBy } from '../../../../src/basics/lists.ts';
import { metricUnit } from '../../../../src/catalog/datasets.ts';
import { hasManyDigits } from '../../../figures/digits.ts';
import type { YearPattern } from '../patternTypes.ts';
import { placeInYear, yearPattern } from './yearPattern.ts';
import type { NewYear, YearRows } from './yearRows.ts';

/** The number and the share of equal figures of a year that chance does not explain, however few digits they have. */
const FEWEST_TOGETHER = 10;
const SHARE_TOGETHER = 0.7;

/** The number of different figures among the equal ones. Fewer may be placeholders for unknown figures. */
const FEWEST_DIFFERENT = 5;

interface Compared {
  readonly newYear: NewYear;
  readonly now: number;
  readonly old: number;
}

/**
 * Finds reported indicators of new years that equal those of the year before. In a single country, only amounts of more
 * than five digits count. Where most countries repeat their figures, figures of fewer digits count as well, such as
 * inflation.
 */
export function repeatedIndicators(rows: YearRows, newYears: readonly NewYear[]): YearPattern[] {
  const { codes, metrics } = rows.matched;
  if (codes.dataset !== 'country') return [];
  return metrics.flatMap((metric, metricIndex) => {
    // For the first metric, `findRepeats` has already found the repeats in new rows.
    const isSeen = metricIndex === 0;
    const isPercent = metricUnit(codes.dataset, metric) === 'percent';
    const years = groupBy(
      newYears.flatMap((year) => comparedIn(rows, year, metricIndex)),
      (one) => `${one.newYear.year} ${one.newYear.comparedYear}`,
    );
    return [...years.values()].flatMap((all) => {
      const equal = all.filter(({ now, old }) => now === old);
      const together = areEqualTogether(equal, all.length) ? equal : [];
      const single = isPercent || isSeen ? [] : equal.filter(({ now }) => hasManyDigits(now));
      const found = together.length > 0 ? together : single;
      const byCountry = groupBy(found, (one) => one.newYear.country);
      return [...byCountry.values()].map((own) => patternOf(rows, metric, own));
    });
  });
}

function comparedIn(rows: YearRows, newYear: NewYear, metricIndex: number): Compared[] {
  const comparedItemOf = rows.itemBySeries(newYear.country, newYear.comparedYear);
  return [...rows.itemsOf(newYear.country, newYear.year)].flatMap((item): Compared[] => {
    const compared = comparedItemOf.get(rows.series[item] as number);
    if (compared === undefined || rows.isForecast(item)) return [];
    const [now, old] = [rows.value(metricIndex, item), rows.value(metricIndex, compared)];
    return Number.isNaN(now) || Number.isNaN(old) ? [] : [{ newYear, now, old }];
  });
}

const areEqualTogether = (equal: readonly Compared[], total: number): boolean =>
  equal.length >= Math.max(FEWEST_TOGETHER, SHARE_TOGETHER * total) &&
  new Set(equal.map(({ now }) => now)).size >= FEWEST_DIFFERENT;

function patternOf(
  { matched: { codes } }: YearRows,
  metric: string,
  own: readonly [Compared, ...Compared[]],
): YearPattern {
  const where = placeInYear(codes, own[0].newYear);
  return yearPattern({ family: 'year-repeated', metric, ...where, forecast: false, cells: own.length });
}
