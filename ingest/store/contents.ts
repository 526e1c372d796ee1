// Reads a Parquet file of a snapshot to say what it contains: values and their counts, sums, and the fingerprint of its rows.

import { createHash } from 'node:crypto';
import { type DatasetName, datasetOf, dimensionOf, metricNames } from '../../src/catalog/datasets.ts';
import type { DatasetManifest } from '../../src/catalog/manifest.ts';
import { type DuckDBConnection, parquetRows } from '../../src/duckdb.ts';

/** What a dataset's file contains, whatever its layout. */
export type Content = Pick<DatasetManifest, 'rows' | 'fingerprint' | 'years' | 'dimensions' | 'metrics'>;

/** The same without the fingerprint, which takes several times as long to find. */
export type CountedContent = Omit<Content, 'fingerprint'>;

export interface DatasetFile {
  readonly name: DatasetName;
  readonly file: string;
}

/** Reads every row of a file. */
export async function contentOf(
  connection: DuckDBConnection,
  name: DatasetName,
  file: string,
): Promise<Content> {
  const [counted] = await countedContents(connection, [{ name, file }]);
  return await withFingerprint(connection, { name, file }, counted as CountedContent);
}

/** Counts what each file contains. Reads every row, and leaves out the fingerprints. */
export async function countedContents(
  connection: DuckDBConnection,
  files: readonly DatasetFile[],
): Promise<CountedContent[]> {
  const counted: Omit<CountedContent, 'metrics'>[] = [];
  for (const file of files) counted.push(await valuesOf(connection, file));
  // Two threads would add in another order, and a sum could differ in its last digit.
  return await onOneThread(connection, async () => {
    const contents: CountedContent[] = [];
    for (const [i, file] of files.entries()) {
      const content = counted[i] as (typeof counted)[number];
      contents.push({ ...content, metrics: await totals(connection, file, content.rows) });
    }
    return contents;
  });
}

/** Reads every row of a file for its fingerprint, which depends on neither their order nor the file's layout. */
export async function withFingerprint(
  connection: DuckDBConnection,
  { name, file }: DatasetFile,
  { rows: count, years, dimensions, metrics }: CountedContent,
): Promise<Content> {
  const columns = [...datasetOf(name).dimensions, ...metricNames(name)];
  const texts = Object.values(dimensions).flatMap((values) => values.map(({ value }) => value));
  const rowText = texts.some((text) => ESCAPED.test(text)) ? asJson(columns) : asPlainJson(name);
  const [[first, second] = []] = await rows(
    connection,
    // Both halves of the hash come from one subquery; otherwise every row would be hashed twice.
    `SELECT sum((hash >> 64)::UBIGINT)::VARCHAR, sum((hash & ${LOWER_HALF})::UBIGINT)::VARCHAR
     FROM (SELECT md5_number(${rowText}) AS hash FROM ${parquetRows(file)})`,
  );
  const fingerprint = sha256(`${columns.join(',')} ${count} ${first} ${second}`);
  return { rows: count, fingerprint, years, dimensions, metrics };
}

/** Characters that JSON writes in another way, and some more. */
const ESCAPED = /["\\\p{Cc}]/u;

/** SQL of a row as JSON text: unambiguous, with doubles in their shortest form. */
const asJson = (columns: readonly string[]): string =>
  `to_json([${columns.map((column) => `${column}::VARCHAR`).join(', ')}])`;

/** The same for a row whose texts JSON writes as they are. It takes two thirds of the time. */
function asPlainJson(name: DatasetName): string {
  const dimensions = datasetOf(name).dimensions.map((dimension) => `'"', ${dimension}, '"'`);
  const metrics = metricNames(name).map((metric) => `coalesce('"' || ${metric}::VARCHAR || '"', 'null')`);
  return `concat('[', ${[...dimensions, ...metrics].join(", ',', ")}, ']')`;
}

/** All that does not depend on the order of rows. */
async function valuesOf(
  connection: DuckDBConnection,
  { name, file }: DatasetFile,
): Promise<Omit<CountedContent, 'metrics'>> {
  const { dimensions } = datasetOf(name);
  const texts = dimensions.filter((d) => dimensionOf(d).type === 'text');
  const counted = Object.fromEntries(texts.map((d) => [d, [] as { value: string; rows: number }[]]));
  const years: number[] = [];
  let count = 0;
  for (const [column, value, n] of await rows(
    connection,
    countsOf(dimensions, `FROM ${parquetRows(file)}`),
  )) {
    if (column === dimensions[0]) count += Number(n);
    if (column === 'year') years.push(Number(value));
    else counted[String(column)]?.push({ value: String(value), rows: Number(n) });
  }
  return { rows: count, years: years.sort((a, b) => a - b), dimensions: counted };
}

/** The sum of each metric in the order of the rows, and how many rows lack it. */
async function totals(
  connection: DuckDBConnection,
  { name, file }: DatasetFile,
  count: number,
): Promise<CountedContent['metrics']> {
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
