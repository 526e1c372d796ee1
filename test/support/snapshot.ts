// Builds real snapshots for tests: `await publishRows(dataDir, '2026-11.1', { ggr: [aRow('ggr', { country: 'Malta' })] })`.

import { createHash } from 'node:crypto';
import { copyFile, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { publish } from '../../ingest/store/publish.ts';
import type { SharedStore } from '../../ingest/store/sharedStore.ts';
import { type DraftManifest, draftManifest } from '../../ingest/store/writeDatasets.ts';
import {
  DATASET_NAMES,
  type DatasetName,
  type DimensionName,
  datasetOf,
  dimensionOf,
  metricNames,
} from '../../src/catalog/datasets.ts';
import type { DatasetManifest, Manifest } from '../../src/catalog/manifest.ts';
import { literal } from '../../src/duckdb.ts';
import { removeFolder } from './removeFolder.ts';
import { connected } from './testEngine.ts';
import { writeDataset } from './writeDataset.ts';

export type Row = Readonly<Record<string, string | number | null>>;
export type Rows = Readonly<Partial<Record<DatasetName, readonly Row[]>>>;

const DEFAULTS: Readonly<Record<DimensionName, string | number>> = {
  year: 2024,
  region: 'Europe',
  country: 'Malta',
  state: '',
  category: 'Betting',
  product: 'Sport Betting',
  channel: 'Online',
  sub_channel: 'Onshore',
  fx: 'EUR',
  fx_local_currency: 'EUR',
  temporal: 'Current',
  calculation: 'Reported',
  country_type: 'Tracked',
};

/** A row of a dataset: default values with these changes. */
export const aRow = (dataset: DatasetName, changes: Row = {}): Row => ({
  ...DEFAULT_ROWS.get(dataset),
  ...changes,
});

/** The rows of country_reference that list these countries. */
export const countryReference = (countries: readonly string[]): Row[] =>
  countries.map((country) => aRow('country_reference', { country }));

const DEFAULT_ROWS: ReadonlyMap<DatasetName, Row> = new Map(
  DATASET_NAMES.map((dataset) => [
    dataset,
    Object.fromEntries([
      ...datasetOf(dataset).dimensions.map((dimension) => [dimension, DEFAULTS[dimension]]),
      ...metricNames(dataset).map((metric) => [metric, 1]),
    ]),
  ]),
);

export interface DataDir {
  readonly dataDir: string;
  readonly remove: () => Promise<void>;
}

/** Makes a data directory: an empty one, or a copy of another. */
export async function aDataDir(copied?: string): Promise<DataDir> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'data-api-'));
  if (copied !== undefined) await cp(copied, dataDir, { recursive: true, verbatimSymlinks: true });
  return { dataDir, remove: () => removeFolder(dataDir) };
}

/**
 * Writes a snapshot of these rows into `dataDir` and makes it current; with `shared`, also in that store. Datasets left out
 * get one default row.
 */
export async function publishRows(
  dataDir: string,
  id: string,
  rows: Rows = {},
  shared: Pick<SharedStore, 'publish'> | null = null,
): Promise<Manifest> {
  const directory = path.join(dataDir, 'tmp', id);
  const written = await writeRows(directory, rows);
  const [month = '', revision = ''] = id.split('.');
  const contents = { id, month, revision: Number(revision), ...written };
  return await publish(dataDir, directory, contents, { at: new Date(), shared });
}

/** Publishes a snapshot of many rows, whose datasets are given as SQL: `{ ggr: 'SELECT … FROM range(20000)' }`. */
export async function publishSql(
  dataDir: string,
  id: string,
  selects: Readonly<Partial<Record<DatasetName, string>>>,
): Promise<Manifest> {
  const directory = path.join(dataDir, 'tmp', id);
  const written = await writeSelects(directory, (name) => selects[name] ?? selectOf(name, [aRow(name)]));
  const [month = '', revision = ''] = id.split('.');
  return await publish(
    dataDir,
    directory,
    { id, month, revision: Number(revision), ...written },
    { at: new Date() },
  );
}

/** Writes the files of a snapshot of these rows, without publishing it. */
export const writeRows = (directory: string, rows: Rows = {}): Promise<DraftManifest> =>
  writeSelects(directory, (name) => selectOf(name, rows[name] ?? [aRow(name)]));

async function writeSelects(
  directory: string,
  select: (name: DatasetName) => string,
): Promise<DraftManifest> {
  await mkdir(directory, { recursive: true });
  const datasets: Partial<Record<DatasetName, DatasetManifest>> = {};
  for (const name of DATASET_NAMES) {
    const text = select(name);
    const isWorthIt = text.length < SHARED_CHARACTERS || writtenBefore(`${name} ${text}`);
    datasets[name] = await (isWorthIt ? writeShared : writeSelect)(directory, name, text);
  }
  return draftManifest({ sources: [], recipe: null }, datasets as Record<DatasetName, DatasetManifest>);
}

/**
 * Tables of up to this many characters, some thirty rows, are shared from their first use: many tests have the same ones.
 */
const SHARED_CHARACTERS = 4000;

/** Digests of the tables that the tests of this file have written. Larger tables are shared from the second time on. */
const written = new Set<string>();

/** Whether `content` was written before. Records that it is written now. */
function writtenBefore(content: string): boolean {
  const digest = digestOf(content);
  const isKnown = written.has(digest);
  written.add(digest);
  return isKnown;
}

async function writeSelect(directory: string, name: DatasetName, select: string): Promise<DatasetManifest> {
  return await connected((connection) =>
    writeDataset(connection, name, { select, sources: ['test'], carried: null }, directory),
  );
}

/** Writes a dataset once for all tests of a build. Later calls copy the file. */
async function writeShared(directory: string, name: DatasetName, select: string): Promise<DatasetManifest> {
  const shared = sharedFolder('rows', `${name} ${select}`);
  const file = `${name}.parquet`;
  try {
    const described = JSON.parse(await readFile(path.join(shared, 'described.json'), 'utf8'));
    await copyFile(path.join(shared, file), path.join(directory, file));
    return described;
  } catch {
    const described = await writeSelect(directory, name, select);
    await share(shared, async (folder) => {
      await copyFile(path.join(directory, file), path.join(folder, file));
      await writeFile(path.join(folder, 'described.json'), JSON.stringify(described));
    });
    return described;
  }
}

/** The folder for the data that tests make from `content`. The first test fills it. globalSetup.mjs chooses its parent. */
export function sharedFolder(kind: string, content: string): string {
  const parent = process.env.SHARED_DIR;
  if (parent === undefined) throw new Error('SHARED_DIR is unset: run the tests through jest');
  return path.join(parent, `${kind}-${digestOf(content)}`);
}

const digestOf = (content: string): string => createHash('sha256').update(content).digest('hex').slice(0, 16);

/** Fills a shared folder. Other workers see it only when it is complete. */
export async function share(shared: string, fill: (folder: string) => Promise<void>): Promise<void> {
  const making = await mkdtemp(`${shared}-`);
  await fill(making);
  // The rename fails when another worker was faster. That worker made the same data.
  await rename(making, shared).catch(() => rm(making, { recursive: true }));
}

function selectOf(name: DatasetName, rows: readonly Row[]): string {
  const columns = [...datasetOf(name).dimensions, ...metricNames(name)];
  const types = [
    ...datasetOf(name).dimensions.map((d) => (dimensionOf(d).type === 'integer' ? 'INTEGER' : 'VARCHAR')),
    ...metricNames(name).map(() => 'DOUBLE'),
  ];
  if (rows.length === 0)
    return `SELECT ${columns.map((c, i) => `NULL::${types[i]} AS ${c}`).join(', ')} WHERE false`;
  // The rows are a JSON array for each column, because planning VALUES takes 25 times as long.
  const texts = (column: string) =>
    JSON.stringify(rows.map((row) => (row[column] == null ? null : String(row[column]))));
  const lists = columns.map((c) => `unnest(${literal(texts(c))}::JSON::VARCHAR[]) AS ${c}`);
  return `SELECT ${columns.map((c, i) => `${c}::${types[i]} AS ${c}`).join(', ')} FROM (SELECT ${lists.join(', ')})`;
}
