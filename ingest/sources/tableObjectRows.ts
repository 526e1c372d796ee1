// Limits the rows of a sheet to its table object, because cells beside and below it do not belong to the table.

import type { Diagnostic } from '../messages/fault.ts';
import type { Cell, RawRow, TableObject } from './readers/rawFile.ts';

/** A problem of cells that do not belong to the rows of a table object, at the first of them. The column counts from 0. */
export interface OutsideCells extends Diagnostic {
  readonly severity: 'error' | 'note';
  readonly row: number;
  readonly column: number;
}

/**
 * Takes the rows of a sheet in batches, and returns those of its table object, with the rows above it and the footnotes
 * below it. The row of totals is left out. Cells beside the table object and other rows below it are left out and reported.
 */
export class TableObjectRows {
  readonly #object: TableObject;
  readonly #isHeader: (row: RawRow) => boolean;
  /** False once the first row of the table object was no header of the dataset. The table object is then ignored. */
  #isRead = true;
  readonly #beside: Outside = { count: 0, row: 0, column: 0 };
  readonly #below: Outside = { count: 0, row: 0, column: 0 };
  #totalsRow = 0;

  /** @param isHeader Tells whether a row names the columns of the dataset. */
  constructor(object: TableObject, isHeader: (row: RawRow) => boolean) {
    this.#object = object;
    this.#isHeader = isHeader;
  }

  take(batch: readonly RawRow[]): readonly RawRow[] {
    if (!this.#isRead) return batch;
    return batch.flatMap((row) => {
      const inside = this.#isRead ? this.#within(row) : row;
      return inside === null ? [] : [inside];
    });
  }

  #within(row: RawRow): RawRow | null {
    const { rows, columns } = this.#object.range;
    if (row.row < rows[0]) return row;
    if (row.row > rows[1]) return this.#belowTable(row);
    const cells = row.cells.map((cell, i) => (i < columns[0] || i > columns[1] ? null : cell));
    if (row.row === rows[0] && !this.#isHeader({ row: row.row, cells })) {
      this.#isRead = false;
      return row;
    }
    row.cells.forEach((cell, i) => {
      if (cells[i] === null && isFilled(cell)) count(this.#beside, row.row, i);
    });
    if (row.row > rows[1] - this.#object.totalsRows) {
      this.#totalsRow = row.row;
      return null;
    }
    return { row: row.row, cells };
  }

  #belowTable(row: RawRow): RawRow | null {
    const filled = row.cells.flatMap((cell, i) => (isFilled(cell) ? [i] : []));
    const [first] = filled;
    if (first === undefined) return null;
    if (filled.length === 1 && typeof row.cells[first] === 'string') return row;
    count(this.#below, row.row, first);
    return null;
  }

  /** The errors of cells that would otherwise be read as data, and the note on the row of totals. */
  problems(): readonly OutsideCells[] {
    const { name, range } = this.#object;
    const table = `the table "${name}", which ends in row ${range.rows[1]}`;
    const remedy =
      'extend the table over the data, delete what does not belong to it, or turn the table into a range (Table Design > Convert to Range)';
    const errorOf = ({ row, column, count }: Outside, noun: string, where: string): OutsideCells[] => {
      if (count === 0) return [];
      const subject = count === 1 ? `1 ${noun} is` : `${count} ${noun}s are`;
      return [{ severity: 'error', row, column, problem: `${subject} ${where} ${table}`, remedy }];
    };
    const problem = `the totals row of the table "${name}" was left out`;
    const totals: OutsideCells = {
      severity: 'note',
      row: this.#totalsRow,
      column: range.columns[0],
      problem,
      remedy: null,
    };
    return [
      ...errorOf(this.#beside, 'cell', 'beside'),
      ...errorOf(this.#below, 'row', 'below'),
      ...(this.#totalsRow === 0 ? [] : [totals]),
    ];
  }
}

interface Outside {
  count: number;
  row: number;
  column: number;
}

function count(outside: Outside, row: number, column: number): void {
  if (outside.count === 0) Object.assign(outside, { row, column });
  outside.count += 1;
}

const isFilled = (cell: Cell): boolean => cell !== null && !(typeof cell === 'string' && cell.trim() === '');
