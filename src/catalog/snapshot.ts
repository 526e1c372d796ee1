// Loads a manifest and its files as one immutable Snapshot: columns in memory, and an engine to search them with.

import path from 'node:path';
import {
  type Chunk,
  chunksOf,
  type DuckDBConnection,
  identifier,
  literal,
  numbersOf,
  openDuckDb,
  parquetRows,
} from '../duckdb.ts';
import { type Dictionary, dictionaryOf, firstMisplacedRow, makeTable, type Table } from './columns.ts';
import { DATASET_NAMES, type DatasetName, type DimensionName, datasetOf } from './datasets.ts';
import type { AnyManifest, DatasetManifest } from './manifest.ts';
import { type ReferenceCount, referenceCount } from './referenceCount.ts';
import { SnapshotRefused, verifyFiles } from './verifyFiles.ts';

/** Reference-counted: a query may outlive its request, so each query acquires the snapshot that it reads. */
export interface Snapshot extends ReferenceCount {
  readonly id: string;
  readonly fingerprint: string;
  /** The snapshot's folder. A prune deletes its files. */
  readonly directory: string;
  readonly manifest: AnyManifest;
  /** The datasets that both the snapshot and this version of the program have. */
  readonly tables: Readonly<Partial<Record<DatasetName, Table>>>;
  /**
   * Each runs one query at a time. The engine has a table for each dataset, with the column `position` and the code of
   * each dimension. It has no access to files, the network or its settings.
   */
  readonly connections: readonly DuckDBConnection[];
}

/**
 * Compares the files in `directory` with the manifest, then loads them.
 *
 * @throws {SnapshotRefused} when a file differs from the manifest or rows are out of order (ruling 13). Nothing stays
 * open then.
 */
export async function openSnapshot(
  directory: string,
  manifest: AnyManifest,
  { connections: count }: { connections: number },
): Promise<Snapshot> {
  await verifyFiles(directory, manifest);
  const { connections, close } = await openDuckDb({ connections: count, settings: { temp_directory: '' } });
  try {
    const [loader] = connections;
    // Compression saves 39 of 40 bytes, and makes searches a little faster.
    await loader.run("ATTACH ':memory:' AS snapshot (COMPRESS)");
    for (const connection of connections) await connection.run('USE snapshot');
    const tables: Partial<Record<DatasetName, Table>> = {};
    for (const name of DATASET_NAMES) {
      const described = manifest.datasets[name];
      if (described) tables[name] = await loadTable(loader, name, described, { directory, id: manifest.id });
    }
    await lock(loader, Object.values(tables));
    const { id, fingerprint } = manifest;
    return { id, fingerprint, directory, manifest, tables, connections, ...referenceCount(close) };
  } catch (cause) {
    close();
    if (cause instanceof SnapshotRefused) throw cause;
    throw new SnapshotRefused(
      manifest.id,
      `cannot be loaded (${(cause as Error).message.split('\n')[0]})`,
      'publish it again',
    );
  }
}

/** The table of a dataset that the snapshot has; any other dataset is a fault. */
export function tableOf({ id, tables }: Pick<Snapshot, 'id' | 'tables'>, dataset: DatasetName): Table {
  const table = tables[dataset];
  if (!table) throw new Error(`snapshot ${id} holds no ${dataset}`);
  return table;
}

/** Removes the engine's access to everything but its memory. No statement can undo that. */
async function lock(connection: DuckDBConnection, tables: readonly Table[]): Promise<void> {
  const mostRows = Math.max(0, ...tables.map(({ rows }) => rows));
  // One thread per query, because many small queries run at the same time, each on its own connection.
  await connection.run('SET threads = 1');
  await connection.run(`SET disabled_optimizers = ${literal(await needlessOptimizers(connection))}`);
  await connection.run(`SET memory_limit = '${QUERY_BYTES + mostRows * QUERY_BYTES_PER_ROW}B'`);
  await connection.run('SET enable_external_access = false');
  await connection.run('SET lock_configuration = true');
}

/**
 * All optimizers but three. Every selection is one scan with filters, so most optimizers have no effect, and they take a
 * fifth of the time of a small selection. Without these three, the engine would read every column or every row.
 */
async function needlessOptimizers(connection: DuckDBConnection): Promise<string> {
  const reader = await connection.runAndReadAll(
    "SELECT string_agg(name, ',') FROM duckdb_optimizers() " +
      "WHERE name NOT IN ('filter_pushdown', 'unused_columns', 'expression_rewriter')",
  );
  return String(reader.getRowsJS()[0]);
}

/** The memory of all running queries together. Each may find every row, at four bytes a row. */
const QUERY_BYTES = 256 * 2 ** 20;
const QUERY_BYTES_PER_ROW = 64;

interface SnapshotFolder {
  readonly id: string;
  readonly directory: string;
}

/** Loads the dictionaries, the engine's table and the columns of one dataset, all from one file and in its order. */
async function loadTable(
  connection: DuckDBConnection,
  name: DatasetName,
  described: DatasetManifest,
  { id, directory }: SnapshotFolder,
): Promise<Table> {
  const { dimensions } = datasetOf(name);
  const file = path.join(directory, described.file);
  await connection.run(`CREATE VIEW source AS FROM ${parquetRows(file, 'file_row_number = true')}`);
  const dictionaries = new Map<DimensionName, Dictionary>();
  for (const dimension of dimensions) {
    const dictionary = await loadDictionary(connection, dimension);
    // Filter values are compared in NFC (ruling 4), so text in another form would never match.
    const odd = dictionary.values.find((value) => value !== value.normalize('NFC'));
    if (odd !== undefined)
      throw new Error(`${described.file} holds ${JSON.stringify(odd)}, which is not in NFC`);
    dictionaries.set(dimension, dictionary);
  }
  const table = makeTable(name, described.rows, dictionaries);
  await loadEngineTable(connection, table);
  await copyColumns(connection, table, id);
  await connection.run('DROP VIEW source');
  for (const dimension of dimensions) await connection.run(`DROP TYPE ${codeEnum(dimension)}`);
  return table;
}

/** An ENUM of a dimension's sorted values: the index of a value is its code. Dropped after loading. */
const codeEnum = (dimension: DimensionName) => identifier(`code_of_${dimension}`);

async function loadDictionary(connection: DuckDBConnection, dimension: DimensionName): Promise<Dictionary> {
  // The engine compares text byte by byte, which in UTF-8 is code-point order; years as numbers.
  await connection.run(
    `CREATE TYPE ${codeEnum(dimension)} AS ENUM (SELECT value::VARCHAR FROM ` +
      `(SELECT DISTINCT ${identifier(dimension)} AS value FROM source) ORDER BY value)`,
  );
  // As bytes, because the driver's own decoding drops a leading U+FEFF.
  const result = await connection.run(
    `SELECT encode(unnest(enum_range(NULL::${codeEnum(dimension)}))::VARCHAR)`,
  );
  const rows = await result.getRowsJS();
  return dictionaryOf(rows.map(([bytes]) => utf8.decode(bytes as Uint8Array)));
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

async function loadEngineTable(connection: DuckDBConnection, table: Table): Promise<void> {
  const target = identifier(table.dataset);
  const columns = [...table.dimensions].map(([name, { type }]) => `${identifier(name)} ${type} NOT NULL`);
  const codes = [...table.dimensions.keys()].map(
    (name) => `enum_code(${identifier(name)}::VARCHAR::${codeEnum(name)})`,
  );
  await connection.run(`CREATE TABLE ${target} (position INTEGER NOT NULL, ${columns.join(', ')})`);
  await connection.run(`INSERT INTO ${target} SELECT file_row_number, ${codes.join(', ')} FROM source`);
  // A checkpoint compresses the table.
  await connection.run('CHECKPOINT snapshot');
}

async function copyColumns(connection: DuckDBConnection, table: Table, id: string): Promise<void> {
  const refuse = (problem: string) =>
    new SnapshotRefused(id, `${table.dataset}.parquet ${problem}`, 'publish it again');
  let rows = 0;
  const names = [...table.dimensions.keys()].map(identifier);
  const sql = `SELECT position, ${names.join(', ')} FROM ${identifier(table.dataset)}`;
  for await (const chunk of chunksOf(connection, sql)) {
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
  const columns = metrics.map(([metric]) => `coalesce(${identifier(metric)}, 'nan')::DOUBLE`);
  const sql = `SELECT file_row_number::INTEGER, ${columns.join(', ')} FROM source`;
  for await (const chunk of chunksOf(connection, sql)) {
    expectPositions(chunk, row);
    for (const [i, [, values]] of metrics.entries()) values.set(numbersOf(chunk, i + 1), row);
    row += chunk.rowCount;
  }
  const notFinite = metrics.map(([metric]) => `count(*) FILTER (NOT isfinite(${identifier(metric)}))`);
  const [counts = []] = (
    await connection.runAndReadAll(`SELECT ${notFinite.join(', ')} FROM source`)
  ).getRowsJS();
  const invalid = metrics.find((_, i) => counts[i] !== 0n);
  if (invalid) throw refuse(`holds a ${invalid[0]} that is no number`);
}

/** Checks that rows arrive in the file's order. */
function expectPositions(chunk: Chunk, first: number): void {
  const positions = numbersOf(chunk, 0);
  for (let i = 0; i < positions.length; i++) {
    if (positions[i] !== first + i) throw new Error(`row ${first + i} arrived as row ${positions[i]}`);
  }
}
