// Two snapshots side by side for tests: `await aComparison({ ggr: […] }, { ggr: […] })`.

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { compareIn } from '../../ingest/compare/compare.ts';
import type { Comparison } from '../../ingest/compare/comparisonTypes.ts';
import type { Side } from '../../ingest/compare/side.ts';
import type { Acceptance } from '../../ingest/guards/finding.ts';
import { type GuardOutcome, runGuards } from '../../ingest/guards/runGuards.ts';
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
    return await comparing((engine) => compareIn(engine, earlier, later, { limit }));
  } finally {
    await remove();
  }
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
