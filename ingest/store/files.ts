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
import { allEnded } from './allEnded.ts';
import { columnChunks, columnsSha256 } from './columnBytes.ts';
import { type Connections, countedContents, withFingerprints } from './contents.ts';

/** Checked rows of one dataset, ready to be written. */
export interface DatasetContent {
  /**
   * A SELECT of the dataset's columns: the year as INTEGER, metrics as DOUBLE, texts never NULL and of any type that sorts in
   * code-point order.
   */
  readonly select: string;
  /** Makes a SELECT of the same rows that is already in row order. If it is undefined or gives null, `select` is sorted. */
  readonly sorted?: (connection: DuckDBConnection) => Promise<string | null>;
  /** About how many rows there are; 0 if undefined. */
  readonly rows?: number;
  /** Whether writing the rows takes much memory. Large datasets are written one after the other; false if undefined. */
  readonly isLarge?: boolean;
  readonly sources: readonly string[];
  /** The snapshot from which the rows are carried; null when they come from sources of the month. */
  readonly carried: string | null;
}

/** The content of a snapshot: the datasets, and how they were made. */
export interface SnapshotContent {
  readonly datasets: Readonly<Record<DatasetName, DatasetContent>>;
  readonly sources: readonly SourceManifest[];
  readonly recipe: Manifest['recipe'];
  readonly reading?: Manifest['reading'];
  readonly accepted: Manifest['accepted'];
}

/** The manifest of written files, before the snapshot has an id and documents. */
export type DraftManifest = Omit<Manifest, 'id' | 'month' | 'revision' | 'documents'>;

/** The entry of a dataset in the manifest, without its fingerprint. */
export type Described = Omit<DatasetManifest, 'fingerprint'>;

/**
 * Writes the Parquet files of some datasets, and describes them. Publishing computes the fingerprints later, in the background.
 *
 * The same content gives the same bytes on every machine: the row order is total, row groups have a fixed number of rows on any
 * number of threads, and the files contain no time, folder or id.
 */
export async function writeDatasets<Name extends DatasetName>(
  connections: Connections,
  datasets: Readonly<Record<Name, DatasetContent>>,
  directory: string,
): Promise<Readonly<Record<Name, Described>>> {
  makeFolders(directory);
  const files = DATASET_NAMES.flatMap((name) => {
    const content = (datasets as Partial<Record<DatasetName, DatasetContent>>)[name];
    return content === undefined ? [] : [{ name, content, file: path.join(directory, `${name}.parquet`) }];
  });
  await writeTogether(connections, files);
  const [connection] = connections;
  const paths = files.map(({ file }) => file);
  const chunks = await columnChunks(connection, paths);
  // This thread hashes the files while the engine counts their rows.
  const [found, columns, bytes] = await allEnded([
    countedContents(connections, files),
    columnsSha256(paths, chunks),
    Promise.all(files.map(({ content, file }) => bytesOf(file, content))),
  ]);
  const described: Partial<Record<DatasetName, Described>> = {};
  for (const [i, { name, content }] of files.entries())
    described[name] = {
      ...(bytes[i] as (typeof bytes)[number]),
      columns: columns[i] ?? {},
      ...(found[i] as (typeof found)[number]),
      carried: content.carried,
    };
  return described as Record<Name, Described>;
}

/** Adds the fingerprints of files in `directory`. One statement reads all of them. */
export async function fingerprinted(
  connection: DuckDBConnection,
  described: Readonly<Partial<Record<DatasetName, Described>>>,
  directory: string,
): Promise<Partial<Record<DatasetName, DatasetManifest>>> {
  const names = DATASET_NAMES.filter((name) => described[name] !== undefined);
  const all = names.map((name) => described[name] as Described);
  const contents = await withFingerprints(
    connection,
    all.map((counted, i) => ({
      name: names[i] as DatasetName,
      file: path.join(directory, counted.file),
      counted,
    })),
  );
  return Object.fromEntries(
    all.map(({ file, sources, bytes, sha256, columns, carried }, i) => [
      names[i],
      { file, sources, bytes, sha256, columns, ...(contents[i] as (typeof contents)[number]), carried },
    ]),
  );
}

/** Makes the draft of a manifest from the descriptions of the datasets. */
export function draftManifest(
  content: Omit<SnapshotContent, 'datasets'>,
  described: Readonly<Record<DatasetName, DatasetManifest>>,
): DraftManifest {
  return {
    format: 1,
    engine: `DuckDB ${engineVersion().replace(/^v/, '')}`,
    fingerprint: fingerprintOf(described),
    sources: [...content.sources],
    recipe: content.recipe,
    reading: [...(content.reading ?? [])],
    accepted: [...content.accepted],
    datasets: described,
  };
}

/** The fingerprint of a snapshot, made from those of its datasets in the order of the manifest. */
export const fingerprintOf = (datasets: Readonly<Record<string, { readonly fingerprint: string }>>): string =>
  sha256(
    Object.entries(datasets)
      .map(([name, { fingerprint }]) => `${name} ${fingerprint}\n`)
      .join(''),
    'hex',
  );

interface FileToWrite {
  readonly name: DatasetName;
  readonly content: DatasetContent;
  readonly file: string;
}

/**
 * Writes as many files at a time as there are connections. The first connection writes all large files, one after the other.
 *
 * Each connection writes its files in one call, because the event loop may be busy with the checks between two calls.
 */
async function writeTogether(connections: Connections, files: readonly FileToWrite[]): Promise<void> {
  const shares = sharesOf(files, connections.length);
  await allEnded(connections.map((connection, i) => writeParquet(connection, shares[i] ?? [])));
}

/** The files that each connection writes, so that all write about as many rows. */
function sharesOf(files: readonly FileToWrite[], connections: number): readonly (readonly FileToWrite[])[] {
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

const rowsIn = ({ content: { rows = 0 } }: FileToWrite): number => rows;

async function writeParquet(connection: DuckDBConnection, files: readonly FileToWrite[]): Promise<void> {
  const copies: string[] = [];
  for (const file of files) copies.push(await copyOf(connection, file));
  if (copies.length > 0) await connection.run(copies.join(';\n'));
}

async function copyOf(connection: DuckDBConnection, { name, content, file }: FileToWrite): Promise<string> {
  const columns = Object.entries(columnTypes(name)).map(
    ([column, type]) => `${column}::${type} AS ${column}`,
  );
  const metadata = Object.entries(fileMetadata(name, content.sources)).map(
    ([key, value]) => `${identifier(key)}: ${literal(value)}`,
  );
  // `sorted` sorts the codes of texts before they become texts, because sorting integers is faster.
  const sorted =
    (await content.sorted?.(connection)) ?? `FROM (${content.select}) ORDER BY ${rowOrder(name).join(', ')}`;
  return (
    `COPY (SELECT ${columns.join(', ')} FROM (${sorted})) TO ${literal(file)} ` +
    `(FORMAT parquet, COMPRESSION zstd, KV_METADATA {${metadata.join(', ')}})`
  );
}

async function bytesOf(
  file: string,
  { sources }: Pick<DatasetContent, 'sources'>,
): Promise<Pick<DatasetManifest, 'file' | 'sources' | 'bytes' | 'sha256'>> {
  const { size } = await stat(file);
  return { file: path.basename(file), sources: [...sources], bytes: size, sha256: await fileSha256(file) };
}
