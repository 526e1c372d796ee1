// How much a source file may hold: beyond these it is refused before it can harm.

const MB = 1024 * 1024;

export const LIMITS = {
  fileBytes: 512 * MB,
  /** Of all parts of a workbook together. */
  unpackedBytes: 4096 * MB,
  /** A part may unpack to this many times its size in the file … */
  unpackRatio: 200,
  /** … once it is larger than this; small parts compress far better than that and do no harm. */
  unpackFreelyBytes: 64 * MB,
  zipEntries: 10_000,
  zipDirectoryBytes: 16 * MB,
  /** Parts held whole, or as a tree: workbook, relationships, styles. */
  smallPartBytes: 64 * MB,
  /** Shared strings stay in memory while their workbook is read. */
  sharedStringBytes: 256 * MB,
  /** One tag, text or comment of XML. A cell's text has 32,767 characters at most. */
  tokenBytes: 4 * MB,
  xmlDepth: 64,
  rows: 1_048_576,
  /** Of a Parquet file, where a thousand bytes may stand for millions of rows. */
  parquetRows: 50_000_000,
  /** One text of a Parquet file: about what a cell of a spreadsheet may hold. */
  textBytes: 32 * 1024,
  columns: 16_384,
  /** Of one sheet, empty ones to the left of filled ones included: each costs memory and time. */
  cells: 134_217_728,
  /** Of one sheet; they stay in memory while it is read. */
  mergedRanges: 100_000,
  /** The text of one row of a sheet, or of one record of a csv. */
  recordBytes: 16 * MB,
} as const;

/** `536870912` → `512 MB`. */
export const megabytes = (bytes: number): string => `${Math.ceil(bytes / MB).toLocaleString('en-US')} MB`;
