// A manifest and its files become one immutable Snapshot: columns in memory, and an engine to search them with.

import path from 'node:path';
import { type DuckDBConnection, type DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api';
import { type Dictionary, dictionaryOf, firstMisplacedRow, makeTable, type Table } from './columns.ts';
import { DATASET_NAMES, type DatasetName, type DimensionName, datasetOf } from './datasets.ts';
import type { Manifest } from './manifest.ts';
import { type Holdable, holdable } from './referenceCount.ts';
import { numbersOf } from './vectors.ts';
import { SnapshotRefused, verifyFiles } from './verifyFiles.ts';

/** A query may outlive the request that asked it: whoever needs the snapshot holds it. */
export interface Snapshot extends Holdable {
  readonly id: string;
  readonly fingerprint: string;
  readonly tables: Readonly<Record<DatasetName, Table>>;
  /**
   * Each runs one query at a time. Per dataset they see a table of that name: `position`, and each dimension as
   * its code. No file, no network, no setting can be reached through them.
   */
  readonly connections: readonly DuckDBConnection[];
}

/**
 * Loads the snapshot in `directory`, whose manifest was read before, after comparing its files with it.
 *
 * @throws {SnapshotRefused} when a file does not agree with the manifest or rows are out of order (ruling 13).
 * Nothing stays open then.
 */
export async function openSnapshot(
  directory: string,
  manifest: Manifest,
  { connections: count }: { connections: number },
): Promise<Snapshot> {
  await verifyFiles(directory, manifest);
  const instance = await DuckDBInstance.create(':memory:', ENGINE_OPTIONS);
  const connections: DuckDBConnection[] = [];
  const free = () => {
    for (const connection of connections) connection.closeSync();
    instance.closeSync();
  };
  try {
    while (connections.length < count) connections.push(await instance.connect());
    const [loader] = connections;
    if (!loader) throw new Error('a snapshot needs a connection');
    // Compressed, the columns take a fortieth in the engine and are searched a little faster.
    await loader.run("ATTACH ':memory:' AS snapshot (COMPRESS)");
    for (const connection of connections) await connection.run('USE snapshot');
    const tables: Partial<Record<DatasetName, Table>> = {};
    for (const name of DATASET_NAMES) tables[name] = await loadTable(loader, name, directory, manifest);
    await lock(loader, tables as Snapshot['tables']);
    const { id, fingerprint } = manifest;
    return { id, fingerprint, tables: tables as Snapshot['tables'], connections, ...holdable(free) };
  } catch (cause) {
    free();
    if (cause instanceof SnapshotRefused) throw cause;
    throw new SnapshotRefused(
      manifest.id,
      `cannot be loaded (${(cause as Error).message.split('\n')[0]})`,
      'publish it again',
    );
  }
}

// Everything the engine needs is compiled in: nothing is looked up or fetched at run time.
const ENGINE_OPTIONS = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  temp_directory: '',
};

/** From here on the engine answers from memory alone, and nothing can loosen that. */
async function lock(connection: DuckDBConnection, tables: Snapshot['tables']): Promise<void> {
  const mostRows = Math.max(...Object.values(tables).map(({ rows }) => rows));
  // One thread per query: many small queries run side by side, on connections of their own.
  await connection.run('SET threads = 1');
  await connection.run(`SET disabled_optimizers = '${await needlessOptimizers(connection)}'`);
  await connection.run(`SET memory_limit = '${QUERY_BYTES + mostRows * QUERY_BYTES_PER_ROW}B'`);
  await connection.run('SET enable_external_access = false');
  await connection.run('SET lock_configuration = true');
}

/**
 * Every selection is one scan with filters: what else the engine would look for costs a fifth of a small one.
 * Without these three it would read every column, or every row.
 */
async function needlessOptimizers(connection: DuckDBConnection): Promise<string> {
  const reader = await connection.runAndReadAll(
    "SELECT string_agg(name, ',') FROM duckdb_optimizers() " +
      "WHERE name NOT IN ('filter_pushdown', 'unused_columns', 'expression_rewriter')",
  );
  return String(reader.getRowsJS()[0]);
}

/** What all running queries may take together: each may find every row, at four bytes. */
const QUERY_BYTES = 256 * 2 ** 20;
const QUERY_BYTES_PER_ROW = 64;

/** Dictionaries, then the engine's table, then the same rows here: all from one file, in its order. */
async function loadTable(
  connection: DuckDBConnection,
  name: DatasetName,
  directory: string,
  manifest: Manifest,
): Promise<Table> {
  const described = manifest.datasets[name];
  const { dimensions } = datasetOf(name);
  const file = path.join(directory, described.file).replaceAll("'", "''");
  await connection.run(
    `CREATE VIEW source AS FROM read_parquet('${file}', file_row_number = true, hive_partitioning = false)`,
  );
  const dictionaries = new Map<DimensionName, Dictionary>();
  for (const dimension of dimensions) {
    const dictionary = await loadDictionary(connection, dimension);
    // Requests are compared in NFC (ruling 4): text in another form would never be found.
    const odd = dictionary.values.find((value) => value !== value.normalize('NFC'));
    if (odd !== undefined)
      throw new Error(`${described.file} holds ${JSON.stringify(odd)}, which is not in NFC`);
    dictionaries.set(dimension, dictionary);
  }
  const table = makeTable(name, described.rows, dictionaries);
  await loadEngineTable(connection, table);
  await copyColumns(connection, table, manifest);
  await connection.run('DROP VIEW source');
  for (const dimension of dimensions) await connection.run(`DROP TYPE code_of_${dimension}`);
  return table;
}

/** An ENUM of the values in their order gives each its code; it lives as long as the loading. */
async function loadDictionary(connection: DuckDBConnection, dimension: DimensionName): Promise<Dictionary> {
  // The engine compares text byte by byte, which in UTF-8 is code-point order; years as numbers.
  await connection.run(
    `CREATE TYPE code_of_${dimension} AS ENUM (SELECT value::VARCHAR FROM ` +
      `(SELECT DISTINCT ${dimension} AS value FROM source) ORDER BY value)`,
  );
  // As bytes: the driver's own decoding drops a U+FEFF at the beginning.
  const result = await connection.run(
    `SELECT encode(unnest(enum_range(NULL::code_of_${dimension}))::VARCHAR)`,
  );
  const rows = await result.getRowsJS();
  return dictionaryOf(rows.map(([bytes]) => utf8.decode(bytes as Uint8Array)));
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

async function loadEngineTable(connection: DuckDBConnection, table: Table): Promise<void> {
  const dimensions = [...table.dimensions];
  const columns = dimensions.map(([name, { type }]) => `${name} ${type} NOT NULL`);
  const codes = dimensions.map(([name]) => `enum_code(${name}::VARCHAR::code_of_${name})`);
  await connection.run(`CREATE TABLE ${table.dataset} (position INTEGER NOT NULL, ${columns.join(', ')})`);
  await connection.run(
    `INSERT INTO ${table.dataset} SELECT file_row_number, ${codes.join(', ')} FROM source`,
  );
  // Compresses what was written.
  await connection.run('CHECKPOINT snapshot');
}

async function copyColumns(connection: DuckDBConnection, table: Table, manifest: Manifest): Promise<void> {
  const refuse = (problem: string) =>
    new SnapshotRefused(manifest.id, `${table.dataset}.parquet ${problem}`, 'publish it again');
  let rows = 0;
  const names = [...table.dimensions.keys()];
  for await (const chunk of chunks(
    connection,
    `SELECT position, ${names.join(', ')} FROM ${table.dataset}`,
  )) {
    if (rows + chunk.rowCount > table.rows) throw refuse('holds more rows than the manifest says');
    expectPositions(chunk, rows);
    let column = 1;
    for (const { codes } of table.dimensions.values()) codes.set(numbersOf(chunk, column++), rows);
    const misplaced = firstMisplacedRow(table, rows, rows + chunk.rowCount);
    if (misplaced >= 0) throw refuse(`is out of order, or repeats a key, at row ${misplaced + 1}`);
    rows += chunk.rowCount;
  }
  if (rows !== table.rows) throw refuse(`holds ${rows} rows where the manifest says ${table.rows}`);
  if (table.metrics.size > 0) await copyMetrics(connection, table, refuse);
}

async function copyMetrics(
  connection: DuckDBConnection,
  table: Table,
  refuse: (problem: string) => SnapshotRefused,
): Promise<void> {
  const metrics = [...table.metrics];
  let row = 0;
  const columns = metrics.map(([metric]) => `coalesce(${metric}, 'nan')::DOUBLE`);
  for await (const chunk of chunks(
    connection,
    `SELECT file_row_number::INTEGER, ${columns.join(', ')} FROM source`,
  )) {
    expectPositions(chunk, row);
    for (const [i, [, values]] of metrics.entries()) values.set(numbersOf(chunk, i + 1), row);
    row += chunk.rowCount;
  }
  const notFinite = metrics.map(([metric]) => `count(*) FILTER (NOT isfinite(${metric}))`);
  const [counts = []] = (
    await connection.runAndReadAll(`SELECT ${notFinite.join(', ')} FROM source`)
  ).getRowsJS();
  const spoilt = metrics.find((_, i) => counts[i] !== 0n);
  if (spoilt) throw refuse(`holds a ${spoilt[0]} that is no number`);
}

/** Rows arrive in the file's order, or the snapshot is not served. */
function expectPositions(chunk: DuckDBDataChunk, first: number): void {
  const positions = numbersOf(chunk, 0);
  for (let i = 0; i < positions.length; i++) {
    if (positions[i] !== first + i) throw new Error(`row ${first + i} arrived as row ${positions[i]}`);
  }
}

async function* chunks(connection: DuckDBConnection, sql: string): AsyncGenerator<DuckDBDataChunk> {
  const result = await connection.stream(sql);
  for (
    let chunk = await result.fetchChunk();
    chunk && chunk.rowCount > 0;
    chunk = await result.fetchChunk()
  ) {
    yield chunk;
  }
}
