// Counts rows by the codes of up to three dimensions, in arrays with an entry for each combination of codes.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import type { CodeArray, Rows } from './codedRows.ts';
import type { Codes } from './codes.ts';
import { keyOfSides } from './keyEncoder.ts';
import { weightsOf } from './rowKeys.ts';

/** The most combinations of codes that are counted in an array. The array then takes 4 MB. */
const MOST_COMBINATIONS = 1_000_000;

/**
 * Counts a list of rows by several sets of dimensions. Call `by` with the largest sets first: counts of smaller sets are
 * added up from them.
 */
export class RowCounts {
  readonly rows: Rows;
  readonly list: Int32Array;
  readonly #codes: Codes;
  readonly #tables: Table[] = [];

  constructor(codes: Codes, rows: Rows, list: Int32Array) {
    this.#codes = codes;
    this.rows = rows;
    this.list = list;
  }

  /**
   * Counts by at most three dimensions. The result gives the number of rows that agree with a row of either side. Null for
   * more dimensions, and for too many combinations of codes.
   */
  by(dimensions: readonly DimensionName[]): ((rows: Rows, row: number) => number) | null {
    const codes = this.#codes;
    const most = codes.keys.most(dimensions);
    if (dimensions.length > 3 || most > MOST_COMBINATIONS) return null;
    const counts = new Int32Array(most);
    const larger = this.#smallestWith(dimensions);
    if (larger !== undefined && larger.counts.length < this.list.length)
      this.#addUp(counts, dimensions, larger);
    else this.#count(counts, dimensions);
    this.#tables.push({ dimensions, counts });
    const keyOf = keyOfSides(codes.keys.encoderBy(dimensions, true));
    return (side, row) => counts[keyOf(side, row)] as number;
  }

  #smallestWith(dimensions: readonly DimensionName[]): Table | undefined {
    return this.#tables
      .filter((table) => contains(table.dimensions, dimensions))
      .sort((one, other) => one.counts.length - other.counts.length)[0];
  }

  #count(counts: Int32Array, dimensions: readonly DimensionName[]): void {
    const [first, second, third] = dimensions.map((dimension) => this.rows.codes(dimension));
    const [, width = 1, depth = 1] = dimensions.map((dimension) => this.#codes.size(dimension));
    if (first === undefined) counts[0] = this.list.length;
    else if (second === undefined) countOne(counts, this.list, first);
    else if (third === undefined) countTwo(counts, this.list, [first, second], width);
    else countThree(counts, this.list, [first, second, third], [width, depth]);
  }

  /** Adds up the counts of a table that has all of these dimensions, and more. */
  #addUp(counts: Int32Array, dimensions: readonly DimensionName[], larger: Table): void {
    const weights = weightsOf(dimensions, (dimension) => this.#codes.size(dimension));
    const [first = ALONE, second = ALONE, third = ALONE] = larger.dimensions.map((dimension) => ({
      size: this.#codes.size(dimension),
      weight: weights.get(dimension) ?? 0,
    }));
    let from = 0;
    for (let i = 0; i < first.size; i += 1)
      for (let j = 0; j < second.size; j += 1)
        for (let k = 0; k < third.size; k += 1) {
          const index = i * first.weight + j * second.weight + k * third.weight;
          counts[index] = (counts[index] as number) + (larger.counts[from] as number);
          from += 1;
        }
  }
}

/** How many rows have each key made of these dimensions. */
interface Table {
  readonly dimensions: readonly DimensionName[];
  readonly counts: Int32Array;
}

/** Stands for a dimension that a table does not have. */
const ALONE = { size: 1, weight: 0 };

const contains = (all: readonly DimensionName[], part: readonly DimensionName[]): boolean =>
  part.every((dimension) => all.includes(dimension));

function countOne(counts: Int32Array, list: Int32Array, first: CodeArray): void {
  for (let i = 0; i < list.length; i += 1) {
    const index = first[list[i] as number] as number;
    counts[index] = (counts[index] as number) + 1;
  }
}

function countTwo(
  counts: Int32Array,
  list: Int32Array,
  [first, second]: readonly [CodeArray, CodeArray],
  width: number,
): void {
  for (let i = 0; i < list.length; i += 1) {
    const row = list[i] as number;
    const index = (first[row] as number) * width + (second[row] as number);
    counts[index] = (counts[index] as number) + 1;
  }
}

function countThree(
  counts: Int32Array,
  list: Int32Array,
  [first, second, third]: readonly [CodeArray, CodeArray, CodeArray],
  [width, depth]: readonly [number, number],
): void {
  for (let i = 0; i < list.length; i += 1) {
    const row = list[i] as number;
    const index = ((first[row] as number) * width + (second[row] as number)) * depth + (third[row] as number);
    counts[index] = (counts[index] as number) + 1;
  }
}
