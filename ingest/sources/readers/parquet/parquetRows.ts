// Reads the rows of a Parquet file through DuckDB, a chunk at a time: row by row, or column by column.

import type { DuckDBDataChunk, DuckDBInstance, DuckDBValue } from '@duckdb/node-api';
import { numbersOf, parquetRows } from '../../../../src/duckdb.ts';
import { textOrFootnoted } from '../footnotes.ts';
import {
  type BatchColumn,
  type Cell,
  type ColumnBatch,
  type ColumnKind,
  NO_NUMBER,
  PLAIN_NUMBER,
  type RawRow,
  readingOf,
  type TableReading,
} from '../rawFile.ts';
import type { Column } from './columns.ts';
import type { Dictionaries, Dictionary } from './dictionaries.ts';
import { type QueriedFile, translatingDamage } from './queriedFile.ts';

/** An open Parquet file with its columns. */
export interface ParquetFile extends QueriedFile {
  readonly instance: DuckDBInstance;
  readonly columns: readonly Column[];
  readonly dictionaries: () => Promise<Dictionaries>;
  /** Whether the file has so many rows that making dictionaries saves time. */
  readonly isLong: boolean;
  lastRow: number;
}

/**
 * The optimizer of DuckDB that trusts the statistics in the footer about the values in the rows. It must not be used,
 * because some programs write wrong statistics.
 */
export const STATISTICS_OPTIMIZER = 'statistics_propagation';

/** How many rows are read first. With them, the caller decides whether it wants the other rows column by column. */
export const FIRST_ROWS = 2048;

/** The rows of a file, after a row of its column names. */
export const rowsOf = (file: ParquetFile): AsyncGenerator<readonly RawRow[]> =>
  rowsAfterHeadings(file, chunksIn(file));

/** Begins to read a file. The rows after the first ones can be read column by column. */
export function readParquet(file: ParquetFile): TableReading {
  const chunks = chunksIn(file);
  return readingOf(rowsAfterHeadings(file, chunks), async function* (kinds) {
    for await (const chunk of chunks) yield columnBatchOf(chunk, kinds) ?? rowsOfChunk(chunk);
  });
}

async function* rowsAfterHeadings(
  { columns }: ParquetFile,
  chunks: AsyncGenerator<Chunk>,
): AsyncGenerator<readonly RawRow[]> {
  try {
    yield [{ row: 0, cells: columns.map((column) => column.heading) }];
    for await (const chunk of chunks) yield rowsOfChunk(chunk);
  } finally {
    await chunks.return(undefined);
  }
}

/** All chunks of rows. The first ones of a long file come without dictionaries, because making these takes time. */
async function* chunksIn(file: ParquetFile): AsyncGenerator<Chunk> {
  const { path, columns, isLong } = file;
  const from = `FROM ${parquetRows(path)}`;
  if (isLong) {
    const selects = columns.flatMap((column) => selectsOf(column, undefined));
    for await (const chunk of chunksOf(file, `SELECT ${selects.join(', ')} ${from} LIMIT ${FIRST_ROWS}`))
      yield { chunk, columns, dictionaries: NO_DICTIONARIES, first: 1 };
  }
  const dictionaries = await file.dictionaries();
  const selects = columns.flatMap((column) => selectsOf(column, dictionaries.get(column.name)));
  const skipped = isLong ? ` OFFSET ${FIRST_ROWS}` : '';
  let row = isLong ? FIRST_ROWS + 1 : 1;
  for await (const chunk of chunksOf(file, `SELECT ${selects.join(', ')} ${from}${skipped}`)) {
    const first = row;
    row += chunk.rowCount;
    file.lastRow = row - 1;
    yield { chunk, columns, dictionaries, first };
  }
}

/** The rows that fulfil a condition on `ROW` and the columns, including rows without a filled cell. */
export async function* rowsWhere(file: ParquetFile, condition: string): AsyncGenerator<readonly RawRow[]> {
  const { path, columns } = file;
  const selects = [...columns.flatMap((column) => selectsOf(column, undefined)), `(${ROW})::DOUBLE`];
  const from = parquetRows(path, 'file_row_number = true');
  const select = `SELECT ${selects.join(', ')} FROM ${from} WHERE ${condition} ORDER BY ${ROW}`;
  for await (const chunk of chunksOf(file, select)) {
    const numbers = numbersOf(chunk, selects.length - 1);
    const readers = cellReaders({ chunk, columns, dictionaries: NO_DICTIONARIES });
    yield Array.from(numbers, (row, i) => rowOf(readers, i, row) ?? { row, cells: [] });
  }
}

/** The number of a row, in SQL. */
export const ROW = 'file_row_number + 1';

const NO_DICTIONARIES: Dictionaries = new Map();

/** The chunks of a query. DuckDB prefetches the next chunk while the caller uses one. */
async function* chunksOf(file: ParquetFile, sql: string): AsyncGenerator<DuckDBDataChunk> {
  const connection = await file.instance.connect();
  let next: Promise<DuckDBDataChunk | null> = Promise.resolve(null);
  try {
    const result = await translatingDamage(file, () => connection.stream(sql));
    const fetch = () => translatingDamage(file, () => result.fetchChunk());
    next = fetch();
    for (;;) {
      const chunk = await next;
      if (!chunk || chunk.rowCount === 0) return;
      next = fetch();
      // A caller that stops early never awaits this promise, and a rejection without a handler would end the process.
      next.catch(() => {});
      yield chunk;
    }
  } finally {
    // The connection must stay open until the last `fetchChunk` has ended.
    await next.catch(() => null);
    connection.closeSync();
  }
}

/**
 * The SQL expressions of a column. A column of numbers has a second expression, which is 1 for NULL, because the vector of
 * the numbers does not show NULL.
 */
function selectsOf({ select, kind }: Column, dictionary: Dictionary | undefined): string[] {
  if (dictionary !== undefined) return [`coalesce(enum_code((${select})::${dictionary.type})::INTEGER, -1)`];
  return kind === 'number' ? [`coalesce(${select}, 0)`, `(${select} IS NULL)::UTINYINT`] : [select];
}

interface Chunk {
  readonly chunk: DuckDBDataChunk;
  readonly columns: readonly Column[];
  readonly dictionaries: Dictionaries;
  /** The number of the first row. */
  readonly first: number;
}

/** For each column, a function that reads its cell in a row. */
function cellReaders({
  chunk,
  columns,
  dictionaries,
}: Omit<Chunk, 'first'>): readonly ((row: number) => Cell)[] {
  let at = 0;
  return columns.map(({ name, kind }): ((row: number) => Cell) => {
    const dictionary = dictionaries.get(name);
    if (dictionary !== undefined) {
      const codes = numbersOf(chunk, at++);
      return (row) => dictionary.cells[codes[row] ?? -1] ?? null;
    }
    if (kind === 'number') {
      const numbers = numbersOf(chunk, at++);
      const nulls = numbersOf(chunk, at++);
      return (row) => (nulls[row] === 1 ? null : (numbers[row] ?? null));
    }
    const values = chunk.getColumnValues(at++);
    return (row) => cellOf(values[row] ?? null, kind);
  });
}

function rowOf(readers: readonly ((row: number) => Cell)[], i: number, number: number): RawRow | undefined {
  const cells = readers.map((cellAt) => cellAt(i));
  while (cells.at(-1) === null) cells.pop();
  return cells.length ? { row: number, cells } : undefined;
}

function rowsOfChunk(read: Chunk): RawRow[] {
  const readers = cellReaders(read);
  const rows: RawRow[] = [];
  for (let i = 0; i < read.chunk.rowCount; i++) {
    const row = rowOf(readers, i, read.first + i);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/** The rows of a chunk column by column; null when a column has neither codes nor numbers. */
function columnBatchOf(read: Chunk, wanted: readonly ColumnKind[]): ColumnBatch | null {
  const { chunk, columns, dictionaries, first } = read;
  if (columns.length !== wanted.length) return null;
  const odd = new Uint8Array(chunk.rowCount);
  const batch: BatchColumn[] = [];
  let at = 0;
  for (const { name, kind } of columns) {
    const dictionary = dictionaries.get(name);
    if (dictionary !== undefined) {
      // `selectsOf` selects codes as INTEGER and numbers as DOUBLE.
      const codes = numbersOf(chunk, at++) as Int32Array;
      batch.push({ kind: 'texts', codes, dictionary: dictionary.cells });
    } else if (kind === 'number') {
      const values = numbersOf(chunk, at++) as Float64Array;
      const nulls = numbersOf(chunk, at++);
      const states = new Uint8Array(chunk.rowCount);
      for (let i = 0; i < states.length; i++) {
        states[i] = nulls[i] === 1 ? NO_NUMBER : PLAIN_NUMBER;
        if (!Number.isFinite(values[i])) odd[i] = 1;
      }
      batch.push({ kind: 'numbers', values, states });
    } else return null;
  }
  let readers: ReturnType<typeof cellReaders> | undefined;
  return {
    count: chunk.rowCount,
    rows: Int32Array.from({ length: chunk.rowCount }, (_, i) => first + i),
    columns: batch,
    odd,
    rawRow: (i) => {
      readers ??= cellReaders(read);
      return rowOf(readers, i, first + i);
    },
  };
}

function cellOf(value: DuckDBValue, kind: Column['kind']): Cell {
  if (typeof value === 'string')
    return kind === 'date' ? { kind: 'date', iso: value.replace(/T00:00:00$/, '') } : textOrFootnoted(value);
  // All other columns are selected as one of these types.
  return value as number | boolean | null;
}
