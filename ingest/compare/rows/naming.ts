// Names rows by numbers. The codes of a row's dimensions are the digits of its number, each with a weight.

import type { CodeArray, Rows } from './rows.ts';

/** A digit of the names: the codes of a dimension, by row, and the weight of the digit. */
export interface Digit {
  readonly codes: CodeArray;
  readonly weight: number;
}

/** How many rows are named at once. Such a batch fits into the cache of the processor. */
const AT_ONCE = 8192;

/** Names rows by some dimensions. Rows that agree in these dimensions have the same name. */
export class Naming {
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

  /** A function that gives the name of a row of this side. */
  of(rows: Rows): (row: number) => number {
    const [base, digits] = [this.#baseOf(rows), this.#digitsOf(rows)];
    return (row) => {
      let name = base === null ? 0 : (base[row] as number);
      for (let d = 0; d < digits.length; d += 1) {
        const { codes, weight } = digits[d] as Digit;
        name += (codes[row] as number) * weight;
      }
      return name;
    };
  }

  /** Calls `use` with the names of a list of rows, batch by batch. The array is reused, so `use` must not keep it. */
  each(rows: Rows, list: Int32Array, use: (names: Float64Array, from: number) => void): void {
    const [base, digits] = [this.#baseOf(rows), this.#digitsOf(rows)];
    const all = new Float64Array(Math.min(AT_ONCE, list.length));
    for (let from = 0; from < list.length; from += AT_ONCE) {
      const part = list.subarray(from, from + AT_ONCE);
      const names = all.subarray(0, part.length);
      if (base === null) names.fill(0);
      else takeNames(names, part, base);
      for (const { codes, weight } of digits) addDigitOf(names, part, codes, weight);
      use(names, from);
    }
  }
}

/** A function that names rows of both sides. It is fast as long as callers do not often switch between the sides. */
export function nameOfSides(naming: Naming): (rows: Rows, row: number) => number {
  let side: Rows | null = null;
  let nameOf = (_: number) => 0;
  return (rows, row) => {
    if (rows !== side) {
      nameOf = naming.of(rows);
      side = rows;
    }
    return nameOf(row);
  };
}

/** Adds digits to the names of all rows, batch by batch. */
export function addDigits(names: Float64Array, digits: readonly Digit[]): void {
  for (let from = 0; from < names.length; from += AT_ONCE) {
    const batch = names.subarray(from, from + AT_ONCE);
    for (const { codes, weight } of digits) addDigit(batch, codes.subarray(from, from + AT_ONCE), weight);
  }
}

function addDigit(names: Float64Array, codes: CodeArray, weight: number): void {
  for (let row = 0; row < names.length; row += 1)
    names[row] = (names[row] as number) + (codes[row] as number) * weight;
}

/** Sets the names of the rows of a list to their base. */
function takeNames(names: Float64Array, list: Int32Array, base: Float64Array): void {
  for (let i = 0; i < list.length; i += 1) names[i] = base[list[i] as number] as number;
}

function addDigitOf(names: Float64Array, list: Int32Array, codes: CodeArray, weight: number): void {
  for (let i = 0; i < list.length; i += 1)
    names[i] = (names[i] as number) + (codes[list[i] as number] as number) * weight;
}
