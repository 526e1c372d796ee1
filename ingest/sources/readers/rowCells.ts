// Collects the cells of a row, and the rows of a batch, within the limits of a sheet.

import { type Diagnostic, UnreadableError } from '../../messages/fault.ts';
import { count } from '../../messages/numbers.ts';
import { cellIn, columnLetters, type Place } from '../../messages/place.ts';
import type { Cell, RawRow } from './rawFile.ts';
import { BEYOND_LAST_COLUMN, beyondLastRow, LIMITS } from './sourceLimits.ts';
import { damaged, RESAVE } from './xml/damage.ts';

/**
 * A gap of more empty cells than this is filled in one step, because an array that grows cell by cell leaves garbage of
 * several times its size.
 */
const LONG_GAP = 256;

/** As many empty cells as a row can have. */
const EMPTY: readonly Cell[] = new Array<Cell>(LIMITS.columns).fill(null);

/** Collects the rows of a sheet. The numbers of rows, and of columns in a row, must ascend. */
export class RowCells {
  readonly #place: Place;
  #batch: RawRow[] = [];
  #cells: Cell[] = [];
  /** How many characters the texts of the current row have. */
  #characters = 0;
  /** How many cells all rows so far have, including empty cells to the left of filled ones. */
  #positions = 0;
  /** The number of the current row, from 1. */
  row = 0;
  /** The column of the last cell of the current row, from 0; -1 before its first cell. */
  column = -1;

  constructor(place: Place) {
    this.#place = place;
  }

  /**
   * Begins a row.
   *
   * @param written Gives the number of the row as it is written in the file, for the message.
   * @throws {UnreadableError} when the row does not come after the current one, or is beyond the last row that a sheet can
   * have.
   */
  begin(row: number, written: () => string): void {
    if (row > LIMITS.rows) throw new UnreadableError({ place: this.#place, ...beyondLastRow(written()) });
    if (row <= this.row) {
      const problem = `row "${written()}" comes after row ${this.row}, and row numbers must increase`;
      throw damaged(this.#place, problem);
    }
    this.row = row;
    this.column = -1;
  }

  /**
   * Moves to the cell in a column.
   *
   * @throws {UnreadableError} when the column does not come after the current one, or is beyond the last column of a sheet.
   */
  moveTo(column: number): void {
    if (column <= this.column) {
      const problem = `follows ${columnLetters(this.column)}${this.row} in the file`;
      throw this.errorAt(column, { problem, remedy: RESAVE });
    }
    if (column >= LIMITS.columns) throw this.errorAt(column, BEYOND_LAST_COLUMN);
    this.column = column;
  }

  /** Adds the value of the current cell. The cells between the last value and this one become empty. */
  add(value: Cell): void {
    if (typeof value === 'string') this.#characters += value.length;
    if (this.#characters > LIMITS.recordBytes) {
      const problem = 'brings the text of its row beyond 16 MB';
      throw this.errorAt(this.column, { problem, remedy: 'shorten it' });
    }
    const gap = this.column - this.#cells.length;
    if (gap > LONG_GAP) {
      // The array gets room for the value at once, because adding one element later would copy it again.
      const more = EMPTY.slice(0, gap + 1);
      this.#cells = this.#cells.length === 0 ? more : this.#cells.concat(more);
      this.#cells[this.column] = value;
      return;
    }
    while (this.#cells.length < this.column) this.#cells.push(null);
    this.#cells.push(value);
  }

  /**
   * Counts a row that was read elsewhere. `column` is that of its last cell, and `positions` the number of its cells up to
   * the last filled one.
   */
  skip(row: number, column: number, positions: number): void {
    this.row = row;
    this.column = column;
    this.#count(positions);
  }

  /**
   * Ends the row and returns its cells. A row without cells is not added to the batch.
   *
   * @param repeats How many equal rows it stands for.
   */
  end(repeats = 1): readonly Cell[] {
    const cells = this.#cells;
    this.#count(cells.length * repeats);
    if (cells.length > 0) this.#batch.push({ row: this.row, cells });
    this.#cells = [];
    this.#characters = 0;
    return cells;
  }

  #count(positions: number): void {
    this.#positions += positions;
    if (this.#positions <= LIMITS.cells) return;
    throw new UnreadableError({
      place: this.#place,
      problem: `spreads over more than ${count(LIMITS.cells)} cells, empty ones included`,
      remedy: 'delete the cells far to the right',
    });
  }

  /** The rows that ended since the last call. */
  take(): readonly RawRow[] {
    const batch = this.#batch;
    this.#batch = [];
    return batch;
  }

  /** The place of the current cell, for messages. */
  here(): Place {
    return this.column < 0 ? this.#place : cellIn(this.#place, this.column, this.row);
  }

  errorAt(column: number, diagnostic: Diagnostic): UnreadableError {
    return new UnreadableError({ place: cellIn(this.#place, column, this.row), ...diagnostic });
  }
}
