// Tells which markets of turnover ended in a year that begins, because ggr has no figures of them any more, either.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import type { Matched } from '../rows/matched.ts';
import type { BegunYear, Item, YearRows } from './yearRows.ts';

/** A market is the same in both datasets when its rows agree in these dimensions. */
const MARKET: readonly DimensionName[] = [
  'country',
  'state',
  'category',
  'product',
  'channel',
  'sub_channel',
];

/** The markets of ggr with figures, by year, and the countries that have any. */
export class MarketsOfGgr {
  /** The names of markets and of countries with figures, by year. */
  readonly #named = new Map<number, Set<string>>();

  /** @param begun The years that `hasEnded` is called for. */
  constructor(ggr: Matched, { matched: { codes } }: YearRows, begun: readonly BegunYear[]) {
    const { after } = ggr;
    const years = new Map(
      begun
        .flatMap(({ year, comparedYear }) => [year, comparedYear])
        .map((year) => [
          ggr.codes.codeOf('year', codes.valueOf('year', year)),
          Number(codes.valueOf('year', year)),
        ]),
    );
    const [inYear, values] = [after.codes('year'), after.values(0)];
    for (let row = 0; row < after.count; row += 1) {
      const year = years.get(inYear[row]);
      if (year === undefined || Number.isNaN(values[row]) || values[row] === 0) continue;
      const known = this.#named.get(year) ?? new Set();
      this.#named.set(year, known);
      known.add(nameOf(ggr, row, MARKET)).add(nameOf(ggr, row, ['country']));
    }
  }

  /**
   * Whether ggr had figures of an item's market in the year compared with, and has none in the new year, of which it has
   * other figures of the country.
   */
  hasEnded({ matched, list }: YearRows, item: Item, { year, comparedYear }: BegunYear): boolean {
    const row = list[item] as number;
    const [market, country] = [nameOf(matched, row, MARKET), nameOf(matched, row, ['country'])];
    const named = (code: number) => this.#named.get(Number(matched.codes.valueOf('year', code)));
    return (
      named(comparedYear)?.has(market) === true &&
      named(year)?.has(country) === true &&
      !named(year)?.has(market)
    );
  }
}

const nameOf = ({ codes, after }: Matched, row: number, dimensions: readonly DimensionName[]): string =>
  dimensions.map((dimension) => codes.valueOf(dimension, after.code(dimension, row))).join('\0');
