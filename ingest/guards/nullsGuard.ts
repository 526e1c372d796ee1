// Guard `nulls`: values became empty, or a metric is empty in a larger share of the rows than before.

import { onlyOf } from '../../src/basics/lists.ts';
import { addTo } from '../../src/basics/maps.ts';
import { datasetOf, metricNames } from '../../src/catalog/datasets.ts';
import type { DatasetComparison } from '../compare/comparisonTypes.ts';
import type { Revision } from '../compare/revision.ts';
import { count, counted } from '../messages/numbers.ts';
import type { Guard } from './guard.ts';

const MOST_PLACES_NAMED = 3;

/**
 * The number of withdrawn values from which on a metric that does not add up is reported, or fewer if they are as many as
 * `EMPTIER_SHARE` of the rows. Otherwise the values are only listed in the report.
 */
const FEWEST_WITHDRAWN = 5;

/**
 * The share of empty rows must have grown by this amount. The number of empty rows must also have grown by this share of
 * all rows.
 */
const EMPTIER_SHARE = 0.001;

interface EmptiedMetric {
  readonly metric: string;
  /** The number of values that were withdrawn. */
  readonly emptied: number;
  readonly nullsBefore: number;
  readonly nullsAfter: number;
}

/**
 * Warns of each metric that lost values, or that is empty in a larger share of the rows. A few lost values of a metric that
 * does not add up are not reported. New rows may be as empty as the earlier rows.
 */
export const nullsGuard: Guard<EmptiedMetric, EmptiedMetric> = {
  find: ({ dataset, metrics, rows: { before, after } }) =>
    metricNames(dataset).flatMap((metric) => {
      const { emptied = 0, nullsBefore = 0, nullsAfter = 0 } = metrics[metric] ?? {};
      // The share alone also grows when rows with values are gone. Other guards report those rows.
      const grew =
        nullsAfter / after - nullsBefore / before >= EMPTIER_SHARE &&
        nullsAfter - nullsBefore >= EMPTIER_SHARE * after;
      const fewest = datasetOf(dataset).metrics[metric]?.addsUp === true ? 1 : FEWEST_WITHDRAWN;
      if (emptied < Math.min(fewest, before * EMPTIER_SHARE) && !grew) return [];
      return [{ metric, emptied, nullsBefore, nullsAfter }];
    }),
  gather: (found, dataset) =>
    found.map((about) => ({
      rule: 'nulls',
      severity: 'warn',
      country: onlyCountry(about, dataset),
      about,
    })),
  words: (about, dataset) => {
    const { metric, nullsBefore, nullsAfter } = about;
    const { before, after } = dataset.rows;
    const counts = `${metric} is empty in ${count(nullsAfter)} of ${counted(after, 'row')}, and was in ${count(nullsBefore)} of ${count(before)}`;
    return { message: `${counts}${withdrawnWords(about, dataset)}` };
  },
};

/** The country of all withdrawn values; null when they are of several countries, or when not all of them are listed. */
function onlyCountry({ metric, emptied }: EmptiedMetric, dataset: DatasetComparison): string | null {
  const known = withdrawnFrom(metric, dataset);
  return known.length === emptied ? onlyOf(known.map(({ key }) => String(key.country))) : null;
}

/** The withdrawn values of a metric that are listed. */
const withdrawnFrom = (metric: string, { revisions }: DatasetComparison): readonly Revision[] =>
  revisions.filter((revision) => revision.metric === metric && revision.to === null);

function withdrawnWords({ metric, emptied }: EmptiedMetric, dataset: DatasetComparison): string {
  if (emptied === 0) return '';
  const places = new Map<string, number>();
  for (const { key } of withdrawnFrom(metric, dataset)) addTo(places, `${key.country} ${key.year}`, 1);
  const shown = [...places].slice(0, MOST_PLACES_NAMED);
  const names = shown.map(([name, values]) => (values === 1 ? name : `${name}: ${count(values)}`));
  const unlisted = emptied - shown.reduce((sum, [, values]) => sum + values, 0);
  const more = unlisted > 0 ? ` and ${count(unlisted)} more` : '';
  return `; ${counted(emptied, 'value')} withdrawn (${names.join(', ')}${more})`;
}
