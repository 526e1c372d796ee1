// Stages the rows of one table below its header: plain rows many at a time, by columns or by SQL, all others one by one.

import type { DatasetName } from '../../src/catalog/datasets.ts';
import type { Problems } from '../messages/problems.ts';
import type { Header } from '../sources/header/types.ts';
import type {
  CellRange,
  ColumnBatch,
  ColumnKind,
  RawRow,
  SqlTable,
  WantedColumn,
} from '../sources/readers/raw.ts';
import type { StagedRow } from './database/rowBuffer.ts';
import type { Staging } from './database/staging.ts';
import { NumberCells } from './numbers/numberCells.ts';
import { type Placement, placementOf } from './placement.ts';
import { PlainRows, type Run } from './plain/plainRows.ts';
import { stagePlainRows } from './plain/plainSql.ts';
import { type LocatedRow, Remarks } from './remarks.ts';
import { RowStager } from './rowStager.ts';
import { Surroundings } from './surroundings.ts';
import type { ReadingContext, TableContext } from './tableContext.ts';
import { Terms } from './terms.ts';

/** A table to stage. */
export interface TableInput {
  readonly dataset: DatasetName;
  readonly header: Header;
  /** Index into `origins` of the staging database. */
  readonly source: number;
  readonly context: ReadingContext;
}

/** Receives the rows of one table batch by batch. It stages correct rows, and reports faulty rows without staging them. */
export class TableStager {
  readonly #table: TableContext;
  readonly #numbers: NumberCells;
  readonly #surroundings: Surroundings;
  readonly #rows: RowStager;
  /** Undefined before the first batch of columns; null when plain rows cannot be staged by columns. */
  #plain: PlainRows | null | undefined;

  constructor({ dataset, header, source, context }: TableInput, staging: Staging, problems: Problems) {
    const table: TableContext = {
      ...context,
      staging,
      source,
      placement: placementOf(dataset, header),
      terms: new Terms(staging),
      remarks: new Remarks(header, source, staging, problems),
      needsSurvey: false,
    };
    this.#table = table;
    this.#numbers = new NumberCells(table);
    this.#surroundings = new Surroundings(table);
    this.#rows = new RowStager(table, this.#numbers, this.#surroundings);
  }

  /** The place of the header's columns in a staged row. */
  get placement(): Placement {
    return this.#table.placement;
  }

  /** The index of the table in `origins` of the staging database. */
  get source(): number {
    return this.#table.source;
  }

  /** Whether the table can only be read after a survey. Then the rows that were staged so far must be discarded. */
  get needsSurvey(): boolean {
    return this.#table.needsSurvey;
  }

  /** The kind of values that each column of the table should be read as; null when the rows must be read one by one. */
  get wanted(): readonly ColumnKind[] | null {
    return PlainRows.wanted(this.#table);
  }

  /** The columns that SQL must provide; null in wide form, which SQL does not read. `first` are the rows that were read so far. */
  wantedOfSql(kinds: readonly ColumnKind[], first: readonly RawRow[]): readonly WantedColumn[] | null {
    if (this.placement.header.form === 'wide') return null;
    return PlainRows.wantedOfSql(kinds, this.#table, first);
  }

  /** Takes the rows of a batch one by one. It stops when the table needs a survey. */
  take(batch: readonly LocatedRow[]): void {
    for (const row of batch) {
      if (this.needsSurvey) return;
      this.#takeAny(row);
    }
  }

  /** Takes the rows of a batch in their order. Plain rows are staged without a row object for each. */
  takeColumns(batch: ColumnBatch): void {
    this.#plain ??= PlainRows.of(batch, this.#table, this.#numbers);
    for (let i = 0; i < batch.count; ) {
      const run = { batch, from: i, to: this.#endOfRun(batch, i) };
      if (!this.#takeRun(run)) for (let row = run.from; row < run.to; row++) this.#takeOne(batch, row);
      i = run.to;
    }
  }

  /**
   * The index after the last row of the run that begins at `start`. A run ends before the next odd row, or when the buffer is
   * full. An odd row is a run by itself.
   */
  #endOfRun({ count, odd }: ColumnBatch, start: number): number {
    const { room } = this.#table.staging.buffer(this.placement.dataset);
    const most = Math.min(count, start + (this.#plain?.longestRun(room) ?? 1));
    let end = start + 1;
    if (odd[start] === 0) while (end < most && odd[end] === 0) end++;
    return end;
  }

  /** Takes the rows of a run all at once; false when they must be taken one by one. */
  #takeRun(run: Run): boolean {
    const { batch, from, to } = run;
    const { dataset, header } = this.placement;
    if (this.needsSurvey || batch.odd[from] === 1 || (batch.rows[from] as number) <= header.row) return false;
    const buffer = this.#table.staging.buffer(dataset);
    const facts = this.#plain?.stageRun(run, this.source, buffer) ?? 0;
    if (facts > 0) this.#rows.recordPlain(batch.rows[to - 1] as number, to - from, facts);
    return facts > 0;
  }

  #takeOne(batch: ColumnBatch, i: number): void {
    if (this.needsSurvey) return;
    const number = batch.rows[i] as number;
    const { dataset, header } = this.placement;
    const add = (fact: StagedRow) => this.#table.staging.add(dataset, fact);
    const facts =
      number > header.row ? (this.#plain?.stage(batch, i, this.#rows.rowToFill(number), add) ?? 0) : 0;
    const row = facts > 0 ? undefined : batch.rawRow(i);
    if (facts > 0) this.#rows.recordPlain(number, 1, facts);
    else if (row !== undefined) this.#takeAny(row);
  }

  /** Takes all remaining rows of the table: plain rows by SQL, and odd rows one by one. False when SQL cannot read the table. */
  async takeSql(table: SqlTable): Promise<boolean> {
    const { firstRow } = table;
    const recordUngrouped = (metric: string) => this.#numbers.recordUngrouped(metric);
    const plain = { table, placement: this.placement, source: this.source, firstRow, recordUngrouped };
    const oddRows = await stagePlainRows(plain, this.#table.staging, this.#table.terms);
    if (oddRows === null) return false;
    let next = firstRow;
    const recordPlainBefore = (row: number) => {
      if (row > next) this.#rows.recordPlain(row - 1, row - next, row - next);
      next = row + 1;
    };
    for (const row of oddRows) {
      if (this.needsSurvey) return true;
      recordPlainBefore(row.row);
      if (row.cells.length > 0) this.#takeAny(row);
    }
    recordPlainBefore(table.lastRow + 1);
    return true;
  }

  #takeAny(row: LocatedRow): void {
    if (!this.placement.header.isReadable) return;
    const headerRow = this.placement.header.row;
    if (row.row > headerRow) this.#rows.take(row);
    else if (row.row < headerRow) this.#surroundings.refuseDataAbove(row);
  }

  /** Reports faults that only show after the last row, and returns the numbers of facts and of their rows. */
  finish(merged: readonly CellRange[] = []): RowStager['counts'] {
    for (const range of merged) this.#surroundings.refuseMerged(range);
    this.#surroundings.reportFullSheet();
    this.#numbers.finish();
    this.#table.remarks.flush();
    return this.#rows.counts;
  }
}
