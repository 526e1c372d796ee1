// Tells which markets of turnover ended in a new year. A market ended if ggr no longer has figures of it either.

import { getOrInsert } from '../../../../src/basics/maps.ts';
import type { DimensionName } from '../../../../src/catalog/datasets.ts';
import type { MatchedRows } from '../../rows/matchedRows.ts';
import type { Item, NewYear, YearRows } from './yearRows.ts';

/** The dimensions in which the rows of a market agree in both datasets. */
const MARKET: readonly DimensionName[] = [
  'country',
  'state',
  'category',
  'product',
  'channel',
  'sub_channel',
];

/**
 * A function that tells whether the market of an item ended: ggr has figures of the market in the compared year, and none
 * in the new year. Ggr must have other figures of the country in the new year.
 *
 * @param newYears The new years for which the function will be called.
 */
export function endedMarkets(
  ggr: MatchedRows,
  rows: YearRows,
  newYears: readonly NewYear[],
): (item: Item, newYear: NewYear) => boolean {
  const { codes } = rows.matched;
  const years = newYears.flatMap(({ year, comparedYear }) => [
    codes.yearAt(year),
    codes.yearAt(comparedYear),
  ]);
  const known = figuresByYear(ggr, years);
  return (item, { year, comparedYear }) => {
    const row = rows.row(item);
    const [market, country] = [keyOf(rows.matched, row, MARKET), keyOf(rows.matched, row, ['country'])];
    const [before, now] = [comparedYear, year].map((code) => known.get(codes.yearAt(code)));
    return before?.has(market) === true && now?.has(country) === true && !now.has(market);
  };
}

/** For each of these years, the keys of the markets and of the countries with figures in ggr. */
function figuresByYear(ggr: MatchedRows, years: readonly number[]): ReadonlyMap<number, ReadonlySet<string>> {
  const { codes, after } = ggr;
  const yearOf = new Map(years.map((year) => [codes.codeOf('year', year), year]));
  const [inYear, values] = [after.codes('year'), after.values(0)];
  const found = new Map<number, Set<string>>();
  for (let row = 0; row < after.count; row += 1) {
    const year = yearOf.get(inYear[row]);
    if (year === undefined || Number.isNaN(values[row]) || values[row] === 0) continue;
    const known = getOrInsert(found, year, () => new Set<string>());
    known.add(keyOf(ggr, row, MARKET)).add(keyOf(ggr, row, ['country']));
  }
  return found;
}

const keyOf = ({ codes, after }: MatchedRows, row: number, dimensions: readonly DimensionName[]): string =>
  dimensions.map((dimension) => codes.valueOf(dimension, after.code(dimension, row))).join('\0');
