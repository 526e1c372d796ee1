// Finds new rows that add up to a row that stayed: a product was split, and its own rows were kept beside its parts.

import { groupBy } from '../../../src/basics/lists.ts';
import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { GroupNumbers, groupedItems, NO_GROUP } from '../rows/groupNumbers.ts';
import { CHANGE_KIND, type MatchedRows } from '../rows/matchedRows.ts';
import { addedRows, rowsWhere } from '../rows/rowLists.ts';
import type { Change, PatternSearch } from './cellChanges.ts';
import { describePattern } from './describePattern.ts';
import type { NewRowPlaces } from './newRowPlaces.ts';
import { groupedByCountry } from './patternsByCountry.ts';
import type { Pattern } from './patternTypes.ts';
import { namedPairs, pairsOf } from './valuePairs.ts';

/** How far a row may differ from the sum of its parts because of rounding, as a share of the row. */
const ROUNDING_SHARE = 0.0005;

/**
 * A country's new rows count as parts of a value if they add up to at least this number of its rows, and to at least this
 * share of its rows that have two or more new rows beside them.
 */
const FEWEST_SUMS = 4;
const LEAST_SHARE = 0.5;

type Differing = readonly [DimensionName, ...DimensionName[]];

/**
 * The dimensions in which the parts may differ from the row that has their sum. States are left out, because a nation is
 * rightly the sum of its states.
 */
const DIFFERING: readonly Differing[] = [
  ['product'],
  ['product', 'category'],
  ['sub_channel'],
  ['sub_channel', 'channel'],
];

/**
 * The patterns of new rows, two or more together, whose sum is a row that both sides have.
 *
 * @param places The places of the new rows, and the rows with a value in them.
 */
export function findSplitRows(search: PatternSearch, places: NewRowPlaces): Pattern[] {
  const { matched, changes } = search;
  const stayed = stayedRows(matched, places);
  return DIFFERING.flatMap((differing) => {
    const fresh = changes.unexplained(CHANGE_KIND.added);
    if (fresh.length < 2 * FEWEST_SUMS) return [];
    const [dimension] = differing;
    const parts = partsIn(search, { fresh, stayed }, differing);
    changes.explain(parts.map(({ part }) => part));
    return groupedByCountry(parts, ({ country }) => country, matched.codes).map(({ place, items }) => {
      const between = { dimension, pairs: namedPairs(matched.codes, dimension, pairsOf(items)) };
      return describePattern(
        search,
        { family: 'parts', place, between },
        items.map(({ part }) => part),
      );
    });
  });
}

/** The rows that both sides have, whose value is not 0, in places with two new rows or more. */
function stayedRows(
  { after, changed }: MatchedRows,
  { ofFresh, count, list, placeOf }: NewRowPlaces,
): Int32Array {
  const isNew = new Uint8Array(after.count);
  for (const row of addedRows(changed)) isNew[row] = 1;
  const newRows = new Int32Array(count);
  for (const place of ofFresh) newRows[place] = (newRows[place] as number) + 1;
  return rowsWhere(
    list,
    (row, i) =>
      (newRows[placeOf[i] as number] as number) >= 2 && isNew[row] === 0 && after.value(0, row) !== 0,
  );
}

/** A new row that is a part of a row that stayed. `from` and `to` are the codes of that row and of the part. */
interface Part {
  readonly part: Change;
  readonly country: number;
  readonly from: number;
  readonly to: number;
}

interface Candidates {
  /** New rows that no pattern explains. */
  readonly fresh: readonly Change[];
  /** Rows of the later side that stayed, and may be the sum of new rows. */
  readonly stayed: Int32Array;
}

/** The new rows that agree in all dimensions but `differing`, and add up to a row that stayed. */
function partsIn(search: PatternSearch, candidates: Candidates, differing: Differing): readonly Part[] {
  const { after } = search.matched;
  const [dimension] = differing;
  const byValue = groupBy(
    splitsIn(search, candidates, differing),
    ({ row }) => `${after.code('country', row)} ${after.code(dimension, row)}`,
  );
  const found = new Map<Change, Part>();
  for (const splits of byValue.values()) {
    const sums = splits.filter(({ isSum }) => isSum);
    if (sums.length < FEWEST_SUMS || sums.length < LEAST_SHARE * splits.length) continue;
    for (const { row, parts } of sums)
      for (const part of parts)
        found.set(part, {
          part,
          country: after.code('country', row),
          from: after.code(dimension, row),
          to: search.changes.code(dimension, part),
        });
  }
  return [...found.values()];
}

/** A row that stayed beside two new rows or more, which may be its parts. */
interface Split {
  readonly row: number;
  readonly parts: readonly Change[];
  readonly isSum: boolean;
}

function splitsIn(
  { matched, changes }: PatternSearch,
  { fresh, stayed }: Candidates,
  differing: Differing,
): readonly Split[] {
  const { codes, after } = matched;
  const groups = GroupNumbers.without(codes, ...differing);
  const { starts, items } = groupedItems(changes.addToGroups(groups, fresh), groups.count);
  const partsOf = (group: number) => items.subarray(starts[group], starts[group + 1]);
  const groupOf = groups.ofRows(after, stayed);
  const found: Split[] = [];
  for (let i = 0; i < stayed.length; i += 1) {
    const [row, group] = [stayed[i] as number, groupOf[i] as number];
    if (group === NO_GROUP || partsOf(group).length < 2) continue;
    const parts = Array.from(partsOf(group), (at) => fresh[at] as Change);
    const [value, sum] = [after.value(0, row), parts.reduce((total, part) => total + changes.now(part), 0)];
    const isSum = Math.abs(sum - value) <= ROUNDING_SHARE * Math.abs(value);
    found.push({ row, parts, isSum });
  }
  return found;
}
