// Adds the rows of a staging database that another process has filled to the one of the month.

import { DATASET_NAMES, datasetOf, isText } from '../../../src/catalog/datasets.ts';
import {
  type DuckDBConnection,
  DuckDBDataChunk,
  INTEGER,
  literal,
  queryRows,
  setNumbers,
} from '../../../src/duckdb.ts';
import { CHUNK_ROWS } from './rowBuffer.ts';
import type { Staging } from './staging.ts';
import { stagingColumn, stagingColumns, stagingTable } from './stagingTables.ts';

/** A staging database that was sealed and closed. */
export interface SealedDatabase {
  readonly database: string;
  /** The text of each code in this database. */
  readonly texts: readonly string[];
}

/** Adds all rows of a sealed database to `staging`. The caller must then append its origins to those of `staging`. */
export async function addDatabase(staging: Staging, { database, texts }: SealedDatabase): Promise<void> {
  const { connection } = staging;
  const source = staging.origins.length;
  const codes = Int32Array.from(texts, (text) => staging.code(text));
  await connection.run(`ATTACH ${literal(database)} AS added (READ_ONLY)`);
  await connection.run('CREATE TABLE moved (code INTEGER, here INTEGER)');
  await appendCodes(connection, codes);
  // Looking up codes in one list takes half the time of a join for each dimension, and keeps the order of the rows.
  await connection.run('CREATE TABLE codes AS SELECT list(here ORDER BY code) AS here FROM moved');
  for (const dataset of DATASET_NAMES) {
    const table = stagingTable(dataset);
    const [counted = []] = await queryRows(connection, `SELECT count(*)::INTEGER FROM added.${table}`);
    const rows = Number(counted[0]);
    if (rows === 0) continue;
    const coded = datasetOf(dataset).dimensions.filter(isText);
    const codeColumns = new Set<string>(coded.map(stagingColumn));
    const columns = stagingColumns(dataset).map(([column]) => {
      if (column === '_source') return `_source + ${source}`;
      // A dimension without a column in the source has -1. The list has no such code, so -1 stays.
      return codeColumns.has(column) ? `coalesce(list_extract(here, ${column} + 1), ${column})` : column;
    });
    const select = `SELECT ${columns.join(', ')} FROM added.${table}, codes`;
    await staging.addSelected(dataset, select, async (added) => {
      if (added !== rows) throw new Error(`${added} rows were moved where ${rows} were expected`);
      return added;
    });
  }
  await connection.run('DROP TABLE moved; DROP TABLE codes');
  await connection.run('DETACH added');
}

/** Writes the codes of both databases into the table `moved`: `code` of the sealed database, and `here` of the other. */
async function appendCodes(connection: DuckDBConnection, codes: Int32Array): Promise<void> {
  const appender = await connection.createAppender('moved');
  for (let start = 0; start < codes.length; start += CHUNK_ROWS) {
    const some = codes.subarray(start, start + CHUNK_ROWS);
    const chunk = DuckDBDataChunk.create([INTEGER, INTEGER], some.length);
    setNumbers(
      chunk,
      0,
      Int32Array.from(some, (_, i) => start + i),
    );
    setNumbers(chunk, 1, some);
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}
