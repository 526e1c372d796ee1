// Groups rows by their values in some dimensions and sums each metric that adds up, exactly.

import type { Codes, Table } from '../../catalog/columns.ts';
import { additiveMetrics, type DimensionName } from '../../catalog/datasets.ts';
import { codesAt } from '../gather.ts';
import { MATCHING_BLOCK_ROWS } from '../selection/matchingRows.ts';
import type { Slices } from '../slices.ts';
import { createExactSums, type ExactSums } from './exactSum.ts';
import { createGrowingList } from './growingList.ts';

/** The groups of rows and their sums. */
export interface Groups {
  /** The position of one row of each group, ordered by the grouped dimensions. */
  readonly rowOfGroup: Uint32Array;
  /** How many rows each group has. */
  readonly rowsSummed: Uint32Array;
  /** One sum per group for each metric that adds up; NaN where every value is missing. */
  readonly sums: ReadonlyMap<string, Float64Array>;
  /** The number of missing values in all groups together, for metrics that have any. */
  readonly missing: ReadonlyMap<string, number>;
}

/** Receives rows in blocks, then gives their groups. */
export interface Grouping {
  add(rows: Uint32Array): void;
  finish(slices: Slices): Promise<Groups>;
}

/** Groups rows by their values in some dimensions. Without dimensions there is one group. */
export function groupRows(
  table: Table,
  by: readonly DimensionName[],
  maxDenseGroups: number = MAX_DENSE_GROUPS,
): Grouping {
  const combinations = columnsOf(table, by).reduce((product, { values }) => product * values.length, 1);
  return combinations <= maxDenseGroups ? denseGroups(table, by) : sortedGroups(table, by);
}

/** With at most this many combinations of values, groups are found through an array with an element per combination. */
const MAX_DENSE_GROUPS = 2 ** 18;

const columnsOf = (table: Table, by: readonly DimensionName[]) =>
  by.flatMap((name) => {
    const column = table.dimensions.get(name);
    return column ? [column] : [];
  });

const metricsOf = (table: Table) =>
  additiveMetrics(table.dataset).map((name) => ({
    name,
    values: table.metrics.get(name) ?? new Float64Array(0),
  }));

/**
 * Groups rows with few combinations of values, in one pass.
 *
 * Groups are numbered in the order in which their first rows appear. Neighbouring rows then mostly belong to
 * neighbouring groups. The sums of these are close together in memory. A combination without rows takes only an element
 * of `numbers`.
 */
function denseGroups(table: Table, by: readonly DimensionName[]): Grouping {
  const columns = columnsOf(table, by);
  const combinations = columns.reduce((product, { values }) => product * values.length, 1);
  /** For each combination: the number of its group plus one; 0 while it has no rows. */
  const numbers = new Uint32Array(combinations);
  const mostGroups = Math.min(combinations, table.rows);
  const rowCounts = new Uint32Array(mostGroups);
  const anyRow = new Uint32Array(mostGroups);
  let groups = 0;
  const group = new Uint32Array(MATCHING_BLOCK_ROWS);
  const metrics = metricsOf(table).map((metric) => ({
    ...metric,
    sums: createExactSums(mostGroups),
    present: new Uint32Array(mostGroups),
  }));
  return {
    add(rows) {
      group.fill(0, 0, rows.length);
      for (const { codes, values } of columns) combine(codes, values.length, rows, group);
      groups = numberGroups(group, rows.length, numbers, groups);
      countGroups(group, rows, rowCounts, anyRow);
      for (const { values, sums, present } of metrics) sums.addAll(values, rows, group, present);
    },
    async finish() {
      const order = orderOf(numbers, groups);
      const rowsSummed = codesAt(rowCounts, order);
      const missing = new Map<string, number>();
      const sums = new Map<string, Float64Array>();
      for (const { name, sums: exact, present } of metrics) {
        sums.set(name, sumsOf(exact, present, order));
        const absent = total(rowCounts, groups) - total(present, groups);
        if (absent > 0) missing.set(name, absent);
      }
      return { rowOfGroup: codesAt(anyRow, order), rowsSummed, sums, missing };
    },
  };
}

/** Extends the combination of each row by a column with `size` codes. */
function combine(codes: Codes, size: number, rows: Uint32Array, group: Uint32Array): void {
  for (let i = 0; i < rows.length; i++) group[i] = (group[i] ?? 0) * size + (codes[rows[i] ?? 0] ?? 0);
}

/**
 * Replaces each combination with the number of its group.
 *
 * @param groups how many groups there are before these rows.
 * @returns how many groups there are after them.
 */
function numberGroups(group: Uint32Array, length: number, numbers: Uint32Array, groups: number): number {
  let known = groups;
  for (let i = 0; i < length; i++) {
    const combination = group[i] ?? 0;
    let number = numbers[combination] ?? 0;
    if (number === 0) {
      known += 1;
      number = known;
      numbers[combination] = number;
    }
    group[i] = number - 1;
  }
  return known;
}

/** Counts the rows of each group, and stores the position of one of them in `anyRow`. */
function countGroups(
  group: Uint32Array,
  rows: Uint32Array,
  rowCounts: Uint32Array,
  anyRow: Uint32Array,
): void {
  for (let i = 0; i < rows.length; i++) {
    const groupNumber = group[i] ?? 0;
    rowCounts[groupNumber] = (rowCounts[groupNumber] ?? 0) + 1;
    anyRow[groupNumber] = rows[i] ?? 0;
  }
}

/** The groups in the order of their combinations. */
function orderOf(numbers: Uint32Array, groups: number): Uint32Array {
  const order = new Uint32Array(groups);
  let filled = 0;
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i] ?? 0;
    if (number !== 0) order[filled++] = number - 1;
  }
  return order;
}

function sumsOf(exact: ExactSums, present: Uint32Array, order: Uint32Array): Float64Array {
  const sums = new Float64Array(order.length);
  for (let i = 0; i < order.length; i++) {
    const group = order[i] ?? 0;
    sums[i] = present[group] === 0 ? Number.NaN : exact.sum(group);
  }
  return sums;
}

function total(counts: Uint32Array, length: number): number {
  let sum = 0;
  for (let i = 0; i < length; i++) sum += counts[i] ?? 0;
  return sum;
}

/** Groups rows with many combinations of values: sorts them, so that the rows of a group are consecutive. */
function sortedGroups(table: Table, by: readonly DimensionName[]): Grouping {
  const columns = columnsOf(table, by);
  const selected = createGrowingList(MATCHING_BLOCK_ROWS);
  return {
    add: (rows) => selected.pushAll(rows),
    async finish(slices) {
      const rows = await sortedBy(columns, selected.view(), slices);
      const starts = await groupStarts(columns, rows, slices);
      const missing = new Map<string, number>();
      const sums = new Map<string, Float64Array>();
      for (const { name, values } of metricsOf(table)) {
        const summed = await sumRuns(values, rows, starts, slices);
        sums.set(name, summed.sums);
        if (summed.absent > 0) missing.set(name, summed.absent);
      }
      return {
        rowOfGroup: starts.map((i) => rows[i] ?? 0),
        rowsSummed: starts.map((i, group) => (starts[group + 1] ?? rows.length) - i),
        sums,
        missing,
      };
    },
  };
}

/** The index of each group's first row. The rows of a group are consecutive. */
async function groupStarts(
  columns: readonly { readonly codes: Codes }[],
  rows: Uint32Array,
  slices: Slices,
): Promise<Uint32Array> {
  const codes = columns.map((column) => column.codes);
  const starts = createGrowingList();
  for (let i = 0; i < rows.length; i++) {
    if (i % MATCHING_BLOCK_ROWS === 0 && slices.isOver()) await slices.next();
    if (i === 0 || codes.some((column) => column[rows[i] ?? 0] !== column[rows[i - 1] ?? 0])) starts.push(i);
  }
  return starts.view();
}

/** Sums the values of each group, and counts the missing values of all groups. */
async function sumRuns(
  values: Float64Array,
  rows: Uint32Array,
  starts: Uint32Array,
  slices: Slices,
): Promise<{ readonly sums: Float64Array; readonly absent: number }> {
  const sums = new Float64Array(starts.length);
  const exact = createExactSums(1);
  let absent = 0;
  for (let group = 0; group < starts.length; group++) {
    if (group % BLOCK_GROUPS === 0 && slices.isOver()) await slices.next();
    const first = starts[group] ?? 0;
    const end = starts[group + 1] ?? rows.length;
    let present = 0;
    exact.clear(0);
    for (let i = first; i < end; i++) {
      const value = values[rows[i] ?? 0] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      exact.add(0, value);
      present += 1;
    }
    sums[group] = present === 0 ? Number.NaN : exact.sum(0);
    absent += end - first - present;
  }
  return { sums, absent };
}

/** How many groups are summed before the next check whether the slice is over. */
const BLOCK_GROUPS = 2 ** 10;

/**
 * Sorts rows by the first column, then by the second and so on. Each column gets a stable counting sort, beginning with
 * the last column.
 */
async function sortedBy(
  columns: readonly { readonly codes: Codes; readonly values: readonly string[] }[],
  rows: Uint32Array,
  slices: Slices,
): Promise<Uint32Array> {
  let [from, to] = [rows, new Uint32Array(rows.length) as Uint32Array];
  for (const { codes, values } of columns.toReversed()) {
    const offsets = new Uint32Array(values.length + 1);
    for (let i = 0; i < from.length; i += MATCHING_BLOCK_ROWS) {
      countCodes(codes, from.subarray(i, i + MATCHING_BLOCK_ROWS), offsets);
      if (slices.isOver()) await slices.next();
    }
    for (let code = 0; code < values.length; code++)
      offsets[code + 1] = (offsets[code + 1] ?? 0) + (offsets[code] ?? 0);
    for (let i = 0; i < from.length; i += MATCHING_BLOCK_ROWS) {
      scatter(codes, from.subarray(i, i + MATCHING_BLOCK_ROWS), offsets, to);
      if (slices.isOver()) await slices.next();
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Counts the rows of each code in `offsets[code + 1]`, so that running sums give the first index of each code. */
function countCodes(codes: Codes, rows: Uint32Array, offsets: Uint32Array): void {
  for (let i = 0; i < rows.length; i++) {
    const code = codes[rows[i] ?? 0] ?? 0;
    offsets[code + 1] = (offsets[code + 1] ?? 0) + 1;
  }
}

/** Writes each row to the next free index of its code, and moves that index on. */
function scatter(codes: Codes, rows: Uint32Array, offsets: Uint32Array, to: Uint32Array): void {
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0;
    const code = codes[row] ?? 0;
    const offset = offsets[code] ?? 0;
    to[offset] = row;
    offsets[code] = offset + 1;
  }
}
