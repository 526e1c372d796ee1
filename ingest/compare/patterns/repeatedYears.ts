// Finds reported figures of a market that now repeat the year before or after it, where too few do for a refusal.
//
// `copiedFigures.ts` finds copies of most changed figures of a country. A market whose year was carried forward, or two of
// whose years were exchanged, has fewer.

import { groupBy } from '../../../src/basics/lists.ts';
import { hasDigits } from '../../figures/digits.ts';
import { GroupNumbers, groupedItems } from '../rows/groupNumbers.ts';
import { CHANGE_KIND } from '../rows/matchedRows.ts';
import type { Change, PatternSearch } from './cellChanges.ts';
import { describePattern } from './describePattern.ts';
import { rowsWithValues } from './equalValues.ts';
import type { Pattern } from './patternTypes.ts';
import { namedPairs, pairsOf } from './valuePairs.ts';

/** From this number of digits on, chance does not explain that a single figure is that of the year before. */
const FEWEST_DIGITS = 7;

interface RepeatedFigure {
  readonly change: Change;
  readonly country: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Finds revised figures of ggr and turnover that repeat the year before or after, as that year stood on the earlier side.
 * Gives one pattern for each country.
 */
export function findRepeatedYears(search: PatternSearch): Pattern[] {
  const { matched, changes } = search;
  const { codes, metrics } = matched;
  if (!codes.has('fx')) return [];
  const isReported = (change: Change) =>
    changes.forecast[change] === 0 && hasDigits(changes.now(change), FEWEST_DIGITS);
  const suspects = changes.unexplained(CHANGE_KIND.revised, isReported);
  return [...groupBy(repeatedIn(search, suspects), ({ country }) => country)].map(([country, repeated]) => {
    const cells = repeated.map(({ change }) => change);
    changes.explain(cells);
    return describePattern(
      search,
      {
        family: 'repeated',
        metric: metrics[0] ?? null,
        place: { country: codes.valueOf('country', country) },
        between: { dimension: 'year', pairs: namedPairs(codes, 'year', pairsOf(repeated)) },
      },
      cells,
    );
  });
}

function repeatedIn({ matched, changes }: PatternSearch, suspects: readonly Change[]): RepeatedFigure[] {
  const { codes, before } = matched;
  const rows = rowsWithValues(before, Float64Array.from(suspects, (change) => changes.now(change)).sort());
  if (rows.length === 0) return [];
  const groups = GroupNumbers.without(codes, 'year', 'temporal');
  const groupOf = changes.addToGroups(groups, suspects);
  const { items, starts } = groupedItems(groups.ofRows(before, rows), groups.count);
  const years = before.codes('year');
  return suspects.flatMap((change, i) => {
    const to = changes.code('year', change);
    const group = groupOf[i] as number;
    for (let item = starts[group] as number; item < (starts[group + 1] as number); item += 1) {
      const row = rows[items[item] as number] as number;
      const from = years[row] as number;
      const distance = Number(codes.valueOf('year', from)) - Number(codes.valueOf('year', to));
      if (Math.abs(distance) === 1 && before.value(0, row) === changes.now(change))
        return [{ change, country: changes.code('country', change), from, to }];
    }
    return [];
  });
}
