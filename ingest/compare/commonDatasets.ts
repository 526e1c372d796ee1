// Leaves out of a comparison the datasets that only one side has. Snapshots of other versions may have other datasets.

import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { columnTypes, DATASET_NAMES, type DatasetName } from '../../src/catalog/datasets.ts';
import type { DatasetManifest, Manifest } from '../../src/catalog/manifest.ts';
import { literal, openDuckDb } from '../../src/duckdb.ts';
import { makeFolders } from '../../src/system/makeFolders.ts';
import type { UncomparedDataset } from './comparisonTypes.ts';
import type { PartialSide, Side } from './side.ts';

/** Two sides that both have every dataset. */
interface CommonDatasets {
  readonly before: Side;
  readonly after: Side;
  readonly uncompared: readonly UncomparedDataset[];
}

/**
 * Completes both sides. A dataset that one side lacks becomes empty on both sides, so that the comparison finds no changes
 * in it. `uncompared` lists it.
 *
 * @param folder A folder for files without rows, created when one is needed. The caller removes it.
 */
export async function withCommonDatasets(
  before: PartialSide,
  after: PartialSide,
  folder: string,
): Promise<CommonDatasets> {
  const lacking = DATASET_NAMES.filter((name) => !before.datasets[name] || !after.datasets[name]);
  return {
    before: await completed(before, lacking, path.join(folder, 'before')),
    after: await completed(after, lacking, path.join(folder, 'after')),
    uncompared: [
      ...lacking.map((dataset) => ({ dataset, lackedBy: lackedBy(dataset, before, after), isKnown: true })),
      ...before.unknown.map((dataset) => ({ dataset, lackedBy: 'after' as const, isKnown: false })),
      ...after.unknown.map((dataset) => ({ dataset, lackedBy: 'before' as const, isKnown: false })),
    ],
  };
}

function lackedBy(name: DatasetName, before: PartialSide, after: PartialSide): UncomparedDataset['lackedBy'] {
  if (before.datasets[name]) return 'after';
  return after.datasets[name] ? 'before' : 'both';
}

async function completed(side: PartialSide, lacking: readonly DatasetName[], folder: string): Promise<Side> {
  const { id, month, directory } = side;
  if (lacking.length === 0) return { id, month, directory, datasets: side.datasets as Manifest['datasets'] };
  makeFolders(folder);
  const datasets: Partial<Record<DatasetName, DatasetManifest>> = {};
  for (const name of DATASET_NAMES) {
    const existing = side.datasets[name];
    const file = `${name}.parquet`;
    if (existing !== undefined && !lacking.includes(name)) {
      await symlink(path.resolve(directory, existing.file), path.join(folder, file));
      datasets[name] = { ...existing, file };
    } else {
      await writeEmpty(name, path.join(folder, file));
      datasets[name] = { ...EMPTY, file };
    }
  }
  return { id, month, directory: folder, datasets: datasets as Manifest['datasets'] };
}

const EMPTY: Omit<DatasetManifest, 'file'> = {
  sources: [],
  rows: 0,
  bytes: 0,
  sha256: '',
  columns: {},
  fingerprint: '',
  years: [],
  dimensions: {},
  metrics: {},
  carried: null,
};

async function writeEmpty(name: DatasetName, file: string): Promise<void> {
  const columns = Object.entries(columnTypes(name)).map(([column, type]) => `NULL::${type} AS ${column}`);
  const database = await openDuckDb({ settings: { threads: '1' } });
  try {
    await database.connections[0].run(
      `COPY (SELECT ${columns.join(', ')} WHERE false) TO ${literal(file)} (FORMAT parquet)`,
    );
  } finally {
    database.close();
  }
}
