// Finds out from rows in memory whether rows are duplicates or sums.
// For other rows, `suspects.ts` finds out the same by SQL.

import type { DimensionName } from '../../src/catalog/datasets.ts';
import { EVERY_METRIC } from '../staging/database/stagingTables.ts';
import type { StagedRows } from './stagedRows.ts';

/** A search for rows that are the sum of others. A sum and its parts agree in all dimensions except those in `without`. */
export interface SumSearch {
  readonly metric: string;
  readonly without: readonly DimensionName[];
  /**
   * Whether rows without a state are left out, because they describe the whole country and are rightly the sum of its
   * states.
   */
  readonly statesOnly: boolean;
}

/**
 * Whether two rows are duplicates: they agree in all dimensions. Rows of wide form with different metrics are no
 * duplicates, because each holds one metric.
 */
export function haveDuplicates(rows: StagedRows): boolean {
  const { numbers: groupOf, count } = rows.groupsWithout([]);
  if (count === rows.count) return false;
  /** The metrics of the rows of each group as bits; `ALL` for a row that holds all metrics. */
  const metrics: number[] = [];
  for (let row = 0; row < rows.count; row += 1) {
    const group = groupOf[row] as number;
    const metric = rows.metric[row] as number;
    const bits = metric === EVERY_METRIC ? ALL : 1 << metric;
    const before = metrics[group] ?? 0;
    if ((before & bits) !== 0 || (before !== 0 && bits === ALL)) return true;
    metrics[group] = before | bits;
  }
  return false;
}

const ALL = ~0;

/** Whether a row may be the sum of others. `empty` is the code of the empty text: the state of rows about a nation. */
export function mayHaveSums(
  { metric, without, statesOnly }: SumSearch,
  rows: StagedRows,
  empty: number,
): boolean {
  const values = rows.values(metric);
  const states = statesOnly ? rows.dimension('state') : null;
  const { numbers: groupOf, count } = rows.groupsWithout(without);
  // The number of values of each group, the largest value and the sum.
  const counts = new Int32Array(count);
  const mosts = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
  const totals = new Float64Array(count);
  for (let row = 0; row < rows.count; row += 1) {
    const value = values[row] as number;
    if (value === 0 || Number.isNaN(value) || states?.[row] === empty) continue;
    const group = groupOf[row] as number;
    counts[group] = (counts[group] as number) + 1;
    mosts[group] = Math.max(mosts[group] as number, value);
    totals[group] = (totals[group] as number) + value;
  }
  for (let group = 0; group < counts.length; group += 1) {
    const most = mosts[group] as number;
    // The tolerance is a little wider than in `totalValues.ts`, because the engine may add in another order.
    if ((counts[group] as number) > 2 && Math.abs(2 * most - (totals[group] as number)) <= 1.001e-9 * most)
      return true;
  }
  return false;
}
