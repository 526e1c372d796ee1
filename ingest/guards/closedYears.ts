// Guard `closed-years`: a year that was complete long ago says something else now.

import { metricNames } from '../../src/catalog/datasets.ts';
import type { Comparison, DatasetComparison, Revision } from '../compare/types.ts';
import { isForecast } from '../compare/years.ts';
import { change, count, exact } from '../messages/numbers.ts';
import { type Guard, percent, type Suspicion } from './guard.ts';
import { movedTotals } from './moved.ts';

/** Of metrics that add up the totals count, of all others the share of values that were much revised. */
export const closedYears: Guard = (dataset, { comparison, limits }) => {
  const closed = dataset.totals.filter((total) => total.closed && !total.forecast);
  const added = new Set(dataset.totals.map(({ metric }) => metric));
  const others = metricNames(dataset.dataset).filter((metric) => !added.has(metric));
  return [
    ...movedTotals(closed, dataset, comparison, limits.closedYears, 'closed-year total'),
    ...others.flatMap((metric) => muchRevised(metric, dataset, comparison, limits.closedYears.refuse)),
  ];
};

function muchRevised(
  metric: string,
  dataset: DatasetComparison,
  comparison: Comparison,
  refuse: number,
): readonly Suspicion[] {
  const { closedValues = 0, closedRevised = 0 } = dataset.metrics[metric] ?? {};
  if (closedRevised === 0) return [];
  const share = closedRevised / closedValues;
  const largest = dataset.revisions.find(
    (revision) => revision.metric === metric && isSettled(revision, comparison),
  );
  const example = largest === undefined ? '' : `, most of all ${told(largest)}`;
  const numbers = `${count(closedRevised)} of ${count(closedValues)} values of ${metric} in closed years were revised by more than 5 % (${percent(share)} of them; ${percent(refuse)} or more is refused)`;
  return [{ severity: share >= refuse ? 'refuse' : 'warn', message: `${numbers}${example}` }];
}

const isSettled = ({ key, from, to, relative }: Revision, { closedBefore }: Comparison) =>
  Number(key.year) < closedBefore &&
  !isForecast(String(key.temporal ?? '')) &&
  from !== null &&
  to !== null &&
  Math.abs(relative ?? 1) > 0.05;

function told({ key, from, to, relative }: Revision): string {
  const by = relative === null ? '' : ` (${change(relative)})`;
  return `${key.country} ${key.year} ${exact(from)} → ${exact(to)}${by}`;
}
