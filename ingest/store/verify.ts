// Compares a snapshot with its manifest: all checksums, rows and columns.

import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { MANIFEST_FILE, snapshotDirectory } from '../../src/catalog/dataDirectory.ts';
import { columnTypes, DATASET_NAMES, type DatasetName, rowOrder } from '../../src/catalog/datasets.ts';
import { fileSha256 } from '../../src/catalog/fileSha256.ts';
import type {
  AnyManifest,
  DatasetManifest,
  ListedDatasets,
  SourceManifest,
} from '../../src/catalog/manifest.ts';
import { readHistory } from '../../src/catalog/readHistory.ts';
import { readAnyManifest, readListedDatasets } from '../../src/catalog/readManifest.ts';
import {
  notLoadable,
  SnapshotRefused,
  throwIfReaderFault,
  unreadableFile,
} from '../../src/catalog/snapshotRefused.ts';
import { type DuckDBConnection, openDuckDb, parquetRows, queryRows } from '../../src/duckdb.ts';
import { columnChunks, sha256ByColumn } from './columnChecksums.ts';
import { type FileSummary, onOneThread, summariseFile } from './fileSummaries.ts';
import { snapshotFingerprint } from './writeDatasets.ts';

export interface Damage {
  readonly file: string;
  /** The column that differs; null when none can be named. */
  readonly column: string | null;
  readonly message: string;
}

/**
 * All differences between the files of a snapshot, its manifest and the history; empty for an undamaged snapshot.
 *
 * @throws {Error} the error of the system or of DuckDB when the user may not read a file, too many files are open, or no
 * memory is left.
 */
export async function verify(dataDir: string, id: string): Promise<Damage[]> {
  const directory = snapshotDirectory(dataDir, id);
  let manifest: AnyManifest;
  let listed: ListedDatasets;
  try {
    manifest = await readAnyManifest(directory);
    listed = await readListedDatasets(directory);
  } catch (error) {
    if (!(error instanceof SnapshotRefused)) throw error;
    throwIfReaderFault(error);
    return [damageOf(MANIFEST_FILE, `${error.problem}; ${error.remedy}`)];
  }
  return [
    ...(await verifyManifest(dataDir, manifest, listed)),
    ...(await verifyBytes(directory, manifest.documents)),
    ...(await verifyDatasets(directory, manifest)),
    // Of datasets that this version of the program cannot read, only the bytes can be compared.
    ...(await verifyBytes(directory, unreadableDatasets(listed, manifest))),
    ...(await unlistedFiles(directory, manifest, listed)),
  ];
}

const damageOf = (file: string, message: string, column: string | null = null): Damage => ({
  file,
  column,
  message,
});

/** Checks the manifest itself, because all files are compared with it. */
async function verifyManifest(
  dataDir: string,
  manifest: AnyManifest,
  listed: ListedDatasets,
): Promise<Damage[]> {
  const { id, month, revision, fingerprint } = manifest;
  const damages: Damage[] = [];
  const expect = (isSo: boolean, otherwise: string) => {
    if (!isSo) damages.push(damageOf(MANIFEST_FILE, otherwise));
  };
  expect(!(await isManifestChanged(dataDir, id)), 'was changed after it was published');
  expect(`${month}.${revision}` === id, `says month ${month}, revision ${revision} of ${id}`);
  expect(fingerprint === snapshotFingerprint(listed), 'its fingerprint is not that of its datasets');
  for (const [name, { file }] of Object.entries(listed)) {
    expect(file === `${name}.parquet`, `names ${file} as the file of ${name}`);
  }
  return damages;
}

/** Whether a manifest differs from the one that was published; false when the history does not have its SHA-256. */
export async function isManifestChanged(dataDir: string, id: string): Promise<boolean> {
  const published = (await readHistory(dataDir)).findLast(
    (one) => one.event === 'published' && one.id === id,
  );
  if (published?.manifest === undefined) return false;
  return published.manifest !== (await fileSha256(path.join(snapshotDirectory(dataDir, id), MANIFEST_FILE)));
}

type FileBytes = Pick<SourceManifest, 'file' | 'bytes' | 'sha256'>;

const unreadableDatasets = (listed: ListedDatasets, { datasets }: AnyManifest): readonly FileBytes[] =>
  Object.entries(listed).flatMap(([name, file]) => (Object.hasOwn(datasets, name) ? [] : [file]));

async function verifyBytes(directory: string, files: readonly FileBytes[]): Promise<Damage[]> {
  const damages: Damage[] = [];
  for (const file of files) damages.push(...(await verifyFile(directory, file)).damages);
  return damages;
}

async function verifyDatasets(directory: string, { datasets }: AnyManifest): Promise<Damage[]> {
  const damages: Damage[] = [];
  const bytes = Object.values(datasets).reduce((sum, dataset) => sum + (dataset?.bytes ?? 0), 0);
  const threads = bytes < ONE_THREAD_BYTES ? 1 : 2;
  const database = await openDuckDb({ settings: { threads: String(threads), temp_directory: '' } });
  const [connection] = database.connections;
  try {
    for (const name of DATASET_NAMES) {
      const described = datasets[name];
      if (described === undefined) continue;
      const expected = { ...described, file: `${name}.parquet` };
      const file = await verifyFile(directory, expected);
      damages.push(...file.damages);
      if (file.sha256 === null) continue;
      const other = Object.values(datasets).find((one) => one?.sha256 === file.sha256);
      if (file.sha256 !== expected.sha256 && other !== undefined)
        damages.push(damageOf(expected.file, `holds what ${other.file} should`));
      else
        damages.push(
          ...(await verifyContent(connection, name, path.join(directory, expected.file), expected)),
        );
    }
  } finally {
    database.close();
  }
  return damages;
}

/** From this total size on, a second thread saves more time than it takes to start. */
const ONE_THREAD_BYTES = 1_000_000;

/** Compares the length and the SHA-256 of a file. The returned SHA-256 is null when the file cannot be read. */
async function verifyFile(
  directory: string,
  { file, bytes, sha256 }: FileBytes,
): Promise<{ damages: Damage[]; sha256: string | null }> {
  const result = (sha256: string | null, ...messages: string[]) => ({
    damages: messages.map((message) => damageOf(file, message)),
    sha256,
  });
  if (file !== path.basename(file)) return result(null, 'lies outside the snapshot');
  try {
    const entry = await stat(path.join(directory, file));
    // The content of a pipe may never end.
    if (!entry.isFile()) return result(null, 'is not a file');
    const found = await fileSha256(path.join(directory, file));
    if (entry.size !== bytes)
      return result(found, `has ${entry.size} bytes where the manifest says ${bytes}`);
    return found === sha256 ? result(found) : result(found, 'its SHA-256 differs from the manifest');
  } catch (error) {
    throwIfReaderFault(unreadableFile(path.basename(directory), file, error));
    const { code } = error as NodeJS.ErrnoException;
    return result(null, code === 'ENOENT' ? 'is missing' : `cannot be read (${code ?? error})`);
  }
}

async function verifyContent(
  connection: DuckDBConnection,
  name: DatasetName,
  file: string,
  expected: DatasetManifest,
): Promise<Damage[]> {
  const damages: Damage[] = [];
  try {
    const columns = await columnsOf(connection, file);
    damages.push(...verifyColumns(name, columns, expected.file));
    // Bytes are compared before rows are read, because reading may fail at the first damaged row.
    const chunks = await columnChunks(connection, [file]);
    damages.push(...damagedColumns(expected, await sha256ByColumn(file, chunks)));
    if (Object.keys(columnTypes(name)).every((column) => columns.has(column)))
      damages.push(...(await verifyRows(connection, name, file, expected)));
  } catch (error) {
    throwIfReaderFault(notLoadable(path.basename(path.dirname(file)), error));
    const [reason] = String(error instanceof Error ? error.message : error).split('\n');
    damages.push(damageOf(expected.file, `cannot be read: ${reason}`));
  }
  return damages;
}

/** The columns of a file with their types, in the order of the file. */
async function columnsOf(connection: DuckDBConnection, file: string): Promise<ReadonlyMap<string, string>> {
  const described = await queryRows(connection, `DESCRIBE SELECT * FROM ${parquetRows(file)}`);
  return new Map(described.map(([column, type]) => [String(column), String(type)]));
}

function verifyColumns(name: DatasetName, found: ReadonlyMap<string, string>, file: string): Damage[] {
  const types = columnTypes(name);
  const wrong = Object.entries(types).flatMap(([column, type]) => {
    const is = found.get(column);
    if (is === type) return [];
    return [damageOf(file, is === undefined ? 'is missing' : `is ${is} instead of ${type}`, column)];
  });
  const surplus = [...found.keys()].filter((column) => !Object.hasOwn(types, column));
  const names = Object.keys(types).join(', ');
  const isMoved = wrong.length + surplus.length === 0 && [...found.keys()].join(', ') !== names;
  return [
    ...wrong,
    ...surplus.map((column) => damageOf(file, `is not a column of ${name}`, column)),
    ...(isMoved ? [damageOf(file, `has its columns in another order than ${names}`)] : []),
  ];
}

/**
 * The columns whose bytes differ. None when all differ: the file is then another one, and comparing its rows shows more.
 */
function damagedColumns(expected: DatasetManifest, found: Readonly<Record<string, string>>): Damage[] {
  const known = Object.entries(expected.columns);
  const different = known.filter(([column, sha256]) => found[column] !== sha256);
  if (known.length > 1 && different.length === known.length) return [];
  return different.map(([column]) => damageOf(expected.file, 'its bytes differ from the manifest', column));
}

async function verifyRows(
  connection: DuckDBConnection,
  name: DatasetName,
  file: string,
  expected: DatasetManifest,
): Promise<Damage[]> {
  const misplaced = await firstMisplacedRow(connection, name, file);
  return [
    ...(misplaced === null
      ? []
      : [damageOf(expected.file, `is not in row order, first at row ${misplaced + 1}`)]),
    ...differentContents(expected, await summariseFile(connection, name, file)),
  ];
}

/** The index of the first row that does not come after the row before it in row order; null when there is none. */
async function firstMisplacedRow(
  connection: DuckDBConnection,
  name: DatasetName,
  file: string,
): Promise<number | null> {
  const key = `(${rowOrder(name).join(', ')})`;
  // One thread reads rows in the order of the file, so the window needs no sort. With a sort, it would take four times as
  // long.
  const [found = []] = await onOneThread(connection, () =>
    queryRows(
      connection,
      `SELECT min(file_row_number)::INTEGER FROM (SELECT file_row_number,
         ${key} <= lag(${key}) OVER () AS misplaced FROM ${parquetRows(file, 'file_row_number = true')})
       WHERE misplaced`,
    ),
  );
  const row = found[0] ?? null;
  return row === null ? null : Number(row);
}

function differentContents(expected: DatasetManifest, found: FileSummary): Damage[] {
  const damages: Damage[] = [];
  const compare = (column: string | null, what: string, a: unknown, b: unknown) => {
    if (JSON.stringify(a) !== JSON.stringify(b))
      damages.push(damageOf(expected.file, `${what} from the manifest`, column));
  };
  compare(null, 'the number of rows differs', expected.rows, found.rows);
  compare('year', 'the years differ', expected.years, found.years);
  for (const [dimension, values] of Object.entries(found.dimensions)) {
    compare(dimension, 'its values and their counts differ', expected.dimensions[dimension], values);
  }
  for (const [metric, totals] of Object.entries(found.metrics)) {
    compare(metric, 'its sum and empty values differ', expected.metrics[metric], totals);
  }
  if (damages.length === 0) compare(null, 'rows differ', expected.fingerprint, found.fingerprint);
  return damages;
}

/** Files that the manifest does not list. Hidden files are ignored, because the operating system creates some. */
async function unlistedFiles(
  directory: string,
  { documents }: AnyManifest,
  listed: ListedDatasets,
): Promise<Damage[]> {
  const known = new Set([
    MANIFEST_FILE,
    ...Object.values(listed).map(({ file }) => file),
    ...documents.map(({ file }) => file),
  ]);
  const found = await readdir(directory);
  return found
    .filter((file) => !known.has(file) && !file.startsWith('.'))
    .sort()
    .map((file) => damageOf(file, 'does not belong to the snapshot; remove it'));
}
