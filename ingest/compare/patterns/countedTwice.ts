// Finds new rows that count a figure twice, because a row of the same series and year exists already.

import { GroupNumbers, groupedItems, NO_GROUP } from '../rows/groupNumbers.ts';
import { CHANGE_KIND } from '../rows/matchedRows.ts';
import { allRowsWhere } from '../rows/rowLists.ts';
import type { Change, PatternSearch } from './cellChanges.ts';
import { patternsByCountry } from './patternsByCountry.ts';
import type { Pattern } from './patternTypes.ts';

/** Finds new rows that differ from another row in `temporal` or `calculation` only. Sums count the figures of both. */
export function findCountedTwice(search: PatternSearch): Pattern[] {
  const { matched, changes } = search;
  const { codes, after } = matched;
  return (['temporal', 'calculation'] as const).flatMap((dimension) => {
    const fresh = changes.unexplained(CHANGE_KIND.added);
    if (fresh.length === 0 || !codes.has(dimension) || codes.size(dimension) < 2) return [];
    const groups = GroupNumbers.without(codes, dimension);
    const { starts, items } = groupedItems(changes.addToGroups(groups, fresh), groups.count);
    const countries = new Set(fresh.map((change) => changes.code('country', change)));
    const [country, values] = [after.codes('country'), after.codes(dimension)];
    const near = allRowsWhere(after, (row) => countries.has(country[row] as number));
    const groupOf = groups.ofRows(after, near);
    const found = new Set<Change>();
    for (let r = 0; r < near.length; r += 1) {
      const group = groupOf[r] as number;
      if (group === NO_GROUP) continue;
      for (let item = starts[group] as number; item < (starts[group + 1] as number); item += 1) {
        const change = fresh[items[item] as number] as Change;
        if (changes.code(dimension, change) !== values[near[r] as number]) found.add(change);
      }
    }
    return patternsByCountry(search, { family: 'twice' }, [...found]);
  });
}
