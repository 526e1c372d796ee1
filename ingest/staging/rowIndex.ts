// Recognises a column that counts the rows, which data frames write left of their first heading.

import type { Cell } from '../sources/readers/raw.ts';

/** Follows the columns without a heading that lie left of a table, row by row. */
export class RowIndex {
  readonly #next = new Map<number, number>();
  #isFirstRow = true;

  /** Whether a cell continues the count of its column, which begins with 0 or 1 in the first row. */
  counts(index: number, cell: Cell | undefined): boolean {
    const number = typeof cell === 'string' && /^\d{1,9}$/.test(cell.trim()) ? Number(cell) : cell;
    const expected = this.#next.get(index);
    const isBegun = this.#isFirstRow && (number === 0 || number === 1);
    if (expected === undefined ? !isBegun : number !== expected) return false;
    this.#next.set(index, Number(number) + 1);
    return true;
  }

  endRow(): void {
    this.#isFirstRow = false;
  }
}
