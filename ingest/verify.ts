// Says whether a snapshot still is what its manifest says: every checksum, every row, every column.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import {
  DATASET_NAMES,
  type DatasetName,
  datasetOf,
  dimensionOf,
  metricNames,
  rowOrder,
} from '../src/catalog/datasets.ts';
import type { DatasetManifest, Manifest, SourceManifest } from '../src/catalog/manifest.ts';
import { fileSha256, readManifest, SnapshotRefused } from '../src/catalog/verify.ts';
import { describe, literal } from './publish.ts';
import { snapshotDirectory } from './snapshots.ts';

export interface Damage {
  readonly file: string;
  /** The column that differs, where one can be named. */
  readonly column: string | null;
  readonly message: string;
}

/** Everything in which the snapshot's files differ from its manifest; nothing when it is whole. */
export async function verify(dataDir: string, id: string): Promise<Damage[]> {
  let manifest: Manifest;
  try {
    manifest = await readManifest(snapshotDirectory(dataDir, id));
  } catch (error) {
    if (!(error instanceof SnapshotRefused)) throw error;
    return [{ file: 'manifest.json', column: null, message: error.message }];
  }
  const { datasets, documents } = manifest;
  const damages: Damage[] = [];
  for (const document of documents) {
    damages.push(...(await verifyFile(path.join(snapshotDirectory(dataDir, id), document.file), document)));
  }
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
  try {
    for (const name of DATASET_NAMES) {
      const file = path.join(snapshotDirectory(dataDir, id), datasets[name].file);
      const found = await verifyFile(file, datasets[name]);
      damages.push(...found);
      if (found.some(({ message }) => message === GONE)) continue;
      try {
        damages.push(...(await verifyShape(connection, name, file)));
        damages.push(...differences(datasets[name], await describe(connection, name, file, datasets[name])));
      } catch (error) {
        damages.push({
          file: datasets[name].file,
          column: null,
          message: `cannot be read: ${firstLine(error)}`,
        });
      }
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
  return damages;
}

const GONE = 'is missing';

async function verifyFile(file: string, said: SourceManifest): Promise<Damage[]> {
  const damage = (message: string) => [{ file: said.file, column: null, message }];
  const size = await stat(file).then(
    (found) => found.size,
    () => null,
  );
  if (size === null) return damage(GONE);
  if (size !== said.bytes) return damage(`has ${size} bytes where the manifest says ${said.bytes}`);
  return (await fileSha256(file)) === said.sha256 ? [] : damage('its SHA-256 differs from the manifest');
}

/** Columns, types, and the order of the rows: what notebooks and the server rely on. */
async function verifyShape(
  connection: Parameters<typeof describe>[0],
  name: DatasetName,
  file: string,
): Promise<Damage[]> {
  const expected = [
    ...datasetOf(name).dimensions.map(
      (d) => `${d} ${dimensionOf(d).type === 'integer' ? 'INTEGER' : 'VARCHAR'}`,
    ),
    ...metricNames(name).map((metric) => `${metric} DOUBLE`),
  ].join(', ');
  const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM read_parquet(${literal(file)})`);
  const found = described
    .getRowsJS()
    .map(([column, type]) => `${column} ${type}`)
    .join(', ');
  if (found !== expected) {
    return [
      { file: path.basename(file), column: null, message: `has the columns ${found} instead of ${expected}` },
    ];
  }
  const key = `(${rowOrder(name).join(', ')})`;
  const unsorted = await connection.runAndReadAll(
    `SELECT min(file_row_number)::INTEGER FROM (SELECT file_row_number,
       ${key} <= lag(${key}) OVER (ORDER BY file_row_number) AS misplaced
     FROM read_parquet(${literal(file)}, file_row_number = true)) WHERE misplaced`,
  );
  const row = unsorted.getRowsJS()[0]?.[0] ?? null;
  if (row === null) return [];
  return [
    {
      file: path.basename(file),
      column: null,
      message: `is not in row order, first at row ${Number(row) + 1}`,
    },
  ];
}

function differences(said: DatasetManifest, found: DatasetManifest): Damage[] {
  const damages: Damage[] = [];
  const compare = (column: string | null, what: string, a: unknown, b: unknown) => {
    if (JSON.stringify(a) !== JSON.stringify(b)) {
      damages.push({ file: said.file, column, message: `${what} differ from the manifest` });
    }
  };
  compare(null, 'the number of rows', said.rows, found.rows);
  compare('year', 'the years', said.years, found.years);
  for (const [dimension, values] of Object.entries(found.dimensions)) {
    compare(dimension, 'its values and their counts', said.dimensions[dimension], values);
  }
  for (const [metric, totals] of Object.entries(found.metrics)) {
    compare(metric, 'its sum and empty values', said.metrics[metric], totals);
  }
  if (damages.length === 0) compare(null, 'rows', said.fingerprint, found.fingerprint);
  return damages;
}

const firstLine = (error: unknown) => String(error instanceof Error ? error.message : error).split('\n')[0];
