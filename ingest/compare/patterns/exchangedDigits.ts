// Finds a percentage of a closed year in which somebody exchanged two digits, such as 9.5 instead of 5.9.

import { groupBy } from '../../../src/basics/lists.ts';
import { metricUnit } from '../../../src/catalog/datasets.ts';
import { CHANGE_KIND } from '../rows/matchedRows.ts';
import { cellsByMetric, type PatternSearch } from './cellChanges.ts';
import { describePattern } from './describePattern.ts';
import type { Pattern } from './patternTypes.ts';

/** The percentage points by which the figure must move. A smaller revision may exchange two digits by chance. */
const FEWEST_POINTS = 0.5;

/** Finds a country's only revised percentage of closed years, if the revision exchanged two of its digits. */
export function findExchangedDigits(search: PatternSearch): Pattern[] {
  const { changes, matched } = search;
  const { codes } = matched;
  const settled = changes.unexplained(CHANGE_KIND.revised, (change) => changes.settled[change] === 1);
  return cellsByMetric(search, settled).flatMap(({ metric, cells }) => {
    if (metricUnit(codes.dataset, metric) !== 'percent') return [];
    const byCountry = groupBy(cells, (change) => changes.code('country', change));
    return [...byCountry.values()].flatMap((own) => {
      const [change] = own;
      const [from, to] = [changes.old(change), changes.now(change)];
      if (own.length > 1 || Math.abs(to - from) < FEWEST_POINTS || !areExchanged(from, to)) return [];
      changes.explain(own);
      const { country = '', year = 0 } = changes.dimensionsOf(change);
      return [describePattern(search, { family: 'digits', metric, place: { country, year } }, own)];
    });
  });
}

/** Whether two numbers are the same but for two neighbouring digits that changed places, such as 5.9 and 9.5. */
function areExchanged(from: number, to: number): boolean {
  const [a, b] = [String(from), String(to)];
  if (a.length !== b.length) return false;
  const differing = [...a].flatMap((digit, i) => (digit === b[i] ? [] : [i]));
  const [first = 0, second = 0] = differing;
  // A decimal point may stand between neighbours, and is in the same place in both.
  return (
    differing.length === 2 &&
    a.indexOf('.') === b.indexOf('.') &&
    a[first] === b[second] &&
    a[second] === b[first] &&
    a.slice(first, second).replace('.', '').length === 1
  );
}
