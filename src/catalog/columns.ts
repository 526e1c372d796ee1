// The rows of one dataset as typed arrays: every dimension as codes into its dictionary, in published order.

import { type DatasetName, type DimensionName, metricNames, rowOrder } from './datasets.ts';

export type Codes = Uint8Array | Uint16Array | Uint32Array;

/** DuckDB's type of a code. A statement's parameter of another type would make DuckDB convert every row. */
export type CodeType = 'UTINYINT' | 'USMALLINT' | 'UINTEGER';

export interface Dictionary {
  /** Text in code-point order, years ascending. A value's code is its index, so codes compare as values do. */
  readonly values: readonly string[];
  readonly codeOf: ReadonlyMap<string, number>;
  readonly type: CodeType;
}

export interface Column extends Dictionary {
  /** One per row. */
  readonly codes: Codes;
}

export interface Table {
  readonly dataset: DatasetName;
  readonly rows: number;
  /** In the order of contract §2.3. */
  readonly dimensions: ReadonlyMap<DimensionName, Column>;
  /** One double per row, NaN where the source is empty; in contract order. */
  readonly metrics: ReadonlyMap<string, Float64Array>;
  /** Whether the columns lie in shared memory, so that a thread can compute from them. */
  readonly isShared: boolean;
  /**
   * An unused buffer of the size of the columns in shared memory. V8 does not count shared memory when it decides to
   * collect garbage, so this buffer counts instead. Its pages are never written, so it takes no memory.
   */
  readonly ballast: ArrayBuffer | null;
}

/** Bytes of one code. */
export const CODE_BYTES: Readonly<Record<CodeType, number>> = { UTINYINT: 1, USMALLINT: 2, UINTEGER: 4 };

/** The narrowest type for the codes of a dictionary of that size. */
export const codeType = (size: number): CodeType =>
  size <= 0x100 ? 'UTINYINT' : size <= 0x10000 ? 'USMALLINT' : 'UINTEGER';

/** A dictionary of `values`, given in the order of their codes. */
export function dictionaryOf(values: readonly string[]): Dictionary {
  return {
    values,
    codeOf: new Map(values.map((value, code) => [value, code])),
    type: codeType(values.length),
  };
}

/** Computations over at least this many rows take so long that a thread does them. */
export const SHARED_ROWS = 2 ** 17;

/**
 * An empty table of that many rows, for the caller to fill.
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
  const memory = (length: number) => {
    bytes += length;
    return isShared ? new SharedArrayBuffer(length) : new ArrayBuffer(length);
  };
  const dimensions = new Map(
    [...dictionaries].map(([name, dictionary]) => [
      name,
      { ...dictionary, codes: makeCodes(dictionary.type, memory(rows * CODE_BYTES[dictionary.type])) },
    ]),
  );
  const metrics = new Map(
    metricNames(dataset).map((metric) => [
      metric,
      new Float64Array(memory(rows * Float64Array.BYTES_PER_ELEMENT)),
    ]),
  );
  return { dataset, rows, dimensions, metrics, isShared, ballast: isShared ? new ArrayBuffer(bytes) : null };
}

/**
 * The first row in [first, end) that is not greater than its predecessor, or -1. Every row has a key of its own
 * (ruling 13), so equal rows count as misplaced.
 */
export function firstMisplacedRow(table: Table, first: number, end: number): number {
  const columns = rowOrder(table.dataset).flatMap((name) => table.dimensions.get(name)?.codes ?? []);
  for (let row = Math.max(first, 1); row < end; row++) {
    if (!standsAfter(columns, row)) return row;
  }
  return -1;
}

function standsAfter(columns: readonly Codes[], row: number): boolean {
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
