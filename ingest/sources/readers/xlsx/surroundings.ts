// Reads what a worksheet says of itself beside its cells: merged ranges, hidden columns, filters.

import { columnLetters } from '../../../messages/place.ts';
import { LIMITS } from '../limits.ts';
import { type Cell, type CellRange, type Remark, UnreadableError } from '../raw.ts';
import type { Attributes } from '../xml/attributes.ts';
import { damagedXml } from '../xml/damage.ts';
import { cellRange, isCellReference } from './reference.ts';

/** How many hidden rows or columns are named one by one. */
const NAMED = 5;

export class Surroundings {
  readonly #place: string;
  readonly merged: CellRange[] = [];
  /** Ranges of hidden columns, from 0. */
  readonly #hiddenColumns: (readonly [first: number, last: number])[] = [];
  readonly #hiddenColumnsWithData = new Set<number>();
  readonly #hiddenRows: number[] = [];
  #hiddenRowCount = 0;
  #isFiltered = false;

  /** `place` is `file › sheet`. */
  constructor(place: string) {
    this.#place = place;
  }

  /** An element outside of the rows. */
  open(name: string, attributes: Attributes): void {
    if (name === 'mergeCell') this.#addMerged(attributes);
    else if (name === 'filterColumn') this.#isFiltered = true;
    else if (name === 'col' && /^(1|true)$/.test(attributes.get('hidden') ?? '')) {
      const [min, max] = ['min', 'max'].map((end) => Number(attributes.get(end)));
      if (min !== undefined && max !== undefined && min >= 1 && max >= min)
        this.#hiddenColumns.push([min - 1, max - 1]);
    }
  }

  /** A row that holds something, when it has ended. */
  sawRow(row: number, cells: readonly Cell[], isHidden: boolean): void {
    if (isHidden) {
      this.#hiddenRowCount += 1;
      if (this.#hiddenRows.length < NAMED) this.#hiddenRows.push(row);
    }
    for (const [first, last] of this.#hiddenColumns) {
      for (let column = first; column <= last && column < cells.length; column++) {
        const cell = cells[column];
        if (cell !== null && cell !== '') this.#hiddenColumnsWithData.add(column);
      }
    }
  }

  /** What a person who looks at the sheet does not see, and what was read all the same. */
  remarks(): readonly Remark[] {
    const remarks: string[] = [];
    const rows = this.#hiddenRowCount;
    if (rows > 0) {
      const named = listed(this.#hiddenRows.map(String), rows);
      const why = this.#isFiltered ? 'hidden, by a filter or by hand' : 'hidden';
      remarks.push(
        rows === 1
          ? `1 row is ${why}, and was read like all others: ${named}`
          : `${rows} rows are ${why}, and were read like all others: ${named}`,
      );
    }
    const columns = [...this.#hiddenColumnsWithData].sort((a, b) => a - b);
    if (columns.length > 0) {
      const named = listed(columns.slice(0, NAMED).map(columnLetters), columns.length);
      remarks.push(
        columns.length === 1
          ? `1 column is hidden, and was read like all others: ${named}`
          : `${columns.length} columns are hidden, and were read like all others: ${named}`,
      );
    }
    return remarks.map((message) => ({ severity: 'note', message }));
  }

  #addMerged(attributes: Attributes): void {
    const ref = attributes.get('ref') ?? '';
    if (isCellReference(ref)) return;
    const range = cellRange(ref);
    if (range === null) throw damagedXml(this.#place, `it merges the cells "${ref.slice(0, 20)}"`);
    this.merged.push(range);
    if (this.merged.length <= LIMITS.mergedRanges) return;
    throw new UnreadableError(
      `${this.#place}: has more than ${LIMITS.mergedRanges} ranges of merged cells: unmerge them`,
    );
  }
}

/** `5, 6, 7, 8, 9 and 12 more`. */
const listed = (named: readonly string[], count: number) =>
  named.join(', ') + (count > named.length ? ` and ${count - named.length} more` : '');
