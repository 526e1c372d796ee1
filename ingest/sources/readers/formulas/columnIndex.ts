// Indexes a column by its values, so that a search does not read each row for each formula.

import { isFigure, isText, TEXT, type Texts, UNKNOWN } from './texts.ts';

/** The rows of a column by their values. Rows count from 1. */
export class ColumnIndex {
  readonly #first = new Map<number, number>();
  /**
   * For each row: the next row with the same value (0 when there is none), and how many rows have that value from this row
   * on.
   */
  readonly #next: Int32Array;
  readonly #counts: Int32Array;
  /** The rows with an unknown value, in ascending order. An unknown value may be equal to any value. */
  readonly #unknown: number[] = [];
  /**
   * The rows of `#unknown`, and the rows with a number as text or a nearly whole number. Some programs find such a row when
   * they search for a number.
   */
  readonly #unknownForNumbers: number[] = [];

  constructor(values: Float64Array, texts: Texts) {
    this.#next = new Int32Array(values.length + 1);
    this.#counts = new Int32Array(values.length + 1);
    for (let row = values.length; row > 0; row--) {
      const value = values[row - 1] as number;
      if (Number.isNaN(value)) continue;
      const isUnknown = value === UNKNOWN || value === TEXT;
      if (isUnknown) this.#unknown.push(row);
      if (isUnknown || (isText(value) ? texts.mayBeNumber(value) : isNearlyWhole(value)))
        this.#unknownForNumbers.push(row);
      const next = this.#first.get(value) ?? 0;
      this.#next[row] = next;
      this.#counts[row] = 1 + (this.#counts[next] as number);
      this.#first.set(value, row);
    }
    this.#unknown.reverse();
    this.#unknownForNumbers.reverse();
  }

  countOf(value: number): number {
    return this.#counts[this.#first.get(value) ?? 0] as number;
  }

  /** The first row with a value; 0 for none. */
  firstRow(value: number): number {
    return this.#first.get(value) ?? 0;
  }

  /** The next row with the same value as the given row; 0 for none. */
  rowAfter(row: number): number {
    return this.#next[row] as number;
  }

  /** Whether a row from `top` to `bottom` may hold the value although the index does not have the row under that value. */
  hasDoubt(value: number, top: number, bottom: number): boolean {
    const rows = isText(value) ? this.#unknown : this.#unknownForNumbers;
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((rows[middle] as number) < top) low = middle + 1;
      else high = middle;
    }
    return (rows[low] ?? Number.POSITIVE_INFINITY) <= bottom;
  }
}

/** Whether a number differs from a whole number only in its last digits. Some programs treat the two as equal. */
export const isNearlyWhole = (value: number): boolean =>
  isFigure(value) &&
  !Number.isInteger(value) &&
  Math.abs(value - Math.round(value)) <= 1e-9 * Math.abs(value);
