// Makes the snapshots that benchmarks serve and compare, with a chosen number of ggr rows. Every run makes the same rows.

import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { publish } from '../ingest/store/publish.ts';
import {
  draftManifest,
  fingerprintDatasets,
  type RowsToWrite,
  writeDatasets,
} from '../ingest/store/writeDatasets.ts';
import { DATASET_NAMES, type DatasetName, datasetOf, metricNames } from '../src/catalog/datasets.ts';
import type { DatasetManifest } from '../src/catalog/manifest.ts';
import { type DuckDBConnection, openDuckDb, parquetRows } from '../src/duckdb.ts';
import { randomOf } from './seededRandom.ts';

export const SMALL_ROWS = 30_000;
export const LARGE_ROWS = 3_000_000;

/** A part of the folders' names. It must be raised when the rows change, because folders of earlier runs are used again. */
const VERSION = 1;

/** A data directory whose ggr has `rows` rows. It is made once and kept in the temporary folder for later runs. */
export async function dataDirOf(rows: number): Promise<string> {
  const dataDir = path.join(os.tmpdir(), `data-api-bench-${VERSION}-${rows}`);
  if (existsSync(path.join(dataDir, 'current'))) return dataDir;
  await publishGgr(dataDir, '2026-11', ggrOf(rows));
  return dataDir;
}

/**
 * A data directory with two months of `rows` rows. Between them, one row in a hundred is removed, one is added, and two
 * values are revised.
 */
export async function twoMonthsOf(rows: number): Promise<string> {
  const dataDir = path.join(os.tmpdir(), `data-api-bench-${VERSION}-${rows}-two`);
  if (existsSync(path.join(dataDir, 'current'))) return dataDir;
  const lot = 'hash(year, country, state, product, channel, sub_channel, fx, 7) % 100';
  const all = `FROM (${ggrOf(Math.ceil(rows / 0.99))})`;
  await publishGgr(dataDir, '2026-10', `SELECT * ${all} WHERE ${lot} <> 1`);
  const revised = `CASE WHEN ${lot} IN (2, 3) THEN round(ggr * 1.01, 2) ELSE ggr END AS ggr`;
  await publishGgr(dataDir, '2026-11', `SELECT * REPLACE (${revised}) ${all} WHERE ${lot} <> 0`);
  return dataDir;
}

async function publishGgr(dataDir: string, month: string, select: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE ggr AS ${select}`);
  const datasets = Object.fromEntries(
    DATASET_NAMES.map((name): [DatasetName, RowsToWrite] => {
      const rows = name === 'ggr' ? 'FROM ggr' : selectOneRow(name);
      return [name, { select: rows, sources: ['bench'], carried: null }];
    }),
  ) as Record<DatasetName, RowsToWrite>;
  await publishDatasets(connection, datasets, month, dataDir);
  connection.closeSync();
  instance.closeSync();
}

async function publishDatasets(
  connection: DuckDBConnection,
  datasets: Readonly<Record<DatasetName, RowsToWrite>>,
  month: string,
  dataDir: string,
): Promise<void> {
  const id = `${month}.1`;
  const directory = path.join(dataDir, 'tmp', id);
  const described = await writeDatasets([connection], datasets, directory);
  const found = (await fingerprintDatasets(connection, described, directory)) as Record<
    DatasetName,
    DatasetManifest
  >;
  const written = draftManifest({ sources: [], recipe: null }, found);
  await publish(dataDir, directory, { id, month, revision: 1, ...written }, { at: new Date(0) });
}

/**
 * Publishes the month before the snapshot in the folder `published`. Of a hundred rows of ggr in that snapshot, this
 * month lacks one, and two have other values.
 */
export async function publishMonthBefore(published: string, source: string, dataDir: string): Promise<void> {
  const database = await openDuckDb();
  const lot = `hash(${datasetOf('ggr').dimensions.join(', ')}, 7) % 100`;
  const earlier = `SELECT * REPLACE (CASE WHEN ${lot} IN (2, 3) THEN round(ggr * 0.99, 2) ELSE ggr END AS ggr)`;
  const datasets = Object.fromEntries(
    DATASET_NAMES.map((name): [DatasetName, RowsToWrite] => {
      const rows = `FROM ${parquetRows(path.join(published, `${name}.parquet`))}`;
      const select = name === 'ggr' ? `${earlier} ${rows} WHERE ${lot} <> 1` : rows;
      return [name, { select, sources: [source], carried: null }];
    }),
  ) as Record<DatasetName, RowsToWrite>;
  await publishDatasets(database.connections[0], datasets, '2026-10', dataDir);
  database.close();
}

/**
 * SQL that selects `rows` combinations of the dimensions: those with the smallest hashes, so that every run has the same.
 */
function ggrOf(rows: number): string {
  const from = (values: string, name: string) => `(SELECT unnest(${values}) AS ${name})`;
  return `
    SELECT year::INTEGER AS year, 'Region ' || country % 6 AS region, 'Country ' || lpad(country::VARCHAR, 3, '0') AS country,
      CASE WHEN state = 0 THEN '' ELSE 'State ' || state END AS state, 'Category ' || product % 3 AS category,
      'Product ' || lpad(product::VARCHAR, 2, '0') AS product, channel, sub_channel, fx,
      CASE WHEN year > 2025 THEN 'Forecast' ELSE 'Current' END AS temporal,
      round(1e6 + hash(year, country, state, product, channel, sub_channel, fx) % 1000000000 / 7, 2) AS ggr
    FROM ${from('range(2003, 2031)', 'year')}, ${from('range(110)', 'country')}, ${from('range(8)', 'state')},
      ${from('range(12)', 'product')}, ${from("['Online', 'Land']", 'channel')},
      ${from("['Onshore', 'Offshore', 'Retail']", 'sub_channel')}, ${from("['USD', 'EUR', 'GBP']", 'fx')}
    ORDER BY hash(country, product, channel, year, state, fx, sub_channel, 1)
    LIMIT ${rows}`;
}

function selectOneRow(name: DatasetName): string {
  const texts = datasetOf(name).dimensions.map((d) => `${d === 'year' ? '2024' : "'x'"} AS ${d}`);
  return `SELECT ${[...texts, ...metricNames(name).map((metric) => `1.0 AS ${metric}`)].join(', ')}`;
}

/** The filters of a query, as a person may choose them: values by dimension. */
export type FilterMix = Readonly<Record<string, readonly string[]>>;

/** `count` different mixes of filters. The same seed gives the same mixes. */
export function mixes(count: number, seed: number): FilterMix[] {
  const random = randomOf(seed);
  /** At least one and at most `most` of the `count` values of a dimension. */
  const some = (textOf: (i: number) => string, count: number, most: number) =>
    [
      ...new Set(
        Array.from({ length: 1 + Math.floor(random() * most) }, () => textOf(Math.floor(random() * count))),
      ),
    ].sort();
  const dimensions: readonly [string, () => readonly string[]][] = [
    ['country', () => some((i) => `Country ${String(i).padStart(3, '0')}`, 110, 5)],
    ['year', () => some((i) => String(2003 + i), 28, 6)],
    ['product', () => some((i) => `Product ${String(i).padStart(2, '0')}`, 12, 3)],
    ['channel', () => some((i) => ['Online', 'Land'][i] ?? '', 2, 1)],
    ['fx', () => some((i) => ['USD', 'EUR', 'GBP'][i] ?? '', 3, 2)],
    ['sub_channel', () => some((i) => ['Onshore', 'Offshore', 'Retail'][i] ?? '', 3, 2)],
    ['state', () => some((i) => (i === 0 ? '' : `State ${i}`), 8, 2)],
  ];
  const seen = new Set<string>();
  const found: FilterMix[] = [];
  while (found.length < count) {
    const chosen = dimensions.filter(([name]) => name === 'country' || random() < 0.45);
    const mix = Object.fromEntries(chosen.map(([name, values]) => [name, values()]));
    const key = JSON.stringify(mix);
    if (seen.has(key)) continue;
    seen.add(key);
    found.push(mix);
  }
  return found;
}

/** The path and query of a page of ggr with these filters. */
export const pathOf = (mix: FilterMix, limit = 100): string =>
  `/v1/financials?metric=ggr&limit=${limit}${Object.entries(mix)
    .flatMap(([name, values]) => values.map((value) => `&${name}=${encodeURIComponent(value)}`))
    .join('')}`;
