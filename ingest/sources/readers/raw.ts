// What every reader gives: the rows of a file as they stand, unchanged, with their places.

import { columnLetters, type FileFormat } from '../../messages/place.ts';

export { UnreadableError } from '../../messages/fault.ts';

/** A cell as the file holds it; `null` is an empty one. */
export type Cell = null | string | number | boolean | OddCell;

/** What a file may hold that is no plain value. */
export type OddCell =
  /** `YYYY-MM-DD`, `YYYY-MM-DDTHH:MM:SS`, or a time of day alone: `THH:MM:SS`. */
  | { readonly kind: 'date'; readonly iso: string }
  /** A number shown as percent: `value` 0.05 is shown as 5 %. */
  | { readonly kind: 'percent'; readonly value: number }
  /** A spreadsheet error such as #N/A or #DIV/0!, as written. */
  | { readonly kind: 'error'; readonly code: string }
  /** A formula whose value was never calculated. */
  | { readonly kind: 'uncalculated' };

export interface RawRow {
  /**
   * 1-based, as a person sees it: spreadsheet row, line of a csv (where the record begins), row of a Parquet
   * file. Row 0 of a Parquet file holds its column names.
   */
  readonly row: number;
  /** From column A on; trailing empty cells are left out. */
  readonly cells: readonly Cell[];
}

export interface RawTable {
  /** The sheet's name; `null` for a file that is one table. */
  readonly name: string | null;
  readonly hidden: boolean;
  /**
   * Batches of rows that hold at least one non-empty cell, in order. May be called again: it reads anew; and
   * left early. Throws UnreadableError where the file turns out to be damaged.
   */
  rows(): AsyncIterable<readonly RawRow[]>;
  /** Cells that are merged, where a format has such; known when the rows have been read to their end. */
  merged?(): readonly MergedCells[];
}

/** A merged range holds one value, in its first cell. Rows count from 1, columns from 0; both ends are in it. */
export interface MergedCells {
  readonly rows: readonly [first: number, last: number];
  readonly columns: readonly [first: number, last: number];
}

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
export const rangeName = ({ rows, columns }: MergedCells): string =>
  rows.map((row, end) => `${columnLetters(columns[end] ?? 0)}${row}`).join(':');
