// Finds new rows that equal the sum of the rows beside them: a total among its parts.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { allRows, Groups, NO_GROUP, rowsWhere } from '../groups.ts';
import { KIND } from '../matched.ts';
import { patternsByCountry } from './byCountry.ts';
import type { Search, Shift } from './shifts.ts';
import type { Pattern } from './types.ts';

/** How far a total may differ from the sum of its parts because of rounding, as a share of the total. */
const ROUNDED = 0.0005;

/** The dimensions that a total may sum over, besides country, year, currency and state. */
const TOTAL_OF: readonly (readonly DimensionName[])[] = [
  [],
  ['category'],
  ['product'],
  ['channel'],
  ['sub_channel'],
  ['category', 'channel'],
  ['product', 'channel'],
];

/** The dimensions in which the total of a country agrees with its states. */
const ALL_BUT_STATE: readonly DimensionName[] = [
  'country',
  'year',
  'fx',
  'category',
  'product',
  'channel',
  'sub_channel',
];

/** Finds new rows that equal the sum of the rows beside them: each is a total among its parts. */
export function findSums(search: Search): Pattern[] {
  const { matched, rows, shifts } = search;
  const { codes, after } = matched;
  if (rows.added === 0 || !codes.has('product')) return [];
  const fresh = shifts.unexplained(KIND.added);
  if (fresh.length === 0) return [];
  const siblings = siblingsOf(search, fresh);
  const whole: readonly DimensionName[] = ['country', 'year', 'fx', 'state'];
  const groups = new Groups(codes, whole);
  shifts.addTo(groups, fresh);
  const groupOf = groups.ofRows(after, siblings);
  const inPlace = rowsWhere(siblings, (_, s) => groupOf[s] !== NO_GROUP);
  const found = new Set<Shift>();
  for (const part of TOTAL_OF) {
    // A single row equals the total of its whole place.
    const fewest = part.length === 0 ? 1 : 2;
    for (const i of totalsAmong(search, fresh, inPlace, [...whole, ...part], fewest)) found.add(i);
  }
  for (const i of totalsAmong(search, fresh, siblings, ALL_BUT_STATE, 2)) found.add(i);
  return patternsByCountry(
    search,
    'sums',
    [...found].sort((a, b) => a - b),
  );
}

/** The new rows that are the sum of at least that many rows which agree with them in some dimensions. */
function totalsAmong(
  { matched: { codes, after }, shifts }: Search,
  fresh: readonly Shift[],
  siblings: Int32Array,
  place: readonly DimensionName[],
  fewest: number,
): readonly Shift[] {
  const groups = new Groups(codes, place);
  const groupOfFresh = shifts.addTo(groups, fresh);
  // Only rows of which a new row could be the total are added up.
  const groupOf = groups.ofRows(after, siblings);
  const [totals, counts] = [new Float64Array(groups.count), new Int32Array(groups.count)];
  const values = after.values(0);
  for (let s = 0; s < siblings.length; s += 1) {
    const group = groupOf[s] as number;
    if (group === NO_GROUP) continue;
    totals[group] = (totals[group] as number) + (values[siblings[s] as number] as number);
    counts[group] = (counts[group] as number) + 1;
  }
  return fresh.filter((i, f) => {
    const group = groupOfFresh[f] as number;
    const [total, value] = [totals[group] as number, shifts.a[i] as number];
    const isTotal = Math.abs(value - total) <= ROUNDED * Math.abs(total);
    return (counts[group] as number) >= fewest && value !== 0 && isTotal;
  });
}

/** The other rows with a value in the countries and years of some new rows. */
function siblingsOf({ matched, shifts }: Search, fresh: readonly Shift[]): Int32Array {
  const { codes, after } = matched;
  const places = new Groups(codes, ['country', 'year']);
  shifts.addTo(places, fresh);
  const isFresh = new Uint8Array(after.count);
  for (const i of fresh) {
    const [rows, row] = shifts.rowOf(i);
    if (rows === after) isFresh[row] = 1;
  }
  const values = after.values(0);
  const all = places.ofRows(after, allRows(after));
  return rowsWhere(
    allRows(after),
    (row) => all[row] !== NO_GROUP && isFresh[row] === 0 && !Number.isNaN(values[row]),
  );
}
