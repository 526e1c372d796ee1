// Gives formulas the values of a workbook's cells, by area and by index, and limits the steps of a computation.

import type { CellRange } from '../rawFile.ts';
import { LIMITS } from '../sourceLimits.ts';
import { type CellPosition, type Reference, resolveCoordinate } from './expression.ts';
import type { ReferencedColumns } from './referencedColumns.ts';
import { type FormulaResult, RELATIVE_ERROR, stored, type Totals } from './results.ts';
import { EMPTY, isFigure, isText, TEXT, type TextCodes, UNKNOWN } from './textCodes.ts';

/** The value of a column in a row, from 1: UNKNOWN when the column is unknown, and EMPTY below its last value. */
export const valueAt = (values: Float64Array | null, row: number): number =>
  values === null ? UNKNOWN : (values[row - 1] ?? EMPTY);

/** A rectangle of cells, which includes its first and last rows and columns. */
export interface Area {
  readonly sheet: string | null;
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** The number of rows of an area. */
export const heightOf = ({ top, bottom }: Area): number => bottom - top + 1;

/** The number of columns of an area. */
export const widthOf = ({ left, right }: Area): number => right - left + 1;

/**
 * `skipped` for a cell that a sum leaves out, `doubtful` for a cell that only some programs leave out, null for any other.
 */
export type Role = 'skipped' | 'doubtful' | null;

/** The most steps of all formulas together. Reading a cell is about one step. All steps take about a second. */
const MOST_STEPS = 100_000_000;
/** Indexing one row counts as this many steps. */
const STEPS_TO_INDEX = 8;

/** The cells of a workbook, as the formula in one cell sees them. */
export class WorkbookCells {
  readonly #known: ReferencedColumns;
  readonly #indexes = new Map<string, ColumnIndex | null>();
  #stepsLeft = MOST_STEPS;
  /**
   * The steps left for searches. They have a limit of their own, so that many searches do not prevent sums and arithmetic.
   */
  #searchStepsLeft = MOST_STEPS;
  /** The cell of the formula that is computed. */
  cell: CellPosition = { row: 1, column: 0 };
  /** The cells of an array formula; null for another formula. */
  range: CellRange | null = null;

  constructor(known: ReferencedColumns) {
    this.#known = known;
  }

  get texts(): TextCodes {
    return this.#known.texts;
  }

  /** Counts steps against the limit, one for each cell that is read. False when the limit is exceeded. */
  spend(steps: number): boolean {
    this.#stepsLeft -= steps;
    return this.#stepsLeft >= 0;
  }

  /**
   * The cells that a reference means in this formula. Null when they are not on the sheet, when they include the cell of
   * the formula, or when the formula is in a row where the reference is an error.
   */
  areaOf({ sheet, rows, columns, onlyInRows }: Reference): Area | null {
    const { row, column } = this.cell;
    if (onlyInRows && (row < onlyInRows[0] || row > onlyInRows[1])) return null;
    const [oneRow, otherRow] =
      rows === null ? [1, LIMITS.rows] : rows.map((end) => resolveCoordinate(end, row, 1));
    const [oneColumn, otherColumn] = columns.map((end) => resolveCoordinate(end, column, 0));
    if (oneRow == null || otherRow == null || oneColumn == null || otherColumn == null) return null;
    const [top, bottom] = [Math.min(oneRow, otherRow), Math.max(oneRow, otherRow)];
    const [left, right] = [Math.min(oneColumn, otherColumn), Math.max(oneColumn, otherColumn)];
    const [firstRow, lastRow] = this.range?.rows ?? [row, row];
    const [firstColumn, lastColumn] = this.range?.columns ?? [column, column];
    const isBeside = lastRow < top || firstRow > bottom || lastColumn < left || firstColumn > right;
    const isCircle = sheet === null && !isBeside;
    return isCircle ? null : { sheet, top, bottom, left, right };
  }

  /** Counts steps against the limit for searches. False when the limit is exceeded. */
  spendOnSearch(steps: number): boolean {
    this.#searchStepsLeft -= steps;
    return this.#searchStepsLeft >= 0;
  }

  isKnown({ sheet, left, right }: Area): boolean {
    for (let column = left; column <= right; column++)
      if (this.#known.columnOf(sheet, column) === null) return false;
    return true;
  }

  lastRow(sheet: string | null): number {
    return this.#known.lastRow(sheet);
  }

  valueAt(sheet: string | null, row: number, column: number): number {
    return valueAt(this.#known.columnOf(sheet, column), row);
  }

  /** The value of a cell as the result of a reference to it. Counts one step. */
  resultAt(sheet: string | null, row: number, column: number): FormulaResult {
    this.spend(1);
    return resultOf(this.valueAt(sheet, row, column));
  }

  /** Adds up the numbers of an area. False when one of its cells is unknown or doubtful, or no steps are left. */
  addNumbers(
    area: Area,
    totals: Pick<Totals, 'add'>,
    roleOf?: (row: number, column: number) => Role,
  ): boolean {
    const bottom = Math.min(area.bottom, this.lastRow(area.sheet));
    if (!this.spend(Math.max(1, bottom - area.top + 1) * widthOf(area))) return false;
    for (let column = area.left; column <= area.right; column++) {
      const values = this.#known.columnOf(area.sheet, column);
      if (values === null) return false;
      const end = Math.min(bottom, values.length);
      for (let at = area.top - 1; at < end; at++) {
        const value = values[at] as number;
        const role = roleOf?.(at + 1, column);
        if (role === 'skipped') continue;
        if (value === UNKNOWN || role === 'doubtful') return false;
        if (isFigure(value)) totals.add(value, Math.abs(value) * RELATIVE_ERROR);
      }
    }
    return true;
  }

  /** The index of a column; null when the column is unknown, or no steps are left to make the index. */
  indexOf(sheet: string | null, column: number): ColumnIndex | null {
    const key = `${column} ${sheet ?? ''}`;
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    const values = this.#known.columnOf(sheet, column);
    const index =
      values !== null && this.spendOnSearch(STEPS_TO_INDEX * values.length)
        ? new ColumnIndex(values, this.texts)
        : null;
    this.#indexes.set(key, index);
    return index;
  }

  /** Whether a cell has the value that a formula looks for; null when that is not certain. */
  isSame(value: number, wanted: number): boolean | null {
    if (value === UNKNOWN || value === TEXT) return null;
    if (value === wanted) return true;
    if (isText(wanted)) return false;
    if (isText(value)) return this.texts.mayBeNumber(value) ? null : false;
    return isNearlyWhole(value) && Math.round(value) === wanted ? null : false;
  }
}

function resultOf(value: number): FormulaResult {
  if (Number.isNaN(value)) return 'empty';
  if (isFigure(value)) return stored(value);
  return value === UNKNOWN ? 'unknown' : { text: value };
}

/** The rows of a column by their values. Rows count from 1. */
class ColumnIndex {
  readonly #first = new Map<number, number>();
  /**
   * For each row: the next row with the same value (0 when there is none), and how many rows have that value from this row
   * on.
   */
  readonly #next: Int32Array;
  readonly #counts: Int32Array;
  /** The rows with an unknown value, in ascending order. An unknown value may be equal to any value. */
  readonly #unknown: number[] = [];
  /**
   * The rows of `#unknown`, and the rows with a number as text or a nearly whole number. Some programs find such a row when
   * they search for a number.
   */
  readonly #unknownForNumbers: number[] = [];

  constructor(values: Float64Array, texts: TextCodes) {
    this.#next = new Int32Array(values.length + 1);
    this.#counts = new Int32Array(values.length + 1);
    for (let row = values.length; row > 0; row--) {
      const value = values[row - 1] as number;
      if (Number.isNaN(value)) continue;
      const isUnknown = value === UNKNOWN || value === TEXT;
      if (isUnknown) this.#unknown.push(row);
      if (isUnknown || (isText(value) ? texts.mayBeNumber(value) : isNearlyWhole(value)))
        this.#unknownForNumbers.push(row);
      const next = this.#first.get(value) ?? 0;
      this.#next[row] = next;
      this.#counts[row] = 1 + (this.#counts[next] as number);
      this.#first.set(value, row);
    }
    this.#unknown.reverse();
    this.#unknownForNumbers.reverse();
  }

  countOf(value: number): number {
    return this.#counts[this.#first.get(value) ?? 0] as number;
  }

  /** The first row with a value; 0 for none. */
  firstRow(value: number): number {
    return this.#first.get(value) ?? 0;
  }

  /** The next row with the same value as the given row; 0 for none. */
  rowAfter(row: number): number {
    return this.#next[row] as number;
  }

  /** Whether a row from `top` to `bottom` may hold the value although the index does not have the row under that value. */
  hasDoubt(value: number, top: number, bottom: number): boolean {
    const rows = isText(value) ? this.#unknown : this.#unknownForNumbers;
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((rows[middle] as number) < top) low = middle + 1;
      else high = middle;
    }
    return (rows[low] ?? Number.POSITIVE_INFINITY) <= bottom;
  }
}

/** Whether a number differs from a whole number only in its last digits. Some programs treat the two as equal. */
const isNearlyWhole = (value: number): boolean =>
  isFigure(value) &&
  !Number.isInteger(value) &&
  Math.abs(value - Math.round(value)) <= 1e-9 * Math.abs(value);
