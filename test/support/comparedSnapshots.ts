// Two snapshots side by side for tests: `await aComparison({ ggr: […] }, { ggr: […] })`.

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { compareIn } from '../../ingest/compare/compare.ts';
import type { ComparisonEngine } from '../../ingest/compare/comparisonEngine.ts';
import type { Comparison } from '../../ingest/compare/comparisonTypes.ts';
import { EarlierRows } from '../../ingest/compare/rows/earlierRows.ts';
import type { Side, Sides } from '../../ingest/compare/side.ts';
import type { Acceptance } from '../../ingest/guards/finding.ts';
import { type GuardOutcome, runGuards } from '../../ingest/guards/runGuards.ts';
import { getOrInsert } from '../../src/basics/maps.ts';
import { byDataset, DATASET_NAMES, type DatasetName } from '../../src/catalog/datasets.ts';
import type { DatasetManifest } from '../../src/catalog/manifest.ts';
import { readConfig } from '../../src/config/config.ts';
import { comparedRows } from './comparedRows.ts';
import { aDataDir, aRow, type Rows } from './snapshot.ts';
import { comparing } from './testEngine.ts';

export interface Months {
  /** The ids of the two snapshots; by default 2026-10.1 and 2026-11.1. */
  readonly before?: string;
  readonly after?: string;
  readonly limit?: number;
}

/** Compares two snapshots with these rows. Datasets left out get one default row. */
export async function aComparison(before: Rows, after: Rows, months: Months = {}): Promise<Comparison> {
  const { before: a = '2026-10.1', after: b = '2026-11.1', limit = 1000 } = months;
  const { dataDir, remove } = await aDataDir();
  const side = async (id: string, rows: Rows): Promise<Side> => {
    const directory = path.join(dataDir, id);
    await mkdir(directory);
    const datasets: Partial<Record<DatasetName, DatasetManifest>> = {};
    for (const name of DATASET_NAMES)
      datasets[name] = await comparedRows(directory, name, rows[name] ?? [aRow(name)]);
    return { id, month: id.slice(0, 7), directory, datasets: datasets as Side['datasets'] };
  };
  try {
    const [earlier, later] = [await side(a, before), await side(b, after)];
    return await comparing(async (engine) =>
      compareIn(engine, earlier, later, {
        limit,
        earlier: await defaultRows(engine, { before, after }, earlier),
      }),
    );
  } finally {
    await remove();
  }
}

/** The default rows of datasets by the names of the datasets, for all test files of a worker. */
const worker = globalThis as { defaultRows?: Map<string, Promise<EarlierRows>> };

/** The rows of the datasets that have their default row on both sides, as a publish reads the earlier rows in advance. */
function defaultRows(
  engine: ComparisonEngine,
  { before, after }: Sides<Rows>,
  { directory, datasets }: Side,
): Promise<EarlierRows> {
  const names = DATASET_NAMES.filter((name) => before[name] === undefined && after[name] === undefined);
  worker.defaultRows ??= new Map();
  return getOrInsert(worker.defaultRows, names.join(), () =>
    EarlierRows.read(engine, {
      id: 'default',
      month: '',
      directory,
      datasets: Object.fromEntries(names.map((name) => [name, datasets[name]])),
      unknown: [],
    }),
  );
}

/** The result of the guards on two snapshots, with the default limits. */
export async function guarded(
  before: Rows,
  after: Rows,
  { accept = [], ...months }: Months & { readonly accept?: readonly Acceptance[] } = {},
): Promise<GuardOutcome> {
  return runGuards(
    await aComparison(before, after, months),
    byDataset(() => readConfig({}).guards),
    accept,
  );
}
