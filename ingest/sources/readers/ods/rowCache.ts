// Caches the rows of a sheet with formulas, so that its formulas are computed without reading it again.
//
// The numbers are those that the cells store.

import type { Cell, RawRow } from '../rawFile.ts';

/** The most cells that are cached. They take about 64 MB. The rows of a larger sheet are read again. */
const MOST_CELLS = 8 * 1024 * 1024;

/** After this many rows without a formula, rows are no longer cached, because the sheet probably has no formulas. */
const ROWS_WITHOUT_FORMULA = 2_000;

/** The rows of a sheet with formulas, up to a limit of cells. */
export class RowCache {
  /** Null once the rows are no longer cached. */
  #rows: RawRow[] | null;
  #cells = 0;
  /** Column → stored value, for cells of the current row whose format shows another value. */
  #stored = new Map<number, Cell>();

  constructor(isCaching: boolean) {
    this.#rows = isCaching ? [] : null;
  }

  get isCaching(): boolean {
    return this.#rows !== null;
  }

  addStored(column: number, cell: Cell): void {
    this.#stored.set(column, cell);
  }

  /**
   * Ends a row, which stands for all equal rows down to `last`.
   *
   * @param formulas How many formulas the sheet has so far.
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

  /** Returns the rows, and ends caching; null when some rows were not cached. */
  take(): readonly RawRow[] | null {
    const rows = this.#rows;
    this.#rows = null;
    return rows;
  }
}
