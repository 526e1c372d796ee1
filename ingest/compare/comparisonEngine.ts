// The DuckDB engine of one comparison. Its memory is limited. What does not fit is written to a temporary folder.

import {
  type Chunk,
  chunksOf,
  chunksOfWhole,
  type DuckDBConnection,
  type DuckDb,
  openDuckDb,
  queryRows,
} from '../../src/duckdb.ts';
import { collectYoung } from '../../src/process/collectGarbage.ts';

/** Results with more rows come in chunks. A result that is fetched at once takes about 30 MB per million rows. */
const MOST_ROWS_AT_ONCE = 1_000_000;

/**
 * Garbage is collected each time this number of rows was read. A row leaves some 24 bytes. V8 alone would collect the
 * garbage only after a million rows, because it does not count most memory of chunks, nor the shared memory to which rows
 * are copied.
 */
const ROWS_TO_COLLECT = 100_000;

export type Value = string | number | boolean | null;

/** The number of rows, of both sides, from which on two threads are faster than one. */
const TWO_THREADS_FROM_ROWS = 500_000;

/** How many threads to use for a comparison of this many rows, of both sides. */
export const threadsFor = (rows: number): 1 | 2 => (rows < TWO_THREADS_FROM_ROWS ? 1 : 2);

/** The number of connections: one to read each side. */
const SIDES = 2;

/** The DuckDB catalog that `ComparisonEngine.within` works in. */
export const COMPARISON_CATALOG = 'compared';

type Connections = Pick<DuckDb, 'connections' | 'close'>;

/** An engine that compares one pair of snapshots. The caller must call `close`. */
export class ComparisonEngine {
  readonly #database: Connections;
  readonly #connection: DuckDBConnection;
  readonly #threads: number;

  private constructor(database: Connections, threads: number) {
    this.#database = database;
    this.#connection = database.connections[0];
    this.#threads = threads;
  }

  /** @param spillDir A folder for what exceeds the memory, created when it is needed. The caller removes it. */
  static async open(spillDir: string, threads: 1 | 2): Promise<ComparisonEngine> {
    const settings = { memory_limit: '512MB', temp_directory: spillDir, threads: String(threads) };
    return new ComparisonEngine(await openDuckDb({ settings, connections: SIDES }), threads);
  }

  /**
   * Uses a DuckDB instance that is already open and has one thread, because opening a second instance takes long beside the
   * comparison of a small month. `close` closes only the connections of this engine.
   */
  static async within({ instance }: Pick<DuckDb, 'instance'>): Promise<ComparisonEngine> {
    const connections = [await instance.connect(), await instance.connect()] as const;
    const close = () => {
      for (const connection of connections) connection.closeSync();
    };
    try {
      // Types have the same names in each comparison. In a catalog of its own, they do not collide with those of other
      // connections.
      await connections[0].run(`ATTACH ':memory:' AS ${COMPARISON_CATALOG}`);
      for (const connection of connections) await connection.run(`USE ${COMPARISON_CATALOG}`);
      return new ComparisonEngine({ connections, close }, 1);
    } catch (cause) {
      close();
      throw cause;
    }
  }

  /** Runs all statements in one call. For small tables, several hundred calls would take longer than the work itself. */
  async run(...statements: readonly string[]): Promise<void> {
    if (statements.length > 0) await this.#connection.run(statements.join(';\n'));
  }

  /** The rows of a SELECT. Its columns must be VARCHAR, INTEGER, DOUBLE or BOOLEAN. */
  async rows(select: string): Promise<Value[][]> {
    return (await queryRows(this.#connection, select)) as Value[][];
  }

  /**
   * The result of a SELECT in chunks. A chunk is valid until the next one is requested.
   *
   * @param side The index of the connection. Each side has one, so that both can be read at the same time.
   * @param rows How many rows the result has.
   */
  chunks(select: string, side: 0 | 1, rows: number): AsyncGenerator<Chunk> {
    const connection = this.#database.connections[side] ?? this.#connection;
    const chunks =
      rows <= MOST_ROWS_AT_ONCE ? chunksOfWhole(connection, select) : chunksOf(connection, select);
    return rows < ROWS_TO_COLLECT ? chunks : collecting(chunks);
  }

  /**
   * Runs statements on one thread, so that numbers are added in the order of the rows. Equal rows then have exactly equal
   * sums.
   */
  async onOneThread<T>(act: () => Promise<T>): Promise<T> {
    if (this.#threads === 1) return await act();
    await this.run('SET threads = 1');
    try {
      return await act();
    } finally {
      await this.run(`SET threads = ${this.#threads}`);
    }
  }

  close(): void {
    this.#database.close();
  }
}

/** Yields the same chunks. Each time `ROWS_TO_COLLECT` more rows were read, it collects the garbage of their chunks. */
async function* collecting(chunks: AsyncGenerator<Chunk>): AsyncGenerator<Chunk> {
  let rows = 0;
  for await (const chunk of chunks) {
    yield chunk;
    rows += chunk.rowCount;
    if (rows < ROWS_TO_COLLECT) continue;
    collectYoung();
    rows = 0;
  }
}
