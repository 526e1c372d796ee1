// Says once, and where it is: the few groups that best explain a set of suspicious cells (Bhagwan et al., NSDI 2014).

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import type { Rows } from '../rows.ts';
import type { Key } from '../types.ts';
import type { Search, Shift } from './shifts.ts';

export interface Group {
  readonly place: Key;
  /** The suspicious cells in the group. */
  readonly shifts: readonly Shift[];
  /** How many those are, and how many cells of the group could have been suspicious. */
  readonly cells: number;
  readonly of: number;
}

/** More groups than this explain nothing: the rest is counted. */
const MOST_GROUPS = 6;

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
 * 3. Its cells are done with; again from 1, until none or six groups are left.
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
  const counters = groupings(codes.dimensions, isWide).map(
    (dimensions) => new Counter(dimensions, codes.nameBy(dimensions)),
  );
  for (const counter of counters) {
    for (const i of suspicious) counter.add(i, ...shifts.rowOf(i));
    counter.index();
  }
  // Elsewhere no group of a country holds a suspicious cell.
  const elsewhere = counters.filter(({ dimensions }) => !dimensions.includes('country'));
  const country = before.codes('country');
  for (let row = 0; row < before.count; row += 1) {
    const near = countries.has(country[row] as number) ? counters : elsewhere;
    if (near.length === 0 || !isComparable(row)) continue;
    for (const counter of near) counter.addComparable(before, row);
  }
  const groups: Group[] = [];
  let left = suspicious;
  while (left.length > 0 && groups.length < MOST_GROUPS) {
    const best = bestOf(counters, left.length);
    if (best === null) break;
    const { counter, entry } = best;
    const inside = left.filter((i) => counter.nameOf(...shifts.rowOf(i)) === entry.name);
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
    });
    const taken = new Set(inside);
    left = left.filter((i) => !taken.has(i));
    for (const each of counters) for (const i of inside) each.remove(...shifts.rowOf(i));
  }
  return groups;
}

interface Entry {
  readonly name: number | string;
  /** Some suspicious cell of the group. */
  readonly first: Shift;
  cells: number;
  of: number;
}

/** Up to so many names are looked up in an array, which is many times faster than a map. */
const MOST_NAMES = 4_000_000;

/** Counts the cells of every group by some dimensions. */
class Counter {
  readonly dimensions: readonly DimensionName[];
  readonly nameOf: (rows: Rows, row: number) => number | string;
  readonly entries = new Map<number | string, Entry>();
  #list: readonly Entry[] = [];
  /** Per name the place in the list, counted from 1; null where names are too many. */
  #places: Int32Array | null = null;

  constructor(dimensions: readonly DimensionName[], nameOf: (rows: Rows, row: number) => number | string) {
    this.dimensions = dimensions;
    this.nameOf = nameOf;
  }

  add(first: Shift, rows: Rows, row: number): void {
    const name = this.nameOf(rows, row);
    const entry = this.entries.get(name);
    if (entry === undefined) this.entries.set(name, { name, first, cells: 1, of: 0 });
    else entry.cells += 1;
  }

  /** Prepares for `addComparable`, once every suspicious cell is added. */
  index(): void {
    this.#list = [...this.entries.values()];
    const names = this.#list.map(({ name }) => name);
    const most = names.reduce<number>(
      (sum, name) => (typeof name === 'number' ? Math.max(sum, name) : Number.POSITIVE_INFINITY),
      0,
    );
    if (most > MOST_NAMES) return;
    const places = new Int32Array(most + 1);
    for (const [i, { name }] of this.#list.entries()) places[Number(name)] = i + 1;
    this.#places = places;
  }

  /** Groups without a suspicious cell are not counted. */
  addComparable(rows: Rows, row: number): void {
    const name = this.nameOf(rows, row);
    const entry =
      this.#places === null ? this.entries.get(name) : this.#list[(this.#places[Number(name)] ?? 0) - 1];
    if (entry !== undefined) entry.of += 1;
  }

  remove(rows: Rows, row: number): void {
    const entry = this.entries.get(this.nameOf(rows, row));
    if (entry !== undefined) entry.cells -= 1;
  }
}

/** The group of the largest F1; of equals the first, as the groupings of fewest dimensions come first. */
function bestOf(counters: readonly Counter[], open: number): { counter: Counter; entry: Entry } | null {
  let best: { counter: Counter; entry: Entry } | null = null;
  let most = 0;
  for (const counter of counters) {
    for (const entry of counter.entries.values()) {
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
