// Writes the Parquet files of a snapshot, and reads them again to describe them in the manifest.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import { sha256 } from '../../src/basics/sha256.ts';
import { columnTypes, DATASET_NAMES, type DatasetName, rowOrder } from '../../src/catalog/datasets.ts';
import { fileMetadata } from '../../src/catalog/fields.ts';
import { fileSha256 } from '../../src/catalog/fileSha256.ts';
import type { DatasetManifest, Manifest, SourceManifest } from '../../src/catalog/manifest.ts';
import { type DuckDBConnection, engineVersion, identifier, literal } from '../../src/duckdb.ts';
import { makeFolders } from '../../src/system/makeFolders.ts';
import { columnChunks, sha256ByColumnOfEach } from './columnChecksums.ts';
import { type Connections, countValues, fingerprintFiles } from './fileSummaries.ts';
import { settleAll } from './settleAll.ts';

/** Checked rows of one dataset, ready to be written. */
export interface RowsToWrite {
  /**
   * A SELECT of the dataset's columns: the year as INTEGER, metrics as DOUBLE, texts never NULL and of any type that sorts
   * in code-point order.
   */
  readonly select: string;
  /** Makes a SELECT of the same rows that is already in row order. If it is undefined or gives null, `select` is sorted. */
  readonly selectSorted?: (connection: DuckDBConnection) => Promise<string | null>;
  /** About how many rows there are; 0 if undefined. */
  readonly rowCount?: number;
  /** Whether writing the rows takes much memory. Large datasets are written one after the other; false if undefined. */
  readonly isLarge?: boolean;
  readonly sources: readonly string[];
  /** The snapshot from which the rows are carried; null when they come from sources of the month. */
  readonly carried: string | null;
}

/** How a snapshot was made, as its manifest records it. */
export interface SnapshotProvenance {
  readonly sources: readonly SourceManifest[];
  readonly recipe: Manifest['recipe'];
  readonly reading?: Manifest['reading'];
}

/** The manifest of written files, before the snapshot has an id and documents. */
export type DraftManifest = Omit<Manifest, 'id' | 'month' | 'revision' | 'documents'>;

/** The entry of a dataset in the manifest, without its fingerprint. */
export type DraftDatasetManifest = Omit<DatasetManifest, 'fingerprint'>;

/**
 * Writes the Parquet files of some datasets, and describes them. Publishing computes the fingerprints later, in the
 * background.
 *
 * The same content gives the same bytes on every machine: the row order is total, row groups have a fixed number of rows on
 * any number of threads, and the files contain no time, folder or id.
 */
export async function writeDatasets<Name extends DatasetName>(
  connections: Connections,
  datasets: Readonly<Record<Name, RowsToWrite>>,
  directory: string,
): Promise<Readonly<Record<Name, DraftDatasetManifest>>> {
  makeFolders(directory);
  const files = DATASET_NAMES.flatMap((name) => {
    const content = (datasets as Partial<Record<DatasetName, RowsToWrite>>)[name];
    return content === undefined ? [] : [{ name, content, file: path.join(directory, `${name}.parquet`) }];
  });
  await writeFiles(connections, files);
  const [connection] = connections;
  const paths = files.map(({ file }) => file);
  const chunks = await columnChunks(connection, paths);
  // This thread hashes the files while the engine counts their rows.
  const [counted, columns, bytes] = await settleAll([
    countValues(connections, files),
    sha256ByColumnOfEach(paths, chunks),
    Promise.all(files.map(({ content, file }) => sizeAndHash(file, content))),
  ]);
  const drafts: Partial<Record<DatasetName, DraftDatasetManifest>> = {};
  for (const [i, { name, content, counts }] of counted.entries())
    drafts[name] = {
      ...(bytes[i] as (typeof bytes)[number]),
      columns: columns[i] ?? {},
      ...counts,
      carried: content.carried,
    };
  return drafts as Record<Name, DraftDatasetManifest>;
}

/** Adds the fingerprints of files in `directory`. One statement reads all of them. */
export async function fingerprintDatasets(
  connection: DuckDBConnection,
  drafts: Readonly<Partial<Record<DatasetName, DraftDatasetManifest>>>,
  directory: string,
): Promise<Partial<Record<DatasetName, DatasetManifest>>> {
  const files = DATASET_NAMES.flatMap((name) => {
    const draft = drafts[name];
    return draft === undefined
      ? []
      : [{ name, draft, file: path.join(directory, draft.file), counts: draft }];
  });
  const entries = (await fingerprintFiles(connection, files)).map(({ name, draft, summary }) => {
    const { file, sources, bytes, sha256, columns, carried } = draft;
    return [name, { file, sources, bytes, sha256, columns, ...summary, carried }];
  });
  return Object.fromEntries(entries);
}

/** Makes the draft of a manifest from the entries of its datasets. Nothing is accepted in it yet. */
export function draftManifest(
  provenance: SnapshotProvenance,
  datasets: Readonly<Record<DatasetName, DatasetManifest>>,
): DraftManifest {
  return {
    format: 1,
    engine: `DuckDB ${engineVersion().replace(/^v/, '')}`,
    fingerprint: snapshotFingerprint(datasets),
    sources: [...provenance.sources],
    recipe: provenance.recipe,
    reading: [...(provenance.reading ?? [])],
    accepted: [],
    datasets,
  };
}

/** The fingerprint of a snapshot, made from those of its datasets in the order of the manifest. */
export const snapshotFingerprint = (
  datasets: Readonly<Record<string, { readonly fingerprint: string }>>,
): string =>
  sha256(
    Object.entries(datasets)
      .map(([name, { fingerprint }]) => `${name} ${fingerprint}\n`)
      .join(''),
    'hex',
  );

interface FileToWrite {
  readonly name: DatasetName;
  readonly content: RowsToWrite;
  readonly file: string;
}

/**
 * Writes as many files at a time as there are connections. The first connection writes all large files, one after the
 * other.
 *
 * Each connection writes its files in one call, because the event loop may be busy with the checks between two calls.
 */
async function writeFiles(connections: Connections, files: readonly FileToWrite[]): Promise<void> {
  const shares = filesByConnection(files, connections.length);
  await settleAll(connections.map((connection, i) => writeParquet(connection, shares[i] ?? [])));
}

/** The files that each connection writes, so that all write about as many rows. */
function filesByConnection(
  files: readonly FileToWrite[],
  connections: number,
): readonly (readonly FileToWrite[])[] {
  const shares = Array.from({ length: connections }, () => ({ rows: 0, files: [] as FileToWrite[] }));
  const byRows = files.toSorted((a, b) => rowsIn(b) - rowsIn(a));
  for (const file of byRows) {
    const least = Math.min(...shares.map(({ rows }) => rows));
    const share = file.content.isLarge === true ? shares[0] : shares.find(({ rows }) => rows === least);
    share?.files.push(file);
    if (share !== undefined) share.rows += rowsIn(file);
  }
  return shares.map((share) => share.files);
}

const rowsIn = ({ content: { rowCount = 0 } }: FileToWrite): number => rowCount;

async function writeParquet(connection: DuckDBConnection, files: readonly FileToWrite[]): Promise<void> {
  const copies: string[] = [];
  for (const file of files) copies.push(await copySql(connection, file));
  if (copies.length > 0) await connection.run(copies.join(';\n'));
}

async function copySql(connection: DuckDBConnection, { name, content, file }: FileToWrite): Promise<string> {
  const columns = Object.entries(columnTypes(name)).map(
    ([column, type]) => `${column}::${type} AS ${column}`,
  );
  const metadata = Object.entries(fileMetadata(name, content.sources)).map(
    ([key, value]) => `${identifier(key)}: ${literal(value)}`,
  );
  // `selectSorted` sorts the codes of texts before they become texts, because sorting integers is faster.
  const sorted =
    (await content.selectSorted?.(connection)) ??
    `FROM (${content.select}) ORDER BY ${rowOrder(name).join(', ')}`;
  return (
    `COPY (SELECT ${columns.join(', ')} FROM (${sorted})) TO ${literal(file)} ` +
    `(FORMAT parquet, COMPRESSION zstd, KV_METADATA {${metadata.join(', ')}})`
  );
}

async function sizeAndHash(
  file: string,
  { sources }: Pick<RowsToWrite, 'sources'>,
): Promise<Pick<DatasetManifest, 'file' | 'sources' | 'bytes' | 'sha256'>> {
  const { size } = await stat(file);
  return { file: path.basename(file), sources: [...sources], bytes: size, sha256: await fileSha256(file) };
}
