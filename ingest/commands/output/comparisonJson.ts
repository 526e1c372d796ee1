// A comparison for programs: a part of the JSON of `diff` and of a dry run.

import { byDataset } from '../../../src/catalog/datasets.ts';
import type { Comparison } from '../../compare/comparisonTypes.ts';

/** A comparison shortened for JSON: only totals that differ, and the first `limit` revisions and rows. */
export function comparisonJson(comparison: Comparison, limit: number): Comparison {
  const datasets = byDataset((name) => {
    const dataset = comparison.datasets[name];
    return {
      ...dataset,
      totals: dataset.totals.filter(({ before, after }) => before !== after),
      revisions: dataset.revisions.slice(0, limit),
      added: dataset.added.slice(0, limit),
      removed: dataset.removed.slice(0, limit),
    };
  });
  return { ...comparison, datasets };
}
