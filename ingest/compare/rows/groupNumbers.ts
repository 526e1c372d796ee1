// Gives a number to each group of rows that agree in some dimensions.
// For millions of rows this is several times as fast as a `Map`.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import type { Rows } from './codedRows.ts';
import type { Codes } from './codes.ts';
import { type KeyEncoder, keyOfSides } from './keyEncoder.ts';
import { DirectTable, NOT_ADDED, type NumberTable, numberTable, TextTable } from './numberTable.ts';
import type { KeyOfRow } from './rowKeys.ts';

/** Stands for the group of a row that belongs to no group. */
export const NO_GROUP = NOT_ADDED;

/** The number of rows in a batch of `eachBatch`. */
const AT_ONCE = 65_536;

/** Groups are numbered from 0 in the order of their first rows. Rows of both sides may be in one group. */
export class GroupNumbers {
  /** The numbers of the groups, by the keys of their rows. */
  readonly #table: NumberTable | TextTable;
  readonly #keyOf: KeyOfRow;
  /** Null for keys that are texts. */
  readonly #encoder: KeyEncoder | null;

  constructor(codes: Codes, dimensions: readonly DimensionName[]) {
    const most = codes.keys.most(dimensions);
    if (most === Number.POSITIVE_INFINITY) {
      this.#table = new TextTable();
      this.#encoder = null;
    } else {
      const table = numberTable(most, codes.rows);
      this.#table = table;
      this.#encoder = codes.keys.encoderBy(dimensions, table instanceof DirectTable);
    }
    this.#keyOf = this.#encoder === null ? codes.keys.by(dimensions) : keyOfSides(this.#encoder);
  }

  /** The groups of rows that agree in all dimensions except these. */
  static without(codes: Codes, ...dimensions: readonly (DimensionName | null)[]): GroupNumbers {
    return new GroupNumbers(
      codes,
      codes.dimensions.filter((one) => !dimensions.includes(one)),
    );
  }

  get count(): number {
    return this.#table.count;
  }

  /** The group of a row, created if there is none. */
  add(rows: Rows, row: number): number {
    const [key, table] = [this.#keyOf(rows, row), this.#table];
    return table instanceof TextTable ? table.add(String(key)) : table.add(Number(key));
  }

  /** The group of a row, or `NO_GROUP`. */
  at(rows: Rows, row: number): number {
    const [key, table] = [this.#keyOf(rows, row), this.#table];
    return table instanceof TextTable ? table.at(String(key)) : table.at(Number(key));
  }

  /** The groups of a list of rows, as `at` gives them. This is much faster than calling `at` for each row. */
  ofRows(rows: Rows, list: Int32Array): Int32Array {
    return this.#ofRows(rows, list, false);
  }

  /** Calls `use` with the groups of a list of rows, as `ofRows` gives them, batch by batch. It takes less memory. */
  eachBatch(rows: Rows, list: Int32Array, use: (batch: Int32Array, groupOf: Int32Array) => void): void {
    for (let from = 0; from < list.length; from += AT_ONCE) {
      const batch = list.subarray(from, from + AT_ONCE);
      use(batch, this.ofRows(rows, batch));
    }
  }

  /** The groups of a list of rows, as `add` gives them. */
  addRows(rows: Rows, list: Int32Array): Int32Array {
    return this.#ofRows(rows, list, true);
  }

  #ofRows(rows: Rows, list: Int32Array, isNew: boolean): Int32Array {
    const groups = new Int32Array(list.length);
    const table = this.#table;
    if (table instanceof TextTable) {
      for (let i = 0; i < list.length; i += 1)
        groups[i] = isNew ? this.add(rows, list[i] as number) : this.at(rows, list[i] as number);
      return groups;
    }
    if (isNew) table.expect(list.length);
    this.#encoder?.each(rows, list, (keys, from) => {
      table.writeNumbers(keys, groups.subarray(from, from + keys.length), isNew);
    });
    return groups;
  }
}

/** The items of groups. Those of group g are `items` from index `starts[g]` to `starts[g + 1]`, exclusive. */
export interface GroupedItems {
  readonly starts: Int32Array;
  readonly items: Int32Array;
}

/**
 * The items of each group, in ascending order.
 *
 * @param groupOf The group of each item, or `NO_GROUP`.
 * @param groups The number of groups.
 */
export function groupedItems(groupOf: Int32Array, groups: number): GroupedItems {
  const starts = new Int32Array(groups + 1);
  for (const group of groupOf) if (group !== NO_GROUP) starts[group + 1] = (starts[group + 1] as number) + 1;
  for (let group = 0; group < groups; group += 1)
    starts[group + 1] = (starts[group + 1] as number) + (starts[group] as number);
  const next = starts.slice();
  const items = new Int32Array(starts[groups] as number);
  for (let item = 0; item < groupOf.length; item += 1) {
    const group = groupOf[item] as number;
    if (group === NO_GROUP) continue;
    items[next[group] as number] = item;
    next[group] = (next[group] as number) + 1;
  }
  return { starts, items };
}

/**
 * The first row of each group.
 *
 * @param groupOf The group of each row of the list.
 */
export function firstRowsOf(groupOf: Int32Array, list: Int32Array, groups: number): Int32Array {
  const first = new Int32Array(groups);
  for (let i = list.length - 1; i >= 0; i -= 1) first[groupOf[i] as number] = list[i] as number;
  return first;
}
