// Finds renamed rows of a country: they vanished, and appeared with the same numbers under another value.

import { getOrInsert } from '../../../src/basics/maps.ts';
import { type DimensionName, isText } from '../../../src/catalog/datasets.ts';
import type { RenamedValue } from '../comparisonTypes.ts';
import { areNearlyEqual } from '../renamedValues.ts';
import { GroupNumbers, groupedItems, NO_GROUP } from '../rows/groupNumbers.ts';
import { CHANGE_KIND, isNonZero } from '../rows/matchedRows.ts';
import type { Change, PatternSearch } from './cellChanges.ts';
import { describePattern } from './describePattern.ts';
import { groupedByCountry } from './patternsByCountry.ts';
import type { Pattern } from './patternTypes.ts';
import { namedPairs, pairsOf } from './valuePairs.ts';

/** Dimensions whose value rightly changes as a figure becomes final, for example from estimated to reported. */
const MATURING: readonly DimensionName[] = ['calculation'];

/**
 * Rows whose `calculation` changed were renamed only if they are of at least this number of closed years of their country.
 * So many years do not become final in one month.
 */
const MANY_CLOSED_YEARS = 5;

interface RenamedRow {
  readonly removed: Change;
  readonly added: Change;
  readonly country: number;
  readonly from: number;
  readonly to: number;
}

/**
 * The patterns of renamed rows. Rows of `renamedValues` are only marked as explained. Their value vanished from the whole
 * dataset, and the guard `renamed` reports it.
 */
export function findRenamedRows(search: PatternSearch, renamedValues: readonly RenamedValue[]): Pattern[] {
  const { changes } = search;
  const { codes } = search.matched;
  return codes.dimensions.filter(isText).flatMap((dimension) => {
    const renamings = renamedRowsOf(search, dimension);
    const closedYears = MATURING.includes(dimension) ? closedYearsOf(search, renamings) : null;
    const isRenamedValue = (from: string, to: string) =>
      renamedValues.some((one) => one.dimension === dimension && one.from === from && one.to === to);
    const isReportedHere = ({ country, from, to }: RenamedRow) =>
      (closedYears === null || (closedYears.get(country)?.size ?? 0) >= MANY_CLOSED_YEARS) &&
      !isRenamedValue(codes.textOf(dimension, from), codes.textOf(dimension, to));
    if (renamings.length === 0) return [];
    const concerned = rowsGoneWith(search, dimension, renamings);
    const found = groupedByCountry(renamings.filter(isReportedHere), ({ country }) => country, codes).map(
      ({ place, items }) => {
        const removed = [...new Set(items.map((one) => one.removed))];
        return describePattern(
          search,
          {
            family: 'renamed',
            place,
            between: { dimension, pairs: namedPairs(codes, dimension, pairsOf(items)) },
            of: Math.max(removed.length, concerned),
          },
          removed,
        );
      },
    );
    changes.explain(renamings.flatMap(({ removed, added }) => [removed, added]));
    return found;
  });
}

/** For each country, the closed years with renamed rows. */
function closedYearsOf(
  { changes }: PatternSearch,
  renamings: readonly RenamedRow[],
): ReadonlyMap<number, ReadonlySet<number>> {
  const found = new Map<number, Set<number>>();
  for (const { removed, country } of renamings) {
    if (changes.settled[removed] !== 1) continue;
    getOrInsert(found, country, () => new Set()).add(changes.code('year', removed));
  }
  return found;
}

/** How many vanished rows have a country and a value of some renaming, whether or not the row itself was renamed. */
function rowsGoneWith(
  { matched: { codes }, changes }: PatternSearch,
  dimension: DimensionName,
  renamings: readonly RenamedRow[],
): number {
  const countries = codes.size('country');
  const losers = new Set(renamings.map(({ country, from }) => from * countries + country));
  return changes.unexplained(CHANGE_KIND.removed, (change) =>
    losers.has(changes.code(dimension, change) * countries + changes.code('country', change)),
  ).length;
}

function renamedRowsOf(
  { matched: { codes }, changes }: PatternSearch,
  dimension: DimensionName,
): RenamedRow[] {
  const removed = changes.unexplained(CHANGE_KIND.removed, (change) => isNonZero(changes.old(change)));
  const added = changes.unexplained(CHANGE_KIND.added);
  if (removed.length === 0 || added.length === 0) return [];
  const groups = GroupNumbers.without(codes, dimension);
  const { starts, items } = groupedItems(changes.addToGroups(groups, removed), groups.count);
  const groupOf = changes.groupsIn(groups, added);
  const found: RenamedRow[] = [];
  for (let at = 0; at < added.length; at += 1) {
    const [group, fresh] = [groupOf[at] as number, added[at] as Change];
    if (group === NO_GROUP) continue;
    for (let item = starts[group] as number; item < (starts[group + 1] as number); item += 1) {
      const old = removed[items[item] as number] as Change;
      if (!areNearlyEqual(changes.old(old), changes.now(fresh))) continue;
      found.push({
        removed: old,
        added: fresh,
        country: changes.code('country', old),
        from: changes.code(dimension, old),
        to: changes.code(dimension, fresh),
      });
    }
  }
  return found;
}
