// Counts the rows and columns of a sheet that hold data and are hidden.

import { ascending } from '../../../src/basics/lists.ts';
import { columnLetters } from '../../messages/place.ts';
import { MOST_NAMED, readLikeOthers } from './cellLooks.ts';
import type { Cell, Remark } from './rawFile.ts';
import { LIMITS } from './sourceLimits.ts';

/** Counts the hidden rows of a sheet, and the hidden columns with data, while its rows are read. */
export class HiddenParts {
  /** The ranges of hidden columns. Columns count from 0. */
  readonly #columns: (readonly [first: number, last: number])[] = [];
  /** By column, from 0: 1 when the sheet gives the column a width. Null when columns without a width are not hidden. */
  #widths: Uint8Array | null = null;
  readonly #columnsWithData = new Set<number>();
  readonly #rows: number[] = [];
  #rowCount = 0;
  #isFiltered = false;

  hideColumns(first: number, last: number): void {
    this.#columns.push([first, last]);
  }

  /** Records that all columns are hidden, except those that `giveWidth` names. */
  hideOtherColumns(): void {
    this.#widths = new Uint8Array(LIMITS.columns);
  }

  giveWidth(first: number, last: number): void {
    this.#widths?.fill(1, first, last + 1);
  }

  get hidesColumns(): boolean {
    return this.#columns.length > 0 || this.#widths !== null;
  }

  /** Whether any row with content is known to be hidden so far. */
  get hidesRows(): boolean {
    return this.#rowCount > 0;
  }

  /** Records that the sheet has a filter, which hides some of its rows. */
  markFiltered(): void {
    this.#isFiltered = true;
  }

  /** Counts a row that has any content. */
  addRow(row: number, cells: readonly Cell[], isHidden: boolean): void {
    if (isHidden) {
      this.#rowCount += 1;
      if (this.#rows.length < MOST_NAMED) this.#rows.push(row);
    }
    for (const [first, last] of this.#columns) {
      for (let column = first; column <= last && column < cells.length; column++)
        this.#addHidden(column, cells[column]);
    }
    if (this.#widths === null) return;
    for (const [column, cell] of cells.entries())
      if (this.#widths[column] === 0) this.#addHidden(column, cell);
  }

  #addHidden(column: number, cell: Cell | undefined): void {
    if (cell !== null && cell !== '') this.#columnsWithData.add(column);
  }

  remarks(): readonly Remark[] {
    const columns = ascending(this.#columnsWithData);
    const why = this.#isFiltered ? 'hidden, by a filter or by hand' : 'hidden';
    return [
      ...remark(this.#rowCount, 'row', why, this.#rows.map(String)),
      ...remark(columns.length, 'column', 'hidden', columns.slice(0, MOST_NAMED).map(columnLetters)),
    ];
  }
}

function remark(count: number, what: string, why: string, named: readonly string[]): readonly Remark[] {
  if (count === 0) return [];
  return [
    {
      severity: 'note',
      problem: readLikeOthers(count, what, why, named),
      remedy: null,
      kind: `hidden ${what}s`,
    },
  ];
}
