// Holds the values of the columns that formulas refer to.

import { type Cell, isKind, type RawRow } from '../rawFile.ts';
import { LIMITS } from '../sourceLimits.ts';
import { EMPTY, isFigure, TEXT, TextCodes, UNKNOWN } from './textCodes.ts';

/**
 * The most values that are stored. They take 64 MB. A formula that refers to a column that is not stored is not computed.
 */
const MOST_VALUES = 8 * 1024 * 1024;

/** The wanted columns of each sheet. A sheet of null means the sheet of the formulas. */
export type WantedColumns = ReadonlyMap<string | null, ReadonlySet<number>>;

/** The values of the cells of a workbook, each as a number. A `sheet` of null means the sheet of the formula. */
export class ReferencedColumns {
  readonly #sheets: ReadonlyMap<string | null, OneSheet>;
  readonly texts: TextCodes;

  private constructor(sheets: ReadonlyMap<string | null, OneSheet>, texts: TextCodes) {
    this.#sheets = sheets;
    this.texts = texts;
  }

  /**
   * Reads the wanted columns as far as there is room for them.
   *
   * @param rowsOf Returns the rows of a sheet with numbers as they are stored; null when there is no such sheet.
   */
  static async read(
    wanted: WantedColumns,
    rowsOf: (sheet: string | null) => AsyncIterable<readonly RawRow[]> | null,
  ): Promise<ReferencedColumns> {
    const sheets = new Map<string | null, OneSheet>();
    const texts = new TextCodes();
    let left = MOST_VALUES;
    for (const [name, columns] of wanted) {
      const rows = rowsOf(name);
      if (rows === null) continue;
      const sheet = new OneSheet(columns, texts, left);
      sheets.set(name, sheet);
      for await (const batch of rows) for (const row of batch) sheet.add(row);
      left = sheet.left;
    }
    return new ReferencedColumns(sheets, texts);
  }

  /**
   * The values of a column from row 1 on: figures, texts, or one of EMPTY, TEXT and UNKNOWN. Null for an unknown column.
   */
  columnOf(sheet: string | null, column: number): Float64Array | null {
    return this.#sheets.get(sheet)?.values[column] ?? null;
  }

  /** The number of the last row with a value; 0 for an unknown sheet. */
  lastRow(sheet: string | null): number {
    return this.#sheets.get(sheet)?.lastRow ?? 0;
  }
}

class OneSheet {
  #columns: readonly number[];
  readonly #texts: TextCodes;
  /** The values of each column, from row 1 on. */
  readonly values: Float64Array[] = [];
  lastRow = 0;
  /** How many more values may be stored. */
  left: number;

  constructor(columns: ReadonlySet<number>, texts: TextCodes, left: number) {
    this.#texts = texts;
    this.#columns = [...columns];
    for (const column of this.#columns) this.values[column] = new Float64Array(0);
    this.left = left;
  }

  /** Adds a row. A column for which there is no room becomes unknown. */
  add({ row, cells }: RawRow): void {
    this.lastRow = row;
    for (const column of this.#columns) {
      const cell = cells[column];
      if (cell === null || cell === undefined) continue;
      let values = this.values[column] as Float64Array;
      if (values.length < row) {
        const length = Math.max(row, Math.min(values.length * 2, LIMITS.rows));
        if (this.left < length - values.length) {
          this.#drop(column);
          continue;
        }
        this.left -= length - values.length;
        const longer = new Float64Array(length).fill(EMPTY);
        longer.set(values);
        this.values[column] = longer;
        values = longer;
      }
      values[row - 1] = numberIn(cell, this.#texts);
    }
  }

  #drop(column: number): void {
    this.left += this.values[column]?.length ?? 0;
    delete this.values[column];
    this.#columns = this.#columns.filter((stored) => stored !== column);
  }
}

function numberIn(cell: NonNullable<Cell>, texts: TextCodes): number {
  if (typeof cell === 'number') return isFigure(cell) ? cell : UNKNOWN;
  if (typeof cell === 'string') return texts.codeOf(cell);
  // Truth values are unknown, because LibreOffice adds them up in ranges and Excel leaves them out.
  return isKind(cell, 'footnoted') ? TEXT : UNKNOWN;
}
