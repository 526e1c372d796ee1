// Guard `nulls`: values that were there are empty now, or new rows are emptier than rows used to be.

import { datasetOf, metricNames } from '../../src/catalog/datasets.ts';
import type { DatasetComparison } from '../compare/types.ts';
import { count, counted } from '../messages/numbers.ts';
import type { Guard } from './guard.ts';

/** How many withdrawn values are named. */
const NAMED = 3;

/** Of a metric that does not add up, fewer withdrawn values of all countries are told in the report alone. */
const FEWEST = 5;

/** A dataset is emptier when this part more of its rows lacks a value. */
const EMPTIER = 0.001;

/** New rows that are as empty as those before them say nothing: a dataset grows as it is. */
export const nulls: Guard = (dataset, { verdicts }) =>
  metricNames(dataset.dataset).flatMap((metric) => {
    const { emptied = 0, nullsBefore = 0, nullsAfter = 0 } = dataset.metrics[metric] ?? {};
    const { before, after } = dataset.rows;
    const grew = nullsAfter / after - nullsBefore / before >= EMPTIER;
    const fewest = datasetOf(dataset.dataset).metrics[metric]?.addsUp === true ? 1 : FEWEST;
    if (emptied < Math.min(fewest, before * EMPTIER) && !grew) return [];
    const told = verdicts.filter(({ pattern }) => pattern.family === 'emptied' && pattern.metric === metric);
    // Where patterns tell of every withdrawn value, no count of them is wanted besides.
    if (told.length > 0 && told.reduce((sum, { pattern }) => sum + pattern.cells, 0) >= emptied) return [];
    const counts = `${metric} is empty in ${count(nullsAfter)} of ${counted(after, 'row')}, in ${count(nullsBefore)} of ${count(before)} before`;
    return [
      {
        severity: 'warn' as const,
        message: `${counts}${withdrawn(metric, emptied, dataset)}`,
        country: onlyCountry(metric, emptied, dataset),
      },
    ];
  });

/** The country of which all withdrawn values are, as far as they are known. */
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
