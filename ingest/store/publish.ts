// Writes a snapshot: Parquet and manifest into a temporary folder, synced, renamed, then `current` switched.

import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type DuckDBConnection, version as engineVersion } from '@duckdb/node-api';
import { snapshotDirectory } from '../../src/catalog/dataDirectory.ts';
import {
  columnTypes,
  DATASET_NAMES,
  type DatasetName,
  datasetOf,
  dimensionOf,
  metricNames,
  rowOrder,
} from '../../src/catalog/datasets.ts';
import type { DatasetManifest, Manifest, SourceManifest } from '../../src/catalog/manifest.ts';
import { fileSha256 } from '../../src/catalog/verifyFiles.ts';
import { identifier, literal, parquetRows } from '../../src/duckdb.ts';
import { columnSha256 } from './columnBytes.ts';
import { DATA_PACKAGE, dataPackageOf, fieldsOf } from './dataPackage.ts';
import { settle, step } from './history.ts';

/** Checked rows of one dataset, ready to be written. */
export interface DatasetContent {
  /**
   * A SELECT of the dataset's columns: year INTEGER, metrics DOUBLE, text never NULL and of any type that sorts in
   * code-point order.
   */
  readonly select: string;
  /** The files that the rows come from. */
  readonly sources: readonly string[];
  readonly carried: string | null;
}

export interface SnapshotContent {
  readonly datasets: Readonly<Record<DatasetName, DatasetContent>>;
  readonly sources: readonly SourceManifest[];
  readonly recipe: Manifest['recipe'];
  readonly reading?: Manifest['reading'];
  readonly accepted: Manifest['accepted'];
}

/** What the written files hold: a manifest before it has an id and documents. */
export type Written = Omit<Manifest, 'id' | 'month' | 'revision' | 'documents'>;

/**
 * Writes the five Parquet files into `directory` and says what they hold: a manifest without its id.
 *
 * The same content gives the same bytes, whatever machine writes it: one thread writes, and nothing of the
 * moment (time, folder, id) goes into the files.
 */
export async function writeFiles(
  connection: DuckDBConnection,
  content: SnapshotContent,
  directory: string,
): Promise<Written> {
  await mkdir(directory, { recursive: true });
  const datasets: Partial<Record<DatasetName, DatasetManifest>> = {};
  for (const name of DATASET_NAMES)
    datasets[name] = await writeDataset(connection, name, content.datasets[name], directory);
  return writtenOf(content, datasets as Record<DatasetName, DatasetManifest>);
}

/** Writes the Parquet file of one dataset into `directory` and says what it holds. */
export async function writeDataset(
  connection: DuckDBConnection,
  name: DatasetName,
  content: DatasetContent,
  directory: string,
): Promise<DatasetManifest> {
  const file = path.join(directory, `${name}.parquet`);
  await onOneThread(connection, () => writeParquet(connection, name, content, file));
  return await describe(connection, name, file, content);
}

/** What files with these datasets hold. */
export function writtenOf(
  content: Omit<SnapshotContent, 'datasets'>,
  described: Readonly<Record<DatasetName, DatasetManifest>>,
): Written {
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

/** The fingerprint of a snapshot, made from those of its datasets in the order in which they stand in the manifest. */
export const fingerprintOf = (datasets: Readonly<Record<string, { readonly fingerprint: string }>>): string =>
  sha256(
    Object.entries(datasets)
      .map(([name, { fingerprint }]) => `${name} ${fingerprint}\n`)
      .join(''),
  );

/**
 * Makes written files a snapshot, and the snapshot current: sync, rename, switch. Killed at any moment,
 * `current` names the old snapshot or the new one, both whole; `recover` tidies up after it.
 *
 * What else lies in `directory`, such as a report, becomes a document of the snapshot, with its checksum.
 */
export async function publish(
  dataDir: string,
  directory: string,
  contents: Omit<Manifest, 'documents'>,
  at: Date,
): Promise<Manifest> {
  await writeFile(path.join(directory, DATA_PACKAGE), json(dataPackageOf(contents)));
  const manifest = { ...contents, documents: await documentsIn(directory) };
  await writeFile(path.join(directory, MANIFEST), json(manifest));
  for (const file of await readdir(directory)) await sync(path.join(directory, file));
  await sync(directory);
  const snapshots = path.join(dataDir, 'snapshots');
  await mkdir(snapshots, { recursive: true });
  const entry = {
    event: 'published',
    id: manifest.id,
    at: at.toISOString(),
    manifest: await fileSha256(path.join(directory, MANIFEST)),
  };
  await step(dataDir, entry, async () => {
    await rename(directory, snapshotDirectory(dataDir, manifest.id));
    await sync(snapshots);
    await switchCurrent(dataDir, manifest.id);
  });
  return manifest;
}

/** Every file but the datasets' and the manifest, by name. */
async function documentsIn(directory: string): Promise<Manifest['documents']> {
  const files = (await readdir(directory)).filter((file) => file !== MANIFEST && !file.endsWith('.parquet'));
  return Promise.all(
    files.sort().map(async (file) => {
      const at = path.join(directory, file);
      return { file, bytes: (await stat(at)).size, sha256: await fileSha256(at) };
    }),
  );
}

/** Points `current` at a snapshot, in one step for every reader. */
export async function switchCurrent(dataDir: string, id: string): Promise<void> {
  const fresh = path.join(dataDir, FRESH);
  await rm(fresh, { force: true });
  await symlink(path.join('snapshots', id), fresh);
  await rename(fresh, path.join(dataDir, 'current'));
  await sync(dataDir);
}

/** Ends what a killed command began, and clears away what it left unfinished. */
export async function recover(dataDir: string): Promise<void> {
  await settle(dataDir);
  await rm(path.join(dataDir, FRESH), { force: true });
  await rm(path.join(dataDir, TEMPORARY), { recursive: true, force: true });
}

export const MANIFEST = 'manifest.json';

const json = (document: object) => `${JSON.stringify(document, null, 2)}\n`;

/** Everything unfinished lies here, beside the snapshots. */
export const TEMPORARY = 'tmp';

/** The link that is to become `current`. */
const FRESH = 'current.new';

/** Rows are met in their order, as the bytes of a file and the last digit of a sum need it. */
async function onOneThread<T>(connection: DuckDBConnection, act: () => Promise<T>): Promise<T> {
  const [threads] = await rows(connection, "SELECT current_setting('threads')");
  await connection.run('SET threads = 1');
  try {
    return await act();
  } finally {
    await connection.run(`SET threads = ${threads?.[0]}`);
  }
}

async function writeParquet(
  connection: DuckDBConnection,
  name: DatasetName,
  content: DatasetContent,
  file: string,
): Promise<void> {
  const columns = Object.entries(columnTypes(name)).map(
    ([column, type]) => `${column}::${type} AS ${column}`,
  );
  const metadata = Object.entries(keyValues(name, content.sources)).map(
    ([key, value]) => `${identifier(key)}: ${literal(value)}`,
  );
  await connection.run(
    // Sorted before anything is made text: carrying integers through a sort costs less.
    `COPY (SELECT ${columns.join(', ')} FROM (FROM (${content.select}) ORDER BY ${rowOrder(name).join(', ')})) TO ${literal(file)} ` +
      `(FORMAT parquet, COMPRESSION zstd, KV_METADATA {${metadata.join(', ')}})`,
  );
}

/** What a reader of the file alone learns of each column: unit and description. */
function keyValues(name: DatasetName, sources: readonly string[]): Record<string, string> {
  const ofFields = fieldsOf(name).flatMap((field) => [
    [`${field.name}.unit`, field.unit],
    [`${field.name}.description`, field.description],
  ]);
  return { source: sources.join(', '), ...Object.fromEntries(ofFields) };
}

/** Reads a written file back: what the manifest says is what the file holds. */
export async function describe(
  connection: DuckDBConnection,
  name: DatasetName,
  file: string,
  { sources, carried }: Pick<DatasetContent, 'sources' | 'carried'>,
): Promise<DatasetManifest> {
  return {
    file: path.basename(file),
    sources: [...sources],
    bytes: (await stat(file)).size,
    sha256: await fileSha256(file),
    columns: await columnSha256(connection, file),
    ...(await contentOf(connection, name, file)),
    carried,
  };
}

/** What a dataset's file holds, whatever its layout. */
export type Content = Pick<DatasetManifest, 'rows' | 'fingerprint' | 'years' | 'dimensions' | 'metrics'>;

/** Reads every row of a file. */
export async function contentOf(
  connection: DuckDBConnection,
  name: DatasetName,
  file: string,
): Promise<Content> {
  const { dimensions } = datasetOf(name);
  const metrics = metricNames(name);
  const from = `FROM ${parquetRows(file)}`;
  const columns = [...dimensions, ...metrics];
  // Text of a row as JSON: unambiguous, and doubles in their shortest form.
  const rowText = `to_json([${columns.map((column) => `${column}::VARCHAR`).join(', ')}])`;
  const hashed = await rows(
    connection,
    // Both halves of the hash are summed; asking for each would hash twice.
    `SELECT count(*)::INTEGER, sum((hash >> 64)::UBIGINT)::VARCHAR, sum((hash & ${LOWER_HALF})::UBIGINT)::VARCHAR
     FROM (SELECT md5_number(${rowText}) AS hash ${from})`,
  );
  const [count, first, second] = hashed[0] ?? [];
  // Two threads would add in another order, and a sum differ in its last digit.
  const totals = await onOneThread(connection, () =>
    rows(
      connection,
      `SELECT ${['count(*)', ...metrics.flatMap((m) => [`kahan_sum(${m})`, `(count(*) - count(${m}))::INTEGER`])].join(', ')} ${from}`,
    ),
  );
  const sums = totals[0]?.slice(1) ?? [];
  const texts = dimensions.filter((d) => dimensionOf(d).type === 'text');
  const counted = Object.fromEntries(texts.map((d) => [d, [] as { value: string; rows: number }[]]));
  const years: number[] = [];
  for (const [column, value, n] of await rows(connection, countsOf(dimensions, from))) {
    if (column === 'year') years.push(Number(value));
    else counted[String(column)]?.push({ value: String(value), rows: Number(n) });
  }
  return {
    rows: Number(count),
    fingerprint: sha256(`${columns.join(',')} ${count} ${first} ${second}`),
    years: years.sort((a, b) => a - b),
    dimensions: counted,
    metrics: Object.fromEntries(
      metrics.map((metric, i) => [
        metric,
        { sum: sums[2 * i] === null ? null : Number(sums[2 * i]), nulls: Number(sums[2 * i + 1]) },
      ]),
    ),
  };
}

/** A query for every value of every dimension: its name, the value as text, its rows. One plan costs less than ten. */
const countsOf = (dimensions: readonly string[], from: string): string =>
  `${dimensions
    .map((d) => `SELECT '${d}', ${d}::VARCHAR, count(*)::INTEGER ${from} GROUP BY ${d}`)
    .join(' UNION ALL ')} ORDER BY 1, 2`;

const LOWER_HALF = '18446744073709551615::UHUGEINT';

const rows = async (connection: DuckDBConnection, sql: string) =>
  (await connection.runAndReadAll(sql)).getRowsJS();

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Makes sure that a file or folder is on disk. */
export async function sync(target: string): Promise<void> {
  const handle = await open(target, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
