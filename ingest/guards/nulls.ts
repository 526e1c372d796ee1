// Guard `nulls`: values that were there are empty now, or new rows are emptier than rows used to be.

import { metricNames } from '../../src/catalog/datasets.ts';
import type { DatasetComparison } from '../compare/types.ts';
import { count, counted } from '../messages/numbers.ts';
import type { Guard } from './guard.ts';

/** How many withdrawn values are named. */
const NAMED = 3;

/** New rows that are as empty as those before them say nothing: a dataset grows as it is. */
export const nulls: Guard = (dataset, { verdicts }) =>
  metricNames(dataset.dataset).flatMap((metric) => {
    const { emptied = 0, nullsBefore = 0, nullsAfter = 0 } = dataset.metrics[metric] ?? {};
    const { before, after } = dataset.rows;
    const grew = nullsAfter > nullsBefore && nullsAfter / after > nullsBefore / before;
    if (emptied === 0 && !grew) return [];
    const told = verdicts.filter(({ pattern }) => pattern.family === 'emptied' && pattern.metric === metric);
    // Where patterns tell of every withdrawn value, no count of them is wanted besides.
    if (told.length > 0 && told.reduce((sum, { pattern }) => sum + pattern.cells, 0) >= emptied) return [];
    const counts = `${metric} is empty in ${count(nullsAfter)} of ${counted(after, 'row')}, in ${count(nullsBefore)} of ${count(before)} before`;
    return [{ severity: 'warn' as const, message: `${counts}${withdrawn(metric, emptied, dataset)}` }];
  });

function withdrawn(metric: string, emptied: number, { revisions }: DatasetComparison): string {
  if (emptied === 0) return '';
  const known = revisions.filter((revision) => revision.metric === metric && revision.to === null);
  const names = known.slice(0, NAMED).map(({ key }) => `${key.country} ${key.year}`);
  const rest = emptied - names.length;
  const more = rest > 0 ? `, and ${count(rest)} more` : '';
  return `; ${counted(emptied, 'value')} withdrawn (${names.join(', ')}${more})`;
}
