// Writes the Parquet files of a snapshot, and reads them back to describe what they contain.

import { createHash } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
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
import { type DuckDBConnection, engineVersion, identifier, literal, parquetRows } from '../../src/duckdb.ts';
import { columnSha256 } from './columnBytes.ts';
import { fieldsOf } from './dataPackage.ts';

/** Checked rows of one dataset, ready to be written. */
export interface DatasetContent {
  /**
   * A SELECT of the dataset's columns: year INTEGER, metrics DOUBLE, text never NULL and of any type that sorts in
   * code-point order.
   */
  readonly select: string;
  /** The files that the rows come from. */
  readonly sources: readonly string[];
  /** The snapshot that the rows were carried from; null when they were read. */
  readonly carried: string | null;
}

export interface SnapshotContent {
  readonly datasets: Readonly<Record<DatasetName, DatasetContent>>;
  readonly sources: readonly SourceManifest[];
  readonly recipe: Manifest['recipe'];
  readonly reading?: Manifest['reading'];
  readonly accepted: Manifest['accepted'];
}

/** What the written files contain: a manifest before it has an id and documents. */
export type Written = Omit<Manifest, 'id' | 'month' | 'revision' | 'documents'>;

/**
 * Writes the Parquet files of all datasets into `directory`.
 *
 * The same content gives the same bytes on every machine: no two rows tie, row groups have a fixed number of rows on however
 * many threads, and the files contain neither time, folder nor id.
 *
 * @returns What the files contain: a manifest without its id.
 */
export async function writeFiles(
  connection: DuckDBConnection,
  content: SnapshotContent,
  directory: string,
): Promise<Written> {
  await mkdir(directory, { recursive: true });
  const datasets = DATASET_NAMES.map((name) => ({ name, content: content.datasets[name] }));
  const described = await write(connection, datasets, directory);
  return writtenOf(content, described as Record<DatasetName, DatasetManifest>);
}

/** Writes the Parquet file of one dataset into `directory`, and describes it. */
export async function writeDataset(
  connection: DuckDBConnection,
  name: DatasetName,
  content: DatasetContent,
  directory: string,
): Promise<DatasetManifest> {
  const described = await write(connection, [{ name, content }], directory);
  return described[name] as DatasetManifest;
}

async function write(
  connection: DuckDBConnection,
  datasets: readonly { readonly name: DatasetName; readonly content: DatasetContent }[],
  directory: string,
): Promise<Partial<Record<DatasetName, DatasetManifest>>> {
  const files = datasets.map(({ name, content }) => ({
    name,
    content,
    file: path.join(directory, `${name}.parquet`),
  }));
  for (const { name, content, file } of files) await writeParquet(connection, name, content, file);
  const found = await contentsOf(connection, files);
  const described: Partial<Record<DatasetName, DatasetManifest>> = {};
  for (const [i, { name, content, file }] of files.entries())
    described[name] = await describedAs(connection, file, content, found[i] as Content);
  return described;
}

/** The manifest, without its id, of files with these datasets. */
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

/** The fingerprint of a snapshot, made from those of its datasets in the manifest's order. */
export const fingerprintOf = (datasets: Readonly<Record<string, { readonly fingerprint: string }>>): string =>
  sha256(
    Object.entries(datasets)
      .map(([name, { fingerprint }]) => `${name} ${fingerprint}\n`)
      .join(''),
  );

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
    // Rows are sorted before codes become text, because sorting integers is faster.
    `COPY (SELECT ${columns.join(', ')} FROM (FROM (${content.select}) ORDER BY ${rowOrder(name).join(', ')})) TO ${literal(file)} ` +
      `(FORMAT parquet, COMPRESSION zstd, KV_METADATA {${metadata.join(', ')}})`,
  );
}

/** Metadata for readers of the file without its manifest: unit and description of each column. */
function keyValues(name: DatasetName, sources: readonly string[]): Record<string, string> {
  const ofFields = fieldsOf(name).flatMap((field) => [
    [`${field.name}.unit`, field.unit],
    [`${field.name}.description`, field.description],
  ]);
  return { source: sources.join(', '), ...Object.fromEntries(ofFields) };
}

/** Describes a written file by reading it back, so that the manifest says what the file contains. */
export const describe = async (
  connection: DuckDBConnection,
  name: DatasetName,
  file: string,
  content: Pick<DatasetContent, 'sources' | 'carried'>,
): Promise<DatasetManifest> =>
  await describedAs(connection, file, content, await contentOf(connection, name, file));

async function describedAs(
  connection: DuckDBConnection,
  file: string,
  { sources, carried }: Pick<DatasetContent, 'sources' | 'carried'>,
  content: Content,
): Promise<DatasetManifest> {
  const { size } = await stat(file);
  return {
    file: path.basename(file),
    sources: [...sources],
    bytes: size,
    sha256: await fileSha256(file),
    columns: await columnSha256(connection, file),
    ...content,
    carried,
  };
}

/** What a dataset's file contains, whatever its layout. */
export type Content = Pick<DatasetManifest, 'rows' | 'fingerprint' | 'years' | 'dimensions' | 'metrics'>;

interface DatasetFile {
  readonly name: DatasetName;
  readonly file: string;
}

/** Reads every row of a file. */
export async function contentOf(
  connection: DuckDBConnection,
  name: DatasetName,
  file: string,
): Promise<Content> {
  const [content] = await contentsOf(connection, [{ name, file }]);
  return content as Content;
}

/** Reads every row of each file. */
async function contentsOf(connection: DuckDBConnection, files: readonly DatasetFile[]): Promise<Content[]> {
  const counted: Omit<Content, 'metrics'>[] = [];
  for (const file of files) counted.push(await rowsAndValues(connection, file));
  // Two threads would add in another order, and a sum could differ in its last digit.
  return await onOneThread(connection, async () => {
    const contents: Content[] = [];
    for (const [i, file] of files.entries()) {
      const content = counted[i] as (typeof counted)[number];
      contents.push({ ...content, metrics: await totals(connection, file, content.rows) });
    }
    return contents;
  });
}

/** All that does not depend on the order of rows. */
async function rowsAndValues(
  connection: DuckDBConnection,
  { name, file }: DatasetFile,
): Promise<Omit<Content, 'metrics'>> {
  const { dimensions } = datasetOf(name);
  const from = `FROM ${parquetRows(file)}`;
  const columns = [...dimensions, ...metricNames(name)];
  // A row as JSON text is unambiguous, with doubles in their shortest form.
  const rowText = `to_json([${columns.map((column) => `${column}::VARCHAR`).join(', ')}])`;
  const hashed = await rows(
    connection,
    // Both halves of the hash come from one subquery; otherwise every row would be hashed twice.
    `SELECT count(*)::INTEGER, sum((hash >> 64)::UBIGINT)::VARCHAR, sum((hash & ${LOWER_HALF})::UBIGINT)::VARCHAR
     FROM (SELECT md5_number(${rowText}) AS hash ${from})`,
  );
  const [count, first, second] = hashed[0] ?? [];
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
  };
}

/** The sum of each metric in the order of the rows, and how many rows lack it. */
async function totals(
  connection: DuckDBConnection,
  { name, file }: DatasetFile,
  count: number,
): Promise<Content['metrics']> {
  const metrics = metricNames(name);
  if (metrics.length === 0) return {};
  const selected = metrics.flatMap((metric) => [`kahan_sum(${metric})`, `count(${metric})::INTEGER`]);
  const [sums = []] = await rows(connection, `SELECT ${selected.join(', ')} FROM ${parquetRows(file)}`);
  return Object.fromEntries(
    metrics.map((metric, i) => [
      metric,
      { sum: sums[2 * i] === null ? null : Number(sums[2 * i]), nulls: count - Number(sums[2 * i + 1]) },
    ]),
  );
}

/** On one thread rows come in their order. */
async function onOneThread<T>(connection: DuckDBConnection, act: () => Promise<T>): Promise<T> {
  const [found] = await rows(connection, "SELECT current_setting('threads')");
  const threads = Number(found?.[0]);
  if (threads === 1) return await act();
  await connection.run('SET threads = 1');
  try {
    return await act();
  } finally {
    await connection.run(`SET threads = ${threads}`);
  }
}

/** A query for the values of all dimensions: the dimension, the value as text, its rows. One statement is faster than ten. */
const countsOf = (dimensions: readonly string[], from: string): string =>
  `${dimensions
    .map((d) => `SELECT '${d}', ${d}::VARCHAR, count(*)::INTEGER ${from} GROUP BY ${d}`)
    .join(' UNION ALL ')} ORDER BY 1, 2`;

const LOWER_HALF = '18446744073709551615::UHUGEINT';

const rows = async (connection: DuckDBConnection, sql: string) =>
  (await connection.runAndReadAll(sql)).getRowsJS();

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
