// Holds the numbers of those columns of a workbook that formulas refer to.

import { LIMITS } from '../limits.ts';
import type { Cell, RawRow } from '../raw.ts';
import { EMPTY, type KnownValues, TEXT, UNKNOWN } from './evaluate.ts';

/** 64 MB of numbers. Formulas that refer to more cells are not computed. */
const MOST_VALUES = 8 * 1024 * 1024;

/** Which columns of which sheets are wanted; a sheet of null is the formulas' own. */
export type WantedColumns = ReadonlyMap<string | null, ReadonlySet<number>>;

export class SheetValues implements KnownValues {
  readonly #sheets: ReadonlyMap<string | null, OneSheet>;

  private constructor(sheets: ReadonlyMap<string | null, OneSheet>) {
    this.#sheets = sheets;
  }

  /**
   * Reads the wanted columns; null when they have too many cells.
   *
   * @param rowsOf The rows of a sheet, numbers as they are, whatever their format shows; null for one that is not there.
   */
  static async read(
    wanted: WantedColumns,
    rowsOf: (sheet: string | null) => AsyncIterable<readonly RawRow[]> | null,
  ): Promise<SheetValues | null> {
    const sheets = new Map<string | null, OneSheet>();
    let left = MOST_VALUES;
    for (const [name, columns] of wanted) {
      const rows = rowsOf(name);
      if (rows === null) continue;
      const sheet = new OneSheet(columns, left);
      sheets.set(name, sheet);
      for await (const batch of rows) for (const row of batch) if (!sheet.add(row)) return null;
      left = sheet.left;
    }
    return new SheetValues(sheets);
  }

  columnOf(sheet: string | null, column: number): Float64Array | null {
    return this.#sheets.get(sheet)?.values[column] ?? null;
  }

  lastRow(sheet: string | null): number {
    return this.#sheets.get(sheet)?.lastRow ?? 0;
  }
}

class OneSheet {
  readonly #columns: readonly number[];
  /** By column: its values, that of row 1 first. */
  readonly values: Float64Array[] = [];
  lastRow = 0;
  /** The number of values that still fit. */
  left: number;

  constructor(columns: ReadonlySet<number>, left: number) {
    this.#columns = [...columns];
    for (const column of this.#columns) this.values[column] = new Float64Array(0);
    this.left = left;
  }

  /** Adds a row; false when there is no room for it. */
  add({ row, cells }: RawRow): boolean {
    this.lastRow = row;
    for (const column of this.#columns) {
      const cell = cells[column];
      if (cell === null || cell === undefined) continue;
      let values = this.values[column] as Float64Array;
      if (values.length < row) {
        const length = Math.max(row, Math.min(values.length * 2, LIMITS.rows));
        this.left -= length - values.length;
        if (this.left < 0) return false;
        const longer = new Float64Array(length).fill(EMPTY);
        longer.set(values);
        this.values[column] = longer;
        values = longer;
      }
      values[row - 1] = numberIn(cell);
    }
    return true;
  }
}

function numberIn(cell: NonNullable<Cell>): number {
  if (typeof cell === 'number') return cell;
  if (typeof cell === 'string' || typeof cell === 'boolean') return TEXT;
  return cell.kind === 'footnoted' ? TEXT : UNKNOWN;
}
