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

/** For each year, the markets and countries that have figures in ggr. */
export class MarketsOfGgr {
  /** For each year, the keys of the markets and of the countries with figures. */
  readonly #keys = new Map<number, Set<string>>();

  /** @param newYears The new years for which `hasEnded` will be called. */
  constructor(ggr: MatchedRows, { matched: { codes } }: YearRows, newYears: readonly NewYear[]) {
    const { after } = ggr;
    const years = new Map(
      newYears
        .flatMap(({ year, comparedYear }) => [year, comparedYear])
        .map((year) => [ggr.codes.codeOf('year', codes.valueOf('year', year)), codes.yearAt(year)]),
    );
    const [inYear, values] = [after.codes('year'), after.values(0)];
    for (let row = 0; row < after.count; row += 1) {
      const year = years.get(inYear[row]);
      if (year === undefined || Number.isNaN(values[row]) || values[row] === 0) continue;
      const known = getOrInsert(this.#keys, year, () => new Set());
      known.add(keyOf(ggr, row, MARKET)).add(keyOf(ggr, row, ['country']));
    }
  }

  /**
   * Whether the market of an item ended: ggr has figures of the market in the compared year, and none in the new year. Ggr
   * must have other figures of the country in the new year.
   */
  hasEnded(rows: YearRows, item: Item, { year, comparedYear }: NewYear): boolean {
    const { matched } = rows;
    const row = rows.row(item);
    const [market, country] = [keyOf(matched, row, MARKET), keyOf(matched, row, ['country'])];
    const keysOf = (code: number) => this.#keys.get(matched.codes.yearAt(code));
    return (
      keysOf(comparedYear)?.has(market) === true &&
      keysOf(year)?.has(country) === true &&
      !keysOf(year)?.has(market)
    );
  }
}

const keyOf = ({ codes, after }: MatchedRows, row: number, dimensions: readonly DimensionName[]): string =>
  dimensions.map((dimension) => codes.valueOf(dimension, after.code(dimension, row))).join('\0');
