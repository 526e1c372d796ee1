// Describes the patterns of one metric in a country's new year: cells that differ from the year before in the same way.

import { groupBy } from '../../../../src/basics/lists.ts';
import { addTo } from '../../../../src/basics/maps.ts';
import type { DimensionName } from '../../../../src/catalog/datasets.ts';
import { nearestToOne } from '../../ratios.ts';
import type { Revision } from '../../revision.ts';
import { MOST_EXAMPLES, type Pattern, type YearFamily, type YearPattern } from '../patternTypes.ts';
import { placeInYear, type YearPatternFacts, yearPattern } from './yearPattern.ts';
import { type CountryYear, type Item, RISE_FACTOR_OF_TOTAL } from './yearRows.ts';

/**
 * The dimensions that the place of a pattern may name. All cells of the pattern must have one value of the dimension, and
 * no other cell may have it.
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

/** One metric of a country's new year. */
export class MetricYear {
  readonly year: CountryYear;
  readonly #metric: string;
  readonly metricIndex: number;
  /** For each currency, the sum of absolute values in the new year. */
  readonly #newSums: ReadonlyMap<number, number>;
  /** The same sums in the compared year. */
  readonly #comparedSums: ReadonlyMap<number, number>;

  constructor(year: CountryYear, metric: string, metricIndex: number) {
    this.year = year;
    this.#metric = metric;
    this.metricIndex = metricIndex;
    this.#newSums = this.#sums(year.newItems);
    this.#comparedSums = this.#sums(year.comparedItems);
  }

  /** A list with the pattern of these items of the compared year; an empty list if there are none. */
  pattern(family: YearFamily, items: readonly Item[]): YearPattern[] {
    if (items.length === 0) return [];
    const { rows, newItemOf, comparedItems } = this.year;
    const continued = items.flatMap((item) => newItemOf.get(rows.series[item] as number) ?? []);
    const withValue = comparedItems.filter((item) => this.#isValue(item));
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
        examples: this.#largest(items),
      }),
    ];
  }

  /** The total of the new year divided by that of the compared year, in the currency in which it moved least. */
  ratio(): number | null {
    return this.#ratio(this.#newSums, this.#comparedSums);
  }

  /**
   * A list with the pattern of a total that rose at least by the factor `RISE_FACTOR_OF_TOTAL`, or fell at least by the
   * factor `fall`, in every currency; otherwise an empty list.
   */
  moved(fall: number): YearPattern[] {
    const ratio = this.ratio();
    if (ratio === null || (ratio < RISE_FACTOR_OF_TOTAL && ratio > 1 / fall)) return [];
    const cells = this.year.newItems.length;
    return [this.placed({ family: 'year-moved', place: {}, cells, countryShare: 1, ratio })];
  }

  /** Completes a pattern: adds the metric, the country and the years. */
  placed({
    place: part,
    ...described
  }: Omit<YearPatternFacts, 'metric' | 'forecast' | 'between'>): YearPattern {
    const { rows, newYear, forecast } = this.year;
    return yearPattern({
      ...described,
      ...placeInYear(rows.matched.codes, newYear, part),
      metric: this.#metric,
      forecast,
    });
  }

  #value(item: Item): number {
    return this.year.rows.value(this.metricIndex, item);
  }

  #isValue(item: Item): boolean {
    const value = this.#value(item);
    return !Number.isNaN(value) && value !== 0;
  }

  #currency(item: Item): number {
    const { rows } = this.year;
    return rows.matched.codes.has('fx') ? rows.code('fx', item) : 0;
  }

  #sums(items: Iterable<Item>): ReadonlyMap<number, number> {
    const sums = new Map<number, number>();
    for (const item of items) {
      const value = Math.abs(this.#value(item));
      if (Number.isNaN(value)) continue;
      const fx = this.#currency(item);
      addTo(sums, fx, value);
    }
    return sums;
  }

  /** The share of these items in the country's figures, as a mean over its currencies. */
  #share(items: readonly Item[], all: ReadonlyMap<number, number>): number {
    const part = this.#sums(items);
    let sum = 0;
    for (const [fx, total] of all) sum += total === 0 ? 0 : (part.get(fx) ?? 0) / total;
    return all.size === 0 ? 0 : sum / all.size;
  }

  #ratio(newSums: ReadonlyMap<number, number>, comparedSums: ReadonlyMap<number, number>): number | null {
    return nearestToOne(Array.from(comparedSums, ([fx, total]) => (newSums.get(fx) ?? 0) / total));
  }

  /**
   * The value of a dimension that these items share and no other item of the year has. Empty if there is no such value, or
   * if these are all items of the year.
   *
   * @param ofYear All items of the year.
   */
  #placeOf(items: readonly Item[], ofYear: Int32Array): Pattern['place'] {
    if (items.length === ofYear.length) return {};
    const { rows } = this.year;
    const { codes } = rows.matched;
    for (const dimension of PLACES.filter((name) => codes.has(name))) {
      const values = groupBy(items, (item) => rows.code(dimension, item));
      const [only] = values.keys();
      if (values.size !== 1 || only === undefined) continue;
      const alike = ofYear.filter((item) => rows.code(dimension, item) === only);
      if (alike.length === items.length) return { [dimension]: codes.valueOf(dimension, only) };
    }
    return {};
  }

  #largest(items: readonly Item[]): readonly Revision[] {
    const { rows, newItemOf } = this.year;
    const weight = (item: Item) =>
      Math.abs(this.#value(item)) / (this.#comparedSums.get(this.#currency(item)) ?? 1);
    return [...items]
      .sort((a, b) => weight(b) - weight(a) || a - b)
      .slice(0, MOST_EXAMPLES)
      .map((item) => {
        const newItem = newItemOf.get(rows.series[item] as number);
        const now = newItem === undefined ? null : this.#value(newItem);
        return rows.example(this.metricIndex, item, this.#value(item), now);
      });
  }
}
