// Reads the Parquet files of a snapshot to summarise them: values with counts, sums, and fingerprints of the rows.

import { stat } from 'node:fs/promises';
import { sha256 } from '../../src/basics/sha256.ts';
import {
  columnNames,
  type DatasetName,
  datasetOf,
  isFinancial,
  isText,
  metricNames,
} from '../../src/catalog/datasets.ts';
import type { DatasetManifest } from '../../src/catalog/manifest.ts';
import { byCodePoints } from '../../src/catalog/textOrder.ts';
import { type DuckDBConnection, literal, parquetRows, queryRows } from '../../src/duckdb.ts';
import { settleAll } from './settleAll.ts';

/** The summary of a dataset's file. It does not depend on the layout of the file. */
export type FileSummary = Pick<DatasetManifest, 'rows' | 'fingerprint' | 'years' | 'dimensions' | 'metrics'>;

/** The summary without the fingerprint, because computing it takes several times as long. */
export type FileCounts = Omit<FileSummary, 'fingerprint'>;

export interface DatasetFile {
  readonly name: DatasetName;
  readonly file: string;
}

/** The summary of a file. It reads every row. */
export async function summariseFile(
  connection: DuckDBConnection,
  name: DatasetName,
  file: string,
): Promise<FileSummary> {
  const [found] = await fingerprintFiles(connection, await countValues([connection], [{ name, file }]));
  return (found as SummarisedFile).summary;
}

/** Connections to one database, each of which can run a statement at the same time as the others. */
export type Connections = readonly [DuckDBConnection, ...DuckDBConnection[]];

/**
 * Counts the rows, values and empty values of each file, and sums its metrics. It reads every row.
 *
 * @param onePassBytes If all files together are smaller than this, each of them is read in one pass.
 */
export async function countValues<File extends DatasetFile>(
  connections: Connections,
  files: readonly File[],
  onePassBytes = ONE_PASS_BYTES,
): Promise<(File & CountedFile)[]> {
  const sizes = await Promise.all(files.map(async ({ file }) => (await stat(file)).size));
  const isSmall = sizes.reduce((sum, size) => sum + size, 0) < onePassBytes;
  const counts = isSmall
    ? await countInOnePass(connections[0], files)
    : await countByColumn(connections, files);
  return files.map((file, i) => ({ ...file, counts: counts[i] as FileCounts }));
}

/** From this total size on, a query for each dimension is faster. For smaller files, planning them takes longer. */
const ONE_PASS_BYTES = 512 * 1024;

/** Counts the values of all dimensions of a file in one pass. One statement reads all files. */
async function countInOnePass(
  connection: DuckDBConnection,
  files: readonly DatasetFile[],
): Promise<FileCounts[]> {
  if (files.length === 0) return [];
  const selects = files.map(({ name, file }, i) => {
    const { dimensions } = datasetOf(name);
    // NULL is counted as the text `null`, as `countByColumn` counts it.
    const counts = dimensions.map((d) => `histogram(coalesce(${d}::VARCHAR, 'null'))`);
    return `SELECT ${i}, count(*)::INTEGER, [${counts.join(', ')}], ${sumsSql(name)} FROM ${parquetRows(file)}`;
  });
  // Two threads could add in another order, which could change the last digit of a sum.
  const found = await onOneThread(connection, () =>
    queryRows(connection, `${selects.join(' UNION ALL ')} ORDER BY 1`),
  );
  return files.map(({ name }, i) => {
    const [, count, histograms, sums, counts] = found[i] as unknown as OnePassRow;
    const valuesOf = new Map(
      datasetOf(name).dimensions.map((dimension, d) => [dimension, countedValues(histograms[d])]),
    );
    const years = (valuesOf.get('year') ?? []).map(({ value }) => Number(value)).sort((a, b) => a - b);
    valuesOf.delete('year');
    return {
      rows: count,
      years,
      dimensions: Object.fromEntries(valuesOf),
      metrics: metricsOf(name, count, sums, counts),
    };
  });
}

/** A histogram as DuckDB gives it; null for a file without rows. */
type Histogram = readonly { readonly key: string; readonly value: bigint }[] | null;

type OnePassRow = readonly [
  file: number,
  rows: number,
  histograms: readonly Histogram[],
  sums: readonly (number | null)[],
  counts: readonly number[],
];

const countedValues = (histogram: Histogram | undefined): { value: string; rows: number }[] =>
  (histogram ?? [])
    .map(({ key, value }) => ({ value: key, rows: Number(value) }))
    .sort((a, b) => byCodePoints(a.value, b.value));

/**
 * Counts the values of each dimension in a separate query, which is faster for large files. Each connection runs its part
 * of the queries for all files as one statement. Another statement computes the sums.
 */
async function countByColumn(connections: Connections, files: readonly DatasetFile[]): Promise<FileCounts[]> {
  const columns = files.flatMap(({ name, file }, i) =>
    datasetOf(name).dimensions.map((dimension) => countSql(i, dimension, file)),
  );
  const parts = connections.map((_, at) => columns.filter((_, i) => i % connections.length === at));
  const countings = connections.map((connection, at) => runCounts(connection, parts[at] ?? []));
  const last = connections.at(-1) ?? connections[0];
  // Two threads could add in another order, which could change the last digit of a sum.
  const adding = Promise.all(countings.slice(-1)).then(() =>
    onOneThread(last, () => sumMetrics(last, files)),
  );
  const [totals, ...found] = await settleAll([adding, ...countings]);
  const valuesOfFiles = valuesOf(files, found.flat());
  return valuesOfFiles.map(({ name, ...values }, i) => {
    const { sums = [], counts = [] } = totals.get(i) ?? {};
    return { ...values, metrics: metricsOf(name, values.rows, sums, counts) };
  });
}

const metricsOf = (
  name: DatasetName,
  rows: number,
  sums: readonly (number | null)[],
  counts: readonly number[],
): FileCounts['metrics'] =>
  Object.fromEntries(
    metricNames(name).map((metric, m) => [metric, { sum: sums[m] ?? null, nulls: rows - (counts[m] ?? 0) }]),
  );

/** SQL of two lists: for each metric of a dataset its sum, and the number of rows in which it has a value. */
function sumsSql(name: DatasetName): string {
  const metrics = metricNames(name);
  const sums = metrics.map((metric) => `kahan_sum(${metric})`).join(', ');
  const counts = metrics.map((metric) => `count(${metric})::INTEGER`).join(', ');
  return `[${sums}]::DOUBLE[], [${counts}]::INTEGER[]`;
}

/** A file and its counts, without its fingerprint. */
export interface CountedFile extends DatasetFile {
  readonly counts: FileCounts;
}

interface SummarisedFile extends DatasetFile {
  readonly summary: FileSummary;
}

/** Adds the fingerprints. It reads every row. A fingerprint depends on neither the row order nor the file's layout. */
export async function fingerprintFiles<File extends CountedFile>(
  connection: DuckDBConnection,
  files: readonly File[],
): Promise<(File & SummarisedFile)[]> {
  const hashes = await queryRows(
    connection,
    // A subquery computes the hash, so that each row is hashed once for both halves.
    `${files
      .map(
        (
          file,
          i,
        ) => `SELECT ${i}, sum((hash >> 64)::UBIGINT)::VARCHAR, sum((hash & ${LOWER_HALF})::UBIGINT)::VARCHAR
     FROM (SELECT md5_number(${rowTextSql(file)}) AS hash FROM ${parquetRows(file.file)})`,
      )
      .join(' UNION ALL ')} ORDER BY 1`,
  );
  return files.map((file, i) => {
    const { rows: count, years, dimensions, metrics } = file.counts;
    const [, first, second] = hashes[i] ?? [];
    const fingerprint = sha256(`${columnNames(file.name).join(',')} ${count} ${first} ${second}`, 'hex');
    return { ...file, summary: { rows: count, fingerprint, years, dimensions, metrics } };
  });
}

/** SQL of a row as JSON text. The hash of a row is made from this text. */
function rowTextSql(file: CountedFile): string {
  const { name, counts } = file;
  const texts = Object.values(counts.dimensions).flatMap((values) => values.map(({ value }) => value));
  return texts.some((text) => ESCAPED.test(text)) ? jsonSql(columnNames(name)) : plainJsonSql(file);
}

/** Matches all characters that JSON escapes, and a few others. */
const ESCAPED = /["\\\p{Cc}]/u;

/** SQL of a row as JSON text, with doubles in their shortest form. */
const jsonSql = (columns: readonly string[]): string =>
  `to_json([${columns.map((column) => `${column}::VARCHAR`).join(', ')}])`;

/** SQL of the same text for rows whose texts JSON does not escape. It takes half of the time. */
function plainJsonSql({ name, counts: { metrics } }: CountedFile): string {
  const values = [
    ...datasetOf(name).dimensions.map((dimension) => ['"', columnText(dimension), '"']),
    ...metricNames(name).map((metric) =>
      metrics[metric]?.nulls === 0
        ? ['"', columnText(metric), '"']
        : [{ sql: `coalesce('"' || ${metric}::VARCHAR || '"', 'null')` }],
    ),
  ];
  return concatSql(['[', ...values.flatMap((value, i) => (i === 0 ? value : [',', ...value])), ']']);
}

const columnText = (name: string) => ({ sql: `${name}::VARCHAR` });

/** SQL that concatenates texts. Neighbouring constants become one argument, because each argument takes time. */
function concatSql(parts: readonly (string | { readonly sql: string })[]): string {
  const args: string[] = [];
  let constant = '';
  for (const part of [...parts, { sql: '' }]) {
    if (typeof part === 'string') constant += part;
    else {
      if (constant !== '') args.push(literal(constant));
      if (part.sql !== '') args.push(part.sql);
      constant = '';
    }
  }
  return `concat(${args.join(', ')})`;
}

/** How many rows have a value: the index of the file, the dimension, the value as text, the number of rows. */
type ValueCount = readonly unknown[];

/** Runs queries of `countSql` as one statement. Several threads may count: the order of rows does not matter. */
const runCounts = async (
  connection: DuckDBConnection,
  queries: readonly string[],
): Promise<readonly ValueCount[]> =>
  queries.length === 0 ? [] : await queryRows(connection, `${queries.join(' UNION ALL ')} ORDER BY 1, 2, 3`);

/** The rows, years and values of each file, from the counts of all its dimensions. */
function valuesOf(
  files: readonly DatasetFile[],
  counts: readonly ValueCount[],
): (Omit<FileCounts, 'metrics'> & Pick<DatasetFile, 'name'>)[] {
  const found = files.map(({ name }) => {
    const texts = datasetOf(name).dimensions.filter(isText);
    const dimensions = Object.fromEntries(texts.map((d) => [d, [] as { value: string; rows: number }[]]));
    return { name, rows: 0, years: [] as number[], dimensions };
  });
  for (const [i, column, value, n] of counts) {
    const file = found[Number(i)];
    if (file === undefined) continue;
    if (column === datasetOf(file.name).dimensions[0]) file.rows += Number(n);
    if (column === 'year') file.years.push(Number(value));
    else file.dimensions[String(column)]?.push({ value: String(value), rows: Number(n) });
  }
  for (const { years } of found) years.sort((a, b) => a - b);
  return found;
}

/** The sums of the metrics of each file, and the number of rows with a value of each metric, by the index of the file. */
async function sumMetrics(
  connection: DuckDBConnection,
  files: readonly DatasetFile[],
): Promise<ReadonlyMap<number, { readonly sums: (number | null)[]; readonly counts: number[] }>> {
  const selects = files.flatMap(({ name, file }, i) =>
    isFinancial(name) ? [`SELECT ${i}, ${sumsSql(name)} FROM ${parquetRows(file)}`] : [],
  );
  const found = selects.length === 0 ? [] : await queryRows(connection, selects.join(' UNION ALL '));
  return new Map(
    found.map(([i, sums, counts]) => [
      Number(i),
      { sums: sums as (number | null)[], counts: counts as number[] },
    ]),
  );
}

/** Runs statements on one thread, so that rows are read in their order. */
export async function onOneThread<T>(connection: DuckDBConnection, act: () => Promise<T>): Promise<T> {
  const [found] = await queryRows(connection, "SELECT current_setting('threads')");
  const threads = Number(found?.[0]);
  if (threads === 1) return await act();
  await connection.run('SET threads = 1');
  try {
    return await act();
  } finally {
    await connection.run(`SET threads = ${threads}`);
  }
}

/** SQL that counts the rows of each value of a dimension. Its columns are those of `ValueCount`. */
const countSql = (i: number, dimension: string, file: string): string =>
  `SELECT ${i}, '${dimension}', ${dimension}::VARCHAR, count(*)::INTEGER FROM ${parquetRows(file)} GROUP BY ${dimension}`;

const LOWER_HALF = '18446744073709551615::UHUGEINT';
