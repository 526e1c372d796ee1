// Stages the rows of one table below its header: plain rows many at a time, by columns or by SQL, all others one by one.

import type { CellRange, ColumnBatch, SqlTable } from '../sources/readers/rawFile.ts';
import { NumberCells } from './numbers/numberCells.ts';
import { PlainRows, type Run } from './plain/plainRows.ts';
import { stagePlainRows } from './plain/plainSql.ts';
import type { LocatedRow } from './remarks.ts';
import { RowStager } from './rowStager.ts';
import { Surroundings } from './surroundings.ts';
import type { TableContext } from './tableContext.ts';

/** Receives the rows of one table batch by batch. It stages correct rows, and reports faulty rows without staging them. */
export class TableStager {
  readonly #table: TableContext;
  readonly #numbers: NumberCells;
  readonly #surroundings: Surroundings;
  readonly #rows: RowStager;
  /** Undefined before the first batch of columns; null when plain rows cannot be staged by columns. */
  #plain: PlainRows | null | undefined;

  constructor(table: TableContext) {
    this.#table = table;
    this.#numbers = new NumberCells(table);
    this.#surroundings = new Surroundings(table);
    this.#rows = new RowStager(table, this.#numbers, this.#surroundings);
  }

  /** Takes the rows of a batch one by one. It stops when the table needs a survey. */
  take(batch: readonly LocatedRow[]): void {
    for (const row of batch) {
      if (this.#table.needsSurvey) return;
      this.#takeAny(row);
    }
  }

  /** Takes the rows of a batch in their order. Plain rows are staged without a row object for each. */
  takeColumns(batch: ColumnBatch): void {
    this.#plain ??= PlainRows.of(batch, this.#table);
    for (let from = 0; from < batch.count; ) {
      const to = this.#endOfRun(batch, from);
      this.#takeRun({ batch, from, to });
      from = to;
    }
  }

  /**
   * The index after the last row of the run that begins at `start`. A run ends before the next odd row, or when the buffer
   * is full. An odd row is a run by itself.
   */
  #endOfRun({ count, odd }: ColumnBatch, start: number): number {
    const most = Math.min(count, start + (this.#plain?.longestRun() ?? 1));
    let end = start + 1;
    if (odd[start] === 0) while (end < most && odd[end] === 0) end++;
    return end;
  }

  /**
   * Takes the rows of a run: all at once, or each half by itself when a row is not plain. A single row is then read by
   * cells.
   */
  #takeRun(run: Run): void {
    const { batch, from, to } = run;
    if (this.#table.needsSurvey) return;
    const facts = this.#stagePlain(run);
    if (facts > 0) this.#rows.recordPlain(batch.rows[to - 1] as number, to - from, facts);
    else if (to - from > 1) {
      const middle = (from + to) >> 1;
      this.#takeRun({ batch, from, to: middle });
      this.#takeRun({ batch, from: middle, to });
    } else {
      const row = batch.rawRow(from);
      if (row !== undefined) this.#takeAny(row);
    }
  }

  /** Stages a run at once, and returns the number of its facts; 0 when a row is not plain. */
  #stagePlain(run: Run): number {
    const { header } = this.#table.mapping;
    if (run.batch.odd[run.from] === 1 || (run.batch.rows[run.from] as number) <= header.row) return 0;
    return this.#plain?.stage(run) ?? 0;
  }

  /**
   * Takes all remaining rows of the table: plain rows by SQL, and odd rows one by one. False when SQL cannot read the
   * table.
   */
  async takeSql(table: SqlTable): Promise<boolean> {
    const oddRows = await stagePlainRows(table, this.#table);
    if (oddRows === null) return false;
    let next = table.firstRow;
    const recordPlainBefore = (row: number) => {
      if (row > next) this.#rows.recordPlain(row - 1, row - next, row - next);
      next = row + 1;
    };
    for (const row of oddRows) {
      if (this.#table.needsSurvey) return true;
      recordPlainBefore(row.row);
      if (row.cells.length > 0) this.#takeAny(row);
    }
    recordPlainBefore(table.lastRow + 1);
    return true;
  }

  #takeAny(row: LocatedRow): void {
    const { header } = this.#table.mapping;
    if (!header.isReadable) return;
    if (row.row > header.row) this.#rows.take(row);
    else if (row.row < header.row) this.#surroundings.refuseDataAbove(row);
  }

  /** Reports faults that only show after the last row, and returns the numbers of facts and of their rows. */
  finish(merged: readonly CellRange[]): RowStager['counts'] {
    for (const range of merged) this.#surroundings.refuseMerged(range);
    this.#surroundings.reportFullSheet();
    this.#numbers.finish();
    this.#table.remarks.flush();
    return this.#rows.counts;
  }
}
