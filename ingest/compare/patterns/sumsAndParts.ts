// Finds new rows that equal the sum of other rows: totals that were entered among their parts.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import type { CodeArray } from '../rows/codedRows.ts';
import { GroupNumbers, NO_GROUP } from '../rows/groupNumbers.ts';
import { CHANGE_KIND } from '../rows/matchedRows.ts';
import type { Change, PatternSearch } from './cellChanges.ts';
import { type NewRowPlaces, newRowPlaces, PLACE_DIMENSIONS, rowsBesideNewRows } from './newRowPlaces.ts';
import { patternsByCountry } from './patternsByCountry.ts';
import type { Pattern } from './patternTypes.ts';
import { findSplitRows } from './splitRows.ts';

/** How far a total may differ from the sum of its parts because of rounding, as a share of the total. */
const ROUNDING_SHARE = 0.0005;

/** The sets of dimensions, beside the place, in which a total agrees with its parts. They are tried one after the other. */
const AGREEING: readonly (readonly DimensionName[])[] = [
  [],
  ['category'],
  ['product'],
  ['channel'],
  ['sub_channel'],
  ['category', 'channel'],
  ['product', 'channel'],
];

/** The dimensions in which the row of a nation agrees with the rows of its states. */
const ALL_BUT_STATE: readonly DimensionName[] = [
  'country',
  'year',
  'fx',
  'category',
  'product',
  'channel',
  'sub_channel',
];

/** The patterns of new rows that are totals among their parts, and of new rows that are the parts of a row that stayed. */
export function findSumsAndParts(search: PatternSearch): Pattern[] {
  const fresh = search.changes.unexplained(CHANGE_KIND.added);
  if (fresh.length === 0 || !search.matched.codes.has('product')) return [];
  const siblings = rowsBesideNewRows(search, fresh);
  const places = newRowPlaces(search, fresh, siblings);
  return [...findSums(search, fresh, siblings, places), ...findSplitRows(search, places)];
}

function findSums(
  search: PatternSearch,
  fresh: readonly Change[],
  siblings: Int32Array,
  places: NewRowPlaces,
): readonly Pattern[] {
  const found = new Set<Change>();
  const room = new Int32Array(places.list.length);
  for (const agreeing of AGREEING) {
    // In a whole place, a row that equals the only other row counts it twice. Elsewhere, a total needs two parts.
    const fewestParts = agreeing.length === 0 ? 1 : 2;
    for (const change of totalsInPlaces(search, fresh, { ...places, room }, { agreeing, fewestParts }))
      found.add(change);
  }
  const nations = { agreeing: ALL_BUT_STATE, fewestParts: 2 };
  for (const change of totalsAmong(search, fresh, siblings, nations)) found.add(change);
  return patternsByCountry(search, { family: 'sums' }, inMostOfSeries(search, fresh, found));
}

/**
 * The share of a market's new rows that must be totals. In single years, rounded figures may be the sum of others by
 * chance.
 */
const LEAST_SHARE = 0.5;

/** The totals in markets where at least half of the new rows are totals. */
function inMostOfSeries(
  { matched: { codes }, changes }: PatternSearch,
  fresh: readonly Change[],
  found: ReadonlySet<Change>,
): readonly Change[] {
  const markets = GroupNumbers.without(codes, 'year', 'fx', 'temporal');
  const marketOf = changes.addToGroups(markets, fresh);
  const [all, totals] = [new Int32Array(markets.count), new Int32Array(markets.count)];
  for (const [at, change] of fresh.entries()) {
    const market = marketOf[at] as number;
    all[market] = (all[market] as number) + 1;
    if (found.has(change)) totals[market] = (totals[market] as number) + 1;
  }
  return fresh.filter((change, at) => {
    const market = marketOf[at] as number;
    return found.has(change) && (totals[market] as number) >= LEAST_SHARE * (all[market] as number);
  });
}

interface TotalTerms {
  /** The dimensions in which the parts agree with the total. */
  readonly agreeing: readonly DimensionName[];
  readonly fewestParts: number;
}

/** The most groups whose sums are stored in arrays. Arrays for this number of groups take 12 MB. */
const MOST_GROUPS = 1_000_000;

/**
 * The new rows that are the sum of the other rows of their place that agree with them in the dimensions `agreeing`. `room`
 * is for the group of each row of the list.
 */
function totalsInPlaces(
  search: PatternSearch,
  fresh: readonly Change[],
  { ofFresh, count, list, placeOf, room }: NewRowPlaces & { readonly room: Int32Array },
  { agreeing, fewestParts }: TotalTerms,
): readonly Change[] {
  const { matched, changes } = search;
  const { codes, after } = matched;
  const groups = agreeing.reduce((product, dimension) => product * codes.size(dimension), count);
  if (groups > MOST_GROUPS)
    return totalsAmong(search, fresh, list, { agreeing: [...PLACE_DIMENSIONS, ...agreeing], fewestParts });
  const groupOfFresh = ofFresh.slice();
  let groupOf = placeOf;
  for (const dimension of agreeing) {
    const size = codes.size(dimension);
    splitGroups(room, groupOf, list, after.codes(dimension), size);
    groupOf = room;
    addCodesOfChanges(groupOfFresh, fresh, (change) => changes.code(dimension, change), size);
  }
  const sums = sumsOf(groups);
  addUp(sums, groupOf, list, after.values(0));
  return totalsAt(search, fresh, groupOfFresh, sums, fewestParts);
}

/** Splits the group of each listed row by the code that the row has in one more dimension. */
function splitGroups(
  into: Int32Array,
  groupOf: Int32Array,
  list: Int32Array,
  codes: CodeArray,
  size: number,
): void {
  for (let i = 0; i < list.length; i += 1)
    into[i] = (groupOf[i] as number) * size + (codes[list[i] as number] as number);
}

/** Splits the group of each new row by the code that the row has in one more dimension. */
function addCodesOfChanges(
  groupOf: Int32Array,
  fresh: readonly Change[],
  codeOf: (change: Change) => number,
  size: number,
): void {
  for (let at = 0; at < fresh.length; at += 1)
    groupOf[at] = (groupOf[at] as number) * size + codeOf(fresh[at] as Change);
}

/**
 * The new rows that are the sum of all siblings that agree with them in the dimensions `agreeing`. The siblings may be in
 * another place.
 */
function totalsAmong(
  search: PatternSearch,
  fresh: readonly Change[],
  siblings: Int32Array,
  { agreeing, fewestParts }: TotalTerms,
): readonly Change[] {
  const { codes, after } = search.matched;
  const groups = new GroupNumbers(codes, agreeing);
  const groupOfFresh = search.changes.addToGroups(groups, fresh);
  const sums = sumsOf(groups.count);
  // Groups without a new row get no number, so only rows that may be parts of a new row are added up.
  groups.eachBatch(after, siblings, (batch, groupOf) => addUp(sums, groupOf, batch, after.values(0)));
  return totalsAt(search, fresh, groupOfFresh, sums, fewestParts);
}

/** The total of each group, and the number of its rows. */
interface SumsOfGroups {
  readonly totals: Float64Array;
  readonly counts: Int32Array;
}

const sumsOf = (groups: number): SumsOfGroups => ({
  totals: new Float64Array(groups),
  counts: new Int32Array(groups),
});

/** The new rows that equal the sum of their group, if the group has enough parts. */
function totalsAt(
  { changes }: PatternSearch,
  fresh: readonly Change[],
  groupOfFresh: Int32Array,
  { totals, counts }: SumsOfGroups,
  fewestParts: number,
): readonly Change[] {
  return fresh.filter((change, at) => {
    const group = groupOfFresh[at] as number;
    const [total, value] = [totals[group] as number, changes.now(change)];
    const isTotal = Math.abs(value - total) <= ROUNDING_SHARE * Math.abs(total);
    return (counts[group] as number) >= fewestParts && value !== 0 && isTotal;
  });
}

/** Adds the value of each listed row to the total of its group, and counts it there. */
function addUp(
  { totals, counts }: SumsOfGroups,
  groupOf: Int32Array,
  list: Int32Array,
  values: Float64Array,
): void {
  for (let i = 0; i < list.length; i += 1) {
    const group = groupOf[i] as number;
    if (group === NO_GROUP) continue;
    totals[group] = (totals[group] as number) + (values[list[i] as number] as number);
    counts[group] = (counts[group] as number) + 1;
  }
}
