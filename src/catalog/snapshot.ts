// Loads the files of a snapshot: the columns into memory, and a table per dataset into DuckDB, for searches.

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
  queryRows,
} from '../duckdb.ts';
import { type Dictionary, dictionaryOf, firstMisplacedRow, makeTable, type Table } from './columns.ts';
import { DATASET_NAMES, type DatasetName, type DimensionName, datasetOf, metricNames } from './datasets.ts';
import type { AnyManifest, DatasetManifest } from './manifest.ts';
import { type ReferenceCount, referenceCount } from './referenceCount.ts';
import { notLoadable, REPUBLISH, SnapshotRefused } from './snapshotRefused.ts';
import { fileContentsSignatureOf } from './snapshotSignature.ts';
import { verifyFiles } from './verifyFiles.ts';

/**
 * An open snapshot, which never changes. Its references are counted. A query may run longer than its request, so each query
 * acquires the snapshot that it reads.
 */
export interface Snapshot extends ReferenceCount {
  readonly id: string;
  readonly fingerprint: string;
  /** The folder of the snapshot. A prune may delete its files at any time. */
  readonly directory: string;
  readonly manifest: AnyManifest;
  /** The datasets that both the snapshot and this version of the program have. */
  readonly tables: Readonly<Partial<Record<DatasetName, Table>>>;
  /**
   * The connections to the engine. Each runs one query at a time. The engine has a table for each dataset, with the
   * column `position` and the codes of the dimensions. It cannot access files or the network, or change its settings.
   */
  readonly connections: readonly DuckDBConnection[];
}

/**
 * Compares the files in `directory` with the manifest, then loads them. After an error nothing stays open.
 *
 * @throws {SnapshotRefused} when a file differs from the manifest or changes meanwhile, when rows are out of order
 * (ruling 13), or when DuckDB cannot read a file.
 */
export async function openSnapshot(
  directory: string,
  manifest: AnyManifest,
  { connections: count }: { connections: number },
): Promise<Snapshot> {
  const verified = await fileContentsSignatureOf(directory);
  await verifyFiles(directory, manifest);
  const mostRows = Math.max(0, ...Object.values(manifest.datasets).map((described) => described?.rows ?? 0));
  const settings = { temp_directory: '', ...(mostRows <= ROW_GROUP_ROWS && { threads: '1' }) };
  const { connections, close } = await openDuckDb({ connections: count, settings }).catch((cause) => {
    throw notLoadable(manifest.id, cause);
  });
  try {
    const [loader] = connections;
    // Compression saves 39 of 40 bytes of the engine's tables, and makes searches slightly faster.
    await loader.run("ATTACH ':memory:' AS snapshot (COMPRESS)");
    for (const connection of connections) await connection.run('USE snapshot');
    const tables: Partial<Record<DatasetName, Table>> = {};
    for (const name of DATASET_NAMES) {
      const described = manifest.datasets[name];
      if (described) tables[name] = await loadTable(loader, name, described, { directory, id: manifest.id });
    }
    await lockEngine(loader, Object.values(tables));
    // The engine opened the files by their paths, so they may have been replaced after the comparison with the
    // manifest.
    if ((await fileContentsSignatureOf(directory)) !== verified)
      throw new SnapshotRefused(manifest.id, 'was changed while it was loaded', REPUBLISH);
    const { id, fingerprint } = manifest;
    return { id, fingerprint, directory, manifest, tables, connections, ...referenceCount(close) };
  } catch (cause) {
    close();
    if (cause instanceof SnapshotRefused) throw cause;
    throw notLoadable(manifest.id, cause);
  }
}

/**
 * The rows of a row group. One thread reads a whole row group, so a file with only one gains nothing from more threads.
 */
const ROW_GROUP_ROWS = 122_880;

/** The table of a dataset. The snapshot must have the dataset. */
export function tableOf({ id, tables }: Pick<Snapshot, 'id' | 'tables'>, dataset: DatasetName): Table {
  const table = tables[dataset];
  if (!table) throw new Error(`snapshot ${id} holds no ${dataset}`);
  return table;
}

/** Prepares the engine for queries, and takes its access to files and settings away. No statement can undo that. */
async function lockEngine(connection: DuckDBConnection, tables: readonly Table[]): Promise<void> {
  const mostRows = Math.max(0, ...tables.map(({ rows }) => rows));
  // A query gets one thread, because many small queries run at the same time, each on its own connection.
  await connection.run('SET threads = 1');
  await connection.run(`SET disabled_optimizers = ${literal(await needlessOptimizers(connection))}`);
  await connection.run(`SET memory_limit = '${QUERY_BYTES + mostRows * QUERY_BYTES_PER_ROW}B'`);
  await connection.run('SET enable_external_access = false');
  await connection.run('SET lock_configuration = true');
}

/**
 * The names of all optimizers except the three that a selection needs. A selection is one scan with filters, so the other
 * optimizers have no effect. They would take a fifth of the time of a small selection. Without the three, the engine would
 * read all columns and rows.
 */
async function needlessOptimizers(connection: DuckDBConnection): Promise<string> {
  const [found] = await queryRows(
    connection,
    "SELECT string_agg(name, ',') FROM duckdb_optimizers() " +
      "WHERE name NOT IN ('filter_pushdown', 'unused_columns', 'expression_rewriter')",
  );
  return String(found);
}

/**
 * The memory limit of the engine: a fixed part, and a part for each row of the largest table. Eight queries may run at
 * the same time, and each may find all rows, with four bytes per row. The limit is twice that.
 */
const QUERY_BYTES = 256 * 2 ** 20;
const QUERY_BYTES_PER_ROW = 64;

interface SnapshotFolder {
  readonly id: string;
  readonly directory: string;
}

/**
 * Loads one dataset from its file: the dictionaries, the table of the engine, and the columns, in the order of the
 * file.
 */
async function loadTable(
  connection: DuckDBConnection,
  name: DatasetName,
  described: DatasetManifest,
  { id, directory }: SnapshotFolder,
): Promise<Table> {
  const { file, rows } = described;
  const refuse = (problem: string) => new SnapshotRefused(id, `${file} ${problem}`, REPUBLISH);
  const source = parquetRows(path.join(directory, file), 'file_row_number = true');
  const { dictionaries, notFiniteMetric } = await readFileSummary(connection, name, { source, file, rows });
  const table = makeTable(name, rows, dictionaries);
  await loadEngineTable(connection, table, source);
  await copyCodes(connection, table, refuse);
  if (table.metrics.size > 0) await copyMetrics(connection, table, source);
  if (notFiniteMetric !== null) throw refuse(`holds a ${notFiniteMetric} that is not a number`);
  return table;
}

interface FileSummary {
  readonly dictionaries: ReadonlyMap<DimensionName, Dictionary>;
  /** A metric with a value that is infinite or NaN; null when there is none. */
  readonly notFiniteMetric: string | null;
}

/**
 * Reads all dictionaries of a file with one statement. A statement for each dictionary would take most of the time of
 * opening a small snapshot.
 */
async function readFileSummary(
  connection: DuckDBConnection,
  dataset: DatasetName,
  { source, file, rows }: { readonly source: string; readonly file: string; readonly rows: number },
): Promise<FileSummary> {
  const { dimensions } = datasetOf(dataset);
  const metrics = metricNames(dataset);
  // DuckDB compares text byte by byte, which in UTF-8 is code-point order. It compares years as numbers. The keys of a
  // histogram are sorted already, and planning `list_sort` would take half of the time of the statement.
  const sorted = (column: string) =>
    rows < FEW_ROWS ? `map_keys(histogram(${column}))` : `list_sort(list(DISTINCT ${column}))`;
  const columns = [
    // Text is read as bytes, because the driver's decoding would drop a U+FEFF at the beginning.
    ...dimensions.map(
      (name) => `list_transform(${sorted(identifier(name))}, lambda value: encode(value::VARCHAR))`,
    ),
    ...metrics.map((name) => `count(*) FILTER (NOT isfinite(${identifier(name)}))`),
  ];
  const [row = []] = await queryRows(connection, `SELECT ${columns.join(', ')} FROM ${source}`);
  const dictionaries = dimensions.map((name, i): [DimensionName, Dictionary] => {
    // The list is NULL when there are no rows. A NULL in it is left out, because the engine's table refuses the row later.
    const values = ((row[i] ?? []) as (Uint8Array | null)[])
      .filter((bytes) => bytes !== null)
      .map((bytes) => utf8.decode(bytes));
    // Filter values are compared in NFC (ruling 4), so a text in another form could never be found.
    const notNormal = values.find((value) => value !== value.normalize('NFC'));
    if (notNormal !== undefined)
      throw new Error(`${file} holds ${JSON.stringify(notNormal)}, which is not in NFC`);
    return [name, dictionaryOf(values)];
  });
  const notFiniteMetric = metrics.find((_, i) => row[dimensions.length + i] !== 0n) ?? null;
  return { dictionaries: new Map(dictionaries), notFiniteMetric };
}

/** With fewer rows, a histogram takes less time than DISTINCT, which has to build hash tables. */
const FEW_ROWS = 5000;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

async function loadEngineTable(connection: DuckDBConnection, table: Table, source: string): Promise<void> {
  const target = identifier(table.dataset);
  const columns = [...table.dimensions].map(([name, { type }]) => `${identifier(name)} ${type} NOT NULL`);
  await connection.run(`CREATE TABLE ${target} (position INTEGER NOT NULL, ${columns.join(', ')})`);
  const dimensions = [...table.dimensions];
  // Without rows, the table stays empty.
  if (dimensions.every(([, { values }]) => values.length === 0)) return;
  const codes = dimensions.map(([name, { values }]) => codeSql(name, values));
  await connection.run(`INSERT INTO ${target} SELECT file_row_number, ${codes.join(', ')} FROM ${source}`);
  // A checkpoint compresses the table.
  await connection.run('CHECKPOINT snapshot');
}

/** SQL that gives the code of a dimension's value: its number in an ENUM of the sorted values. */
function codeSql(name: DimensionName, values: readonly string[]): string {
  const text = `${identifier(name)}::VARCHAR`;
  // A statement cannot contain the character U+0000, so the values are written in hexadecimal.
  if (!values.some((value) => value.includes('\0'))) return enumCodeSql(text, values);
  return enumCodeSql(
    `hex(${text})`,
    values.map((value) => Buffer.from(value).toString('hex').toUpperCase()),
  );
}

/**
 * SQL that gives the number of a value in an ENUM of `values`. DuckDB has no ENUM without values: without any, the code is
 * NULL.
 */
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

function expectPositions(chunk: Chunk, first: number): void {
  const positions = numbersOf(chunk, 0);
  for (let i = 0; i < positions.length; i++) {
    if (positions[i] !== first + i) throw new Error(`row ${first + i} arrived as row ${positions[i]}`);
  }
}
