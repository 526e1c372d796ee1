// Compares two snapshots, or a month about to be published with the current one: exactly, by all dimensions.

import { DATASET_NAMES, type DatasetName } from '../../src/catalog/datasets.ts';
import {
  coverageOf,
  dimensionChanges,
  findArrived,
  lostValues,
  metricChanges,
  revisionsOf,
  rowChanges,
  rowsOf,
} from './differences.ts';
import { Engine } from './engine.ts';
import { withMatched } from './matched.ts';
import { findScaled } from './scaled.ts';
import type { Side } from './side.ts';
import { totalsOf } from './totals.ts';
import { findTwins } from './twins.ts';
import type { Comparison, DatasetComparison } from './types.ts';
import { Years } from './years.ts';

export interface CompareOptions {
  /** Where the engine puts what exceeds its memory; need not be there, and is the caller's to remove. */
  readonly spillDir: string;
  /** How many revisions, added and removed rows of each dataset are told; all are counted. */
  readonly limit: number;
}

/** Everything that differs from `before` to `after`. Takes at most 1 GB, whatever their size. */
export async function compare(before: Side, after: Side, options: CompareOptions): Promise<Comparison> {
  const engine = await Engine.open(options.spillDir);
  try {
    const years = new Years(before.month, after.month);
    const datasets: Partial<Record<DatasetName, DatasetComparison>> = {};
    for (const name of DATASET_NAMES) {
      datasets[name] = await compareDataset(engine, name, before, after, years, options.limit);
    }
    return {
      before: { id: before.id, month: before.month },
      after: { id: after.id, month: after.month },
      closedBefore: years.closedBefore,
      datasets: datasets as Record<DatasetName, DatasetComparison>,
    };
  } finally {
    engine.close();
  }
}

async function compareDataset(
  engine: Engine,
  dataset: DatasetName,
  before: Side,
  after: Side,
  years: Years,
  limit: number,
): Promise<DatasetComparison> {
  const [old, fresh] = [before.datasets[dataset], after.datasets[dataset]];
  return await withMatched(engine, dataset, before, after, async (keys) => {
    await findArrived(engine, keys, years);
    const coverage = await coverageOf(engine, keys);
    const dimensions = dimensionChanges(dataset, old, fresh, coverage);
    return {
      dataset,
      same: old.fingerprint === fresh.fingerprint,
      carried: fresh.carried,
      rows: await rowChanges(engine, old, fresh),
      dimensions,
      twins: await findTwins(engine, dataset, keys, dimensions),
      lost: await lostValues(engine, dataset, keys, years),
      metrics: await metricChanges(engine, dataset, keys, years, old, fresh),
      totals: await totalsOf(engine, dataset, keys, years),
      scaled: await findScaled(engine, dataset, keys),
      revisions: await revisionsOf(engine, dataset, keys, limit),
      added: await rowsOf(engine, keys, 'added', limit),
      removed: await rowsOf(engine, keys, 'removed', limit),
      coverage: coverage.filter((at) => at.before !== at.after),
    };
  });
}
