// Compares a dataset of two snapshots: which rows were added, removed or revised, in the published order.

import type { Codes, Column, Table } from '../../catalog/columns.ts';
import { dimensionOf, rowOrder } from '../../catalog/datasets.ts';
import { byCodePoints } from '../../catalog/textOrder.ts';
import type { Change } from '../parameters/parameterRules.ts';
import type { Slices } from '../slices.ts';
import { growingList } from './growingList.ts';

/** The changed rows in the published order. Both lists have one element per row. */
export interface Changes {
  /** The row's position in the older table; `NO_ROW` for an added row. */
  readonly before: Uint32Array;
  /** The row's position in the newer table; `NO_ROW` for a removed row. */
  readonly after: Uint32Array;
}

/** In place of a position: the table does not have the row. */
export const NO_ROW = 0xffffffff;

export const changeAt = ({ before, after }: Changes, i: number): Change =>
  before[i] === NO_ROW ? 'added' : after[i] === NO_ROW ? 'removed' : 'revised';

/**
 * Merges two sorted tables (ruling 13). Rows match when all dimensions are equal. A matched row is revised when a
 * metric differs; a missing value differs from every number.
 */
export async function changesBetween(older: Table, newer: Table, slices: Slices): Promise<Changes> {
  const keys = keysOf(older, newer);
  const metrics = [...newer.metrics].flatMap(([name, after]) => {
    const before = older.metrics.get(name);
    return before === undefined ? [] : [{ before, after }];
  });
  const [before, after] = [growingList(), growingList()];
  let [one, other] = [0, 0];
  while (one < older.rows || other < newer.rows) {
    const end = one + other + ROWS_PER_CHECK;
    while (one + other < end && (one < older.rows || other < newer.rows)) {
      const step = one === older.rows ? 1 : other === newer.rows ? -1 : compare(keys, one, other);
      if (step !== 0 || isRevised(metrics, one, other)) {
        before.push(step <= 0 ? one : NO_ROW);
        after.push(step >= 0 ? other : NO_ROW);
      }
      if (step <= 0) one += 1;
      if (step >= 0) other += 1;
    }
    if (slices.isOver()) await slices.next();
  }
  return { before: before.view().slice(), after: after.view().slice() };
}

/**
 * How many rows are compared before the next check whether the slice is over. They take 20 µs, or 2 ms until V8 has
 * compiled the comparison.
 */
const ROWS_PER_CHECK = 2 ** 10;

/**
 * A dimension in both tables. Equal values of the two tables have equal ranks, and a greater value has a greater rank.
 */
interface Key {
  readonly before: Codes;
  readonly beforeRanks: Uint32Array;
  readonly after: Codes;
  readonly afterRanks: Uint32Array;
}

function keysOf(older: Table, newer: Table): Key[] {
  return rowOrder(newer.dataset).flatMap((name) => {
    const [one, other] = [older.dimensions.get(name), newer.dimensions.get(name)];
    if (!one || !other) return [];
    const ranks = ranksOf(one, other, dimensionOf(name).type === 'integer' ? byNumber : byCodePoints);
    return [{ before: one.codes, beforeRanks: ranks.one, after: other.codes, afterRanks: ranks.other }];
  });
}

/** Ranks the values of two sorted lists as if they were one list. */
function ranksOf(one: Column, other: Column, order: (a: string, b: string) => number) {
  const ranks = { one: new Uint32Array(one.values.length), other: new Uint32Array(other.values.length) };
  let [i, j] = [0, 0];
  for (let rank = 0; i < one.values.length || j < other.values.length; rank++) {
    const [value, otherValue] = [one.values[i], other.values[j]];
    const step = value === undefined ? 1 : otherValue === undefined ? -1 : order(value, otherValue);
    if (step <= 0) ranks.one[i++] = rank;
    if (step >= 0) ranks.other[j++] = rank;
  }
  return ranks;
}

const byNumber = (a: string, b: string) => Number(a) - Number(b);

/** Negative when the row of the older table comes first; 0 when the rows have the same dimensions. */
function compare(keys: readonly Key[], one: number, other: number): number {
  for (const { before, beforeRanks, after, afterRanks } of keys) {
    const step = (beforeRanks[before[one] ?? 0] ?? 0) - (afterRanks[after[other] ?? 0] ?? 0);
    if (step !== 0) return step;
  }
  return 0;
}

function isRevised(
  metrics: readonly { readonly before: Float64Array; readonly after: Float64Array }[],
  one: number,
  other: number,
): boolean {
  for (const { before, after } of metrics) {
    const [was, is] = [before[one] ?? Number.NaN, after[other] ?? Number.NaN];
    if (was !== is && !(Number.isNaN(was) && Number.isNaN(is))) return true;
  }
  return false;
}
