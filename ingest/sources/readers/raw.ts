// What every reader gives: the rows of a file, unchanged, with their places.

import type { DuckDBConnection } from '../../../src/duckdb.ts';
import type { Diagnostic } from '../../messages/fault.ts';
import type { FileFormat } from '../../messages/formats.ts';
import { columnLetters } from '../../messages/place.ts';
import { NUMBER } from '../yearForms.ts';
import type { Aside } from './asides.ts';

export { UnreadableError } from '../../messages/fault.ts';

/** A cell as the file holds it; `null` is an empty one. */
export type Cell = null | string | number | boolean | OddCell;

/** A cell that is more than a plain value. */
export type OddCell =
  /** `YYYY-MM-DD`, `YYYY-MM-DDTHH:MM:SS`, or a time of day: `THH:MM:SS`. */
  | { readonly kind: 'date'; readonly iso: string }
  /** A number shown as percent: `value` 0.05 is shown as 5 %. */
  | { readonly kind: 'percent'; readonly value: number }
  /**
   * A number with a unit: its format writes one beside it and does not divide by as much, so `value` 404 is shown as `404 m`.
   * People read it as 404 million. Such a format may also divide: it shows `value` 404000 as `404 m`, with the divisor 1000.
   * The unit may be a percent or per mille sign that is mere text: `value` 5 is shown as `5%`.
   */
  | {
      readonly kind: 'united';
      readonly value: number;
      readonly unit: string;
      readonly divisor: number;
      readonly currency?: string;
    }
  /**
   * A number that its format divides: `value` 404000000 is shown as `404.0 m`, or as `404`. Its value is in full. `divisor` is
   * given where no unit beside the number tells it.
   */
  | {
      readonly kind: 'divided';
      readonly value: number;
      readonly divisor?: number;
      readonly currency?: string;
    }
  /** A number shown with a currency, as its sign or code, and nothing else: `value` 404 is shown as `€404`. */
  | { readonly kind: 'priced'; readonly value: number; readonly currency: string }
  | DatedYear
  | MarkedYear
  | Misshown
  /**
   * A spreadsheet error such as #N/A or #DIV/0!, as written. A rich one stands for what only newer programs show: a data
   * type, a picture, or an error such as #SPILL!.
   */
  | { readonly kind: 'error'; readonly code: string; readonly isRich?: true }
  /** A formula whose value was never calculated. The file holds no value, or a 0 in its place. */
  | { readonly kind: 'uncalculated' }
  | Footnoted;

/** A date whose format shows its year and nothing else: the day `iso`, shown as `value`. In a column of figures it is no year. */
export interface DatedYear {
  readonly kind: 'dated year';
  readonly value: number;
  readonly iso: string;
}

/** A year that its format shows as another thing: `value` 2026 as `2026E`, or as 1905, the year of day 2026. */
export interface MarkedYear {
  readonly kind: 'marked year';
  readonly value: number;
  readonly shown: string;
}

/** A number that its format shows as another one: `value` -404 as `404`. */
export interface Misshown {
  readonly kind: 'misshown';
  readonly value: number;
  readonly shown: string;
}

/** Whether a cell holds a marked year. */
export const isMarkedYear = (cell: Cell | undefined): cell is MarkedYear =>
  typeof cell === 'object' && cell?.kind === 'marked year';

/** A number in a format that shows `form`: a marked year where it can be a year, else the number alone. */
export const numberInForm = (value: number, form: string): Cell =>
  Number.isInteger(value) && value >= 1000 && value <= 9999
    ? { kind: 'marked year', value, shown: form.replace(NUMBER, `${value}`).trim() }
    : value;

/**
 * The year of a date in a cell whose format shows only that year. When 2023 is typed into such a cell, it holds the date of
 * day 2023 and shows 1905: that is a marked year.
 */
export function yearOfDate(iso: string, serial: number): DatedYear | MarkedYear {
  const year = Number(iso.slice(0, 4));
  return Number.isInteger(serial) && serial >= 1900 && serial <= 2100
    ? { kind: 'marked year', value: serial, shown: `${year}` }
    : { kind: 'dated year', value: year, iso };
}

/** A text with footnote marks: parts of it are superscript or subscript. */
export interface Footnoted {
  readonly kind: 'footnoted';
  /** The text without its marks: `4012360`. */
  readonly value: string;
  /** The marks as plain characters: `2`. */
  readonly mark: string;
  /** The whole text, with the digits of its marks as superscript characters: `4012360²`. */
  readonly text: string;
}

export interface RawRow {
  /**
   * 1-based, as a person sees it: spreadsheet row, line of a csv (where the record begins), row of a Parquet
   * file. Row 0 of a Parquet file holds its column names.
   */
  readonly row: number;
  /** From column A on; trailing empty cells are left out. */
  readonly cells: readonly Cell[];
}

/** What the caller expects in a column: texts of which many repeat, or numbers. */
export type ColumnKind = 'texts' | 'numbers';

/** Tells a reader how to give the rows. `kinds` may change during reading, and applies from the next batch on. */
export interface RowsWanted {
  /** By column index; null for rows one by one. */
  kinds: readonly ColumnKind[] | null;
}

/** Rows column by column. A batch is valid until the next one is requested. */
export interface ColumnBatch {
  readonly count: number;
  /** By row: its number, as `RawRow.row`. */
  readonly rows: Int32Array;
  readonly columns: readonly BatchColumn[];
  /** By row: 1 when the row holds more than plain values. Its values in the columns then mean nothing; use `rawRow`. */
  readonly odd: Uint8Array;
  /** The row by itself, as a batch of rows would have it; undefined when none of its cells is filled. */
  rawRow(i: number): RawRow | undefined;
}

/** Whether a batch comes column by column. */
export const isColumns = (batch: readonly RawRow[] | ColumnBatch): batch is ColumnBatch => 'columns' in batch;

/** Narrows the type of batches of which none comes column by column. */
export async function* onlyRows(
  batches: AsyncIterable<readonly RawRow[] | ColumnBatch>,
): AsyncGenerator<readonly RawRow[]> {
  for await (const batch of batches) if (!isColumns(batch)) yield batch;
}

export type BatchColumn =
  | {
      readonly kind: 'texts';
      /** By row: the index of its cell in `dictionary`; -1 for an empty cell. */
      readonly codes: Int32Array;
      /** Grows from batch to batch; an index means the same cell in all of them. */
      readonly dictionary: readonly Cell[];
    }
  | {
      readonly kind: 'numbers';
      /** By row; finite. */
      readonly values: Float64Array;
      /** By row: one of the constants below. */
      readonly states: Uint8Array;
    };

/** The states of a number: the cell is empty. */
export const NO_NUMBER = 0;
/** The cell holds a number like any other. */
export const PLAIN_NUMBER = 1;
/** A number in text of a thousand or more, or with decimals, whose dot cannot be taken for a separator of thousands. */
export const UNGROUPED_NUMBER = 2;
/** In SQL: a text that is no plain number. */
export const ODD_NUMBER = 3;

export interface RawTable {
  /** The sheet's name; `null` for a file that is one table. */
  readonly name: string | null;
  readonly hidden: boolean;
  /**
   * Batches of rows with at least one non-empty cell, in order. Each call reads the table from its beginning, and the
   * loop may stop early. Throws UnreadableError where the file turns out to be damaged.
   */
  rows(): AsyncIterable<readonly RawRow[]>;
  /** The same rows, column by column once `wanted.kinds` is set. Only some formats have it. */
  batches?(wanted: RowsWanted): AsyncIterable<readonly RawRow[] | ColumnBatch>;
  /**
   * The remaining rows as SQL, where DuckDB reads the format itself and that saves time; null where it cannot. Drop
   * what it created when the rows have been used.
   */
  sql?(connection: DuckDBConnection, wanted: readonly WantedColumn[]): Promise<SqlTable | null>;
  /** Cells that are merged, where a format has such; known when the rows have been read to their end. */
  merged?(): readonly MergedCells[];
  /** Remarks for people about the table as a whole; complete when the rows have been read to their end. */
  remarks?(): readonly Remark[];
  /**
   * Remarks on formulas whose stored values are not, or may not be, those that they have; call it when the rows have been
   * read to their end.
   */
  oldValues?(): Promise<readonly Remark[]>;
  /** The texts beside the cells; call it when the rows have been read to their end. */
  asides?(): Promise<readonly Aside[]>;
  /** The only table object of the sheet, where a format has such; null when there is none, or several. */
  tableObject?(): Promise<TableObject | null>;
}

/** What SQL is to give of a column. */
export interface WantedColumn {
  readonly kind: ColumnKind;
  /** Texts that it may have: right guesses save time. */
  readonly likely: readonly string[];
}

/** A table that any DuckDB can read: the cells that `RawTable.rows` gives. */
export interface SqlTable {
  /** An item of a FROM clause. */
  readonly from: string;
  /** SQL of a row's number, as `RawRow.row`. Numbers are consecutive. */
  readonly row: string;
  /** The number of the first row that was not read yet; rows before it may be there. */
  readonly firstRow: number;
  /** The number of the last row. */
  readonly lastRow: number;
  readonly columns: readonly SqlColumn[];
  /** The cell that a text stands for. */
  cellOf(text: string): Cell;
  /** The rows that fulfil a condition in SQL, in order, those without a filled cell included. */
  rowsWhere(condition: string): AsyncIterable<readonly RawRow[]>;
  /** Removes what was created for it. */
  drop?(): Promise<void>;
}

export type SqlColumn =
  | {
      readonly kind: 'texts';
      /** SQL of the text; NULL for an empty cell. */
      readonly sql: string;
      /** In how many dictionaries the file has the texts; null when it has them one by one. */
      readonly dictionaries: number | null;
    }
  | {
      readonly kind: 'codes';
      /** SQL of the text's index in `texts`; NULL for an empty cell. */
      readonly sql: string;
      /** SQL of the text itself, which compares as fast as the index. */
      readonly text: string;
      readonly texts: readonly string[];
    }
  | {
      readonly kind: 'numbers';
      /** SQL of a DOUBLE, which need not be finite; NULL for an empty cell. */
      readonly sql: string;
      /** SQL of the state of a number that was written as text. */
      readonly state?: string;
    };

/** A range that a spreadsheet program treats as one table. Its first row is its header. */
export interface TableObject {
  readonly name: string;
  readonly range: CellRange;
  /** How many of its last rows hold totals. */
  readonly totalsRows: number;
}

/** Something about a table as a whole, such as its hidden rows. */
export interface Remark extends Diagnostic {
  readonly severity: 'warning' | 'note';
  /**
   * Where the values of that cell and of others below it are wrong: the row of the last one. It is an error where they are
   * data.
   */
  readonly wrongUntilRow?: number;
  /** The first cell that it is about, its row from 1 and its column from 0; left out when it is about the whole table. */
  readonly cell?: readonly [row: number, column: number];
}

/** A rectangle of cells. Rows count from 1, columns from 0; both ends belong to it. */
export interface CellRange {
  readonly rows: readonly [first: number, last: number];
  readonly columns: readonly [first: number, last: number];
}

/** A merged range holds one value, in its first cell. */
export type MergedCells = CellRange;

export interface RawFile {
  /** As it is printed in places: the path below the source directory. */
  readonly name: string;
  readonly format: FileFormat;
  readonly tables: readonly RawTable[];
  /** The share of the file read so far, 0 to 1: for progress, so a guess will do. */
  progress?(): number;
  close(): Promise<void>;
}

/** `B3:C7`, as spreadsheets name a range. */
export const rangeName = ({ rows, columns }: CellRange): string =>
  rows.map((row, end) => `${columnLetters(columns[end] ?? 0)}${row}`).join(':');
