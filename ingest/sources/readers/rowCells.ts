// Collects the cells of a row, and the rows of a batch, within the limits of a sheet.

import { columnLetters } from '../../messages/place.ts';
import { LIMITS } from './limits.ts';
import { type Cell, type RawRow, UnreadableError } from './raw.ts';
import { RESAVE } from './xml/damage.ts';

/** A gap longer than this is filled at once: an array that grows step by step leaves several times its size behind. */
const LONG_GAP = 256;

/** The rows of a sheet under construction. Rows and columns must rise. */
export class RowCells {
  readonly #place: string;
  #batch: RawRow[] = [];
  #cells: Cell[] = [];
  /** The characters in the texts of the row. */
  #characters = 0;
  /** The cells of all rows so far, empty ones to the left of filled ones included. */
  #positions = 0;
  /** The number of the row at hand, from 1. */
  row = 0;
  /** The column of the last cell in it, from 0; -1 before the first. */
  column = -1;

  constructor(place: string) {
    this.#place = place;
  }

  /** Begins a row; `written` is its number as the file spells it. Throws UnreadableError when rows do not rise. */
  begin(row: number, written: () => string): void {
    if (row > LIMITS.rows) {
      throw new UnreadableError(
        `${this.#place}: row ${written()} is beyond the last one a sheet has (${LIMITS.rows}): split it`,
      );
    }
    if (row <= this.row) {
      throw new UnreadableError(
        `${this.#place}: row "${written()}" stands after row ${this.row}, and numbers must rise: ${RESAVE}`,
      );
    }
    this.row = row;
    this.column = -1;
  }

  /** Goes to the cell in this column. Throws UnreadableError when columns do not rise. */
  moveTo(column: number): void {
    if (column <= this.column) {
      throw this.wrong(column, `follows ${columnLetters(this.column)}${this.row} in the file`, RESAVE);
    }
    if (column >= LIMITS.columns) {
      throw this.wrong(column, 'is beyond the last column a sheet has (XFD)', 'move the data to the left');
    }
    this.column = column;
  }

  /** Adds the value of the cell at hand; the cells between the last value and this one are empty. */
  add(value: Cell): void {
    if (typeof value === 'string') this.#characters += value.length;
    if (this.#characters > LIMITS.recordBytes) {
      throw this.wrong(this.column, 'brings the text of its row beyond 16 MB', 'shorten it');
    }
    if (this.column - this.#cells.length > LONG_GAP) {
      this.#cells = this.#cells.concat(new Array(this.column - this.#cells.length).fill(null));
    }
    while (this.#cells.length < this.column) this.#cells.push(null);
    this.#cells.push(value);
  }

  /** Ends the row and gives its cells; a row without cells is not part of the batch. */
  end(): readonly Cell[] {
    const cells = this.#cells;
    this.#positions += cells.length;
    if (this.#positions > LIMITS.cells) {
      throw new UnreadableError(
        `${this.#place}: spreads over more than ${LIMITS.cells} cells, empty ones included: delete the cells far to the right`,
      );
    }
    if (cells.length > 0) this.#batch.push({ row: this.row, cells });
    this.#cells = [];
    this.#characters = 0;
    return cells;
  }

  /** The rows that ended since the last call. */
  take(): readonly RawRow[] {
    const batch = this.#batch;
    this.#batch = [];
    return batch;
  }

  /** The place of the cell at hand, for messages. */
  here(): string {
    if (this.column < 0) return this.#place;
    return `${this.#place}!${columnLetters(this.column)}${this.row}`;
  }

  wrong(column: number, what: string, remedy: string): UnreadableError {
    return new UnreadableError(`${this.#place}!${columnLetters(column)}${this.row}: ${what}: ${remedy}`);
  }
}
