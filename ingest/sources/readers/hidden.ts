// Counts the rows and columns of a sheet that hold data and are hidden from people.

import { columnLetters } from '../../messages/place.ts';
import type { Cell, Remark } from './raw.ts';

/** The number of hidden rows or columns that are named one by one. */
const MOST_NAMED = 5;

/** Follows the rows of a sheet, and counts those that are hidden and the hidden columns with data. */
export class HiddenParts {
  /** Ranges of hidden columns, from 0. */
  readonly #columns: (readonly [first: number, last: number])[] = [];
  readonly #columnsWithData = new Set<number>();
  readonly #rows: number[] = [];
  #rowCount = 0;
  #isFiltered = false;

  /** Records a range of hidden columns, from 0; both ends are hidden. */
  hideColumns(first: number, last: number): void {
    this.#columns.push([first, last]);
  }

  /** Whether any column is known to be hidden so far. */
  get hidesColumns(): boolean {
    return this.#columns.length > 0;
  }

  /** Whether any row with content is known to be hidden so far. */
  get hidesRows(): boolean {
    return this.#rowCount > 0;
  }

  /** Records that the sheet has a filter, which hides some of its rows. */
  sawFilter(): void {
    this.#isFiltered = true;
  }

  /** Called for each row with any content. */
  sawRow(row: number, cells: readonly Cell[], isHidden: boolean): void {
    if (isHidden) {
      this.#rowCount += 1;
      if (this.#rows.length < MOST_NAMED) this.#rows.push(row);
    }
    for (const [first, last] of this.#columns) {
      for (let column = first; column <= last && column < cells.length; column++) {
        const cell = cells[column];
        if (cell !== null && cell !== '') this.#columnsWithData.add(column);
      }
    }
  }

  remarks(): readonly Remark[] {
    const columns = [...this.#columnsWithData].sort((a, b) => a - b);
    const why = this.#isFiltered ? 'hidden, by a filter or by hand' : 'hidden';
    return [
      ...remark(this.#rowCount, 'row', why, this.#rows.map(String)),
      ...remark(columns.length, 'column', 'hidden', columns.slice(0, MOST_NAMED).map(columnLetters)),
    ];
  }
}

function remark(count: number, what: string, why: string, named: readonly string[]): readonly Remark[] {
  if (count === 0) return [];
  const those = count === 1 ? `1 ${what} is ${why}, and was` : `${count} ${what}s are ${why}, and were`;
  const more = count > named.length ? ` and ${count - named.length} more` : '';
  return [
    {
      severity: 'note',
      problem: `${those} read like all others: ${named.join(', ')}${more}`,
      remedy: null,
      kind: `hidden ${what}s`,
    },
  ];
}
