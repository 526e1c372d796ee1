// Makes dictionaries of the text columns of a Parquet file.
// Codes are read in a fraction of the time of texts.

import { parquetRows, queryRows } from '../../../../src/duckdb.ts';
import { textOrFootnoted } from '../footnotes.ts';
import type { Cell } from '../rawFile.ts';
import type { Column } from './columns.ts';
import type { QueriedFile } from './queriedFile.ts';

/** The different texts of a column, each as a cell. `type` is the name of an ENUM of these texts in the same order. */
export interface Dictionary {
  readonly type: string;
  readonly cells: readonly Cell[];
}

/** The dictionaries by the names of the columns. */
export type Dictionaries = ReadonlyMap<string, Dictionary>;

/** The most different texts of a column with a dictionary. With more of them, texts are rarely repeated. */
const MOST_VALUES = 5_000;

/**
 * Dictionaries of the text columns with few different texts. A column of codes is read as one typed array, but each text
 * takes a call of DuckDB's C interface.
 *
 * The result is empty when the file cannot be read. Reading its rows then fails in the same way, and reports the reason.
 */
export async function dictionariesOf(
  { connection, path }: QueriedFile,
  columns: readonly Column[],
): Promise<Dictionaries> {
  const dictionaries = new Map<string, Dictionary>();
  const texts = columns.filter(({ kind }) => kind === 'text');
  if (texts.length === 0) return dictionaries;
  try {
    const counts = texts.map(({ select }) => `approx_count_distinct(${select})::DOUBLE`);
    const [counted = []] = await queryRows(
      connection,
      `SELECT ${counts.join(', ')} FROM ${parquetRows(path)}`,
    );
    for (const [i, { name, select }] of texts.entries()) {
      const values = Number(counted[i]);
      if (values === 0 || values > MOST_VALUES) continue;
      const type = `texts_${i}`;
      await connection.run(
        `CREATE TABLE of_${type} AS SELECT DISTINCT ${select} AS text FROM ${parquetRows(path)} WHERE ${select} IS NOT NULL`,
      );
      const sorted = `SELECT text FROM of_${type} ORDER BY text`;
      await connection.run(`CREATE TYPE ${type} AS ENUM (${sorted})`);
      const found = await queryRows(connection, sorted);
      dictionaries.set(name, { type, cells: found.map(([text]) => textOrFootnoted(String(text))) });
    }
    return dictionaries;
  } catch {
    return new Map();
  }
}
