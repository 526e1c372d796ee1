// Gives rows numbers as names. The codes of a row's dimensions are the digits of its number.

import type { CodeArray, Rows } from './rows.ts';

/** A dimension of a name. */
export interface Digit {
  readonly codes: CodeArray;
  readonly weight: number;
}

/** Rows are named in batches that fit into the cache of the processor. */
const AT_ONCE = 8192;

/** How some dimensions name rows. Rows that agree in them have the same name. */
export class Naming {
  readonly #baseOf: (rows: Rows) => Float64Array | null;
  readonly #digitsOf: (rows: Rows) => readonly Digit[];

  /**
   * @param baseOf The numbers, by row, to which the digits are added; null for 0.
   * @param digitsOf The digits of the rows of a side.
   */
  constructor(baseOf: (rows: Rows) => Float64Array | null, digitsOf: (rows: Rows) => readonly Digit[]) {
    this.#baseOf = baseOf;
    this.#digitsOf = digitsOf;
  }

  /** The name of a row of a side. */
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

  /** Calls `use` with the names of a list of rows in batches, each valid until the next. */
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

/** Names rows of both sides. Callers read the rows of one side after the other. */
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

/** Begins the names of the rows of a list. */
function takeNames(names: Float64Array, list: Int32Array, base: Float64Array): void {
  for (let i = 0; i < list.length; i += 1) names[i] = base[list[i] as number] as number;
}

/** Adds a digit to the names of the rows of a list. */
function addDigitOf(names: Float64Array, list: Int32Array, codes: CodeArray, weight: number): void {
  for (let i = 0; i < list.length; i += 1)
    names[i] = (names[i] as number) + (codes[list[i] as number] as number) * weight;
}
