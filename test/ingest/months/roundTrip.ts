// Publishes a month with the real program, and lists how the published rows differ from the intended ones.

import path from 'node:path';
import { DATASET_NAMES, type DatasetName, datasetOf, metricNames } from '../../../src/catalog/datasets.ts';
import { literal } from '../../../src/duckdb.ts';
import { aMonth } from '../../support/month.ts';
import type { Row } from '../../support/snapshot.ts';
import { query } from '../../support/testEngine.ts';
import { Random } from '../mutants/random.ts';
import { type Intended, keyOf } from './intended.ts';
import { filesOf } from './layouts.ts';

/**
 * The rows that are missing, additional or different in the published Parquet, and the reasons why publishing failed.
 */
export async function differences(month: Intended, layout: number): Promise<string[]> {
  const files = await filesOf(month, new Random(layout));
  const folder = await aMonth(files, true);
  try {
    const { status, problems } = await folder.publish();
    if (status !== 'published')
      return [status, ...Object.keys(files), ...problems.map((p) => `${p.place}: ${p.message}`)];
    return await inSnapshot(path.join(folder.dataDir, 'current'), month);
  } finally {
    await folder.remove();
  }
}

async function inSnapshot(snapshot: string, month: Intended): Promise<string[]> {
  const found: string[] = [];
  for (const dataset of DATASET_NAMES) {
    const columns = [...datasetOf(dataset).dimensions, ...metricNames(dataset)];
    const file = path.join(snapshot, `${dataset}.parquet`);
    const read = await query(`SELECT ${columns.join(', ')} FROM read_parquet(${literal(file)})`);
    found.push(...compared(dataset, month[dataset], read.getRowObjectsJS() as Row[]));
  }
  return found;
}

/** The differences between the wanted and the published rows. */
export function compared(dataset: DatasetName, wanted: readonly Row[], published: readonly Row[]): string[] {
  const left = new Map(wanted.map((row) => [keyOf(dataset, row), row]));
  const found: string[] = [];
  for (const row of published) {
    const key = keyOf(dataset, row);
    const own = left.get(key);
    left.delete(key);
    if (own === undefined) found.push(`${dataset}: nobody meant ${key}`);
    else
      for (const metric of metricNames(dataset))
        if (!Object.is(own[metric] ?? null, row[metric] ?? null))
          found.push(`${dataset} ${key}: ${metric} ${own[metric]} became ${row[metric]}`);
  }
  return [...found, ...[...left.keys()].map((key) => `${dataset}: ${key} is missing`)];
}
