// Merges the verdicts on years that one country lost, in datasets where a country has one row a year: rates and indicators.

import { groupBy } from '../../src/basics/lists.ts';
import { datasetOf } from '../../src/catalog/datasets.ts';
import { MOST_EXAMPLES } from '../compare/patterns/types.ts';
import type { DatasetComparison, LostValue } from '../compare/types.ts';
import { FEWEST_CELLS } from './completeness.ts';
import type { Verdict } from './guard.ts';

/**
 * The verdicts on a dataset. For each country that lost years, one verdict replaces those on its lost rows. It refuses the
 * loss of three rows or more. A country that lost a single row, or another number of rows than years, keeps its verdicts.
 */
export function withGoneYears(verdicts: readonly Verdict[], dataset: DatasetComparison): readonly Verdict[] {
  if (datasetOf(dataset.dataset).dimensions.includes('product')) return verdicts;
  const years = groupBy(
    dataset.lost.filter(({ dimension }) => dimension === 'year'),
    ({ country }) => country,
  );
  return [...years].reduce((all, [country, lost]) => mergedIn(all, country, lost, dataset), verdicts);
}

/** The verdicts, in which one verdict stands in the place of all those on the rows that a country lost. */
function mergedIn(
  verdicts: readonly Verdict[],
  country: string,
  lost: readonly LostValue[],
  { breakdown }: DatasetComparison,
): readonly Verdict[] {
  const own = verdicts.filter((verdict) => isOfYears(verdict, country));
  const [first] = own;
  const cells = own.reduce((sum, { pattern }) => sum + pattern.cells, 0);
  if (first === undefined || cells < 2 || cells !== lost.length) return verdicts;
  const pattern = {
    ...first.pattern,
    place: { country },
    cells,
    of: breakdown.countries.find((one) => one.country === country)?.rows ?? cells,
    examples: own.flatMap((one) => one.pattern.examples).slice(0, MOST_EXAMPLES),
  };
  const merged: Verdict = {
    ...first,
    pattern,
    rule: 'vanished',
    severity: cells >= FEWEST_CELLS ? 'refuse' : 'warn',
    years: lost.map(({ value }) => Number(value)),
  };
  return verdicts
    .filter((one) => one === first || !own.includes(one))
    .map((one) => (one === first ? merged : one));
}

const isOfYears = ({ pattern: { family, forecast, place } }: Verdict, country: string): boolean =>
  family === 'gone' &&
  !forecast &&
  place.country === country &&
  Object.keys(place).every((dimension) => dimension === 'country' || dimension === 'year');
