// The limits of source files. A larger file is refused before it uses up memory or time.

const MB = 1024 * 1024;

export const LIMITS = {
  fileBytes: 512 * MB,
  /** All parts of a workbook together. */
  unpackedBytes: 4096 * MB,
  /** The most that a part may grow when it is unpacked, as a multiple of its packed size. */
  unpackRatio: 200,
  /** Parts up to this unpacked size may exceed `unpackRatio`: small parts compress far better and do no harm. */
  unpackFreelyBytes: 64 * MB,
  zipEntries: 10_000,
  zipDirectoryBytes: 16 * MB,
  /** A part whose content stays in memory: workbook, relationships, styles. */
  smallPartBytes: 64 * MB,
  /** Shared strings stay in memory while their workbook is read. */
  sharedStringBytes: 256 * MB,
  /** One tag, text or comment of XML. A cell's text has 32,767 characters at most. */
  tokenBytes: 4 * MB,
  xmlDepth: 64,
  rows: 1_048_576,
  /** A few bytes of a Parquet file may stand for millions of rows. */
  parquetRows: 50_000_000,
  /** One text of a Parquet file, about as much as one cell of a spreadsheet. */
  textBytes: 32 * 1024,
  columns: 16_384,
  /** Cells of one sheet. Empty cells to the left of filled ones count: each costs memory and time. */
  cells: 134_217_728,
  /** Merged ranges of one sheet. They stay in memory while it is read. */
  mergedRanges: 100_000,
  /** The text of one row of a sheet, or of one record of a csv. */
  recordBytes: 16 * MB,
} as const;

/** The heading of all errors of files and parts over a limit of size. */
export const OVER_LIMIT = 'is over the limit of size';

/** `536870912` → `512 MB`. */
export const megabytes = (bytes: number): string => `${Math.ceil(bytes / MB).toLocaleString('en-US')} MB`;
