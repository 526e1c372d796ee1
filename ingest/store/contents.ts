// Reads the Parquet files of a snapshot to describe their contents: values with counts, sums, and fingerprints of the rows.

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
import { allEnded } from './allEnded.ts';

/** The contents of a dataset's file. They do not depend on the layout of the file. */
export type Content = Pick<DatasetManifest, 'rows' | 'fingerprint' | 'years' | 'dimensions' | 'metrics'>;

/** The contents without the fingerprint, because computing it takes several times as long. */
export type CountedContent = Omit<Content, 'fingerprint'>;

export interface DatasetFile {
  readonly name: DatasetName;
  readonly file: string;
}

/** Describes the contents of a file. It reads every row. */
export async function contentOf(
  connection: DuckDBConnection,
  name: DatasetName,
  file: string,
): Promise<Content> {
  const [counted] = await countedContents([connection], [{ name, file }]);
  const [content] = await withFingerprints(connection, [{ name, file, counted: counted as CountedContent }]);
  return content as Content;
}

/** Connections to one database, each of which can run a statement at the same time as the others. */
export type Connections = readonly [DuckDBConnection, ...DuckDBConnection[]];

/**
 * Describes the contents of each file without fingerprints. It reads every row.
 *
 * @param fewBytes If all files together are smaller than this, each of them is read in one pass.
 */
export async function countedContents(
  connections: Connections,
  files: readonly DatasetFile[],
  fewBytes = FEW_BYTES,
): Promise<CountedContent[]> {
  const sizes = await Promise.all(files.map(async ({ file }) => (await stat(file)).size));
  const isSmall = sizes.reduce((sum, size) => sum + size, 0) < fewBytes;
  return isSmall ? await countedInOnePass(connections[0], files) : await countedByColumn(connections, files);
}

/** From this total size on, a query for each dimension is faster. For smaller files, planning these queries takes longer. */
const FEW_BYTES = 512 * 1024;

/** Counts the values of all dimensions of a file in one pass. One statement reads all files. */
async function countedInOnePass(
  connection: DuckDBConnection,
  files: readonly DatasetFile[],
): Promise<CountedContent[]> {
  if (files.length === 0) return [];
  const selects = files.map(({ name, file }, i) => {
    const { dimensions } = datasetOf(name);
    // NULL is counted as the text `null`, as `countedByColumn` counts it.
    const counts = dimensions.map((d) => `histogram(coalesce(${d}::VARCHAR, 'null'))`);
    return `SELECT ${i}, count(*)::INTEGER, [${counts.join(', ')}], ${sumsOf(name)} FROM ${parquetRows(file)}`;
  });
  // Two threads could add in another order, which could change the last digit of a sum.
  const found = await onOneThread(connection, () =>
    queryRows(connection, `${selects.join(' UNION ALL ')} ORDER BY 1`),
  );
  return files.map(({ name }, i) => {
    const [, count, histograms, sums, counts] = found[i] as unknown as OnePass;
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

type OnePass = readonly [
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
 * Counts the values of each dimension in a separate query, which is faster for large files. Each connection runs its part of the
 * queries for all files as one statement. Another statement computes the sums.
 */
async function countedByColumn(
  connections: Connections,
  files: readonly DatasetFile[],
): Promise<CountedContent[]> {
  const columns = files.flatMap(({ name, file }, i) =>
    datasetOf(name).dimensions.map((dimension) => countsOf(i, dimension, file)),
  );
  const parts = connections.map((_, at) => columns.filter((_, i) => i % connections.length === at));
  const countings = connections.map((connection, at) => countsIn(connection, parts[at] ?? []));
  const last = connections.at(-1) ?? connections[0];
  // Two threads could add in another order, which could change the last digit of a sum.
  const adding = Promise.all(countings.slice(-1)).then(() => onOneThread(last, () => totalsOf(last, files)));
  const [totals, ...found] = await allEnded([adding, ...countings]);
  const counted = valuesOf(files, found.flat());
  return counted.map((content, i) => {
    const { sums = [], counts = [] } = totals.get(i) ?? {};
    return {
      ...content,
      metrics: metricsOf(files[i]?.name as DatasetName, content.rows, sums, counts),
    };
  });
}

const metricsOf = (
  name: DatasetName,
  rows: number,
  sums: readonly (number | null)[],
  counts: readonly number[],
): CountedContent['metrics'] =>
  Object.fromEntries(
    metricNames(name).map((metric, m) => [metric, { sum: sums[m] ?? null, nulls: rows - (counts[m] ?? 0) }]),
  );

/** SQL of two lists: for each metric of a dataset its sum, and the number of rows in which it has a value. */
function sumsOf(name: DatasetName): string {
  const metrics = metricNames(name);
  const sums = metrics.map((metric) => `kahan_sum(${metric})`).join(', ');
  const counts = metrics.map((metric) => `count(${metric})::INTEGER`).join(', ');
  return `[${sums}]::DOUBLE[], [${counts}]::INTEGER[]`;
}

/** A file without its fingerprint. */
export interface CountedFile extends DatasetFile {
  readonly counted: CountedContent;
}

/** Adds the fingerprints. It reads every row. A fingerprint depends neither on the order of the rows nor on the file's layout. */
export async function withFingerprints(
  connection: DuckDBConnection,
  files: readonly CountedFile[],
): Promise<Content[]> {
  const hashes = await queryRows(
    connection,
    // A subquery computes the hash, so that each row is hashed once for both halves.
    `${files
      .map(
        (
          file,
          i,
        ) => `SELECT ${i}, sum((hash >> 64)::UBIGINT)::VARCHAR, sum((hash & ${LOWER_HALF})::UBIGINT)::VARCHAR
     FROM (SELECT md5_number(${rowText(file)}) AS hash FROM ${parquetRows(file.file)})`,
      )
      .join(' UNION ALL ')} ORDER BY 1`,
  );
  return files.map(({ name, counted: { rows: count, years, dimensions, metrics } }, i) => {
    const [, first, second] = hashes[i] ?? [];
    const fingerprint = sha256(`${columnNames(name).join(',')} ${count} ${first} ${second}`, 'hex');
    return { rows: count, fingerprint, years, dimensions, metrics };
  });
}

/** SQL of a row as JSON text. The hash of a row is made from this text. */
function rowText(file: CountedFile): string {
  const { name, counted } = file;
  const texts = Object.values(counted.dimensions).flatMap((values) => values.map(({ value }) => value));
  return texts.some((text) => ESCAPED.test(text)) ? asJson(columnNames(name)) : asPlainJson(file);
}

/** Matches all characters that JSON escapes, and a few others. */
const ESCAPED = /["\\\p{Cc}]/u;

/** SQL of a row as JSON text, with doubles in their shortest form. */
const asJson = (columns: readonly string[]): string =>
  `to_json([${columns.map((column) => `${column}::VARCHAR`).join(', ')}])`;

/** SQL of the same text for rows whose texts JSON does not escape. It takes half of the time. */
function asPlainJson({ name, counted: { metrics } }: CountedFile): string {
  const values = [
    ...datasetOf(name).dimensions.map((dimension) => ['"', column(dimension), '"']),
    ...metricNames(name).map((metric) =>
      metrics[metric]?.nulls === 0
        ? ['"', column(metric), '"']
        : [{ sql: `coalesce('"' || ${metric}::VARCHAR || '"', 'null')` }],
    ),
  ];
  return concatenated(['[', ...values.flatMap((value, i) => (i === 0 ? value : [',', ...value])), ']']);
}

const column = (name: string) => ({ sql: `${name}::VARCHAR` });

/** SQL that concatenates texts. Neighbouring constants become one argument, because each argument takes time in each row. */
function concatenated(parts: readonly (string | { readonly sql: string })[]): string {
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

/** Runs queries of `countsOf` as one statement. Several threads may count, because counts do not depend on the order of rows. */
const countsIn = async (
  connection: DuckDBConnection,
  queries: readonly string[],
): Promise<readonly ValueCount[]> =>
  queries.length === 0 ? [] : await queryRows(connection, `${queries.join(' UNION ALL ')} ORDER BY 1, 2, 3`);

/** The rows, years and values of each file, from the counts of all its dimensions. */
function valuesOf(
  files: readonly DatasetFile[],
  counts: readonly ValueCount[],
): Omit<CountedContent, 'metrics'>[] {
  const contents = files.map(({ name }) => {
    const texts = datasetOf(name).dimensions.filter(isText);
    const dimensions = Object.fromEntries(texts.map((d) => [d, [] as { value: string; rows: number }[]]));
    return { rows: 0, years: [] as number[], dimensions };
  });
  for (const [i, column, value, n] of counts) {
    const [content, file] = [contents[Number(i)], files[Number(i)]];
    if (content === undefined || file === undefined) continue;
    if (column === datasetOf(file.name).dimensions[0]) content.rows += Number(n);
    if (column === 'year') content.years.push(Number(value));
    else content.dimensions[String(column)]?.push({ value: String(value), rows: Number(n) });
  }
  for (const { years } of contents) years.sort((a, b) => a - b);
  return contents;
}

/** The sums of the metrics of each file, and the number of rows with a value of each metric, by the index of the file. */
async function totalsOf(
  connection: DuckDBConnection,
  files: readonly DatasetFile[],
): Promise<ReadonlyMap<number, { readonly sums: (number | null)[]; readonly counts: number[] }>> {
  const selects = files.flatMap(({ name, file }, i) =>
    isFinancial(name) ? [`SELECT ${i}, ${sumsOf(name)} FROM ${parquetRows(file)}`] : [],
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
const countsOf = (i: number, dimension: string, file: string): string =>
  `SELECT ${i}, '${dimension}', ${dimension}::VARCHAR, count(*)::INTEGER FROM ${parquetRows(file)} GROUP BY ${dimension}`;

const LOWER_HALF = '18446744073709551615::UHUGEINT';
