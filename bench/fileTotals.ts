// Counts and sums the file that a reference wrote. The benchmark compares them with the generated rows.

import type { DuckDBConnection } from '@duckdb/node-api';

/** `<rows> <sum of ggr in hundredths>` of a Parquet file. */
export async function totalsOf(connection: DuckDBConnection, file: string): Promise<string> {
  const reader = await connection.runAndReadAll(
    `SELECT count(*)::VARCHAR || ' ' || sum(round(ggr * 100)::BIGINT)::VARCHAR FROM '${file}'`,
  );
  return String(reader.getRowsJS()[0]?.[0]);
}
