// Warns of two markets of a country that have the same figures, in some years or in all.
//
// Some years were copied beside the wrong labels. In all years, one market is the other one under a second name.

import { groupBy } from '../../../src/basics/lists.ts';
import { hasDigits } from '../../figures/digits.ts';
import { amountText, yearSpans } from '../../messages/numbers.ts';
import { nearestWord } from '../../messages/spelling.ts';
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

/** Two markets are one market twice only if they agree in at least this many figures, and differ in none. */
const FEWEST_SAME = 4;

/** The fewest other countries with a label that show that it is the usual one of the two. */
const FEWEST_COUNTRIES = 2;

const LABELS = ['product', 'channel', 'sub_channel'] as const;

/**
 * Reports two markets of a country that have the same figures, once for each country. If they have them in all years, one of
 * them must have a label that only this country has. Else each may have half of one estimate.
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
    const country = countries[first.row] as number;
    if (reported.has(country) || !isCertain(pairs, figures)) continue;
    const agreement = agreementOf(pairs, figures, years);
    const isTwice = agreement.different === 0 && agreement.same >= FEWEST_SAME && hasOwnLabel(figures, first);
    if (!isTwice && !isCopy(agreement)) continue;
    reported.add(country);
    const name = staging.text(country);
    const inYears = yearSpans(pairs.map(({ row }) => yearOf[row] as number));
    const both = `${nameOf(figures, first.row)} and ${nameOf(figures, first.other)}`;
    const wrong = isTwice
      ? {
          problem: `${metric} of ${name} is the same in two markets in all years, ${inYears}, and only this country has one of the names: ${both}`,
          remedy: 'delete one of the two if they are one market',
          kind: `${metric} of a market twice under two names`,
        }
      : {
          problem: `${metric} of ${name} in ${inYears} is the same in two markets, ${amountText(values[first.row] as number)}, and differs in other years: ${both}`,
          remedy: 'check which of the two the figure belongs to',
          kind: `${metric} of a year that another market has, too`,
        };
    warnOfRow(figures, first.other, { ...wrong, country: name });
  }
}

const nameOf = ({ staging, rows }: CheckedFigures, row: number): string =>
  LABELS.map((name) => staging.text(rows.dimension(name)[row])).join(' ');

/**
 * Whether one of two markets has a label that no other country has, where the other market has one that several have. Two
 * names that are nearly alike are left to `nearTwins.ts`.
 */
function hasOwnLabel({ staging, rows }: CheckedFigures, { row, other }: EqualPair): boolean {
  const countries = rows.dimension('country');
  return LABELS.some((name) => {
    const codes = rows.dimension(name);
    const [one, two] = [codes[row] as number, codes[other] as number];
    if (one === two || nearestWord(staging.text(two), [staging.text(one)]) !== undefined) return false;
    const others = (code: number) => {
      const ofLabel = countries.filter((country, i) => codes[i] === code && country !== countries[row]);
      return new Set(ofLabel).size;
    };
    const numbers = [others(one), others(two)];
    return Math.min(...numbers) === 0 && Math.max(...numbers) >= FEWEST_COUNTRIES;
  });
}

/**
 * Whether chance does not explain the pairs of two markets. Either a figure must have many digits, or there must be two
 * pairs or more for each year, because several currencies agree.
 */
function isCertain(pairs: readonly EqualPair[], { metric, rows }: CheckedFigures): boolean {
  const [values, yearOf] = [rows.values(metric), rows.dimension('year')];
  const copied = new Set(pairs.map(({ row }) => yearOf[row] as number));
  return (
    pairs.some(({ row }) => hasDigits(values[row] as number, FEWEST_DIGITS_ALONE)) ||
    pairs.length >= 2 * copied.size
  );
}

/** How many figures of two markets agree and differ, over all years of the currencies of the pairs. */
interface Agreement {
  readonly same: number;
  readonly different: number;
}

function agreementOf(
  pairs: readonly EqualPair[],
  { metric, rows, series }: CheckedFigures,
  years: SeriesYears,
): Agreement {
  const values = rows.values(metric);
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
  return { same, different };
}

/** Whether most figures of the two markets differ, so that the others are copies. */
const isCopy = ({ same, different }: Agreement): boolean =>
  different >= FEWEST_DIFFERENT && same <= MOST_SAME_SHARE * (same + different);
