// Reads a Parquet file of a snapshot to say what it contains: values and their counts, sums, and the fingerprint of its rows.

import { createHash } from 'node:crypto';
import { type DatasetName, datasetOf, dimensionOf, metricNames } from '../../src/catalog/datasets.ts';
import type { DatasetManifest } from '../../src/catalog/manifest.ts';
import { type DuckDBConnection, literal, parquetRows } from '../../src/duckdb.ts';

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
  const [content] = await withFingerprints(connection, [{ name, file, counted: counted as CountedContent }]);
  return content as Content;
}

/**
 * Counts what each file contains. Reads every row, and leaves out the fingerprints. All files share a statement, because
 * planning one for each takes longer than reading small files.
 */
export async function countedContents(
  connection: DuckDBConnection,
  files: readonly DatasetFile[],
): Promise<CountedContent[]> {
  const counted = await valuesOf(connection, files);
  // Two threads would add in another order, and a sum could differ in its last digit.
  const totals = await onOneThread(connection, () => totalsOf(connection, files));
  return counted.map((content, i) => {
    const metrics = metricNames(files[i]?.name as DatasetName).map((metric, m) => {
      const { sum, count } = totals.get(i)?.[m] ?? { sum: null, count: 0 };
      return [metric, { sum, nulls: content.rows - count }];
    });
    return { ...content, metrics: Object.fromEntries(metrics) };
  });
}

/** A file without its fingerprint. */
export interface CountedFile extends DatasetFile {
  readonly counted: CountedContent;
}

/** Reads every row of each file for its fingerprint, which depends on neither their order nor the file's layout. */
export async function withFingerprints(
  connection: DuckDBConnection,
  files: readonly CountedFile[],
): Promise<Content[]> {
  const hashes = await rows(
    connection,
    // Both halves of the hash come from one subquery; otherwise every row would be hashed twice.
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
    const fingerprint = sha256(`${columnsOf(name).join(',')} ${count} ${first} ${second}`);
    return { rows: count, fingerprint, years, dimensions, metrics };
  });
}

const columnsOf = (name: DatasetName): readonly string[] => [
  ...datasetOf(name).dimensions,
  ...metricNames(name),
];

/** SQL of a row as text, from which its hash is made. */
function rowText(file: CountedFile): string {
  const { name, counted } = file;
  const texts = Object.values(counted.dimensions).flatMap((values) => values.map(({ value }) => value));
  return texts.some((text) => ESCAPED.test(text)) ? asJson(columnsOf(name)) : asPlainJson(file);
}

/** Characters that JSON writes in another way, and some more. */
const ESCAPED = /["\\\p{Cc}]/u;

/** SQL of a row as JSON text: unambiguous, with doubles in their shortest form. */
const asJson = (columns: readonly string[]): string =>
  `to_json([${columns.map((column) => `${column}::VARCHAR`).join(', ')}])`;

/** The same for a row whose texts JSON writes as they are. It takes half of the time. */
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

/** SQL of texts one after another. Neighbouring constants are one argument, because each argument takes time in each row. */
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

/** All that does not depend on the order of rows. */
async function valuesOf(
  connection: DuckDBConnection,
  files: readonly DatasetFile[],
): Promise<Omit<CountedContent, 'metrics'>[]> {
  const contents = files.map(({ name }) => {
    const texts = datasetOf(name).dimensions.filter((d) => dimensionOf(d).type === 'text');
    const dimensions = Object.fromEntries(texts.map((d) => [d, [] as { value: string; rows: number }[]]));
    return { rows: 0, years: [] as number[], dimensions };
  });
  const counts = files.map(({ name, file }, i) =>
    countsOf(i, datasetOf(name).dimensions, `FROM ${parquetRows(file)}`),
  );
  const found = await rows(connection, `${counts.join(' UNION ALL ')} ORDER BY 1, 2, 3`);
  for (const [i, column, value, n] of found) {
    const [content, file] = [contents[Number(i)], files[Number(i)]];
    if (content === undefined || file === undefined) continue;
    if (column === datasetOf(file.name).dimensions[0]) content.rows += Number(n);
    if (column === 'year') content.years.push(Number(value));
    else content.dimensions[String(column)]?.push({ value: String(value), rows: Number(n) });
  }
  for (const { years } of contents) years.sort((a, b) => a - b);
  return contents;
}

/** For each file by index and each of its metrics: the sum in the order of the rows, and how many rows have it. */
async function totalsOf(
  connection: DuckDBConnection,
  files: readonly DatasetFile[],
): Promise<ReadonlyMap<number, readonly { readonly sum: number | null; readonly count: number }[]>> {
  const selects = files.flatMap(({ name, file }, i) => {
    const metrics = metricNames(name);
    if (metrics.length === 0) return [];
    const sums = metrics.map((metric) => `kahan_sum(${metric})`).join(', ');
    const counts = metrics.map((metric) => `count(${metric})::INTEGER`).join(', ');
    return [`SELECT ${i}, [${sums}], [${counts}] FROM ${parquetRows(file)}`];
  });
  const found = selects.length === 0 ? [] : await rows(connection, selects.join(' UNION ALL '));
  return new Map(
    found.map(([i, sums, counts]) => {
      const all = (sums as (number | null)[]).map((sum, m) => ({ sum, count: (counts as number[])[m] ?? 0 }));
      return [Number(i), all];
    }),
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

/** A query for the values of all dimensions: the index of the file, the dimension, the value as text, its rows. */
const countsOf = (i: number, dimensions: readonly string[], from: string): string =>
  dimensions
    .map((d) => `SELECT ${i}, '${d}', ${d}::VARCHAR, count(*)::INTEGER ${from} GROUP BY ${d}`)
    .join(' UNION ALL ');

const LOWER_HALF = '18446744073709551615::UHUGEINT';

const rows = async (connection: DuckDBConnection, sql: string) =>
  (await connection.runAndReadAll(sql)).getRowsJS();

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
