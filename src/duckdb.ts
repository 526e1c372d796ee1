// DuckDB in one place: loads its package, opens engines, quotes identifiers and literals, reads rows and vectors.

import { createRequire } from 'node:module';
import type * as NodeApi from '@duckdb/node-api';

// The package is 180 CommonJS files. `import` parses each of them for its exports before running it, which adds 0.1 s of
// CPU time to the start of every process; `require` only runs them.
const nodeApi: typeof NodeApi = createRequire(import.meta.url)('@duckdb/node-api');

export const {
  DOUBLE,
  DuckDBDataChunk,
  DuckDBTypeId,
  INTEGER,
  StatementType,
  TINYINT,
  VARCHAR,
  version: engineVersion,
} = nodeApi;
export type DuckDBConnection = NodeApi.DuckDBConnection;
export type DuckDBDataChunk = NodeApi.DuckDBDataChunk;
export type DuckDBTypeId = NodeApi.DuckDBTypeId;

export interface DuckDbOptions {
  /** A database file; left out, everything stays in memory. */
  readonly file?: string;
  /** Connections to open; one when left out. */
  readonly connections?: number;
  /** DuckDB's own settings, by name; they override ours. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface DuckDb {
  readonly instance: NodeApi.DuckDBInstance;
  /** At least one. */
  readonly connections: readonly [DuckDBConnection, ...DuckDBConnection[]];
  /** Closes the connections and the instance; nothing of it may be used afterwards. */
  close(): void;
}

/**
 * Opens an engine that neither looks up nor fetches anything at run time: all it needs is compiled in.
 *
 * @throws what DuckDB throws, such as for a wrong setting; nothing stays open then.
 */
export async function openDuckDb({ file, connections = 1, settings }: DuckDbOptions = {}): Promise<DuckDb> {
  const instance = await nodeApi.DuckDBInstance.create(file ?? ':memory:', {
    ...CLOSED_NETWORK,
    ...settings,
  });
  const opened: DuckDBConnection[] = [];
  const close = () => {
    for (const connection of opened) connection.closeSync();
    instance.closeSync();
  };
  try {
    const first = await instance.connect();
    opened.push(first);
    while (opened.length < connections) opened.push(await instance.connect());
    const [, ...others] = opened;
    return { instance, connections: [first, ...others], close };
  } catch (cause) {
    close();
    throw cause;
  }
}

const CLOSED_NETWORK = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
};

/**
 * Whether DuckDB threw an error, rather than our own code. Its errors have no class of their own; their messages begin with
 * their kind, such as `Invalid Input Error: `.
 */
export const isDuckDbError = (error: unknown): boolean =>
  /^(Error: )?[A-Z][\w ]*(Error|Exception): /.test(String(error)) &&
  !/^(Type|Range|Reference)Error: /.test(String(error));

/** A name as SQL writes it: of a table, a column, a type. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * A text as SQL writes it, for statements that take no parameters. DuckDB's parser ends a statement at the character
 * U+0000, so that one is written by its number, in an expression.
 */
export const literal = (text: string): string => {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return text.includes('\0') ? `(${quoted.replaceAll('\0', "' || chr(0) || '")})` : quoted;
};

/** The path of a file as SQL writes it for functions that read files. `*`, `?` and `[` are not patterns in it. */
export const filePath = (file: string): string => literal(file.replace(/[*?[]/g, '[$&]'));

/**
 * A table expression: the rows of one Parquet file, in its order. A folder called `env=prod` is not a column.
 *
 * @param options further parameters of read_parquet, as SQL.
 */
export const parquetRows = (file: string, options = ''): string =>
  `read_parquet(${filePath(file)}, hive_partitioning = false${options && `, ${options}`})`;

export type Numbers = Int8Array | Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/** A part of a result, as `fetchChunk` and `getChunk` give it. */
export interface Chunk {
  readonly rowCount: number;
  getColumnVector(column: number): object;
}

/** The chunks of a query's result, one after another, without holding them all. */
export async function* chunksOf(connection: DuckDBConnection, sql: string): AsyncGenerator<Chunk> {
  const result = await connection.stream(sql);
  for (
    let chunk = await result.fetchChunk();
    chunk && chunk.rowCount > 0;
    chunk = await result.fetchChunk()
  ) {
    yield chunk;
  }
}

/**
 * The chunks of a query's result, which the engine first computes as a whole, on all its threads.
 *
 * It needs memory for the whole result. `chunksOf` needs less, but a message between threads for every 2,048 rows.
 */
export async function* chunksOfWhole(connection: DuckDBConnection, sql: string): AsyncGenerator<Chunk> {
  const result = await connection.run(sql);
  const count = result.chunkCount;
  for (let i = 0; i < count; i += 1) yield result.getChunk(i);
}

/**
 * One column of a chunk without a copy: a view, one number per row, valid as long as the chunk. The query must promise
 * that the column holds no NULL; the vector does not show it.
 *
 * @throws {Error} when the column is not numeric.
 */
export function numbersOf(chunk: Chunk, column: number): Numbers {
  // The typed array inside a vector is not part of the public interface, but value by value takes twenty times as long.
  const { items } = chunk.getColumnVector(column) as { items?: unknown };
  if (!ArrayBuffer.isView(items) || items instanceof DataView) {
    throw new Error(`column ${column} of a result is not numeric`);
  }
  const numbers = items as Numbers;
  if (numbers.length !== chunk.rowCount) {
    throw new Error(`column ${column} holds ${numbers.length} numbers for ${chunk.rowCount} rows`);
  }
  return numbers;
}

/**
 * Fills a column of a chunk that is to be appended, with one copy of all numbers. `numbers` must be of the column's type
 * and have one number for each row of the chunk. Rows with a 1 in `nulls` become NULL.
 */
export function setNumbers(
  chunk: NodeApi.DuckDBDataChunk,
  column: number,
  numbers: Numbers,
  nulls?: Uint8Array,
): void {
  const vector = chunk.getColumnVector(column);
  numbersOf(chunk, column).set(numbers);
  for (let row = nulls?.indexOf(1) ?? -1; row >= 0; row = nulls?.indexOf(1, row + 1) ?? -1)
    vector.setItem(row, null);
  vector.flush();
}
