// Stages the rows of one table below its header: plain rows many at a time, by columns or by SQL, all others one by one.

import type { DatasetName } from '../../src/catalog/datasets.ts';
import type { Problems } from '../messages/problems.ts';
import type { Header } from '../sources/header/headerTypes.ts';
import type {
  CellRange,
  ColumnBatch,
  ColumnKind,
  RawRow,
  SqlTable,
  WantedColumn,
} from '../sources/readers/rawFile.ts';
import { type ColumnMapping, mapColumns } from './columnMapping.ts';
import type { Staging } from './database/staging.ts';
import { DimensionTexts } from './dimensionTexts.ts';
import { NumberCells } from './numbers/numberCells.ts';
import { PlainRows, type Run, wantedKinds } from './plain/plainRows.ts';
import { stagePlainRows, wantedSqlColumns } from './plain/plainSql.ts';
import { type LocatedRow, Remarks } from './remarks.ts';
import { RowStager } from './rowStager.ts';
import { Surroundings } from './surroundings.ts';
import type { ReadingContext, TableContext } from './tableContext.ts';

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
      mapping: mapColumns(dataset, header),
      dimensionTexts: new DimensionTexts(staging),
      remarks: new Remarks(header, source, staging, problems),
      needsSurvey: false,
    };
    this.#table = table;
    this.#numbers = new NumberCells(table);
    this.#surroundings = new Surroundings(table);
    this.#rows = new RowStager(table, this.#numbers, this.#surroundings);
  }

  get mapping(): ColumnMapping {
    return this.#table.mapping;
  }

  get source(): number {
    return this.#table.source;
  }

  /** Whether the table can only be read after a survey. Then the rows that were staged so far must be discarded. */
  get needsSurvey(): boolean {
    return this.#table.needsSurvey;
  }

  /** The kind of values that each column of the table should be read as; null when the rows must be read one by one. */
  get wantedKinds(): readonly ColumnKind[] | null {
    return wantedKinds(this.#table);
  }

  /**
   * The columns that SQL must provide; null in wide form, which SQL does not read. `first` are the rows that were read so
   * far.
   */
  wantedSqlColumns(kinds: readonly ColumnKind[], first: readonly RawRow[]): readonly WantedColumn[] | null {
    return wantedSqlColumns(kinds, this.#table, first);
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
    const { freeRows } = this.#table.staging.buffer(this.mapping.dataset);
    const most = Math.min(count, start + (this.#plain?.longestRun(freeRows) ?? 1));
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
    if (this.needsSurvey) return;
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
    const { dataset, header } = this.mapping;
    if (run.batch.odd[run.from] === 1 || (run.batch.rows[run.from] as number) <= header.row) return 0;
    return this.#plain?.stage(run, this.source, this.#table.staging.buffer(dataset)) ?? 0;
  }

  /**
   * Takes all remaining rows of the table: plain rows by SQL, and odd rows one by one. False when SQL cannot read the
   * table.
   */
  async takeSql(table: SqlTable): Promise<boolean> {
    const { firstRow } = table;
    const recordUngrouped = (metric: string) => this.#numbers.recordUngrouped(metric);
    const plain = { table, mapping: this.mapping, source: this.source, firstRow, recordUngrouped };
    const oddRows = await stagePlainRows(plain, this.#table.staging, this.#table.dimensionTexts);
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
    if (!this.mapping.header.isReadable) return;
    const headerRow = this.mapping.header.row;
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
