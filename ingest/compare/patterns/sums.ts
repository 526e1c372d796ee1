// Finds new rows that equal the sum of other rows: totals that were entered among their parts.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { Groups, NO_GROUP } from '../rows/groups.ts';
import { KIND } from '../rows/matchedRows.ts';
import type { CodeArray, Rows } from '../rows/rows.ts';
import { patternsByCountry } from './byCountry.ts';
import type { Search, Shift } from './shifts.ts';
import type { Pattern } from './types.ts';

/** How far a total may differ from the sum of its parts because of rounding, as a share of the total. */
const ROUNDED = 0.0005;

/** The dimensions that form the place of a row. A total and its parts are in one place. */
const WHOLE: readonly DimensionName[] = ['country', 'year', 'fx', 'state'];

/** The other dimensions in which a total may agree with its parts. */
const TOTAL_OF: readonly (readonly DimensionName[])[] = [
  [],
  ['category'],
  ['product'],
  ['channel'],
  ['sub_channel'],
  ['category', 'channel'],
  ['product', 'channel'],
];

/** The dimensions in which the row of a nation agrees with those of its states. */
const ALL_BUT_STATE: readonly DimensionName[] = [
  'country',
  'year',
  'fx',
  'category',
  'product',
  'channel',
  'sub_channel',
];

/** The patterns of new rows that are totals among their parts. */
export function findSums(search: Search): Pattern[] {
  const { matched, rows, shifts } = search;
  const { codes, after } = matched;
  if (rows.added === 0 || !codes.has('product')) return [];
  const fresh = shifts.unexplained(KIND.added);
  if (fresh.length === 0) return [];
  const siblings = siblingsOf(search, fresh);
  const groups = new Groups(codes, WHOLE);
  const ofFresh = shifts.addTo(groups, fresh);
  const places = { ofFresh, count: groups.count, ...inGroups(siblings, groups.ofRows(after, siblings)) };
  const found = new Set<Shift>();
  for (const part of TOTAL_OF) {
    // A row that equals the only other row of its whole place counts it twice. Elsewhere, a total needs two parts.
    const fewest = part.length === 0 ? 1 : 2;
    for (const i of totalsInPlaces(search, fresh, places, part, fewest)) found.add(i);
  }
  for (const i of totalsAmong(search, fresh, siblings, ALL_BUT_STATE, 2)) found.add(i);
  return patternsByCountry(
    search,
    'sums',
    [...found].sort((a, b) => a - b),
  );
}

/** The places of new rows, and the other rows in them. */
interface Places {
  /** The place of each new row. */
  readonly ofFresh: Int32Array;
  /** How many places there are. */
  readonly count: number;
  /** The other rows. */
  readonly list: Int32Array;
  /** The place of each row of `list`. */
  readonly placeOf: Int32Array;
}

/** The most parts of places for which sums are kept in arrays, which then take 12 MB. */
const MOST_PARTS = 1_000_000;

/** The new rows that are the sum of at least `fewest` rows which agree with them in their place and in the dimensions `part`. */
function totalsInPlaces(
  search: Search,
  fresh: readonly Shift[],
  { ofFresh, count, list, placeOf }: Places,
  part: readonly DimensionName[],
  fewest: number,
): readonly Shift[] {
  const { matched, shifts } = search;
  const { codes, after } = matched;
  const most = part.reduce((product, dimension) => product * codes.size(dimension), count);
  if (most > MOST_PARTS) return totalsAmong(search, fresh, list, [...WHOLE, ...part], fewest);
  const [groupOf, groupOfFresh] = [placeOf.slice(), ofFresh.slice()];
  for (const dimension of part) {
    const size = codes.size(dimension);
    addCodes(groupOf, list, after.codes(dimension), size);
    for (const [f, i] of fresh.entries())
      groupOfFresh[f] = (groupOfFresh[f] as number) * size + shifts.code(dimension, i);
  }
  return totalsIn(search, fresh, { groupOf, groupOfFresh, groups: most }, list, fewest);
}

/** Splits the group of each listed row by the code that the row has in one more dimension. */
function addCodes(groupOf: Int32Array, list: Int32Array, codes: CodeArray, size: number): void {
  for (let i = 0; i < list.length; i += 1)
    groupOf[i] = (groupOf[i] as number) * size + (codes[list[i] as number] as number);
}

/** The new rows that are the sum of at least `fewest` rows which agree with them in the dimensions `place`. */
function totalsAmong(
  search: Search,
  fresh: readonly Shift[],
  siblings: Int32Array,
  place: readonly DimensionName[],
  fewest: number,
): readonly Shift[] {
  const { codes, after } = search.matched;
  const groups = new Groups(codes, place);
  const groupOfFresh = search.shifts.addTo(groups, fresh);
  // Only rows of which a new row could be the total are added up.
  const groupOf = groups.ofRows(after, siblings);
  return totalsIn(search, fresh, { groupOf, groupOfFresh, groups: groups.count }, siblings, fewest);
}

interface Grouped {
  /** The group of each row of the list. */
  readonly groupOf: Int32Array;
  /** The group of each new row. */
  readonly groupOfFresh: Int32Array;
  readonly groups: number;
}

function totalsIn(
  { matched: { after }, shifts }: Search,
  fresh: readonly Shift[],
  { groupOf, groupOfFresh, groups }: Grouped,
  list: Int32Array,
  fewest: number,
): readonly Shift[] {
  const [totals, counts] = [new Float64Array(groups), new Int32Array(groups)];
  addUp(totals, counts, groupOf, list, after.values(0));
  return fresh.filter((i, f) => {
    const group = groupOfFresh[f] as number;
    const [total, value] = [totals[group] as number, shifts.after[i] as number];
    const isTotal = Math.abs(value - total) <= ROUNDED * Math.abs(total);
    return (counts[group] as number) >= fewest && value !== 0 && isTotal;
  });
}

function addUp(
  totals: Float64Array,
  counts: Int32Array,
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

/** The rows of a list that are in some group, and their groups. */
function inGroups(list: Int32Array, groupOf: Int32Array): Pick<Places, 'list' | 'placeOf'> {
  const [found, places] = [new Int32Array(list.length), new Int32Array(list.length)];
  const count = takeGrouped(found, places, list, groupOf);
  return { list: found.subarray(0, count), placeOf: places.subarray(0, count) };
}

function takeGrouped(found: Int32Array, places: Int32Array, list: Int32Array, groupOf: Int32Array): number {
  let count = 0;
  for (let i = 0; i < list.length; i += 1) {
    const group = groupOf[i] as number;
    if (group === NO_GROUP) continue;
    found[count] = list[i] as number;
    places[count] = group;
    count += 1;
  }
  return count;
}

/** The rows that may be parts of a new total: those with a value in the countries and years of the new rows, without these. */
function siblingsOf({ matched, shifts }: Search, fresh: readonly Shift[]): Int32Array {
  const { codes, after } = matched;
  const years = codes.size('year');
  const hasFresh = new Uint8Array(codes.size('country') * years);
  const isFresh = new Uint8Array(after.count);
  for (const i of fresh) {
    const [rows, row] = shifts.rowOf(i);
    hasFresh[rows.code('country', row) * years + rows.code('year', row)] = 1;
    if (rows === after) isFresh[row] = 1;
  }
  return othersIn(after, years, hasFresh, isFresh);
}

/** The rows with a value that are not new, in the years of countries that have new rows. */
function othersIn(rows: Rows, years: number, hasFresh: Uint8Array, isFresh: Uint8Array): Int32Array {
  const [countryCodes, yearCodes, values] = [rows.codes('country'), rows.codes('year'), rows.values(0)];
  const found = new Int32Array(values.length);
  let count = 0;
  for (let row = 0; row < values.length; row += 1) {
    const at = (countryCodes[row] as number) * years + (yearCodes[row] as number);
    if (hasFresh[at] === 0 || isFresh[row] === 1 || Number.isNaN(values[row])) continue;
    found[count] = row;
    count += 1;
  }
  return found.subarray(0, count);
}
