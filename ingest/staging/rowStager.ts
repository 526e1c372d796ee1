// Stages rows one by one, cell by cell. A row of long form gives one fact, a row of wide form one for each filled year.

import type { Cell } from '../sources/readers/rawFile.ts';
import { FAULTY, readMetric, readText, readYear } from './cellReader.ts';
import { describeCell, isEmpty, numberInText } from './cellValues.ts';
import type { StagedRow } from './database/rowBuffer.ts';
import { EVERY_METRIC } from './database/stagingTables.ts';
import { EmptyDimensions, UNFILLED } from './emptyDimensions.ts';
import { enclosedLinesFault } from './enclosedLines.ts';
import type { NumberCells } from './numbers/numberCells.ts';
import { hasNoNumbers } from './numbers/placeholders.ts';
import type { LocatedRow } from './remarks.ts';
import { ShiftedRows } from './shiftedRows.ts';
import type { Surroundings } from './surroundings.ts';
import type { TableContext } from './tableContext.ts';

/** Receives any row below the header. It stages correct rows, and reports faulty rows without staging them. */
export class RowStager {
  readonly #table: TableContext;
  readonly #numbers: NumberCells;
  readonly #surroundings: Surroundings;
  readonly #emptyDimensions: EmptyDimensions;
  readonly #shiftedRows: ShiftedRows;
  readonly #rowIndex = new RowIndex();
  /** The fact that is being staged. One object serves for all facts, because the staging copies it. */
  readonly #staged: StagedRow;
  #facts = 0;
  #rows = 0;

  constructor(table: TableContext, numbers: NumberCells, surroundings: Surroundings) {
    const { source, mapping } = table;
    this.#table = table;
    this.#numbers = numbers;
    this.#surroundings = surroundings;
    this.#emptyDimensions = new EmptyDimensions(table);
    this.#shiftedRows = new ShiftedRows(table);
    this.#staged = {
      source,
      row: 0,
      column: mapping.firstColumn,
      metric: EVERY_METRIC,
      dimensions: mapping.dimensions.map(() => UNFILLED),
      values: mapping.metrics.map(() => null),
    };
  }

  /** The number of facts that were staged so far, and the number of their rows. */
  get counts(): { readonly rows: number; readonly facts: number } {
    return { rows: this.#rows, facts: this.#facts };
  }

  /** Counts plain rows that were staged without this class. `row` is the number of the last one. */
  recordPlain(row: number, rows: number, facts: number): void {
    this.#surroundings.recordData(row);
    this.#rowIndex.endRow();
    this.#facts += facts;
    this.#rows += rows;
  }

  /** Stages a row, or reports why it cannot be staged. */
  take(row: LocatedRow): void {
    if (this.#surroundings.isOutsideData(row)) return;
    const shifted = this.#shiftedRows.find(row);
    if (shifted !== null) {
      this.#surroundings.recordData(row.row);
      this.#rowIndex.endRow();
      this.#table.remarks.error({ row, index: shifted.index }, shifted.fault);
      return;
    }
    const errorsBefore = this.#table.remarks.errors;
    if (!this.#fill(row)) return;
    this.#surroundings.recordData(row.row);
    this.#rowIndex.endRow();
    // A field that holds lines also holds the cells behind it, so these are not missing.
    const isCut = this.#table.remarks.errors > errorsBefore && this.#hasEnclosedLines(row);
    if (!isCut) this.#emptyDimensions.fill(row, this.#staged.dimensions, this.#rows > 0);
    const isFaulty = this.#table.remarks.errors > errorsBefore || this.#staged.dimensions.includes(FAULTY);
    if (this.#table.mapping.header.form === 'wide') this.#takeYears(row, isFaulty);
    else if (!isFaulty) this.#takeFact(row);
  }

  /**
   * Reads the dimensions of a row into `#staged`, and in long form the values, too; false when no known column is filled.
   */
  #fill(row: LocatedRow): boolean {
    const { targets } = this.#table.mapping;
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
        if (index < this.#table.mapping.firstColumn && this.#rowIndex.continuesCount(index, cell))
          this.#table.remarks.note({ row, index }, COUNTS_ROWS);
        else this.#refuseStray(row, index, cell);
        continue;
      }
      isFilled = true;
      switch (target.kind) {
        case 'text':
          dimensions[target.dimension] = readText(this.#table, row, index, target);
          break;
        case 'year':
          dimensions[target.dimension] = readYear(this.#table, row, index);
          break;
        case 'value':
          values[target.metric] = this.#numbers.number({ row, index, name: target.name, cell });
          break;
        default:
        // `#takeYears` reads the columns that only wide form has.
      }
    }
    return isFilled;
  }

  #hasEnclosedLines(row: LocatedRow): boolean {
    return row.cells.some((_, index) => enclosedLinesFault(this.#table, { row, index }, '') !== null);
  }

  #takeFact(row: LocatedRow): void {
    const { values } = this.#staged;
    if (values.length > 0 && values.every((value) => value === null)) {
      if (this.#table.mapping.targets.some((target) => target?.kind === 'value')) this.#leaveOut(row);
      return;
    }
    this.#stage(row);
    this.#rows += 1;
  }

  /** Stages a fact for each filled year of a row. The values of a faulty row are only checked. */
  #takeYears(row: LocatedRow, isFaulty: boolean): void {
    const { targets, metrics, dimensions: names } = this.#table.mapping;
    const metricOfRow = readMetric(this.#table, row);
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
      if (metric === null) continue;
      const value = this.#numbers.number({ row, index, name: metrics[metric] ?? '', cell });
      if (value === null || isFaulty) continue;
      values.fill(null);
      values[metric] = value;
      dimensions[yearAt] = target.year;
      this.#staged.metric = metrics.length === 1 ? EVERY_METRIC : metric;
      this.#staged.column = index;
      this.#stage(row);
    }
    if (this.#facts > factsBefore) this.#rows += 1;
    if (!hasValue && !isFaulty) this.#leaveOut(row);
  }

  /**
   * Notes a row without any value. It is a warning when a column of texts has a number. The number is probably the value,
   * one column too far to the left.
   */
  #leaveOut(row: LocatedRow): void {
    const { targets, firstColumn } = this.#table.mapping;
    const index = targets.findIndex((target, column) => {
      const cell = row.cells[column];
      return (
        target?.kind === 'text' &&
        hasNoNumbers(target.name) &&
        typeof cell === 'string' &&
        numberInText(cell) !== undefined
      );
    });
    const target = targets[index];
    if (target?.kind !== 'text') {
      this.#table.remarks.note({ row, index: firstColumn }, NO_VALUE);
      return;
    }
    const at = { row, index };
    this.#table.remarks.add('warning', at, {
      problem: `${target.name} is ${describeCell(row.cells[index])}, and the row was left out because it has no value`,
      remedy: 'see that no separator or field is missing, which moves the values to the left',
      kind: `a row without any value has a number in ${target.name}`,
    });
  }

  #stage(row: LocatedRow): void {
    this.#staged.source = row.source ?? this.#table.source;
    this.#staged.row = row.row;
    this.#table.staging.add(this.#table.mapping.dataset, this.#staged);
    this.#facts += 1;
  }

  /** Reports a value in a column without a heading, unless a refused heading of the column was reported already. */
  #refuseStray(row: LocatedRow, index: number, cell: Cell | undefined): void {
    if (this.#table.mapping.header.faults.some((fault) => fault.index === index)) return;
    const at = { row, index };
    this.#table.remarks.error(at, {
      problem: `${describeCell(cell)} has no heading above it`,
      remedy: 'give the column a heading of the dataset or delete the value',
      kind: 'a value has no heading above it',
    });
  }
}

/**
 * Checks, row by row, whether columns without a heading count the rows. Data frame libraries write such a column left of
 * their data.
 */
class RowIndex {
  readonly #next = new Map<number, number>();
  #isFirstRow = true;

  /** Whether a cell continues the count of its column. The count begins with 0 or 1 in the first row. */
  continuesCount(index: number, cell: Cell | undefined): boolean {
    const number = typeof cell === 'string' && /^\d{1,9}$/.test(cell.trim()) ? Number(cell) : cell;
    const expected = this.#next.get(index);
    const isBegun = this.#isFirstRow && (number === 0 || number === 1);
    if (expected === undefined ? !isBegun : number !== expected) return false;
    this.#next.set(index, Number(number) + 1);
    return true;
  }

  /** Ends a row. The caller calls it after the last cell of each row. */
  endRow(): void {
    this.#isFirstRow = false;
  }
}

const NO_VALUE = 'a row without any value was left out';

const COUNTS_ROWS = 'a column without a heading counts the rows, and was left out';
