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
import { DATASET_NAMES, type DatasetName, type DimensionName, datasetOf, metricNames } from './datasets.ts';
import type { AnyManifest, DatasetManifest } from './manifest.ts';
import { type ReferenceCount, referenceCount } from './referenceCount.ts';
import { notLoaded, SnapshotRefused } from './snapshotRefused.ts';
import { contentSignatureOf } from './snapshotSignature.ts';
import { verifyFiles } from './verifyFiles.ts';

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
 * @throws {SnapshotRefused} when a file differs from the manifest or is changed meanwhile, when rows are out of order
 * (ruling 13), and when the engine cannot read the files. Nothing stays open then.
 */
export async function openSnapshot(
  directory: string,
  manifest: AnyManifest,
  { connections: count }: { connections: number },
): Promise<Snapshot> {
  const verified = await contentSignatureOf(directory);
  await verifyFiles(directory, manifest);
  const mostRows = Math.max(0, ...Object.values(manifest.datasets).map((described) => described?.rows ?? 0));
  const settings = { temp_directory: '', ...(mostRows <= ROW_GROUP_ROWS && { threads: '1' }) };
  const { connections, close } = await openDuckDb({ connections: count, settings });
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
    await lockEngine(loader, Object.values(tables));
    // The engine opens the files by their paths, after they were compared with the manifest.
    if ((await contentSignatureOf(directory)) !== verified)
      throw new SnapshotRefused(manifest.id, 'was changed while it was loaded', 'publish it again');
    const { id, fingerprint } = manifest;
    return { id, fingerprint, directory, manifest, tables, connections, ...referenceCount(close) };
  } catch (cause) {
    close();
    if (cause instanceof SnapshotRefused) throw cause;
    throw notLoaded(manifest.id, cause);
  }
}

/** One thread reads a row group of a Parquet file, so more threads would only cost their start. */
const ROW_GROUP_ROWS = 122_880;

/** The table of a dataset that the snapshot has; any other dataset is a fault. */
export function tableOf({ id, tables }: Pick<Snapshot, 'id' | 'tables'>, dataset: DatasetName): Table {
  const table = tables[dataset];
  if (!table) throw new Error(`snapshot ${id} holds no ${dataset}`);
  return table;
}

/** Removes the engine's access to everything but its memory. No statement can undo that. */
async function lockEngine(connection: DuckDBConnection, tables: readonly Table[]): Promise<void> {
  const mostRows = Math.max(0, ...tables.map(({ rows }) => rows));
  // One thread per query, because many small queries run at the same time, each on its own connection.
  await connection.run('SET threads = 1');
  await connection.run(`SET disabled_optimizers = ${literal(await needlessOptimizers(connection))}`);
  await connection.run(`SET memory_limit = '${QUERY_BYTES + mostRows * QUERY_BYTES_PER_ROW}B'`);
  await connection.run('SET enable_external_access = false');
  await connection.run('SET lock_configuration = true');
}

/**
 * The names of all optimizers but three. Every selection is one scan with filters, so most optimizers have no effect, and
 * they take a fifth of the time of a small selection. The three keep the engine from reading every column or every row.
 */
async function needlessOptimizers(connection: DuckDBConnection): Promise<string> {
  const reader = await connection.runAndReadAll(
    "SELECT string_agg(name, ',') FROM duckdb_optimizers() " +
      "WHERE name NOT IN ('filter_pushdown', 'unused_columns', 'expression_rewriter')",
  );
  return String(reader.getRowsJS()[0]);
}

/**
 * The memory of all running queries together, and its part for each row of the largest table. Eight queries may run at
 * once and each may find every row, at four bytes a row; the limit is twice that.
 */
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
  const { file, rows } = described;
  const refuse = (problem: string) => new SnapshotRefused(id, `${file} ${problem}`, 'publish it again');
  const source = parquetRows(path.join(directory, file), 'file_row_number = true');
  const { dictionaries, notFinite } = await summaryOf(connection, name, { source, file, rows });
  const table = makeTable(name, rows, dictionaries);
  await loadEngineTable(connection, table, source);
  await copyCodes(connection, table, refuse);
  if (table.metrics.size > 0) await copyMetrics(connection, table, source);
  if (notFinite !== null) throw refuse(`holds a ${notFinite} that is no number`);
  return table;
}

interface Summary {
  readonly dictionaries: ReadonlyMap<DimensionName, Dictionary>;
  /** A metric with a value that is infinite or NaN; null when there is none. */
  readonly notFinite: string | null;
}

/**
 * Reads a file once for all its dictionaries. A statement for each would take most of the time in which a small snapshot
 * is opened.
 */
async function summaryOf(
  connection: DuckDBConnection,
  dataset: DatasetName,
  { source, file, rows }: { readonly source: string; readonly file: string; readonly rows: number },
): Promise<Summary> {
  const { dimensions } = datasetOf(dataset);
  const metrics = metricNames(dataset);
  // The engine compares text byte by byte, which in UTF-8 is code-point order, and years as numbers. The keys of a
  // histogram are in this order already, and planning `list_sort` would take half of the statement's time.
  const sorted = (column: string) =>
    rows < FEW_ROWS ? `map_keys(histogram(${column}))` : `list_sort(list(DISTINCT ${column}))`;
  const columns = [
    // As bytes, because the driver's own decoding drops a leading U+FEFF.
    ...dimensions.map(
      (name) => `list_transform(${sorted(identifier(name))}, lambda value: encode(value::VARCHAR))`,
    ),
    ...metrics.map((name) => `count(*) FILTER (NOT isfinite(${identifier(name)}))`),
  ];
  const reader = await connection.runAndReadAll(`SELECT ${columns.join(', ')} FROM ${source}`);
  const [row = []] = reader.getRowsJS();
  const dictionaries = dimensions.map((name, i): [DimensionName, Dictionary] => {
    // The list of no rows is NULL. The engine's table refuses a row without a value.
    const values = ((row[i] ?? []) as (Uint8Array | null)[])
      .filter((bytes) => bytes !== null)
      .map((bytes) => utf8.decode(bytes));
    // Filter values are compared in NFC (ruling 4), so text in another form would never match.
    const odd = values.find((value) => value !== value.normalize('NFC'));
    if (odd !== undefined) throw new Error(`${file} holds ${JSON.stringify(odd)}, which is not in NFC`);
    return [name, dictionaryOf(values)];
  });
  const notFinite = metrics.find((_, i) => row[dimensions.length + i] !== 0n) ?? null;
  return { dictionaries: new Map(dictionaries), notFinite };
}

/** Below this many rows a histogram takes less time than DISTINCT needs to build its hash tables. */
const FEW_ROWS = 5000;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

async function loadEngineTable(connection: DuckDBConnection, table: Table, source: string): Promise<void> {
  const target = identifier(table.dataset);
  const columns = [...table.dimensions].map(([name, { type }]) => `${identifier(name)} ${type} NOT NULL`);
  await connection.run(`CREATE TABLE ${target} (position INTEGER NOT NULL, ${columns.join(', ')})`);
  const dimensions = [...table.dimensions];
  // A file without rows leaves the table empty.
  if (dimensions.every(([, { values }]) => values.length === 0)) return;
  const codes = dimensions.map(([name, { values }]) => codeSql(name, values));
  await connection.run(`INSERT INTO ${target} SELECT file_row_number, ${codes.join(', ')} FROM ${source}`);
  // A checkpoint compresses the table.
  await connection.run('CHECKPOINT snapshot');
}

/** SQL for the code of a dimension's value: in an ENUM of the sorted values, the index of a value is its code. */
function codeSql(name: DimensionName, values: readonly string[]): string {
  const text = `${identifier(name)}::VARCHAR`;
  // A statement cannot contain the character U+0000.
  if (!values.some((value) => value.includes('\0'))) return enumCodeSql(text, values);
  return enumCodeSql(
    `hex(${text})`,
    values.map((value) => Buffer.from(value).toString('hex').toUpperCase()),
  );
}

/** DuckDB has no ENUM without values. A dimension without values has NULL in every row. */
const enumCodeSql = (text: string, values: readonly string[]): string =>
  values.length === 0 ? 'NULL' : `enum_code((${text})::ENUM(${values.map(literal).join(', ')}))`;

type Refuse = (problem: string) => SnapshotRefused;

async function copyCodes(connection: DuckDBConnection, table: Table, refuse: Refuse): Promise<void> {
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
}

async function copyMetrics(connection: DuckDBConnection, table: Table, source: string): Promise<void> {
  const metrics = [...table.metrics];
  let row = 0;
  const columns = metrics.map(([metric]) => `coalesce(${identifier(metric)}, 'nan')::DOUBLE`);
  const sql = `SELECT file_row_number::INTEGER, ${columns.join(', ')} FROM ${source}`;
  for await (const chunk of chunksOf(connection, sql)) {
    expectPositions(chunk, row);
    for (const [i, [, values]] of metrics.entries()) values.set(numbersOf(chunk, i + 1), row);
    row += chunk.rowCount;
  }
}

/** Checks that rows arrive in the file's order. */
function expectPositions(chunk: Chunk, first: number): void {
  const positions = numbersOf(chunk, 0);
  for (let i = 0; i < positions.length; i++) {
    if (positions[i] !== first + i) throw new Error(`row ${first + i} arrived as row ${positions[i]}`);
  }
}
