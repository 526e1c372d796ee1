// Finds countries of which all reported figures of an indicator were multiplied by one factor of few digits, such as 1.05.

import { ascending } from '../../../src/ascending.ts';
import { metricUnit } from '../../../src/catalog/datasets.ts';
import { groupBy } from '../../../src/groupBy.ts';
import { isForecastRow, isNonZero, type Matched } from '../rows/matchedRows.ts';
import { exactFactor } from './exactFactors.ts';
import { type BrokenOfKind, brokenOf } from './relationLevels.ts';
import { FEWEST_YEARS, isMoved } from './scaledReported.ts';

/** The share of an indicator's years that must have the factor. Some may be revised in the same month. */
const MULTIPLIED_SHARE = 0.8;

/** The factors that explain the figures must differ by less than one part in this many. */
const LEAST_LAST_DIGITS = 100_000;

/** An indicator of a country that was multiplied. */
interface Multiplied {
  readonly country: string;
  readonly metric: string;
  readonly years: readonly number[];
  readonly factor: number;
}

/** A new base or census also moves all years of an indicator by one factor, but seldom by a factor of so few digits. */
export function multipliedIndicators(matched: Matched): BrokenOfKind[] {
  const found = matched.metrics.flatMap((metric, metricIndex) => {
    const isPercent = metricUnit(matched.codes.dataset, metric) === 'percent';
    return isPercent ? [] : multipliedIn(matched, metric, metricIndex);
  });
  const alike = groupBy(found, ({ country, factor }) => `${country}\0${factor}`);
  return [...alike.values()].map((all) => {
    const [{ country, factor }] = all;
    const years = ascending(all.flatMap((one) => one.years));
    const places = all.map(({ metric }) => metric);
    const { dataset } = matched.codes;
    return brokenOf({ relation: 'country-scaled', dataset, country, places, years, after: factor });
  });
}

function multipliedIn(matched: Matched, metric: string, metricIndex: number): Multiplied[] {
  const { codes, changed, before, after } = matched;
  const [olds, news] = [before.values(metricIndex), after.values(metricIndex)];
  const nation = codes.codeOf('state', '');
  const isNation = (row: number) =>
    before.code('state', row) === nation && !isForecastRow(matched, before, row);
  const moved = [...changed.before].flatMap((row, i) => {
    const now = changed.after[i] as number;
    if (row < 0 || now < 0 || !isNation(row) || isForecastRow(matched, after, now)) return [];
    const [old, fresh] = [olds[row] as number, news[now] as number];
    return isMoved(fresh / old) ? [{ row, old, fresh, ratio: fresh / old }] : [];
  });
  if (moved.length < FEWEST_YEARS) return [];
  const counts = new Map<number, number>();
  for (let row = 0; row < before.count; row += 1) {
    if (!isNation(row) || !isNonZero(olds[row] as number)) continue;
    const country = before.code('country', row);
    counts.set(country, (counts.get(country) ?? 0) + 1);
  }
  return [...groupBy(moved, ({ row }) => before.code('country', row))].flatMap(
    ([code, all]): Multiplied[] => {
      const fewest = Math.max(FEWEST_YEARS, MULTIPLIED_SHARE * (counts.get(code) ?? 0));
      const factor = all.length < fewest ? null : exactFactor(all, fewest, LEAST_LAST_DIGITS);
      if (factor === null) return [];
      const years = all.map(({ row }) => codes.yearOf(before, row));
      return [{ country: String(codes.valueOf('country', code)), metric, years, factor }];
    },
  );
}
