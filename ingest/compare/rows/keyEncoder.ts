// Packs the codes of a row's dimensions into one number, its key. Each code is a digit of the key, multiplied by a weight.

import type { CodeArray, Rows } from './codedRows.ts';

/** A digit of keys: the code of each row in a dimension, and the weight of these codes. */
export interface Digit {
  readonly codes: CodeArray;
  readonly weight: number;
}

/**
 * The number of rows in a batch, whose keys are made together. A batch of this size fits into the cache of the processor.
 */
const AT_ONCE = 8192;

/** Makes the keys of rows by some dimensions. Rows that agree in these dimensions have the same key. */
export class KeyEncoder {
  readonly #baseOf: (rows: Rows) => Float64Array | null;
  readonly #digitsOf: (rows: Rows) => readonly Digit[];

  /**
   * @param baseOf For the rows of a side, the numbers to which the digits are added; null for 0.
   * @param digitsOf The digits of the rows of a side.
   */
  constructor(baseOf: (rows: Rows) => Float64Array | null, digitsOf: (rows: Rows) => readonly Digit[]) {
    this.#baseOf = baseOf;
    this.#digitsOf = digitsOf;
  }

  /** A function that gives the key of a row of this side. */
  of(rows: Rows): (row: number) => number {
    const [base, digits] = [this.#baseOf(rows), this.#digitsOf(rows)];
    return (row) => {
      let key = base === null ? 0 : (base[row] as number);
      for (let d = 0; d < digits.length; d += 1) {
        const { codes, weight } = digits[d] as Digit;
        key += (codes[row] as number) * weight;
      }
      return key;
    };
  }

  /** Calls `use` with the keys of a list of rows, batch by batch. `use` must not store the array, because it is reused. */
  each(rows: Rows, list: Int32Array, use: (keys: Float64Array, from: number) => void): void {
    const [base, digits] = [this.#baseOf(rows), this.#digitsOf(rows)];
    const all = new Float64Array(Math.min(AT_ONCE, list.length));
    for (let from = 0; from < list.length; from += AT_ONCE) {
      const part = list.subarray(from, from + AT_ONCE);
      const keys = all.subarray(0, part.length);
      if (base === null) keys.fill(0);
      else takeKeys(keys, part, base);
      for (let d = 0; d + 1 < digits.length; d += 2)
        addTwoDigitsOf(keys, part, digits[d] as Digit, digits[d + 1] as Digit);
      if (digits.length % 2 === 1) addDigitOf(keys, part, digits.at(-1) as Digit);
      use(keys, from);
    }
  }
}

/** A function that gives the keys of rows of both sides. It is slow if callers often switch between the sides. */
export function keyOfSides(encoder: KeyEncoder): (rows: Rows, row: number) => number {
  let side: Rows | null = null;
  let keyOf = (_: number) => 0;
  return (rows, row) => {
    if (rows !== side) {
      keyOf = encoder.of(rows);
      side = rows;
    }
    return keyOf(row);
  };
}

/** Adds digits to the keys of all rows, batch by batch. */
export function addDigits(keys: Float64Array, digits: readonly Digit[]): void {
  for (let from = 0; from < keys.length; from += AT_ONCE) {
    const batch = keys.subarray(from, from + AT_ONCE);
    for (const { codes, weight } of digits) addDigit(batch, codes.subarray(from, from + AT_ONCE), weight);
  }
}

function addDigit(keys: Float64Array, codes: CodeArray, weight: number): void {
  for (let row = 0; row < keys.length; row += 1)
    keys[row] = (keys[row] as number) + (codes[row] as number) * weight;
}

/** Sets the keys of listed rows to their base. */
function takeKeys(keys: Float64Array, list: Int32Array, base: Float64Array): void {
  for (let i = 0; i < list.length; i += 1) keys[i] = base[list[i] as number] as number;
}

function addDigitOf(keys: Float64Array, list: Int32Array, { codes, weight }: Digit): void {
  for (let i = 0; i < list.length; i += 1)
    keys[i] = (keys[i] as number) + (codes[list[i] as number] as number) * weight;
}

/** Adds two digits in one pass, which takes half the time of two passes. */
function addTwoDigitsOf(keys: Float64Array, list: Int32Array, one: Digit, other: Digit): void {
  const { codes, weight } = one;
  const { codes: otherCodes, weight: otherWeight } = other;
  for (let i = 0; i < list.length; i += 1) {
    const row = list[i] as number;
    keys[i] =
      (keys[i] as number) + (codes[row] as number) * weight + (otherCodes[row] as number) * otherWeight;
  }
}
