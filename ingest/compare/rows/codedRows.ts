// The rows of one dataset of one side in memory: a small integer for each dimension, a double for each metric.

import type { DimensionName } from '../../../src/catalog/datasets.ts';

export type CodeArray = Uint16Array | Uint32Array;

/** Rows, column by column. A row of ggr takes 28 bytes, so two sides with three million rows each take 168 MB. */
export class Rows {
  readonly count: number;
  readonly #codes: ReadonlyMap<DimensionName, CodeArray>;
  readonly #values: readonly Float64Array[];

  constructor(count: number, codes: ReadonlyMap<DimensionName, CodeArray>, values: readonly Float64Array[]) {
    this.count = count;
    this.#codes = codes;
    this.#values = values;
  }

  /** The same values with other codes. */
  with(codes: ReadonlyMap<DimensionName, CodeArray>): Rows {
    return new Rows(this.count, codes, this.#values);
  }

  code(dimension: DimensionName, row: number): number {
    return this.codes(dimension)[row] as number;
  }

  codes(dimension: DimensionName): CodeArray {
    const codes = this.#codes.get(dimension);
    if (codes === undefined) throw new Error(`rows have no dimension ${dimension}`);
    return codes;
  }

  /** The value of a row's metric, by the metric's index in the catalog; NaN when it is missing. */
  value(metric: number, row: number): number {
    return this.values(metric)[row] as number;
  }

  /** The value of a metric in each row; NaN when it is missing. */
  values(metric: number): Float64Array {
    const values = this.#values[metric];
    if (values === undefined) throw new Error(`rows have no metric ${metric}`);
    return values;
  }
}

/**
 * A function that compares a row of `left` with a row of `right`: negative if the left one comes first, 0 if they agree in
 * all dimensions.
 */
export function compareRows(order: readonly DimensionName[], left: Rows, right: Rows) {
  const lefts = order.map((dimension) => left.codes(dimension));
  const rights = order.map((dimension) => right.codes(dimension));
  return (a: number, b: number): number => {
    for (let i = 0; i < lefts.length; i += 1) {
      const difference = ((lefts[i] as CodeArray)[a] as number) - ((rights[i] as CodeArray)[b] as number);
      if (difference !== 0) return difference;
    }
    return 0;
  };
}
