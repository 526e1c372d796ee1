// Keeps the rows of a sheet with formulas as they are stored, so that computing the formulas need not read the sheet again.

import type { Cell, RawRow } from '../raw.ts';

/** About 64 MB. The rows of a larger sheet are read again. */
const MOST_CELLS = 8 * 1024 * 1024;

/** A sheet whose first rows have no formula most likely has none, or few at its end, so its rows are not kept. */
const ROWS_WITHOUT_FORMULA = 2_000;

export class KeptRows {
  /** Null once the rows are no longer kept. */
  #rows: RawRow[] | null;
  #cells = 0;
  /** The cells of the current row that are stored otherwise than they are shown, by column. */
  #stored = new Map<number, Cell>();

  constructor(isKeeping: boolean) {
    this.#rows = isKeeping ? [] : null;
  }

  get isKeeping(): boolean {
    return this.#rows !== null;
  }

  /** Adds a cell of the current row that is stored otherwise than it is shown. */
  addStored(column: number, cell: Cell): void {
    this.#stored.set(column, cell);
  }

  /**
   * Ends a row that stands for itself and for equal rows down to `last`.
   *
   * @param formulas how many formulas the sheet has so far.
   */
  endRow({ row, cells }: RawRow, last: number, formulas: number): void {
    if (this.#rows === null) return;
    this.#cells += cells.length * (last - row + 1);
    const hasTooFew = formulas === 0 && this.#rows.length >= ROWS_WITHOUT_FORMULA;
    if (this.#cells > MOST_CELLS || hasTooFew) {
      this.#rows = null;
      return;
    }
    const stored =
      this.#stored.size === 0 ? cells : cells.map((cell, column) => this.#stored.get(column) ?? cell);
    this.#stored.clear();
    for (let number = row; number <= last; number++) this.#rows.push({ row: number, cells: stored });
  }

  /** Returns the rows, and keeps them no longer; null where some were not kept. */
  take(): readonly RawRow[] | null {
    const rows = this.#rows;
    this.#rows = null;
    return rows;
  }
}
