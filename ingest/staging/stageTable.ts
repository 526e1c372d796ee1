// Stages the rows of one table below its header: a fact for each row of long form, for each filled year of wide form.

import type { DatasetName } from '../../src/catalog/datasets.ts';
import type { Problems } from '../messages/problems.ts';
import type { Header } from '../sources/header/types.ts';
import type {
  Cell,
  ColumnBatch,
  ColumnKind,
  MergedCells,
  RawRow,
  SqlTable,
  WantedColumn,
} from '../sources/readers/raw.ts';
import { type CellContext, CellReader, FAULTY } from './cells.ts';
import { EmptyDimensions, UNFILLED } from './emptyDimensions.ts';
import { NumberCells } from './numberCells.ts';
import { type Placement, placementOf } from './placement.ts';
import { PlainRows } from './plainRows.ts';
import { stagePlainRows } from './plainSql.ts';
import { type LocatedRow, Remarks } from './remarks.ts';
import type { StagedRow } from './rowBuffer.ts';
import { RowIndex } from './rowIndex.ts';
import type { Staging } from './staging.ts';
import { EVERY_METRIC } from './stagingTables.ts';
import { Surroundings } from './surroundings.ts';
import { Terms } from './terms.ts';
import { describeCell, isEmpty } from './values.ts';

export interface TableInput {
  readonly dataset: DatasetName;
  readonly header: Header;
  /** Index into the staging's origins. */
  readonly source: number;
  readonly context: CellContext;
}

/** Takes the rows of one table batch by batch. A faulty row is reported and left out; the others are staged. */
export class TableStager {
  readonly #source: number;
  readonly #staging: Staging;
  readonly #placement: Placement;
  readonly #remarks: Remarks;
  readonly #cells: CellReader;
  readonly #numbers: NumberCells;
  readonly #surroundings: Surroundings;
  readonly #emptyDimensions: EmptyDimensions;
  readonly #rowIndex = new RowIndex();
  readonly #terms: Terms;
  readonly #context: CellContext;
  /** Made for the first batch of columns. */
  #plain: PlainRows | null | undefined;
  /** Reused for each fact, because the staging copies it. */
  readonly #staged: StagedRow;
  #facts = 0;
  #rows = 0;

  constructor({ dataset, header, source, context }: TableInput, staging: Staging, problems: Problems) {
    this.#source = source;
    this.#staging = staging;
    this.#placement = placementOf(dataset, header);
    const terms = new Terms(staging);
    this.#terms = terms;
    this.#context = context;
    this.#remarks = new Remarks(header, source, staging, problems);
    this.#cells = new CellReader(this.#placement, terms, this.#remarks, context);
    this.#numbers = new NumberCells(this.#placement, this.#remarks, context);
    this.#surroundings = new Surroundings(this.#placement, terms, this.#remarks, context);
    this.#emptyDimensions = new EmptyDimensions(this.#placement, terms, this.#remarks, context);
    this.#staged = {
      source,
      row: 0,
      column: this.#placement.firstColumn,
      metric: EVERY_METRIC,
      dimensions: this.#placement.dimensions.map(() => UNFILLED),
      values: this.#placement.metrics.map(() => null),
    };
  }

  /** Where the header's columns go. */
  get placement(): Placement {
    return this.#placement;
  }

  /** True when the rest of the table can only be read after a survey of it; what was staged is then void. */
  get needsSurvey(): boolean {
    return this.#emptyDimensions.needsSurvey || this.#cells.needsSurvey || this.#numbers.needsSurvey;
  }

  /** How the columns of the table are best read; null when its rows must be read one by one. */
  get wanted(): readonly ColumnKind[] | null {
    return PlainRows.wanted(this.#placement, this.#context);
  }

  /**
   * The columns that SQL must provide; null in wide form, which SQL does not read.
   *
   * @param first The rows read so far.
   */
  wantedOfSql(kinds: readonly ColumnKind[], first: readonly RawRow[]): readonly WantedColumn[] | null {
    if (this.#placement.header.form === 'wide') return null;
    return PlainRows.wantedOfSql(kinds, this.#placement, this.#context, first);
  }

  take(batch: readonly LocatedRow[]): void {
    for (const row of batch) {
      if (this.needsSurvey) return;
      this.#takeAny(row);
    }
  }

  /** Takes the rows of a batch in their order. Plain rows are staged without making row objects of them. */
  takeColumns(batch: ColumnBatch): void {
    this.#plain ??= PlainRows.of(batch, this.#placement, this.#terms, this.#numbers);
    for (let i = 0; i < batch.count; ) {
      const end = this.#endOfRun(batch, i);
      if (!this.#takeRun(batch, i, end)) for (let row = i; row < end; row++) this.#takeOne(batch, row);
      i = end;
    }
  }

  /** Where the next odd row stands after this one, or a run that begins here is long enough. */
  #endOfRun({ count, odd }: ColumnBatch, start: number): number {
    const { room } = this.#staging.buffer(this.#placement.dataset);
    const most = Math.min(count, start + (this.#plain?.longestRun(room) ?? 1));
    let end = start + 1;
    if (odd[start] === 0) while (end < most && odd[end] === 0) end++;
    return end;
  }

  /** Takes rows all at once; false when they must be taken one by one. */
  #takeRun(batch: ColumnBatch, from: number, to: number): boolean {
    const { dataset, header } = this.#placement;
    if (this.needsSurvey || batch.odd[from] === 1 || (batch.rows[from] as number) <= header.row) return false;
    const buffer = this.#staging.buffer(dataset);
    const facts = this.#plain?.stageRun(batch, from, to, this.#source, buffer) ?? 0;
    if (facts > 0) this.#sawPlain(batch.rows[to - 1] as number, to - from, facts);
    return facts > 0;
  }

  #takeOne(batch: ColumnBatch, i: number): void {
    if (this.needsSurvey) return;
    const number = batch.rows[i] as number;
    const { dataset, header } = this.#placement;
    const staged = this.#staged;
    staged.source = this.#source;
    staged.row = number;
    const add = (fact: StagedRow) => this.#staging.add(dataset, fact);
    const facts = number > header.row ? (this.#plain?.stage(batch, i, staged, add) ?? 0) : 0;
    const row = facts > 0 ? undefined : batch.rawRow(i);
    if (facts > 0) this.#sawPlain(number, 1, facts);
    else if (row !== undefined) this.#takeAny(row);
  }

  /** Plain rows were staged; `row` is the last of them. */
  #sawPlain(row: number, rows: number, facts: number): void {
    this.#surroundings.sawData(row);
    this.#rowIndex.endRow();
    this.#facts += facts;
    this.#rows += rows;
  }

  /** Takes all remaining rows by SQL, the odd ones in their place; false when that cannot be done. */
  async takeSql(table: SqlTable): Promise<boolean> {
    const { firstRow } = table;
    const sawUngrouped = (metric: string) => this.#numbers.sawUngrouped(metric);
    const plain = { table, placement: this.#placement, source: this.#source, firstRow, sawUngrouped };
    const oddRows = await stagePlainRows(plain, this.#staging, this.#terms);
    if (oddRows === null) return false;
    let next = firstRow;
    const sawPlainBefore = (row: number) => {
      if (row > next) this.#sawPlain(row - 1, row - next, row - next);
      next = row + 1;
    };
    for (const row of oddRows) {
      if (this.needsSurvey) return true;
      sawPlainBefore(row.row);
      if (row.cells.length > 0) this.#takeAny(row);
    }
    sawPlainBefore(table.lastRow + 1);
    return true;
  }

  #takeAny(row: LocatedRow): void {
    const headerRow = this.#placement.header.row;
    if (row.row > headerRow) this.#takeRow(row);
    else if (row.row < headerRow) this.#surroundings.refuseDataAbove(row);
  }

  /** Refuses merged cells among the data, adds the notes, and gives how many facts came from how many rows. */
  finish(merged: readonly MergedCells[] = []): { rows: number; facts: number } {
    for (const range of merged) this.#surroundings.refuseMerged(range);
    this.#numbers.finish();
    this.#remarks.flush();
    return { rows: this.#rows, facts: this.#facts };
  }

  #takeRow(row: LocatedRow): void {
    if (this.#surroundings.isNoData(row)) return;
    const errorsBefore = this.#remarks.errors;
    if (!this.#fill(row)) return;
    this.#surroundings.sawData(row.row);
    this.#rowIndex.endRow();
    this.#emptyDimensions.fill(row, this.#staged.dimensions, this.#rows > 0);
    const isFaulty = this.#remarks.errors > errorsBefore || this.#staged.dimensions.includes(FAULTY);
    if (this.#placement.header.form === 'wide') this.#takeYears(row, isFaulty);
    else if (!isFaulty) this.#takeFact(row);
  }

  /** Reads a row's dimensions and, of long form, its values into `#staged`; false when all its cells are empty. */
  #fill(row: LocatedRow): boolean {
    const { targets } = this.#placement;
    const { dimensions, values } = this.#staged;
    dimensions.fill(UNFILLED);
    values.fill(null);
    const width = Math.max(row.cells.length, targets.length);
    let isFilled = false;
    for (let index = 0; index < width; index++) {
      const cell = row.cells[index];
      if (isEmpty(cell)) continue;
      const target = targets[index];
      if (target === undefined) {
        if (index < this.#placement.firstColumn && this.#rowIndex.counts(index, cell))
          this.#remarks.note(row, index, COUNTS_ROWS);
        else this.#refuseStray(row, index, cell);
        continue;
      }
      isFilled = true;
      switch (target.kind) {
        case 'text':
          dimensions[target.at] = this.#cells.text(row, index, target, cell);
          break;
        case 'year':
          dimensions[target.at] = this.#cells.year(row, index, cell);
          break;
        case 'value':
          values[target.at] = this.#numbers.number(row, index, target.name, cell);
          break;
        default:
        // `#takeYears` reads the columns that only wide form has.
      }
    }
    return isFilled;
  }

  #takeFact(row: LocatedRow): void {
    const { values } = this.#staged;
    if (values.length > 0 && values.every((value) => value === null)) {
      if (this.#placement.targets.some((target) => target?.kind === 'value'))
        this.#remarks.note(row, this.#placement.firstColumn, NO_VALUE);
      return;
    }
    this.#stage(row);
    this.#rows += 1;
  }

  /** Stages a fact for each year that holds a value. The values of a faulty row are checked too, and not staged. */
  #takeYears(row: LocatedRow, isFaulty: boolean): void {
    const { targets, metrics, dimensions: names, firstColumn } = this.#placement;
    const metricOfRow = this.#cells.metric(row);
    const yearAt = names.indexOf('year');
    const { dimensions, values } = this.#staged;
    const factsBefore = this.#facts;
    let hasValue = false;
    for (let index = 0; index < targets.length; index++) {
      const target = targets[index];
      const cell = row.cells[index];
      if (target?.kind !== 'year value' || isEmpty(cell)) continue;
      hasValue = true;
      const metric = target.metric ?? metricOfRow;
      const value = this.#numbers.number(row, index, metrics[metric ?? 0] ?? '', cell);
      if (value === null || metric === null || isFaulty) continue;
      values.fill(null);
      values[metric] = value;
      dimensions[yearAt] = target.year;
      this.#staged.metric = metrics.length === 1 ? EVERY_METRIC : metric;
      this.#staged.column = index;
      this.#stage(row);
    }
    if (this.#facts > factsBefore) this.#rows += 1;
    if (!hasValue && !isFaulty) this.#remarks.note(row, firstColumn, NO_VALUE);
  }

  #stage(row: LocatedRow): void {
    this.#staged.source = row.source ?? this.#source;
    this.#staged.row = row.row;
    this.#staging.add(this.#placement.dataset, this.#staged);
    this.#facts += 1;
  }

  /** Reports a value below no heading. A heading that was refused has been reported already. */
  #refuseStray(row: LocatedRow, index: number, cell: Cell | undefined): void {
    if (this.#placement.header.faults.some((fault) => fault.index === index)) return;
    this.#remarks.error(row, index, {
      problem: `${describeCell(cell)} stands below no heading`,
      remedy: 'give the column a heading of the dataset or delete the value',
      kind: 'a value stands below no heading',
    });
  }
}

const NO_VALUE = 'a row without any value was left out';

const COUNTS_ROWS = 'a column without a heading counts the rows, and was left out';
