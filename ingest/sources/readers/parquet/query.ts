// Queries a Parquet file through DuckDB. A damaged file gives an error that names it.

import { type DuckDBConnection, queryRows } from '../../../../src/duckdb.ts';
import { translatingDamage } from './faults.ts';

/** A Parquet file, and a connection that reads it. */
export interface QueriedFile {
  readonly connection: DuckDBConnection;
  readonly path: string;
  /** The name of the file in messages. */
  readonly name: string;
}

/** The rows that a query of the file returns. */
export const rowsIn = ({ connection, path, name }: QueriedFile, sql: string) =>
  translatingDamage(path, name, () => queryRows(connection, sql));
