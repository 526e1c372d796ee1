// Guard `nulls`: values have become empty, or new rows have more empty values than rows had before.

import { datasetOf, metricNames } from '../../src/catalog/datasets.ts';
import type { DatasetComparison } from '../compare/types.ts';
import { count, counted } from '../messages/numbers.ts';
import type { Guard } from './guard.ts';

/** The number of withdrawn values that a message names. */
const NAMED = 3;

/** Fewer withdrawn values of a metric that does not add up are left to the report. */
const FEWEST_WITHDRAWN = 5;

/** A dataset has become emptier when the share of rows without a value has grown by this much. */
const EMPTIER = 0.001;

/** New rows that are as empty as the rows before them are not suspicious. */
export const nulls: Guard = (dataset, { verdicts }) =>
  metricNames(dataset.dataset).flatMap((metric) => {
    const { emptied = 0, nullsBefore = 0, nullsAfter = 0 } = dataset.metrics[metric] ?? {};
    const { before, after } = dataset.rows;
    const grew = nullsAfter / after - nullsBefore / before >= EMPTIER;
    const fewest = datasetOf(dataset.dataset).metrics[metric]?.addsUp === true ? 1 : FEWEST_WITHDRAWN;
    if (emptied < Math.min(fewest, before * EMPTIER) && !grew) return [];
    const reported = verdicts.filter(
      ({ pattern }) => pattern.family === 'emptied' && pattern.metric === metric,
    );
    // Where patterns report every withdrawn value, no count is needed.
    if (reported.length > 0 && reported.reduce((sum, { pattern }) => sum + pattern.cells, 0) >= emptied)
      return [];
    const counts = `${metric} is empty in ${count(nullsAfter)} of ${counted(after, 'row')}, in ${count(nullsBefore)} of ${count(before)} before`;
    return [
      {
        severity: 'warn' as const,
        message: `${counts}${withdrawn(metric, emptied, dataset)}`,
        country: onlyCountry(metric, emptied, dataset),
      },
    ];
  });

/** The country that all known withdrawn values belong to. */
function onlyCountry(metric: string, emptied: number, { revisions }: DatasetComparison): string | null {
  const known = revisions.filter((revision) => revision.metric === metric && revision.to === null);
  const countries = new Set(known.map(({ key }) => String(key.country)));
  const [only = null] = countries;
  return known.length === emptied && countries.size === 1 ? only : null;
}

function withdrawn(metric: string, emptied: number, { revisions }: DatasetComparison): string {
  if (emptied === 0) return '';
  const known = revisions.filter((revision) => revision.metric === metric && revision.to === null);
  const names = known.slice(0, NAMED).map(({ key }) => `${key.country} ${key.year}`);
  const rest = emptied - names.length;
  const more = rest > 0 ? `, and ${count(rest)} more` : '';
  return `; ${counted(emptied, 'value')} withdrawn (${names.join(', ')}${more})`;
}
