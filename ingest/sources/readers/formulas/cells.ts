// The cells of a workbook as formulas see them: areas, values, indexes, and the steps that looking at them takes.

import { LIMITS } from '../limits.ts';
import type { CellRange } from '../raw.ts';
import { ColumnIndex, isNearlyWhole } from './columnIndex.ts';
import { type CellPosition, placeIn, type Reference } from './expression.ts';
import { type Result, STORED, stored, type Totals } from './results.ts';
import { EMPTY, isFigure, isText, TEXT, type Texts, UNKNOWN } from './texts.ts';

/** What the cells of a workbook hold, each as a number; a sheet of null is the formula's own. */
export interface KnownValues {
  /** The values of a column, that of row 1 first: figures, texts, or one of EMPTY, TEXT and UNKNOWN. Null when it is not known. */
  columnOf(sheet: string | null, column: number): Float64Array | null;
  /** The number of the last row with a value. */
  lastRow(sheet: string | null): number;
  readonly texts: Texts;
}

/** The value in a row of a column. */
export const valueAt = (values: Float64Array | null, row: number): number =>
  values === null ? UNKNOWN : (values[row - 1] ?? EMPTY);

/** A rectangle of cells; its ends are part of it. */
export interface Area {
  readonly sheet: string | null;
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export const heightOf = ({ top, bottom }: Area): number => bottom - top + 1;
export const widthOf = ({ left, right }: Area): number => right - left + 1;

/** How many steps it takes to index a row. */
const STEPS_TO_INDEX = 8;

export class Cells {
  readonly #known: KnownValues;
  readonly #indexes = new Map<string, ColumnIndex | null>();
  #stepsLeft: number;
  /** Searches have steps of their own, so that sums and arithmetic are computed where searches are too many. */
  #searchStepsLeft: number;
  /** The cell of the formula. */
  cell: CellPosition = { row: 1, column: 0 };
  /** The cells that an array formula is computed for; null for another formula. */
  range: CellRange | null = null;

  constructor(known: KnownValues, mostSteps: number) {
    this.#known = known;
    this.#stepsLeft = mostSteps;
    this.#searchStepsLeft = mostSteps;
  }

  get texts(): Texts {
    return this.#known.texts;
  }

  /** Takes steps, of which one is the look at a cell; false when there are none left. */
  spend(steps: number): boolean {
    this.#stepsLeft -= steps;
    return this.#stepsLeft >= 0;
  }

  /** The cells that a reference means here; null when they are not on the sheet, or the formula's own is among them. */
  areaOf({ sheet, rows, columns, onlyInRows }: Reference): Area | null {
    const { row, column } = this.cell;
    if (onlyInRows && (row < onlyInRows[0] || row > onlyInRows[1])) return null;
    const [oneRow, otherRow] = rows === null ? [1, LIMITS.rows] : rows.map((one) => placeIn(one, row, 1));
    const [oneColumn, otherColumn] = columns.map((one) => placeIn(one, column, 0));
    if (oneRow == null || otherRow == null || oneColumn == null || otherColumn == null) return null;
    const [top, bottom] = [Math.min(oneRow, otherRow), Math.max(oneRow, otherRow)];
    const [left, right] = [Math.min(oneColumn, otherColumn), Math.max(oneColumn, otherColumn)];
    const [firstRow, lastRow] = this.range?.rows ?? [row, row];
    const [firstColumn, lastColumn] = this.range?.columns ?? [column, column];
    const isBeside = lastRow < top || firstRow > bottom || lastColumn < left || firstColumn > right;
    const isCircle = sheet === null && !isBeside;
    return isCircle ? null : { sheet, top, bottom, left, right };
  }

  /** Takes steps of searches; false when there are none left. */
  search(steps: number): boolean {
    this.#searchStepsLeft -= steps;
    return this.#searchStepsLeft >= 0;
  }

  /** Whether all columns of an area are known. */
  isKnown({ sheet, left, right }: Area): boolean {
    for (let column = left; column <= right; column++)
      if (this.#known.columnOf(sheet, column) === null) return false;
    return true;
  }

  lastRow(sheet: string | null): number {
    return this.#known.lastRow(sheet);
  }

  columnOf(sheet: string | null, column: number): Float64Array | null {
    return this.#known.columnOf(sheet, column);
  }

  valueAt(sheet: string | null, row: number, column: number): number {
    return valueAt(this.#known.columnOf(sheet, column), row);
  }

  /** What a cell holds, as the result of a reference to it. */
  resultAt(sheet: string | null, row: number, column: number): Result {
    this.spend(1);
    return resultOf(this.valueAt(sheet, row, column));
  }

  /**
   * Adds the numbers of an area; false when one of its cells is unknown, or no steps are left.
   *
   * @param role What a cell is to the sum: one that is passed over, or one in doubt.
   */
  addNumbers(
    area: Area,
    totals: Pick<Totals, 'add'>,
    role?: (row: number, column: number) => 'passed' | 'doubtful' | null,
  ) {
    const bottom = Math.min(area.bottom, this.lastRow(area.sheet));
    if (!this.spend(Math.max(1, bottom - area.top + 1) * widthOf(area))) return false;
    for (let column = area.left; column <= area.right; column++) {
      const values = this.columnOf(area.sheet, column);
      if (values === null) return false;
      const end = Math.min(bottom, values.length);
      for (let at = area.top - 1; at < end; at++) {
        const value = values[at] as number;
        const is = role?.(at + 1, column);
        if (is === 'passed') continue;
        if (value === UNKNOWN || is === 'doubtful') return false;
        if (isFigure(value)) totals.add(value, Math.abs(value) * STORED);
      }
    }
    return true;
  }

  /** The index of a column; null when it is not known, or no steps are left to make it. */
  indexOf(sheet: string | null, column: number): ColumnIndex | null {
    const key = `${column} ${sheet ?? ''}`;
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    const values = this.#known.columnOf(sheet, column);
    const index =
      values !== null && this.search(STEPS_TO_INDEX * values.length)
        ? new ColumnIndex(values, this.texts)
        : null;
    this.#indexes.set(key, index);
    return index;
  }

  /** Whether a cell's value is the one that a formula looks for; null in doubt. */
  isSame(value: number, wanted: number): boolean | null {
    if (value === UNKNOWN || value === TEXT) return null;
    if (value === wanted) return true;
    if (isText(wanted)) return false;
    if (isText(value)) return this.texts.mayBeNumber(value) ? null : false;
    return isNearlyWhole(value) && Math.round(value) === wanted ? null : false;
  }
}

export function resultOf(value: number): Result {
  if (Number.isNaN(value)) return 'empty';
  if (isFigure(value)) return stored(value);
  return value === UNKNOWN ? 'unknown' : { text: value };
}
