// A DuckDB instance for one comparison, with bounded memory. What does not fit is written to a temporary folder.

import {
  type Chunk,
  chunksOf,
  chunksOfWhole,
  type DuckDBConnection,
  type DuckDb,
  openDuckDb,
} from '../../src/duckdb.ts';

/** A result of more rows is read chunk by chunk: as a whole it would take some 30 MB for each million. */
const MOST_AT_ONCE = 1_000_000;

export type Value = string | number | boolean | null;

/** From this number of rows on, two threads are faster than one. */
const MANY_ROWS = 500_000;

export const threadsFor = (rows: number): 1 | 2 => (rows < MANY_ROWS ? 1 : 2);

/** How many connections read the rows of a dataset: one for each snapshot. */
const SIDES = 2;

/** The catalog of an engine within another one. */
export const CATALOG = 'compared';

type Connections = Pick<DuckDb, 'connections' | 'close'>;

export class Engine {
  readonly #database: Connections;
  readonly #connection: DuckDBConnection;
  readonly #threads: number;

  private constructor(database: Connections, threads: number) {
    this.#database = database;
    this.#connection = database.connections[0];
    this.#threads = threads;
  }

  /** @param spillDir Created when it is needed. The caller removes it. */
  static async open(spillDir: string, threads: 1 | 2): Promise<Engine> {
    const settings = { memory_limit: '512MB', temp_directory: spillDir, threads: String(threads) };
    return new Engine(await openDuckDb({ settings, connections: SIDES }), threads);
  }

  /**
   * Opens connections in an engine that is already open and uses one thread, because opening a second engine costs a small
   * month too much. The connections work until this one is closed.
   */
  static async within({ instance }: Pick<DuckDb, 'instance'>): Promise<Engine> {
    const connections = [await instance.connect(), await instance.connect()] as const;
    const close = () => {
      for (const connection of connections) connection.closeSync();
    };
    try {
      // A separate catalog, because types may have the same names as those of other connections.
      await connections[0].run(`ATTACH ':memory:' AS ${CATALOG}`);
      for (const connection of connections) await connection.run(`USE ${CATALOG}`);
      return new Engine({ connections, close }, 1);
    } catch (cause) {
      close();
      throw cause;
    }
  }

  /** Runs statements in one call, because several hundred calls cost more than the work on small tables. */
  async run(...statements: readonly string[]): Promise<void> {
    if (statements.length > 0) await this.#connection.run(statements.join(';\n'));
  }

  /** Rows of a SELECT whose columns are text, INTEGER, DOUBLE or BOOLEAN. */
  async rows(select: string): Promise<Value[][]> {
    return (await this.#connection.runAndReadAll(select)).getRowsJS() as Value[][];
  }

  /**
   * The chunks of a SELECT's result in the order of its rows, each valid until the next.
   *
   * @param side Statements of both sides run at the same time.
   * @param rows How many rows the result has.
   */
  chunks(select: string, side: 0 | 1, rows: number): AsyncGenerator<Chunk> {
    const connection = this.#database.connections[side] ?? this.#connection;
    return rows <= MOST_AT_ONCE ? chunksOfWhole(connection, select) : chunksOf(connection, select);
  }

  /** Runs statements on one thread, which adds in the order of the rows: equal rows then have equal sums to the last digit. */
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
