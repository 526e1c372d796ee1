// Writes the turnover of a month as a Parquet file.

import { columnTypes, DATASETS } from '../../src/catalog/datasets.ts';
import { literal, openDuckDb } from '../../src/duckdb.ts';
import { SYNTHETIC } from './notes.ts';
import type { TurnoverRow } from './rows.ts';

/**
 * Writes the rows in the given order. The columns have the names of the dataset: year is INTEGER, other dimensions are VARCHAR, and
 * turnover is DOUBLE.
 */
export async function writeTurnover(rows: readonly TurnoverRow[], file: string): Promise<void> {
  const database = await openDuckDb({ settings: { threads: '1' } });
  const [connection] = database.connections;
  try {
    const { dimensions } = DATASETS.turnover;
    const columns = Object.entries(columnTypes('turnover')).map((column) => column.join(' '));
    await connection.run(`CREATE TABLE turnover (${columns.join(', ')})`);
    const appender = await connection.createAppender('turnover');
    for (const row of rows) {
      for (const name of dimensions) {
        const value = row[name];
        if (typeof value === 'number') appender.appendInteger(value);
        else appender.appendVarchar(value);
      }
      appender.appendDouble(row.turnover);
      appender.endRow();
    }
    appender.closeSync();
    await connection.run(
      `COPY turnover TO ${literal(file)} (FORMAT parquet, COMPRESSION zstd, KV_METADATA {source: ${literal(SYNTHETIC)}})`,
    );
  } finally {
    database.close();
  }
}
