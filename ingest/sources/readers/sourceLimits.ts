// The limits of source files. A file beyond them is refused before it uses up memory or time.

import type { Diagnostic } from '../../messages/fault.ts';
import { count } from '../../messages/numbers.ts';

const MB = 1024 * 1024;

export const LIMITS = {
  fileBytes: 512 * MB,
  /** The unpacked bytes of all parts of a workbook together. */
  unpackedBytes: 4096 * MB,
  /** The most unpacked bytes for each packed byte of a part. */
  unpackRatio: 200,
  /** Parts up to this unpacked size may exceed `unpackRatio`, because small parts often compress better and do no harm. */
  unpackFreelyBytes: 64 * MB,
  zipEntries: 10_000,
  zipDirectoryBytes: 16 * MB,
  /** The unpacked bytes of a part whose content stays in memory, such as the workbook, its relationships and its styles. */
  smallPartBytes: 64 * MB,
  /** The unpacked bytes of the shared strings, which stay in memory while their workbook is read. */
  sharedStringBytes: 256 * MB,
  /** The bytes of one tag, text or comment of XML. The text of a cell has at most 32,767 characters. */
  tokenBytes: 4 * MB,
  xmlDepth: 64,
  rows: 1_048_576,
  /** The rows of a Parquet file. A file of a few bytes may have millions of them. */
  parquetRows: 50_000_000,
  /** The bytes of one text of a Parquet file: about as many as a cell of a workbook can hold. */
  textBytes: 32 * 1024,
  columns: 16_384,
  /** The cells of one sheet. Empty cells to the left of filled ones count, because they take memory and time too. */
  cells: 134_217_728,
  /** The merged ranges of one sheet, which stay in memory while it is read. */
  mergedRanges: 100_000,
  /** The bytes of the texts of one row of a sheet, or of one record of a csv file. */
  recordBytes: 16 * MB,
} as const;

/** The kind of all errors about files and parts that are over a limit of size. */
export const OVER_LIMIT = 'is over the limit of size';

/** The fault of a row number that no sheet can have. */
export const beyondLastRow = (row: number | string): Diagnostic => ({
  problem: `row ${row} is beyond the last one a sheet has (${count(LIMITS.rows)})`,
  remedy: 'split it',
  kind: 'a row is beyond the last one a sheet has',
});

/** The fault of a cell in a column that no sheet can have. */
export const BEYOND_LAST_COLUMN: Diagnostic = {
  problem: 'is beyond the last column a sheet has (XFD)',
  remedy: 'move the data to the left',
};
/** The fault of a cell whose text exceeds a limit. */
export const LONG_TEXT: Diagnostic = { problem: 'a text in it is too long', remedy: 'shorten it' };
/** The fault of a sheet with too many merged ranges. */
export const MANY_MERGED_RANGES: Diagnostic = {
  problem: `has more than ${count(LIMITS.mergedRanges)} ranges of merged cells`,
  remedy: 'unmerge them',
};

/** A number of bytes in megabytes: `536870912` gives `512 MB`. */
export const megabytes = (bytes: number): string => `${count(Math.ceil(bytes / MB))} MB`;
