// Finds figures larger than any country's statistics: an error where their sums overflow, else a warning.

import { datasetOf, metricNames } from '../../src/catalog/datasets.ts';
import { stagingTable } from '../staging/database/staging.ts';
import { isAmount } from '../staging/numbers/units.ts';
import type { CheckedRows } from './checkedRows.ts';
import { PLACE, placeOfNumber, rowCount, rowsOf } from './places.ts';

/** The product of Iran in rials has 17 digits before its point. */
const IMPLAUSIBLE = 1e21;
/** There are eight billion people. */
const IMPLAUSIBLE_PEOPLE = 1e10;
/** No number of rows adds up to the largest double below this. */
const ABSURD = 1e100;

/** Reports the largest implausible figure of each metric and source. */
export async function checkHugeValues({
  staging,
  datasets,
  problems,
}: Pick<CheckedRows, 'staging' | 'datasets' | 'problems'>): Promise<void> {
  const metrics = datasets.flatMap((dataset) =>
    metricNames(dataset).map((metric) => {
      const { unit = '' } = datasetOf(dataset).metrics[metric] ?? {};
      const limit = unit === 'persons' ? IMPLAUSIBLE_PEOPLE : isAmount(unit) ? IMPLAUSIBLE : ABSURD;
      return { dataset, metric, limit };
    }),
  );
  if (metrics.length === 0) return;
  const largest = metrics.map(
    ({ dataset, metric }) => `(SELECT max(abs(${metric})) FROM ${stagingTable(dataset)})`,
  );
  const [values = []] = await rowsOf(staging, `SELECT ${largest.join(', ')}`);
  for (const [i, { dataset, metric, limit }] of metrics.entries()) {
    if (Number(values[i] ?? 0) < limit) continue;
    const found = await rowsOf(
      staging,
      `SELECT arg_max(${metric}, abs(${metric})), count(*)::INTEGER, arg_max(${PLACE}, abs(${metric}))
       FROM ${stagingTable(dataset)} WHERE abs(${metric}) >= ${limit} GROUP BY _source ORDER BY min(${PLACE})`,
    );
    for (const [value, n, place] of found) {
      const isAbsurd = Math.abs(Number(value)) >= ABSURD;
      problems.add(isAbsurd ? 'error' : 'warning', placeOfNumber(staging, place as bigint, metric), {
        problem: `${metric} is ${value}, more than any country has${Number(n) > 1 ? ` (the largest of ${rowCount(n)} like it)` : ''}`,
        remedy: isAbsurd ? 'correct the figure: sums of such figures have no value' : 'correct the figure',
        kind: `${metric} is more than any country has`,
      });
    }
  }
}
