// Writes the rows of a dataset for a comparison, much faster than publishing: `await comparedRows(directory, 'ggr', rows)`.

import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import {
  columnTypes,
  type DatasetName,
  datasetOf,
  isText,
  metricNames,
  rowOrder,
} from '../../src/catalog/datasets.ts';
import type { DatasetManifest } from '../../src/catalog/manifest.ts';
import { byCodePoints } from '../../src/catalog/textOrder.ts';
import { DOUBLE, DuckDBDataChunk, INTEGER, literal, VARCHAR } from '../../src/duckdb.ts';
import { type Row, share, sharedFolder } from './snapshot.ts';
import { connected } from './testEngine.ts';

const TYPES = { INTEGER, VARCHAR, DOUBLE };

/** The number of rows of a chunk of DuckDB. */
const CHUNK_ROWS = 2048;

/** The fingerprints of the datasets that the tests of this file have written. */
const written = new Set<string>();

/**
 * Writes the rows as a Parquet file, and returns the part of the dataset's manifest entry that a comparison reads. Rows
 * that were written twice are shared: from then on, `file` leads to the shared copy.
 *
 * @param directory The folder for the file. `file` of the entry is relative to it.
 */
export async function comparedRows(
  directory: string,
  name: DatasetName,
  rows: readonly Row[],
): Promise<DatasetManifest> {
  const columns = Object.keys(columnTypes(name));
  const fingerprint = JSON.stringify(columns.map((column) => rows.map((row) => row[column] ?? null)));
  const shared = sharedFolder('compared', `${name} ${fingerprint}`);
  const [own, before] = [`${name}.parquet`, path.join(shared, 'rows.parquet')];
  const isKnown = existsSync(before);
  if (!isKnown) {
    await write(path.join(directory, own), name, rows);
    if (written.has(shared))
      await share(shared, (folder) => copyFile(path.join(directory, own), path.join(folder, 'rows.parquet')));
    written.add(shared);
  }
  const file = isKnown ? path.relative(directory, before) : own;
  return { file, fingerprint, sha256: fingerprint, ...described(name, rows), ...NOT_READ };
}

async function write(file: string, name: DatasetName, rows: readonly Row[]): Promise<void> {
  const types = Object.entries(columnTypes(name));
  await connected(async (connection) => {
    await connection.run(`CREATE TEMP TABLE written (${types.map((column) => column.join(' ')).join(', ')})`);
    const appender = await connection.createAppender('written', null, 'temp');
    for (let at = 0; at < rows.length; at += CHUNK_ROWS) {
      const some = rows.slice(at, at + CHUNK_ROWS);
      const chunk = DuckDBDataChunk.create(types.map(([, type]) => TYPES[type]));
      chunk.setColumns(types.map(([column]) => some.map((row) => row[column] ?? null)));
      appender.appendDataChunk(chunk);
    }
    appender.closeSync();
    const sorted = `FROM written ORDER BY ${rowOrder(name).join(', ')}`;
    await connection.run(`COPY (${sorted}) TO ${literal(file)} (FORMAT parquet, COMPRESSION uncompressed)`);
  });
}

/** The description of the rows as in the manifest of a publish, but without the sums of metrics. */
function described(
  name: DatasetName,
  rows: readonly Row[],
): Pick<DatasetManifest, 'rows' | 'years' | 'dimensions' | 'metrics'> {
  const { dimensions } = datasetOf(name);
  const years = dimensions.includes('year') ? new Set(rows.map(({ year }) => Number(year))) : [];
  const nullsOf = (metric: string) => rows.filter((row) => row[metric] == null).length;
  return {
    rows: rows.length,
    years: [...years].sort((a, b) => a - b),
    dimensions: Object.fromEntries(dimensions.filter(isText).map((d) => [d, counted(rows, d)])),
    metrics: Object.fromEntries(
      metricNames(name).map((metric) => [metric, { sum: null, nulls: nullsOf(metric) }]),
    ),
  };
}

function counted(rows: readonly Row[], dimension: string): { value: string; rows: number }[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const value = String(row[dimension]);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].map(([value, rows]) => ({ value, rows })).sort((a, b) => byCodePoints(a.value, b.value));
}

const NOT_READ = { sources: [], bytes: 0, columns: {}, carried: null };
