// Warns of years in which two markets of a country have the same figures, because they were copied beside the wrong labels.

import { groupBy } from '../../../src/basics/lists.ts';
import { hasDigits } from '../../figures/digits.ts';
import { amountText, yearSpans } from '../../messages/numbers.ts';
import { type CheckedFigures, warnOfRow } from './checkedFigures.ts';
import { agreementIn, type EqualPair } from './equalFigures.ts';
import type { SeriesYears } from './seriesYears.ts';

/**
 * From this number of digits on, chance does not explain an equal figure in one currency. If two currencies agree, fewer
 * digits are enough.
 */
const FEWEST_DIGITS_ALONE = 7;

/**
 * Two markets are copies only if at least this many of their figures differ, and at most this share of them agree, over all
 * years and currencies. Two markets that each got half of one estimate rightly agree in most years.
 */
const FEWEST_DIFFERENT = 3;
const MOST_SAME_SHARE = 1 / 3;

/**
 * Reports two markets of a country that have the same figures in some years and differ in others, once for each country.
 */
export function checkCopiedMarkets(
  figures: CheckedFigures,
  years: SeriesYears,
  equal: readonly EqualPair[],
): void {
  const { staging, metric, rows, markets } = figures;
  const [values, yearOf] = [rows.values(metric), rows.dimension('year')];
  const countries = rows.dimension('country');
  const isSamePlace = agreementIn(rows, ['country', 'state']);
  const byMarkets = groupBy(
    equal.filter(({ row, other }) => isSamePlace(row, other)),
    ({ row, other }) => `${markets.numbers[row]} ${markets.numbers[other]}`,
  );
  const reported = new Set<number>();
  for (const pairs of byMarkets.values()) {
    const [first] = pairs;
    if (!isCopy(pairs, figures, years)) continue;
    const country = countries[first.row] as number;
    if (reported.has(country)) continue;
    reported.add(country);
    const name = staging.text(country);
    const inYears = yearSpans(pairs.map(({ row }) => yearOf[row] as number));
    warnOfRow(figures, first.other, {
      problem: `${metric} of ${name} in ${inYears} is the same in two markets, ${amountText(values[first.row] as number)}, and differs in other years: ${nameOf(figures, first.row)} and ${nameOf(figures, first.other)}`,
      remedy: 'check which of the two the figure belongs to',
      kind: `${metric} of a year that another market has, too`,
      country: name,
    });
  }
}

const nameOf = ({ staging, rows }: CheckedFigures, row: number): string =>
  (['product', 'channel', 'sub_channel'] as const)
    .map((name) => staging.text(rows.dimension(name)[row]))
    .join(' ');

/**
 * Whether the pairs of two markets are copies. Either a figure must have many digits, or there must be two pairs or more
 * for each copied year, because several currencies agree. Over all years, most figures of the two markets must differ.
 */
function isCopy(
  pairs: readonly EqualPair[],
  { metric, rows, series }: CheckedFigures,
  years: SeriesYears,
): boolean {
  const values = rows.values(metric);
  const yearOf = rows.dimension('year');
  const copied = new Set(pairs.map(({ row }) => yearOf[row] as number));
  const isCertain = pairs.some(({ row }) => hasDigits(values[row] as number, FEWEST_DIGITS_ALONE));
  if (!isCertain && pairs.length < 2 * copied.size) return false;
  let [same, different] = [0, 0];
  const seen = new Set<number>();
  for (const { row, other } of pairs) {
    const [ofRow, ofOther] = [series.numbers[row] as number, series.numbers[other] as number];
    if (seen.has(ofRow)) continue;
    seen.add(ofRow);
    for (let yearIndex = 0; yearIndex < years.count; yearIndex += 1) {
      const [a, b] = [years.row(ofRow, yearIndex), years.row(ofOther, yearIndex)];
      if (a < 0 || b < 0) continue;
      if (values[a] === values[b]) same += 1;
      else different += 1;
    }
  }
  return different >= FEWEST_DIFFERENT && same <= MOST_SAME_SHARE * (same + different);
}
