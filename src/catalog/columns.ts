// Holds the rows of a dataset in typed arrays, in published order. A dimension is stored as codes into its dictionary.

import { type DatasetName, type DimensionName, metricNames, rowOrder } from './datasets.ts';

/** The codes of a column, in the narrowest array that holds them. */
export type Codes = Uint8Array | Uint16Array | Uint32Array;

/** The DuckDB type of a code. If a parameter of a statement had another type, DuckDB would convert every row. */
export type CodeType = 'UTINYINT' | 'USMALLINT' | 'UINTEGER';

/** The values of a dimension. The code of a value is its index in `values`. */
export interface Dictionary {
  /** The values in code-point order, or ascending years. So codes are in the same order as their values. */
  readonly values: readonly string[];
  readonly codeByValue: ReadonlyMap<string, number>;
  readonly type: CodeType;
}

/** A dimension of a table. */
export interface Column extends Dictionary {
  readonly codes: Codes;
}

/** The rows of one dataset of a snapshot. */
export interface Table {
  readonly dataset: DatasetName;
  readonly rows: number;
  /** The dimensions in the order of contract §2.3. */
  readonly dimensions: ReadonlyMap<DimensionName, Column>;
  /** The metrics in contract order. Each has a double per row, which is NaN when the value is missing. */
  readonly metrics: ReadonlyMap<string, Float64Array>;
  /** Whether the columns are in shared memory, so that another thread can read them. */
  readonly isShared: boolean;
  /**
   * An unused buffer of the same size as the columns, if they are in shared memory. V8 does not count shared memory
   * when it decides whether to collect garbage, so this buffer counts in its place. It is never written, so it takes no
   * memory.
   */
  readonly ballast: ArrayBuffer | null;
}

/** The bytes of one code of each type. */
export const CODE_BYTES: Readonly<Record<CodeType, number>> = { UTINYINT: 1, USMALLINT: 2, UINTEGER: 4 };

/** The narrowest type for the codes of a dictionary with `size` values. */
export function codeType(size: number): CodeType {
  if (size <= 0x100) return 'UTINYINT';
  return size <= 0x10000 ? 'USMALLINT' : 'UINTEGER';
}

/** Makes a dictionary of values, which must be in the order of their codes. */
export function dictionaryOf(values: readonly string[]): Dictionary {
  return {
    values,
    codeByValue: new Map(values.map((value, code) => [value, code])),
    type: codeType(values.length),
  };
}

/** A table with at least this many rows is in shared memory, because computations over it run in another thread. */
const SHARED_ROWS = 2 ** 17;

/**
 * Makes a table of `rows` rows. Their codes and metrics are 0 until the caller fills them in.
 *
 * @param sharedRows a table with at least this many rows is in shared memory.
 */
export function makeTable(
  dataset: DatasetName,
  rows: number,
  dictionaries: ReadonlyMap<DimensionName, Dictionary>,
  sharedRows = SHARED_ROWS,
): Table {
  const isShared = rows >= sharedRows;
  let bytes = 0;
  const allocate = (length: number) => {
    bytes += length;
    return isShared ? new SharedArrayBuffer(length) : new ArrayBuffer(length);
  };
  const dimensions = new Map(
    [...dictionaries].map(([name, dictionary]) => [
      name,
      { ...dictionary, codes: makeCodes(dictionary.type, allocate(rows * CODE_BYTES[dictionary.type])) },
    ]),
  );
  const metrics = new Map(
    metricNames(dataset).map((metric) => [
      metric,
      new Float64Array(allocate(rows * Float64Array.BYTES_PER_ELEMENT)),
    ]),
  );
  return { dataset, rows, dimensions, metrics, isShared, ballast: isShared ? new ArrayBuffer(bytes) : null };
}

/**
 * The first misplaced row from `first` up to, not including, `end`; -1 when there is none. A misplaced row does not come
 * after its predecessor in the row order. No two rows have the same key (ruling 13), so a row that equals its predecessor
 * is misplaced too.
 */
export function firstMisplacedRow(table: Table, first: number, end: number): number {
  const columns = rowOrder(table.dataset).flatMap((name) => table.dimensions.get(name)?.codes ?? []);
  for (let row = Math.max(first, 1); row < end; row++) {
    if (!comesAfterPrevious(columns, row)) return row;
  }
  return -1;
}

function comesAfterPrevious(columns: readonly Codes[], row: number): boolean {
  for (const codes of columns) {
    const step = (codes[row] ?? 0) - (codes[row - 1] ?? 0);
    if (step !== 0) return step > 0;
  }
  return false;
}

function makeCodes(type: CodeType, memory: ArrayBuffer | SharedArrayBuffer): Codes {
  if (type === 'UTINYINT') return new Uint8Array(memory);
  return type === 'USMALLINT' ? new Uint16Array(memory) : new Uint32Array(memory);
}
