// Compares two snapshots, or a month about to be published with the current one: exactly, by all dimensions.

import { DATASET_NAMES, type DatasetName, datasetOf, metricNames } from '../../src/catalog/datasets.ts';
import type { DatasetManifest } from '../../src/catalog/manifest.ts';
import {
  coverageOf,
  dimensionChanges,
  lostValues,
  metricChanges,
  revisionsOf,
  rowChanges,
  rowsOf,
} from './differences.ts';
import { Engine, threadsFor } from './engine.ts';
import { withMatched } from './matched.ts';
import { newValuesOf } from './newValues.ts';
import { findPatterns } from './patterns/find.ts';
import { brokenRelations, noteMoney, openRelations } from './relations.ts';
import { findScaled } from './scaled.ts';
import type { Side } from './side.ts';
import { countryMovesOf, sumCells, totalsOf } from './totals.ts';
import { findTwins } from './twins.ts';
import type { Comparison, DatasetComparison, MetricChanges, Total } from './types.ts';
import { Years } from './years.ts';

export interface CompareOptions {
  /** Where the engine puts what exceeds its memory; need not be there, and is the caller's to remove. */
  readonly spillDir: string;
  /** How many revisions, added and removed rows of each dataset are told; all are counted. */
  readonly limit: number;
}

/** Everything that differs from `before` to `after`. Takes at most 1 GB, whatever their size. */
export async function compare(before: Side, after: Side, options: CompareOptions): Promise<Comparison> {
  const engine = await Engine.open(options.spillDir, threadsFor(rowsOfSide(before) + rowsOfSide(after)));
  try {
    const years = new Years(before.month, after.month);
    const differs = (name: DatasetName) =>
      before.datasets[name].fingerprint !== after.datasets[name].fingerprint;
    // A relation that held can only have broken where one of its datasets differs.
    const isRelated = RELATED.some(differs);
    const datasets: Partial<Record<DatasetName, DatasetComparison>> = {};
    if (isRelated) await openRelations(engine);
    for (const name of DATASET_NAMES) {
      datasets[name] = await compareDataset(engine, name, before, after, years, options.limit, isRelated);
    }
    return {
      before: { id: before.id, month: before.month },
      after: { id: after.id, month: after.month },
      closedBefore: years.closedBefore,
      datasets: datasets as Record<DatasetName, DatasetComparison>,
      relations: isRelated ? await brokenRelations(engine, before, after) : [],
    };
  } finally {
    engine.close();
  }
}

/** The datasets whose figures relations hold between. */
const RELATED: readonly DatasetName[] = ['ggr', 'turnover', 'fx'];

const rowsOfSide = ({ datasets }: Side) => Object.values(datasets).reduce((rows, one) => rows + one.rows, 0);

async function compareDataset(
  engine: Engine,
  dataset: DatasetName,
  before: Side,
  after: Side,
  years: Years,
  limit: number,
  isRelated: boolean,
): Promise<DatasetComparison> {
  const [old, fresh] = [before.datasets[dataset], after.datasets[dataset]];
  const same = old.fingerprint === fresh.fingerprint;
  const hasYears = datasetOf(dataset).dimensions.includes('year');
  if (same && !hasYears) return nothingDiffers(dataset, old, fresh, []);
  return await withMatched(engine, dataset, before, after, async (keys) => {
    const rows = same
      ? { before: old.rows, after: fresh.rows, added: 0, removed: 0, revised: 0, arrived: 0 }
      : await rowChanges(engine, keys, years, old, fresh);
    if (hasYears) {
      await sumCells(engine, dataset, keys, years, rows);
      if (isRelated) await noteMoney(engine, dataset, keys, years, same);
    }
    const totals = hasYears ? await totalsOf(engine, dataset, keys, years, same) : [];
    const unchanged = nothingDiffers(dataset, old, fresh, totals);
    if (same) return unchanged;
    const coverage = await coverageOf(engine, keys);
    const dimensions = await dimensionChanges(engine, keys, dataset, old, fresh, coverage);
    const twins = await findTwins(engine, dataset, keys, dimensions);
    const lastYear = Number(after.month.slice(0, 4));
    return {
      ...unchanged,
      same: false,
      rows,
      dimensions,
      twins,
      newValues: old.rows === 0 ? [] : await newValuesOf(engine, keys, before, dimensions),
      lost: rows.removed === 0 ? [] : await lostValues(engine, dataset, keys, years),
      metrics: await metricChanges(engine, dataset, keys, years, old, fresh),
      scaled: rows.revised === 0 ? [] : await findScaled(engine, dataset, keys),
      revisions: rows.revised === 0 ? [] : await revisionsOf(engine, dataset, keys, limit),
      added: rows.added === 0 ? [] : await rowsOf(engine, keys, 'added', limit),
      removed: rows.removed === 0 ? [] : await rowsOf(engine, keys, 'removed', limit),
      coverage: coverage.filter((at) => at.before !== at.after),
      countryMoves: hasYears ? await countryMovesOf(engine, dataset, keys, years) : [],
      patterns: await findPatterns(engine, dataset, keys, years, dimensions, twins, rows, lastYear),
    };
  });
}

/** What is said of a dataset that holds the same rows on both sides. */
function nothingDiffers(
  dataset: DatasetName,
  before: DatasetManifest,
  after: DatasetManifest,
  totals: readonly Total[],
): DatasetComparison {
  const metrics = metricNames(dataset).map((metric): [string, MetricChanges] => [
    metric,
    {
      revised: 0,
      sizes: [],
      filled: 0,
      emptied: 0,
      nullsBefore: before.metrics[metric]?.nulls ?? 0,
      nullsAfter: after.metrics[metric]?.nulls ?? 0,
      closedValues: 0,
      closedRevised: 0,
      closedCountries: 0,
      closedLargest: [],
    },
  ]);
  return {
    dataset,
    same: true,
    carried: after.carried,
    rows: { before: before.rows, after: after.rows, added: 0, removed: 0, revised: 0, arrived: 0 },
    countries: after.dimensions.country?.length ?? 0,
    dimensions: [],
    twins: [],
    newValues: [],
    lost: [],
    metrics: Object.fromEntries(metrics),
    totals,
    scaled: [],
    revisions: [],
    added: [],
    removed: [],
    coverage: [],
    countryMoves: [],
    patterns: [],
  };
}
