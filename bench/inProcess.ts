// The reference for pages that are not cached: a prepared statement in this process, without HTTP and JSON.

import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { rowOrder } from '../src/catalog/datasets.ts';
import type { FilterMix } from './benchSnapshots.ts';
import type { LoadResult } from './loadGenerator.ts';

/** Loads the rows of ggr into a DuckDB in this process, which times queries and checks the answers of a server. */
export async function inProcess(dataDir: string) {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const file = path.join(dataDir, 'current', 'ggr.parquet');
  await loadRows(connection, file);
  return {
    /** The milliseconds of the query for each mix, without the preparation of its statement. */
    async time(filterMixes: readonly FilterMix[]): Promise<number[]> {
      const times: number[] = [];
      for (const mix of filterMixes) times.push(await timeOf(connection, mix));
      return times;
    },
    /** Checks that each sampled answer has exactly the rows of the file that match its filters, in the file's order. */
    async check({ samples }: LoadResult): Promise<void> {
      if (samples.length === 0) throw new Error('no answer was sampled');
      for (const sample of samples) await checkAnswer(connection, file, sample);
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** Loads the rows into a table with texts as ENUMs, because DuckDB filters those fastest. */
async function loadRows(connection: DuckDBConnection, file: string): Promise<void> {
  const texts = rowOrder('ggr').filter((name) => name !== 'year');
  for (const name of texts)
    await connection.run(
      `CREATE TYPE e_${name} AS ENUM (SELECT DISTINCT ${name} FROM read_parquet('${file}') ORDER BY 1)`,
    );
  const columns = texts.map((name) => `${name}::e_${name} AS ${name}`);
  await connection.run(
    `CREATE TABLE ggr AS SELECT file_row_number AS position, year, ${columns.join(', ')}, ggr FROM read_parquet('${file}', file_row_number = true)`,
  );
  await connection.run('SET threads = 1');
}

async function timeOf(connection: DuckDBConnection, mix: FilterMix): Promise<number> {
  const values: (string | number)[] = [];
  const conditions = Object.entries(mix).map(([name, given]) => {
    const marks = given.map((value) => {
      values.push(name === 'year' ? Number(value) : value);
      return name === 'year' ? `$${values.length}::INTEGER` : `$${values.length}::e_${name}`;
    });
    return `${name} IN (${marks.join(', ')})`;
  });
  const statement = await connection.prepare(
    `SELECT * EXCLUDE (position) FROM ggr WHERE ${conditions.join(' AND ')} LIMIT 101`,
  );
  const startMs = performance.now();
  for (const [i, value] of values.entries()) {
    if (typeof value === 'number') statement.bindInteger(i + 1, value);
    else statement.bindVarchar(i + 1, value);
  }
  (await statement.runAndReadAll()).getRowObjectsJS();
  const ms = performance.now() - startMs;
  statement.destroySync();
  return ms;
}

async function checkAnswer(
  connection: DuckDBConnection,
  file: string,
  { path: urlPath, body }: LoadResult['samples'][number],
): Promise<void> {
  const mix: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(urlPath.split('?')[1])) {
    if (name !== 'metric' && name !== 'limit') mix[name] = [...(mix[name] ?? []), value];
  }
  const values = Object.values(mix).flat();
  const conditions = Object.entries(mix).map(
    ([name, given]) => `${name}::VARCHAR IN (${given.map(() => '?').join(', ')})`,
  );
  const published = await connection.runAndReadAll(
    `SELECT * EXCLUDE (file_row_number) FROM read_parquet('${file}', file_row_number = true)
     WHERE ${conditions.join(' AND ')} ORDER BY file_row_number LIMIT 100`,
    values,
  );
  const answered = (JSON.parse(body) as { data: { dimensions: object; values: object }[] }).data;
  const rows = answered.map((row) => JSON.stringify(sorted({ ...row.dimensions, ...row.values })));
  const expected = published.getRowObjectsJS().map((row) => JSON.stringify(sorted(row)));
  if (rows.join() !== expected.join()) throw new Error(`the rows of ${urlPath} differ`);
}

const sorted = (row: object) => Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));
