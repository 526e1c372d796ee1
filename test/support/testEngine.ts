// Runs DuckDB queries in tests: `(await query("FROM read_parquet('a.parquet')")).getRowsJS()`.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance, type DuckDBResultReader } from '@duckdb/node-api';
import { COMPARISON_CATALOG, ComparisonEngine } from '../../ingest/compare/comparisonEngine.ts';

/** One engine for all queries of a worker: starting one takes as long as thirty queries. */
const worker = globalThis as { testEngine?: Promise<DuckDBInstance> };

function workersEngine(): Promise<DuckDBInstance> {
  // Tests change files in place, so the engine must not cache their content.
  worker.testEngine ??= DuckDBInstance.create(':memory:', { enable_external_file_cache: 'false' });
  return worker.testEngine;
}

/** Calls `act` with a new connection, which has its own temporary tables. */
export async function connected<T>(act: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const connection = await (await workersEngine()).connect();
  try {
    return await act(connection);
  } finally {
    connection.closeSync();
  }
}

/** Calls `act` with an empty engine for comparisons, in the DuckDB `within`. When it is left out, the worker's is used. */
export async function comparing<T>(
  act: (engine: ComparisonEngine) => Promise<T>,
  within?: DuckDBInstance,
): Promise<T> {
  const instance = within ?? (await workersEngine());
  const engine = await ComparisonEngine.within({ instance });
  try {
    return await act(engine);
  } finally {
    engine.close();
    const connection = await instance.connect();
    await connection.run(`DETACH ${COMPARISON_CATALOG}`);
    connection.closeSync();
  }
}

/** The result of a query on the engine of this worker. */
export const query = (sql: string): Promise<DuckDBResultReader> =>
  connected((connection) => connection.runAndReadAll(sql));

/** The bytes of a Parquet file with the rows of a SELECT. */
export async function parquetOf(select: string, options = ''): Promise<Buffer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'parquet-'));
  try {
    const file = path.join(folder, 'a.parquet');
    await query(`COPY (${select}) TO '${file}' (FORMAT parquet${options})`);
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}
