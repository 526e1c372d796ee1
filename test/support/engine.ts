// Runs DuckDB queries in tests: `(await query("FROM read_parquet('a.parquet')")).getRowsJS()`.

import { type DuckDBConnection, DuckDBInstance, type DuckDBResultReader } from '@duckdb/node-api';

/** One engine for all queries of a worker: starting one takes as long as thirty queries. */
const worker = globalThis as { testEngine?: Promise<DuckDBInstance> };

/** Gives `act` a connection of its own, with temporary tables of its own. */
export async function connected<T>(act: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  // Tests change files in place, so the engine must not cache what it read of them.
  worker.testEngine ??= DuckDBInstance.create(':memory:', { enable_external_file_cache: 'false' });
  const connection = await (await worker.testEngine).connect();
  try {
    return await act(connection);
  } finally {
    connection.closeSync();
  }
}

export const query = (sql: string): Promise<DuckDBResultReader> =>
  connected((connection) => connection.runAndReadAll(sql));
