// Recognises a column without a heading that only counts the rows. Data frame libraries write such a column left of their data.

import type { Cell } from '../sources/readers/raw.ts';

/** Checks, row by row, whether columns without a heading count the rows. */
export class RowIndex {
  readonly #next = new Map<number, number>();
  #isFirstRow = true;

  /** Whether a cell continues the count of its column. The count begins with 0 or 1 in the first row. */
  counts(index: number, cell: Cell | undefined): boolean {
    const number = typeof cell === 'string' && /^\d{1,9}$/.test(cell.trim()) ? Number(cell) : cell;
    const expected = this.#next.get(index);
    const isBegun = this.#isFirstRow && (number === 0 || number === 1);
    if (expected === undefined ? !isBegun : number !== expected) return false;
    this.#next.set(index, Number(number) + 1);
    return true;
  }

  /** Ends a row. The caller calls it after the last cell of each row. */
  endRow(): void {
    this.#isFirstRow = false;
  }
}
