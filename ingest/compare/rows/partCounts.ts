// Counts the rows of parts of countries, such as markets. Counting a part stops when the caller needs no larger count.

import { getOrInsert } from '../../../src/basics/maps.ts';
import type { DimensionName } from '../../../src/catalog/datasets.ts';
import type { Rows } from './codedRows.ts';
import type { Codes } from './codes.ts';
import { GroupNumbers, NO_GROUP } from './groupNumbers.ts';
import { firstRowFrom } from './rowLists.ts';

/** A part of a country: the rows that agree with one of its rows in some dimensions. */
interface CountedPart {
  /** A row of the part, with its side. */
  readonly row: readonly [rows: Rows, row: number];
  /** The caller needs no count above this number plus 1. */
  readonly most: number;
}

interface PartsToCount {
  /** The dimensions in which the rows of a part agree, `country` among them. */
  readonly dimensions: readonly DimensionName[];
  readonly parts: readonly CountedPart[];
  /** Whether a row is counted. */
  readonly passes: (row: number) => boolean;
}

/** How many rows of one side each part has; `most + 1` for a part with more than `most`. */
export function partCounts(
  codes: Codes,
  rows: Rows,
  { dimensions, parts, passes }: PartsToCount,
): readonly number[] {
  if (parts.length === 0) return [];
  const groups = new GroupNumbers(codes, dimensions);
  const groupOfPart = parts.map(({ row }) => groups.add(...row));
  const [counts, most] = [new Int32Array(groups.count), new Int32Array(groups.count)];
  const counted = { groups, counts, most, passes, batch: new Int32Array(AT_ONCE) };
  for (const [country, groupsOfCountry] of groupsByCountry(parts, groupOfPart, most))
    countCountry(rows, country, groupsOfCountry.size, counted);
  return parts.map((part, i) => Math.min(counts[groupOfPart[i] as number] as number, part.most + 1));
}

/** The groups of the parts of each country. Also sets the `most` of each group. */
function groupsByCountry(
  parts: readonly CountedPart[],
  groupOfPart: readonly number[],
  most: Int32Array,
): ReadonlyMap<number, ReadonlySet<number>> {
  const found = new Map<number, Set<number>>();
  for (const [i, part] of parts.entries()) {
    const group = groupOfPart[i] as number;
    most[group] = Math.max(most[group] as number, part.most);
    const [side, row] = part.row;
    const country = side.code('country', row);
    getOrInsert(found, country, () => new Set()).add(group);
  }
  return found;
}

/** The state of counting: the groups of all parts, and the number of rows that each has so far. */
interface Counted {
  readonly groups: GroupNumbers;
  readonly counts: Int32Array;
  readonly most: Int32Array;
  readonly passes: (row: number) => boolean;
  /** Room for a batch of rows, which are counted together. */
  readonly batch: Int32Array;
}

/** Counts the rows in each group of a country. Stops as soon as every group has more than its `most`. */
function countCountry(
  rows: Rows,
  country: number,
  groupsOfCountry: number,
  { groups, counts, most, passes, batch }: Counted,
): void {
  let open = groupsOfCountry;
  const end = firstRowFrom(rows, country + 1);
  for (let row = firstRowFrom(rows, country); row < end && open > 0; row += AT_ONCE) {
    const list = batch.subarray(0, takePassing(batch, row, Math.min(row + AT_ONCE, end), passes));
    open -= countGroups(counts, most, groups.ofRows(rows, list));
  }
}

/** The number of rows in a batch. Making their keys together is faster than one by one. */
const AT_ONCE = 1024;

/** Fills `list` with the rows between `from` and `end` that pass a test, and returns their number. */
function takePassing(list: Int32Array, from: number, end: number, passes: (row: number) => boolean): number {
  let count = 0;
  for (let row = from; row < end; row += 1) {
    if (!passes(row)) continue;
    list[count] = row;
    count += 1;
  }
  return count;
}

/** Counts the groups of a batch of rows, and returns how many groups exceeded their `most` in it. */
function countGroups(counts: Int32Array, most: Int32Array, groupOf: Int32Array): number {
  let exceeded = 0;
  for (let i = 0; i < groupOf.length; i += 1) {
    const group = groupOf[i] as number;
    if (group === NO_GROUP) continue;
    const [count, limit] = [counts[group] as number, most[group] as number];
    if (count > limit) continue;
    counts[group] = count + 1;
    if (count === limit) exceeded += 1;
  }
  return exceeded;
}
