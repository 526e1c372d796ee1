// Says once, and where it is: the few groups that best explain a set of suspicious cells (Bhagwan et al., NSDI 2014).

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import type { Codes } from '../codes.ts';
import { allRows, Groups, NO_GROUP, rowsWhere } from '../groups.ts';
import type { Key } from '../revision.ts';
import type { Rows } from '../rows.ts';
import type { Search, Shift } from './shifts.ts';

export interface Group {
  readonly place: Key;
  /** The suspicious cells in the group. */
  readonly shifts: readonly Shift[];
  /** How many those are, and how many cells of the group could have been suspicious. */
  readonly cells: number;
  readonly of: number;
  /** Of the group of all that the others leave, the countries of its cells; null for every other group. */
  readonly further: readonly string[] | null;
}

/** More groups than this are no longer read: what they leave is one group more. */
const MOST_GROUPS = 20;

/** So many countries make a finding of the whole dataset possible. */
const SOME_COUNTRIES = 3;

/** These never name a group beside the country: a country has one region, and a value's kind says nothing of place. */
const NOT_BESIDE: readonly DimensionName[] = ['country', 'region', 'temporal', 'calculation'];

/** What is told with a year besides: a product's year, a currency's year. */
const WITH_YEAR: readonly DimensionName[] = ['product', 'fx'];

/**
 * The groups that explain suspicious cells, best first. Groups are the dataset, a value of one dimension, a country, a
 * country and another dimension, and of some these with a year.
 *
 * 1. For every group: recall is its part of the suspicious cells, precision the suspicious part of its cells.
 * 2. The group with the largest F1 (harmonic mean of both) is taken; of equals the one of fewest dimensions.
 * 3. Its cells are done with; again from 1, until no cell is left.
 * 4. After twenty groups, all cells that are left are the last group.
 *
 * @param isComparable Whether a row of the earlier side could have been suspicious.
 */
export function attribute(
  { matched: { codes, before }, shifts }: Search,
  suspicious: readonly Shift[],
  isComparable: (row: number) => boolean,
): Group[] {
  if (suspicious.length === 0) return [];
  const countries = new Set(suspicious.map((i) => shifts.code('country', i)));
  const isWide = countries.size >= SOME_COUNTRIES;
  const counters = groupings(codes.dimensions, isWide).map((dimensions) => new Counter(codes, dimensions));
  for (const counter of counters) for (const i of suspicious) counter.add(i, ...shifts.rowOf(i));
  const country = before.codes('country');
  const comparable = rowsWhere(allRows(before), isComparable);
  const isNear = new Uint8Array(codes.size('country'));
  for (const code of countries) isNear[code] = 1;
  // Elsewhere no group of a country holds a suspicious cell.
  const near = rowsWhere(comparable, (row) => isNear[country[row] as number] === 1);
  for (const counter of counters)
    counter.addComparable(before, counter.dimensions.includes('country') ? near : comparable);
  const groups: Group[] = [];
  let left = suspicious;
  while (left.length > 0 && groups.length < MOST_GROUPS) {
    const best = bestOf(counters, left.length);
    if (best === null) break;
    const { counter, entry } = best;
    const inside = left.filter((i) => counter.entryOf(...shifts.rowOf(i)) === entry);
    const { dimensions } = counter;
    // A currency that one country uses is that country's.
    const isOne =
      !dimensions.includes('country') &&
      codes.size('country') > 1 &&
      inside.every((i) => shifts.code('country', i) === shifts.code('country', entry.first));
    groups.push({
      place: Object.fromEntries(
        (isOne ? ['country' as const, ...dimensions] : dimensions).map((d) => [
          d,
          codes.valueOf(d, shifts.code(d, entry.first)),
        ]),
      ),
      shifts: inside,
      cells: entry.cells,
      of: Math.max(entry.cells, entry.of),
      further: null,
    });
    const taken = new Set(inside);
    left = left.filter((i) => !taken.has(i));
    for (const each of counters) for (const i of inside) each.remove(...shifts.rowOf(i));
  }
  if (left.length > 0) {
    const further = [...new Set(left.map((i) => shifts.code('country', i)))].sort((a, b) => a - b);
    groups.push({
      place: {},
      shifts: left,
      cells: left.length,
      of: left.length,
      further: further.map((code) => String(codes.valueOf('country', code))),
    });
  }
  return groups;
}

interface Entry {
  /** Some suspicious cell of the group. */
  readonly first: Shift;
  cells: number;
  of: number;
}

/** Counts the cells of every group by some dimensions. */
class Counter {
  readonly dimensions: readonly DimensionName[];
  /** By number of the group. */
  readonly entries: Entry[] = [];
  readonly #groups: Groups;

  constructor(codes: Codes, dimensions: readonly DimensionName[]) {
    this.dimensions = dimensions;
    this.#groups = new Groups(codes, dimensions);
  }

  entryOf(rows: Rows, row: number): Entry | undefined {
    return this.entries[this.#groups.at(rows, row)];
  }

  add(first: Shift, rows: Rows, row: number): void {
    const group = this.#groups.add(rows, row);
    const entry = this.entries[group];
    if (entry === undefined) this.entries.push({ first, cells: 1, of: 0 });
    else entry.cells += 1;
  }

  /** Groups without a suspicious cell are not counted. */
  addComparable(rows: Rows, list: Int32Array): void {
    const counts = new Int32Array(this.entries.length);
    const groups = this.#groups.ofRows(rows, list);
    for (let i = 0; i < groups.length; i += 1) {
      const group = groups[i] as number;
      if (group !== NO_GROUP) counts[group] = (counts[group] as number) + 1;
    }
    for (const [group, entry] of this.entries.entries()) entry.of += counts[group] as number;
  }

  remove(rows: Rows, row: number): void {
    const entry = this.entryOf(rows, row);
    if (entry !== undefined) entry.cells -= 1;
  }
}

/** The group of the largest F1; of equals the first, as the groupings of fewest dimensions come first. */
function bestOf(counters: readonly Counter[], open: number): { counter: Counter; entry: Entry } | null {
  let best: { counter: Counter; entry: Entry } | null = null;
  let most = 0;
  for (const counter of counters) {
    for (const entry of counter.entries) {
      const f1 = (2 * entry.cells) / (Math.max(entry.cells, entry.of) + open);
      if (f1 > most + 1e-12) {
        best = { counter, entry };
        most = f1;
      }
    }
  }
  return best;
}

function groupings(
  dimensions: readonly DimensionName[],
  isWide: boolean,
): readonly (readonly DimensionName[])[] {
  const beside = dimensions.filter((d) => !NOT_BESIDE.includes(d));
  return [
    ...(isWide ? [[]] : []),
    ['country'],
    ...(isWide ? dimensions.filter((d) => d !== 'country').map((d) => [d]) : []),
    ...beside.map((d): DimensionName[] => ['country', d]),
    ...(dimensions.includes('year')
      ? beside.filter((d) => WITH_YEAR.includes(d)).map((d): DimensionName[] => ['country', d, 'year'])
      : []),
  ];
}
