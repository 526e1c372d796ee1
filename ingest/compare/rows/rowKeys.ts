// Makes the keys of rows from the codes of some dimensions.
// A key is a number if all keys are exact in a double, else a text.

import { getOrInsert } from '../../../src/basics/maps.ts';
import type { DimensionName } from '../../../src/catalog/datasets.ts';
import type { Rows } from './codedRows.ts';
import { bitsFor, type CodeWord } from './codeWords.ts';
import { addDigits, type Digit, KeyEncoder, keyOfSides } from './keyEncoder.ts';
import { sharedFloats } from './sharedArrays.ts';

/** The largest key that is a number. Larger ones may not be exact in a double. */
const LARGEST_EXACT_KEY = Number.MAX_SAFE_INTEGER;

/** Gives the key of a row by some of its dimensions. Rows that agree in these dimensions have the same key. */
export type KeyOfRow = (rows: Rows, row: number) => number | string;

/** The keys of the rows of one dataset. A key has a digit for each dimension, weighted like the digits of a number. */
export class RowKeys {
  readonly #dimensions: readonly DimensionName[];
  readonly #sizeOf: (dimension: DimensionName) => number;
  /**
   * Whether each dimension has bits of its own in the keys of `whole`. A key is then a weighted sum of the words of its
   * row.
   */
  readonly #haveBits: boolean;
  /** The weight of each dimension in the keys of `whole`; null when these keys are not exact in a double. */
  readonly #weights: ReadonlyMap<DimensionName, number> | null;
  readonly #known = new WeakMap<Rows, Float64Array>();

  /**
   * @param dimensions In catalog order.
   * @param order The dimensions by which rows are sorted, the most significant first.
   * @param sizeOf How many codes a dimension has.
   */
  constructor(
    dimensions: readonly DimensionName[],
    order: readonly DimensionName[],
    sizeOf: (dimension: DimensionName) => number,
  ) {
    this.#dimensions = dimensions;
    this.#sizeOf = sizeOf;
    const bits = order.reduce((sum, dimension) => sum + bitsFor(sizeOf(dimension)), 0);
    this.#haveBits = 2 ** bits <= LARGEST_EXACT_KEY;
    if (this.#haveBits) this.#weights = weightsOf(order, (dimension) => 2 ** bitsFor(sizeOf(dimension)));
    else if (this.most(dimensions) === Number.POSITIVE_INFINITY) this.#weights = null;
    else this.#weights = weightsOf(order, sizeOf);
  }

  /** The number of keys that `by` can return; infinite if the keys are texts. */
  most(dimensions: readonly DimensionName[]): number {
    const most = dimensions.reduce((product, dimension) => product * this.#sizeOf(dimension), 1);
    return most > LARGEST_EXACT_KEY ? Number.POSITIVE_INFINITY : most;
  }

  /** Gives keys by these dimensions: numbers if all keys are exact in a double, else texts. */
  by(dimensions: readonly DimensionName[]): KeyOfRow {
    if (this.most(dimensions) === Number.POSITIVE_INFINITY)
      return (rows, row) => dimensions.map((dimension) => rows.code(dimension, row)).join(' ');
    return keyOfSides(this.encoderBy(dimensions));
  }

  /** Gives keys by all dimensions except these. */
  without(...omitted: readonly DimensionName[]): KeyOfRow {
    return this.by(this.#dimensions.filter((dimension) => !omitted.includes(dimension)));
  }

  /**
   * Gives an encoder of keys by these dimensions. Its keys are numbers, so `most(dimensions)` must be finite.
   *
   * @param isDense Whether all keys must be below `most(dimensions)`.
   */
  encoderBy(dimensions: readonly DimensionName[], isDense = false): KeyEncoder {
    const omitted = this.#dimensions.filter((dimension) => !dimensions.includes(dimension));
    const isShorter = !isDense && omitted.length < dimensions.length;
    // Takes the digits of the few omitted dimensions from the cached keys by all dimensions.
    if (isShorter && this.#weights !== null)
      return new KeyEncoder((rows) => this.whole(rows), digitsOf(omitted, this.#weights, -1));
    return new KeyEncoder(() => null, digitsOf(dimensions, weightsOf(dimensions, this.#sizeOf)));
  }

  /** The key of each row by all dimensions. Rows sort as their keys do. Null if the keys are not exact in a double. */
  whole(rows: Rows): Float64Array | null {
    const weights = this.#weights;
    if (weights === null) return null;
    return getOrInsert(this.#known, rows, () => {
      const keys = sharedFloats(rows.count);
      addDigits(
        keys,
        Array.from(weights, ([dimension, weight]) => ({ codes: rows.codes(dimension), weight })),
      );
      return keys;
    });
  }

  /** The weight of a dimension in the keys of `whole`; null if these are not numbers. */
  weightOf(dimension: DimensionName): number | null {
    return this.#weights?.get(dimension) ?? null;
  }

  /** The weight of a word in the sums for `cacheSums`; null if keys are not sums of words. */
  weightOfWord({ fields }: CodeWord): number | null {
    const last = fields.at(-1);
    return this.#haveBits && last !== undefined ? this.weightOf(last.dimension) : null;
  }

  /**
   * Caches the keys of rows. `sums` has, for each row, the sum of its words times their weights. The array is changed into
   * the keys.
   */
  cacheSums(rows: Rows, sums: Float64Array): void {
    // Words hold codes plus 1, so each sum exceeds the key by the sum of all weights.
    subtract(
      sums,
      [...(this.#weights?.values() ?? [])].reduce((sum, weight) => sum + weight, 0),
    );
    this.#known.set(rows, sums);
  }

  /** Caches keys that `whole` gave for the same rows in another thread. */
  cacheKeys(rows: Rows, keys: Float64Array): void {
    this.#known.set(rows, keys);
  }

  /**
   * Caches for `rows` the keys that `others` has cached for `known`, the same rows with other codes. Does nothing if the
   * weights of both differ.
   */
  reuseKeys(rows: Rows, others: RowKeys, known: Rows): void {
    const keys = others.#known.get(known);
    const isSame = (dimension: DimensionName) => this.weightOf(dimension) === others.weightOf(dimension);
    if (keys !== undefined && this.#dimensions.every(isSame)) this.#known.set(rows, keys);
  }
}

/** The weights of dimensions as digits of a number, the first the most significant. */
export function weightsOf(
  dimensions: readonly DimensionName[],
  placesOf: (dimension: DimensionName) => number,
): ReadonlyMap<DimensionName, number> {
  const weights = new Map<DimensionName, number>();
  let weight = 1;
  for (const dimension of dimensions.toReversed()) {
    weights.set(dimension, weight);
    weight *= placesOf(dimension);
  }
  return weights;
}

const digitsOf =
  (dimensions: readonly DimensionName[], weights: ReadonlyMap<DimensionName, number>, sign = 1) =>
  (rows: Rows): readonly Digit[] =>
    dimensions.map((dimension) => ({
      codes: rows.codes(dimension),
      weight: sign * (weights.get(dimension) as number),
    }));

function subtract(numbers: Float64Array, less: number): void {
  for (let i = 0; i < numbers.length; i += 1) numbers[i] = (numbers[i] as number) - less;
}
