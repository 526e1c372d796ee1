// Reads Parquet files through DuckDB, a chunk of rows at a time.

import { type FileHandle, open } from 'node:fs/promises';
import type { DuckDBConnection, DuckDBDataChunk, DuckDBInstance, DuckDBValue } from '@duckdb/node-api';
import { identifier, literal, numbersOf, openDuckDb, parquetRows } from '../../../src/duckdb.ts';
import { type Place, wholeFile } from '../../messages/place.ts';
import { textOrFootnoted } from './footnotes.ts';
import { LIMITS } from './limits.ts';
import { type Column, type Dictionaries, type Dictionary, dictionariesOf } from './parquetDictionaries.ts';
import {
  type BatchColumn,
  type Cell,
  type ColumnBatch,
  type ColumnKind,
  NO_NUMBER,
  onlyRows,
  PLAIN_NUMBER,
  type RawFile,
  type RawRow,
  type RowsWanted,
  UnreadableError,
} from './raw.ts';

/**
 * Opens a Parquet file: one table, whose row 0 holds the column names; the data rows count from 1.
 *
 * Numbers of every width come as the nearest double, NaN and infinities included; points in time with a zone
 * come as UTC. `name` is what messages call the file; from `manyRows` on, texts that repeat are read as codes. Throws UnreadableError for what is no Parquet file or
 * damaged, and for a column of a type that is no plain value.
 */
export async function openParquet(path: string, name: string, manyRows = MANY_ROWS): Promise<RawFile> {
  await checkMagic(path, name);
  const { instance, connections, close } = await openDuckDb({ settings: SETTINGS });
  try {
    const [connection] = connections;
    // Several statements read the file. Without this, each of them reads the description of all row groups anew.
    await connection.run('SET GLOBAL parquet_metadata_cache = true');
    const columns = await describeColumns(connection, path, name);
    const rowCount = await countRows(connection, path, name);
    const dictionaries = once(async () =>
      rowCount < manyRows ? new Map() : await dictionariesOf(connection, path, columns),
    );
    let readRowCount = 0;
    const onRows = (rows: number) => {
      readRowCount = rows;
    };
    const read = (wanted: RowsWanted) =>
      readRows({ instance, path, name, columns, dictionaries, wanted, onRows });
    return {
      name,
      format: 'parquet',
      tables: [
        {
          name: null,
          hidden: false,
          rows: () => onlyRows(read({ kinds: null })),
          batches: read,
        },
      ],
      progress: () => (rowCount > 0 ? Math.min(1, readRowCount / rowCount) : 1),
      close: async () => close(),
    };
  } catch (error) {
    close();
    throw error;
  }
}

const SETTINGS = {
  threads: '1',
  // A file may declare any size: this limit stops the allocation.
  memory_limit: '1GB',
};

/** In a file of fewer rows, reading the texts takes less time than the statements for dictionaries. */
const MANY_ROWS = 20_000;

const MAGIC = 'PAR1';
const MAGIC_ENCRYPTED = 'PARE';
const SMALLEST_BYTES = 12;

/** How to read each type. */
const TYPES: readonly {
  readonly type: RegExp;
  readonly select: (c: string, name: string) => string;
  readonly kind: Column['kind'];
}[] = [
  {
    type: /^(VARCHAR|UUID|JSON|ENUM\(.*)$/s,
    select: (c, name) => unlessLong(`${c}::VARCHAR`, name),
    kind: 'text',
  },
  { type: /^BOOLEAN$/, select: (c) => c, kind: 'boolean' },
  {
    type: /^(U?(TINYINT|SMALLINT|INTEGER|BIGINT)|FLOAT|DOUBLE)$/,
    select: (c) => `${c}::DOUBLE`,
    kind: 'number',
  },
  // The cast goes through text: the direct one divides, and so rounds twice.
  { type: /^(U?HUGEINT|DECIMAL\(.*)$/, select: (c) => `${c}::VARCHAR::DOUBLE`, kind: 'number' },
  { type: /^DATE$/, select: (c) => `strftime(${c}, '%Y-%m-%d')`, kind: 'date' },
  {
    type: /^TIMESTAMP(_S|_MS|_NS)?$/,
    select: (c) => `strftime(${c}, '%Y-%m-%dT%H:%M:%S')`,
    kind: 'date',
  },
  {
    type: /^TIMESTAMP WITH TIME ZONE$/,
    select: (c) => `strftime(${c} AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S')`,
    kind: 'date',
  },
];

/** SQL that fails for a text that is too long: a few bytes of a file may stand for gigabytes of text. */
const unlessLong = (text: string, name: string) =>
  `CASE WHEN strlen(${text}) > ${LIMITS.textBytes} THEN error(${literal(TOO_LONG + name)}) ELSE ${text} END`;

const TOO_LONG = 'TOO LONG: ';

async function checkMagic(path: string, name: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    if (size === 0) throw refused(name, 'is empty (0 bytes)', 'write it again');
    const head = await readMagic(handle, 0);
    const tail = await readMagic(handle, Math.max(0, size - MAGIC.length));
    if (head === MAGIC_ENCRYPTED) throw refused(name, 'is encrypted', 'write it without a key');
    if (head !== MAGIC) throw refused(name, 'is not a Parquet file', 'write it again as one');
    if (tail !== MAGIC || size < SMALLEST_BYTES) {
      throw refused(name, 'is cut off, its end is missing', 'copy or write it again');
    }
  } finally {
    await handle.close();
  }
}

async function readMagic(handle: FileHandle, at: number): Promise<string> {
  const buffer = Buffer.alloc(MAGIC.length);
  const { bytesRead } = await handle.read(buffer, 0, MAGIC.length, at);
  return buffer.toString('latin1', 0, bytesRead);
}

async function describeColumns(connection: DuckDBConnection, path: string, name: string): Promise<Column[]> {
  const described = await orDamaged(path, name, () =>
    connection.runAndReadAll(`DESCRIBE SELECT * FROM ${parquetRows(path)}`),
  );
  const columns = described.getRowsJS().map(([column, type]) => columnOf(String(column), String(type), name));
  if (columns.length <= LIMITS.columns) return columns;
  throw refused(name, `has more than ${LIMITS.columns} columns`, 'split it');
}

async function countRows(connection: DuckDBConnection, path: string, name: string): Promise<number> {
  const counted = await orDamaged(path, name, () =>
    connection.runAndReadAll(`SELECT count(*)::DOUBLE FROM ${parquetRows(path)}`),
  );
  const rows = Number(counted.getRowsJS()[0]?.[0] ?? 0);
  if (rows <= LIMITS.parquetRows) return rows;
  throw refused(name, `holds ${rows} rows, and ${LIMITS.parquetRows} are the limit`, 'split it');
}

function columnOf(column: string, type: string, name: string): Column {
  const known = TYPES.find((each) => each.type.test(type));
  if (known) {
    const select = known.select(identifier(column), column);
    return { name: column, select, kind: known.kind };
  }
  throw new UnreadableError({
    place: inColumn(name, column),
    problem: `${type} is no type of plain values`,
    remedy: 'write it as text, number, date or boolean',
    kind: 'a column has no type of plain values',
  });
}

interface Reading {
  readonly instance: DuckDBInstance;
  readonly path: string;
  readonly name: string;
  readonly columns: readonly Column[];
  readonly dictionaries: () => Promise<Dictionaries>;
  readonly wanted: RowsWanted;
  readonly onRows: (readRows: number) => void;
}

async function* readRows(reading: Reading): AsyncGenerator<readonly RawRow[] | ColumnBatch> {
  const { instance, path, name, columns, wanted, onRows } = reading;
  yield [{ row: 0, cells: columns.map((column) => column.name) }];
  const dictionaries = await reading.dictionaries();
  const connection = await instance.connect();
  let next: Promise<DuckDBDataChunk | null> = Promise.resolve(null);
  try {
    const selects = columns.flatMap((column) => selectsOf(column, dictionaries.get(column.name)));
    const select = `SELECT ${selects.join(', ')} FROM ${parquetRows(path)}`;
    const result = await orDamaged(path, name, () => connection.stream(select));
    const fetch = () => orDamaged(path, name, () => result.fetchChunk());
    next = fetch();
    for (let row = 1; ; ) {
      const chunk = await next;
      if (!chunk || chunk.rowCount === 0) return;
      onRows(row - 1 + chunk.rowCount);
      // The engine reads on while these rows are staged.
      next = fetch();
      // Whoever stops before it is asked for need not know that it cannot be read.
      next.catch(() => {});
      const batch =
        wanted.kinds === null ? null : columnBatchOf(chunk, row, columns, dictionaries, wanted.kinds);
      yield batch ?? rowsOf(chunk, row, columns, dictionaries);
      row += chunk.rowCount;
    }
  } finally {
    // A connection must not be closed while it is read from.
    await next.catch(() => null);
    connection.closeSync();
  }
}

/** Calls a function the first time only. */
function once<T>(act: () => T): () => T {
  let done: { readonly value: T } | undefined;
  return () => {
    done ??= { value: act() };
    return done.value;
  };
}

/** What is selected of a column. A number has a second column, 1 for NULL, because vectors do not show it. */
function selectsOf({ select, kind }: Column, dictionary: Dictionary | undefined): string[] {
  if (dictionary !== undefined) return [`coalesce(enum_code((${select})::${dictionary.type})::INTEGER, -1)`];
  return kind === 'number' ? [`coalesce(${select}, 0)`, `(${select} IS NULL)::UTINYINT`] : [select];
}

/** Reads the cells of each column by row. */
function cellReaders(
  chunk: DuckDBDataChunk,
  columns: readonly Column[],
  dictionaries: Dictionaries,
): readonly ((row: number) => Cell)[] {
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

function rowsOf(
  chunk: DuckDBDataChunk,
  first: number,
  columns: readonly Column[],
  dictionaries: Dictionaries,
): RawRow[] {
  const readers = cellReaders(chunk, columns, dictionaries);
  const rows: RawRow[] = [];
  for (let i = 0; i < chunk.rowCount; i++) {
    const row = rowOf(readers, i, first + i);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/** The rows of a chunk column by column; null when a column has neither codes nor numbers. */
function columnBatchOf(
  chunk: DuckDBDataChunk,
  first: number,
  columns: readonly Column[],
  dictionaries: Dictionaries,
  wanted: readonly ColumnKind[],
): ColumnBatch | null {
  if (columns.length !== wanted.length) return null;
  const odd = new Uint8Array(chunk.rowCount);
  const batch: BatchColumn[] = [];
  let at = 0;
  for (const { name, kind } of columns) {
    const dictionary = dictionaries.get(name);
    if (dictionary !== undefined) {
      // `selectsOf` makes codes INTEGER, and numbers DOUBLE.
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
      readers ??= cellReaders(chunk, columns, dictionaries);
      return rowOf(readers, i, first + i);
    },
  };
}

function cellOf(value: DuckDBValue, kind: Column['kind']): Cell {
  if (typeof value === 'string')
    return kind === 'date' ? { kind: 'date', iso: value.replace(/T00:00:00$/, '') } : textOrFootnoted(value);
  // Every column is read as one of these.
  return value as number | boolean | null;
}

async function orDamaged<T>(path: string, name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const [reason = ''] = String(error instanceof Error ? error.message : error).split('\n');
    const [, long] = reason.split(TOO_LONG);
    if (long !== undefined) {
      const most = LIMITS.textBytes.toLocaleString('en-US');
      throw new UnreadableError({
        place: inColumn(name, long),
        problem: `a text has more than ${most} bytes`,
        remedy: 'shorten it',
      });
    }
    if (/Out of Memory|failed to allocate/.test(reason)) {
      const remedy = 'write it with smaller row groups and shorter texts';
      throw refused(name, 'takes more than 1 GB of memory to read', remedy);
    }
    const short = reason.replaceAll(path, name).replace(/^([\w ]*Error: )+/, '');
    throw new UnreadableError({
      place: wholeFile(name),
      problem: `is a damaged Parquet file (${short})`,
      remedy: 'write it again',
      kind: 'is a damaged Parquet file',
    });
  }
}

const refused = (name: string, problem: string, remedy: string) =>
  new UnreadableError({ place: wholeFile(name), problem, remedy });

const inColumn = (name: string, column: string): Place => ({ ...wholeFile(name), cell: `column ${column}` });
