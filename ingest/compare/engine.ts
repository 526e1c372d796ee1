// A DuckDB of its own for one comparison: bounded memory, what does not fit goes to a folder that is gone afterwards.

import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

export type Value = string | number | boolean | null;

export class Engine {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  /** @param spillDir Made when it is needed; whoever names it removes it. */
  static async open(spillDir: string): Promise<Engine> {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: '512MB',
      temp_directory: spillDir,
      threads: '2',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    });
    return new Engine(instance, await instance.connect());
  }

  async run(...statements: readonly string[]): Promise<void> {
    for (const statement of statements) await this.#connection.run(statement);
  }

  /** Rows of a SELECT whose columns are text, INTEGER, DOUBLE or BOOLEAN. */
  async rows(select: string): Promise<Value[][]> {
    return (await this.#connection.runAndReadAll(select)).getRowsJS() as Value[][];
  }

  /** The first row as numbers: what a SELECT of counts gives. */
  async counts(select: string): Promise<number[]> {
    const [row = []] = await this.rows(select);
    return row.map(Number);
  }

  /** Adds in the order of the rows, so that equal rows have equal sums to the last digit. */
  async onOneThread<T>(act: () => Promise<T>): Promise<T> {
    await this.run('SET threads = 1');
    try {
      return await act();
    } finally {
      await this.run('SET threads = 2');
    }
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}
