// Defines the result of every reader: the rows of a file with their numbers, and cells as the file has them.

import type { DuckDBConnection } from '../../../src/duckdb.ts';
import type { Diagnostic } from '../../messages/fault.ts';
import type { FileFormat } from '../../messages/fileFormats.ts';
import { columnLetters, type Position } from '../../messages/place.ts';
import type { Aside } from './asides.ts';

/** A cell as the file has it; null for an empty cell. */
export type Cell = null | string | number | boolean | OddCell;

/** A cell that is more than a plain value. */
export type OddCell =
  /** `YYYY-MM-DD`, `YYYY-MM-DDTHH:MM:SS`, or a time of day: `THH:MM:SS`. */
  | { readonly kind: 'date'; readonly iso: string }
  /** A number shown as percent: `value` 0.05 is shown as 5 %. */
  | { readonly kind: 'percent'; readonly value: number }
  /**
   * A number whose format writes a unit beside it without dividing by as much: `value` 404 is shown as `404 m`, which
   * people read as 404 million. The format may also divide by less: `value` 404000 is shown as `404 m`, with the divisor
   * 1000. The unit may be a percent or per mille sign that is only text: `value` 5 is shown as `5%`.
   */
  | {
      readonly kind: 'with unit';
      readonly value: number;
      readonly unit: string;
      readonly divisor: number;
      readonly currency?: string;
    }
  /**
   * A number that its format divides: `value` 404000000 is shown as `404.0 m` or as `404`. `value` is the undivided number.
   * `divisor` is given when the format shows no unit.
   */
  | {
      readonly kind: 'divided';
      readonly value: number;
      readonly divisor?: number;
      readonly currency?: string;
    }
  /** A number that is shown with the sign or code of a currency: `value` 404 is shown as `€404`. */
  | { readonly kind: 'with currency'; readonly value: number; readonly currency: string }
  /**
   * A date whose format shows its year and nothing else: the day `iso`, shown as `value`. In a column of figures it counts
   * as a date.
   */
  | { readonly kind: 'dated year'; readonly value: number; readonly iso: string }
  /**
   * A year that its format shows as something else: `value` 2026 as `2026E`, or with the format `yyyy` as 1905, the year of
   * day 2026.
   */
  | { readonly kind: 'marked year'; readonly value: number; readonly shown: string }
  /** A number that its format shows as another number: `value` -404 as `404`. */
  | { readonly kind: 'misshown'; readonly value: number; readonly shown: string }
  /**
   * An error of a spreadsheet such as #N/A or #DIV/0!, as it is written. A rich error stands for content that only newer
   * programs know: a data type, a picture, or an error such as #SPILL!.
   */
  | { readonly kind: 'error'; readonly code: string; readonly isRich?: true }
  /** A formula whose value was never calculated. The file holds no value, or a 0 in its place. */
  | { readonly kind: 'uncalculated' }
  | Footnoted;

/** The odd cells of one kind. */
export type CellOf<Kind extends OddCell['kind']> = Extract<OddCell, { readonly kind: Kind }>;

/** Whether a cell is an odd one of this kind. */
export const isKind = <Kind extends OddCell['kind']>(
  cell: Cell | undefined,
  kind: Kind,
): cell is CellOf<Kind> => typeof cell === 'object' && cell?.kind === kind;

/** The number that a cell stores, whatever its format shows; undefined for a cell without a number. */
export function storedNumber(cell: Cell | undefined): number | undefined {
  const value = typeof cell === 'object' && cell !== null && 'value' in cell ? cell.value : cell;
  return typeof value === 'number' ? value : undefined;
}

/**
 * A text with footnote marks, which are parts in superscript or subscript. Parts that are struck out count as marks, too.
 */
export interface Footnoted {
  readonly kind: 'footnoted';
  /** The text without its marks: `4012360`. */
  readonly value: string;
  /** The marks as plain characters: `2`. */
  readonly mark: string;
  /** The whole text, with the digits of its marks as superscript characters: `4012360²`. */
  readonly text: string;
}

/** A row with at least one filled cell. */
export interface RawRow {
  /**
   * The number of the row, from 1: the row of a sheet, the line of a csv file on which the record begins, or the row of a
   * Parquet file. Row 0 of a Parquet file has its column names.
   */
  readonly row: number;
  /** The cells from column A on. Empty cells at the end are left out. */
  readonly cells: readonly Cell[];
}

/** The content that the caller expects in a column: texts that repeat often, or numbers. */
export type ColumnKind = 'texts' | 'numbers';

/** A batch of rows, column by column. It is valid until the next batch is requested. */
export interface ColumnBatch {
  readonly count: number;
  readonly rows: Int32Array;
  readonly columns: readonly BatchColumn[];
  /** For each row, 1 when it holds more than plain values. The columns then lack its values, and `rawRow` gives them. */
  readonly odd: Uint8Array;
  /** A single row, as in a batch of rows; undefined when none of its cells is filled. */
  rawRow(i: number): RawRow | undefined;
}

/** Whether a batch comes column by column. */
export const isColumns = (batch: readonly RawRow[] | ColumnBatch): batch is ColumnBatch => 'columns' in batch;

/** A column of a batch. */
export type BatchColumn =
  | {
      readonly kind: 'texts';
      /** For each row, the index of its cell in `dictionary`; -1 for an empty cell. */
      readonly codes: Int32Array;
      /** The different cells. The list grows from batch to batch, and an index means the same cell in all batches. */
      readonly dictionary: readonly Cell[];
    }
  | {
      readonly kind: 'numbers';
      /** The number in each row. It is finite unless `odd` is 1 for the row. */
      readonly values: Float64Array;
      /** The state of the number in each row: one of the constants below. */
      readonly states: Uint8Array;
    };

/** State of a number: the cell is empty. */
export const NO_NUMBER = 0;
/** State of a number that does not show how its column writes thousands. */
export const PLAIN_NUMBER = 1;
/** State of a number in text form that is 1000 or more, or has decimals, and in which no dot can separate thousands. */
export const UNGROUPED_NUMBER = 2;
/** State of a number, only in SQL: the text is not a plain number. */
export const ODD_NUMBER = 3;

/** A table of a file: a sheet of a workbook, or the whole of another file. */
export interface RawTable {
  /** The name of the sheet; null for a file that is one table. */
  readonly name: string | null;
  readonly hidden: boolean;
  /**
   * The rows with at least one filled cell, in order and in batches. Each call reads the table from its beginning. The
   * caller may stop early. The iteration throws UnreadableError when it comes to damage.
   */
  rows(): AsyncGenerator<readonly RawRow[]>;
  /** Begins to read the same rows in two parts. Only formats that can give rows column by column have this method. */
  read?(): Promise<TableReading>;
  /**
   * The rows that the last call of `read` has not given yet, as a table for SQL. Null when DuckDB cannot read the format,
   * or when that saves no time. The caller must `drop` the result after use.
   */
  sql?(connection: DuckDBConnection, wanted: readonly WantedColumn[]): Promise<SqlTable | null>;
  /** What was found while the rows were read. It must be called after all rows have been read. */
  findings(): Promise<TableFindings>;
  /** The only table object of the sheet, in formats that have them; null when there is none, or several. */
  tableObject?(): Promise<TableObject | null>;
}

/** What is found in a table while its rows are read. */
export interface TableFindings {
  /** The ranges of merged cells. */
  readonly merged: readonly CellRange[];
  /** Remarks about the whole table, and on formulas whose stored values are or may be outdated. */
  readonly remarks: readonly Remark[];
  /** The texts that are in no cell. */
  readonly asides: readonly Aside[];
}

export const NO_FINDINGS: TableFindings = { merged: [], remarks: [], asides: [] };

/**
 * One reading of a table. The caller takes the first rows, and when it has seen them, takes all others: either by `rows` or
 * by `columns`. The caller must close it.
 */
export interface TableReading {
  /** The next batch of first rows; null at the end of the table. It must not be called after `rows` or `columns`. */
  first(): Promise<readonly RawRow[] | null>;
  /** All rows after the first ones, row by row. */
  rows(): AsyncIterable<readonly RawRow[]>;
  /** All rows after the first ones, column by column where the reader can. `kinds` has the kind of each column. */
  columns(kinds: readonly ColumnKind[]): AsyncIterable<readonly RawRow[] | ColumnBatch>;
  close(): Promise<void>;
}

/** Makes a reading from the generators of a reader. `columns` goes on where `rows` stopped; when left out, `rows` does. */
export const readingOf = (
  rows: AsyncGenerator<readonly RawRow[]>,
  columns: TableReading['columns'] = () => rows,
): TableReading => ({
  async first() {
    const { value, done } = await rows.next();
    return done === true ? null : value;
  },
  rows: () => rows,
  columns,
  async close() {
    await rows.return(undefined);
  },
});

/** A column that is wanted as SQL. */
export interface WantedColumn {
  readonly kind: ColumnKind;
  /** Texts that the column probably has. Correct guesses save time. */
  readonly likelyTexts: readonly string[];
}

/** The same cells as those of `RawTable.rows`, as a table that any DuckDB connection can read. */
export interface SqlTable {
  /** An item of a FROM clause. */
  readonly from: string;
  /** SQL of the number of a row, as in `RawRow.row`. The numbers are consecutive. */
  readonly row: string;
  /** The number of the first row that was not read yet. The table may also have rows before it. */
  readonly firstRow: number;
  readonly lastRow: number;
  readonly columns: readonly SqlColumn[];
  /** The optimizer of DuckDB that must not be used while the table is read. */
  readonly withoutOptimizer?: string;
  /** The cell that a text stands for. */
  cellOf(text: string): Cell;
  /** The rows that fulfil a condition in SQL, in order, including rows without a filled cell. */
  rowsWhere(condition: string): AsyncIterable<readonly RawRow[]>;
  /** Removes what was created for the table. */
  drop?(): Promise<void>;
}

/** A column of a table for SQL. */
export type SqlColumn =
  | {
      readonly kind: 'texts';
      /** SQL of the text; NULL for an empty cell. */
      readonly sql: string;
      /** In how many dictionaries the file stores the texts; null when it stores them without a dictionary. */
      readonly dictionaries: number | null;
    }
  | {
      readonly kind: 'codes';
      /** SQL of the position of the text in `texts`, from 1; NULL for an empty cell. */
      readonly sql: string;
      readonly texts: readonly string[];
    }
  | {
      readonly kind: 'numbers';
      /** SQL of a DOUBLE, which may be infinite or NaN; NULL for an empty cell. */
      readonly sql: string;
      /** SQL of the state of a number that was written as text. */
      readonly state?: string;
    };

/** A range that a spreadsheet program treats as one table. Its first row is its header. */
export interface TableObject {
  readonly name: string;
  readonly range: CellRange;
  /** How many rows at its end hold totals. */
  readonly totalsRows: number;
}

/** A remark about a whole table, such as on its hidden rows. */
export interface Remark extends Diagnostic {
  readonly severity: 'warning' | 'note';
  /**
   * The row of the last wrong value, when the values of `cell` and of cells below it are wrong; left out for other remarks.
   * The remark becomes an error when one of the wrong values belongs to the data.
   */
  readonly wrongUntilRow?: number;
  /** The first cell of the remark; left out for a remark on the whole table. */
  readonly cell?: Position;
}

/** A rectangle of cells, which includes its ends. Rows count from 1, columns from 0. */
export interface CellRange {
  readonly rows: readonly [first: number, last: number];
  readonly columns: readonly [first: number, last: number];
}

/** An open file, which its caller closes. */
export interface RawFile {
  /** The name of the file in messages: its path below the source directory. */
  readonly name: string;
  readonly format: FileFormat;
  readonly tables: readonly RawTable[];
  /** The share of the file that was read so far, from 0 to 1. It is for showing progress, so it may be estimated. */
  progress(): number;
  close(): Promise<void>;
}

/** The name of a range in spreadsheets: `B3:C7`. */
export const rangeName = ({ rows, columns }: CellRange): string =>
  rows.map((row, end) => `${columnLetters(columns[end] ?? 0)}${row}`).join(':');
