// Describes the cells of a country's new year that differ from its year before in the same way.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { groupBy } from '../../../src/groupBy.ts';
import { type Revision, relativeChange } from '../revision.ts';
import { MOST_EXAMPLES, type Pattern, type YearFamily } from './types.ts';
import type { BegunYear, Item, YearRows } from './yearRows.ts';

/**
 * The dimensions that a pattern's place may name: all cells have the same value of it, and no other cells have that
 * value.
 */
const PLACES: readonly DimensionName[] = [
  'product',
  'channel',
  'sub_channel',
  'fx',
  'fx_local_currency',
  'state',
  'category',
];

interface Values {
  readonly metric: string;
  /** The metric's index in `Matched.metrics`. */
  readonly metricIndex: number;
  readonly forecast: boolean;
  /** The items of the new year. */
  readonly newItems: Int32Array;
  /** The items of the year compared with. */
  readonly comparedItems: Int32Array;
}

/** One metric of a country's new year. */
export class Described {
  readonly #rows: YearRows;
  readonly #begun: BegunYear;
  readonly #values: Values;
  /** The sums of absolute values of the new year, by currency. */
  readonly #newSums: ReadonlyMap<number, number>;
  /** The same of the year compared with. */
  readonly #comparedSums: ReadonlyMap<number, number>;

  constructor(rows: YearRows, begun: BegunYear, values: Values) {
    this.#rows = rows;
    this.#begun = begun;
    this.#values = values;
    this.#newSums = this.#sums(values.newItems);
    this.#comparedSums = this.#sums(values.comparedItems);
  }

  /**
   * The pattern of some items of the year compared with; none when there are no items.
   *
   * @param newItemOf The items of the new year, by series.
   */
  pattern(
    family: YearFamily,
    items: readonly Item[],
    newItemOf: ReadonlyMap<number, Item>,
  ): Pattern<YearFamily>[] {
    if (items.length === 0) return [];
    const continued = items.flatMap((item) => newItemOf.get(this.#rows.series[item] as number) ?? []);
    const withValue = this.#values.comparedItems.filter((item) => this.#isValue(item));
    const countryShare = this.#share(items, this.#comparedSums);
    return [
      this.placed({
        family,
        place: this.#placeOf(items, withValue),
        cells: items.length,
        of: withValue.length,
        countryShare,
        effect: Math.max(countryShare, this.#share(continued, this.#newSums)),
        ratio: continued.length === 0 ? null : this.#ratio(this.#sums(continued), this.#sums(items)),
        examples: this.#largest(items, newItemOf),
      }),
    ];
  }

  /** The total divided by that of the year compared with, in the currency in which it moved least. */
  ratio(): number | null {
    return this.#ratio(this.#newSums, this.#comparedSums);
  }

  /** The pattern of a total that moved by a factor, in the currency in which it moved least. */
  moved(factor: number): Pattern<YearFamily>[] {
    const ratio = this.ratio();
    if (ratio === null || Math.abs(Math.log(ratio)) < Math.log(factor)) return [];
    const cells = this.#values.newItems.length;
    return [
      this.placed({
        family: 'year-moved',
        place: {},
        cells,
        of: cells,
        countryShare: 1,
        effect: 1,
        ratio,
        examples: [],
      }),
    ];
  }

  /** A pattern of these cells and shares at a place of the country. */
  placed({
    place,
    ...described
  }: Pick<
    Pattern<YearFamily>,
    'family' | 'place' | 'cells' | 'of' | 'countryShare' | 'effect' | 'ratio' | 'examples'
  >): Pattern<YearFamily> {
    const { codes } = this.#rows.matched;
    const { country, year, comparedYear } = this.#begun;
    const [from, to] = [codes.valueOf('year', comparedYear), codes.valueOf('year', year)];
    return {
      ...described,
      metric: this.#values.metric,
      place: { country: codes.valueOf('country', country), ...place, year: to },
      forecast: this.#values.forecast,
      further: null,
      historyShare: described.countryShare,
      datasetShare: null,
      between: { dimension: 'year', pairs: [{ from, to, cells: described.cells }] },
    };
  }

  #value(item: Item): number {
    return this.#rows.matched.after.value(this.#values.metricIndex, this.#rows.list[item] as number);
  }

  #isValue(item: Item): boolean {
    const value = this.#value(item);
    return !Number.isNaN(value) && value !== 0;
  }

  #code(dimension: DimensionName, item: Item): number {
    return this.#rows.matched.after.code(dimension, this.#rows.list[item] as number);
  }

  #currency(item: Item): number {
    return this.#rows.matched.codes.has('fx') ? this.#code('fx', item) : 0;
  }

  #sums(items: Iterable<Item>): ReadonlyMap<number, number> {
    const sums = new Map<number, number>();
    for (const item of items) {
      const value = Math.abs(this.#value(item));
      if (Number.isNaN(value)) continue;
      const fx = this.#currency(item);
      sums.set(fx, (sums.get(fx) ?? 0) + value);
    }
    return sums;
  }

  /** The part of the country's figures, as a mean over its currencies. */
  #share(items: readonly Item[], all: ReadonlyMap<number, number>): number {
    const part = this.#sums(items);
    let sum = 0;
    for (const [fx, total] of all) sum += total === 0 ? 0 : (part.get(fx) ?? 0) / total;
    return all.size === 0 ? 0 : sum / all.size;
  }

  /** The quotient of the amounts of both years, in the currency in which they moved least. */
  #ratio(newSums: ReadonlyMap<number, number>, comparedSums: ReadonlyMap<number, number>): number | null {
    let least: number | null = null;
    for (const [fx, total] of comparedSums) {
      const ratio = (newSums.get(fx) ?? 0) / total;
      if (!Number.isFinite(ratio) || ratio === 0) continue;
      if (least === null || Math.abs(Math.log(ratio)) < Math.abs(Math.log(least))) least = ratio;
    }
    return least;
  }

  /**
   * The value of a dimension that these items share and no other item of the year has. No dimension for the whole country.
   *
   * @param ofYear all items of the year.
   */
  #placeOf(items: readonly Item[], ofYear: Int32Array): Pattern['place'] {
    if (items.length === ofYear.length) return {};
    const { codes } = this.#rows.matched;
    for (const dimension of PLACES.filter((name) => codes.has(name))) {
      const values = groupBy(items, (item) => this.#code(dimension, item));
      const [only] = values.keys();
      if (values.size !== 1 || only === undefined) continue;
      const alike = ofYear.filter((item) => this.#code(dimension, item) === only);
      if (alike.length === items.length) return { [dimension]: codes.valueOf(dimension, only) };
    }
    return {};
  }

  #largest(items: readonly Item[], newItemOf: ReadonlyMap<number, Item>): readonly Revision[] {
    const { codes, after } = this.#rows.matched;
    const weight = (item: Item) =>
      Math.abs(this.#value(item)) / (this.#comparedSums.get(this.#currency(item)) ?? 1);
    return [...items]
      .sort((a, b) => weight(b) - weight(a) || a - b)
      .slice(0, MOST_EXAMPLES)
      .map((item) => {
        const at = newItemOf.get(this.#rows.series[item] as number);
        const now = at === undefined ? Number.NaN : this.#value(at);
        const [from, to] = [this.#value(item), Number.isNaN(now) ? null : now];
        const key = codes.keyOf(after, this.#rows.list[item] as number);
        return { key, metric: this.#values.metric, from, to, relative: relativeChange(from, to) };
      });
  }
}
