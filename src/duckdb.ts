// Loads DuckDB, opens its engines, quotes names and literals for SQL, and reads rows and columns.

import { createRequire } from 'node:module';
import type * as NodeApi from '@duckdb/node-api';

// The package has 180 CommonJS files. `import` would parse each of them to find its exports, which takes 0.1 s of CPU
// time at the start of every process. `require` only runs them.
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
  /** A database file. When left out, the database is in memory. */
  readonly file?: string;
  /** How many connections to open; one when left out. */
  readonly connections?: number;
  /** Settings of DuckDB by name. They override the defaults of this module. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface DuckDb {
  readonly instance: NodeApi.DuckDBInstance;
  readonly connections: readonly [DuckDBConnection, ...DuckDBConnection[]];
  /** Closes the connections and the instance, which must not be used after that. */
  close(): void;
}

/**
 * Opens an engine. It never loads or downloads extensions, because everything that it needs is compiled in.
 *
 * @throws what DuckDB throws, such as for a wrong setting. Nothing stays open then.
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
 * Whether an error comes from DuckDB. Its errors have no class of their own. Their messages begin with a kind, such as
 * `Invalid Input Error: `.
 */
export const isDuckDbError = (error: unknown): boolean =>
  /^(Error: )?[A-Z][\w ]*(Error|Exception): /.test(String(error)) &&
  !/^(Type|Range|Reference)Error: /.test(String(error));

/** The name of a table, a column or a type, quoted for SQL. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * A text quoted for SQL, for statements that cannot have parameters. DuckDB's parser ends a statement at the character
 * U+0000, so this character is written as an expression with its number.
 */
export const literal = (text: string): string => {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return text.includes('\0') ? `(${quoted.replaceAll('\0', "' || chr(0) || '")})` : quoted;
};

/**
 * The path of a file quoted for SQL functions that read files. These functions would read `*`, `?` and `[` as patterns.
 */
export const filePath = (file: string): string => literal(file.replace(/[*?[]/g, '[$&]'));

/**
 * A table expression for the rows of one Parquet file, in the file's order. A folder with a name such as `env=prod` does
 * not become a column.
 *
 * @param options further parameters of read_parquet, as SQL.
 */
export const parquetRows = (file: string, options = ''): string =>
  `read_parquet(${filePath(file)}, hive_partitioning = false${options && `, ${options}`})`;

/** All rows of a query's result. `values` are bound to the parameters of the query, in order. */
export const queryRows = async (connection: DuckDBConnection, sql: string, values?: NodeApi.DuckDBValue[]) =>
  (await connection.runAndReadAll(sql, values)).getRowsJS();

/** The typed arrays in which DuckDB gives numeric columns. */
export type Numbers = Int8Array | Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/** A part of a result: up to 2,048 rows. DuckDB's `fetchChunk` and `getChunk` return such parts. */
export interface Chunk {
  readonly rowCount: number;
  getColumnVector(column: number): object;
}

/** The chunks of a query's result. DuckDB computes them while they are read, so they are never all in memory. */
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
 * The chunks of a query's result. DuckDB first computes the whole result, on all its threads.
 *
 * The whole result must fit into memory. `chunksOf` needs less memory, but more time: a message between threads for
 * every 2,048 rows.
 */
export async function* chunksOfWhole(connection: DuckDBConnection, sql: string): AsyncGenerator<Chunk> {
  const result = await connection.run(sql);
  const count = result.chunkCount;
  for (let i = 0; i < count; i += 1) yield result.getChunk(i);
}

/**
 * A column of a chunk as numbers, one per row. The array is a view into the chunk, and is valid as long as the chunk. The
 * query must make sure that the column has no NULL, because the numbers would not show it.
 *
 * @throws {Error} when the column is not numeric.
 */
export function numbersOf(chunk: Chunk, column: number): Numbers {
  // The typed array inside a vector is not part of the public interface, but reading single values would take twenty
  // times as long.
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
 * Fills a column of a chunk that will be appended to a table.
 *
 * @param numbers one number for each row of the chunk, in an array of the column's type.
 * @param nulls one element for each row. Rows with the element 1 become NULL. When left out, no row does.
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

/** Interrupts the statement of a connection once `stop` aborts, until `end` is called. */
export function interruptOn(stop: AbortSignal, connection: DuckDBConnection): { end: () => void } {
  let timer: ReturnType<typeof setInterval> | undefined;
  const interrupt = () => {
    connection.interrupt();
    // DuckDB ignores an interruption that comes before the statement has begun, so the interruption is repeated.
    timer = setInterval(() => connection.interrupt(), 20);
  };
  stop.addEventListener('abort', interrupt);
  return {
    end() {
      stop.removeEventListener('abort', interrupt);
      clearInterval(timer);
    },
  };
}
