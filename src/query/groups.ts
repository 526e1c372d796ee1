// Groups rows by their values in some dimensions and sums each metric that adds up, exactly.

import type { Codes, Table } from '../catalog/columns.ts';
import { additiveMetrics, type DimensionName } from '../catalog/datasets.ts';
import { type ExactSums, exactSums } from './exactSum.ts';
import { growingList } from './growingList.ts';
import { BLOCK_ROWS } from './matching.ts';
import type { Slices } from './slices.ts';

export interface Groups {
  /** One row of each group, in ascending order of the grouped dimensions. */
  readonly rowOfGroup: Uint32Array;
  readonly rowsSummed: Uint32Array;
  /** One sum per group for each metric that adds up; NaN where every value is missing. */
  readonly sums: ReadonlyMap<string, Float64Array>;
  /** The number of missing values in all groups together, for metrics that have any. */
  readonly missing: ReadonlyMap<string, number>;
}

/** Takes rows in blocks, then gives their groups. */
export interface Grouping {
  add(rows: Uint32Array): void;
  finish(slices: Slices): Promise<Groups>;
}

/** Groups rows by their values in some dimensions. Without dimensions there is one group. */
export function groupBy(
  table: Table,
  by: readonly DimensionName[],
  maxDenseGroups: number = MAX_DENSE_GROUPS,
): Grouping {
  const combinations = columnsOf(table, by).reduce((product, { values }) => product * values.length, 1);
  return combinations <= maxDenseGroups ? denseGroups(table, by) : sortedGroups(table, by);
}

/** Up to this number of combinations, groups are elements of arrays. */
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

/** For few combinations of values: one pass, with a sum for each combination. */
function denseGroups(table: Table, by: readonly DimensionName[]): Grouping {
  const columns = columnsOf(table, by);
  const combinations = columns.reduce((product, { values }) => product * values.length, 1);
  const rowsOf = new Uint32Array(combinations);
  const rowOf = new Uint32Array(combinations);
  const group = new Uint32Array(BLOCK_ROWS);
  const metrics = metricsOf(table).map((metric) => ({
    ...metric,
    sums: exactSums(combinations),
    present: new Uint32Array(combinations),
  }));
  return {
    add(rows) {
      group.fill(0, 0, rows.length);
      for (const { codes, values } of columns) combine(codes, values.length, rows, group);
      countGroups(group, rows, rowsOf, rowOf);
      for (const { values, sums, present } of metrics) addValues(values, rows, group, sums, present);
    },
    async finish() {
      const groups = growingList();
      for (let i = 0; i < combinations; i++) if (rowsOf[i]) groups.push(i);
      const found = groups.view();
      const missing = new Map<string, number>();
      const sums = new Map<string, Float64Array>();
      for (const { name, sums: exact, present } of metrics) {
        sums.set(
          name,
          Float64Array.from(found, (i) => (present[i] ? exact.sum(i) : Number.NaN)),
        );
        const absent = found.reduce((sum, i) => sum + (rowsOf[i] ?? 0) - (present[i] ?? 0), 0);
        if (absent > 0) missing.set(name, absent);
      }
      return {
        rowOfGroup: found.map((i) => rowOf[i] ?? 0),
        rowsSummed: found.map((i) => rowsOf[i] ?? 0),
        sums,
        missing,
      };
    },
  };
}

function combine(codes: Codes, size: number, rows: Uint32Array, group: Uint32Array): void {
  for (let i = 0; i < rows.length; i++) group[i] = (group[i] ?? 0) * size + (codes[rows[i] ?? 0] ?? 0);
}

function countGroups(group: Uint32Array, rows: Uint32Array, rowsOf: Uint32Array, rowOf: Uint32Array): void {
  for (let i = 0; i < rows.length; i++) {
    const one = group[i] ?? 0;
    rowsOf[one] = (rowsOf[one] ?? 0) + 1;
    rowOf[one] = rows[i] ?? 0;
  }
}

function addValues(
  values: Float64Array,
  rows: Uint32Array,
  group: Uint32Array,
  sums: ExactSums,
  present: Uint32Array,
): void {
  for (let i = 0; i < rows.length; i++) {
    const value = values[rows[i] ?? 0] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    const one = group[i] ?? 0;
    sums.add(one, value);
    present[one] = (present[one] ?? 0) + 1;
  }
}

/** For many combinations of values: sorts the rows, so that each group's rows are consecutive. */
function sortedGroups(table: Table, by: readonly DimensionName[]): Grouping {
  const columns = columnsOf(table, by);
  const selected = growingList(BLOCK_ROWS);
  return {
    add: (rows) => selected.pushAll(rows),
    async finish(slices) {
      const rows = await sortedBy(columns, selected.view(), slices);
      const codes = columns.map((column) => column.codes);
      const starts = growingList();
      for (let i = 0; i < rows.length; i++) {
        if (i % BLOCK_ROWS === 0 && slices.isOver()) await slices.next();
        if (i === 0 || codes.some((column) => column[rows[i] ?? 0] !== column[rows[i - 1] ?? 0]))
          starts.push(i);
      }
      const first = starts.view();
      const endOf = (group: number) => first[group + 1] ?? rows.length;
      const missing = new Map<string, number>();
      const sums = new Map<string, Float64Array>();
      for (const { name, values } of metricsOf(table)) {
        const total = new Float64Array(first.length);
        const exact = exactSums(1);
        let absent = 0;
        for (let group = 0; group < first.length; group++) {
          if (group % BLOCK_GROUPS === 0 && slices.isOver()) await slices.next();
          let present = 0;
          exact.clear(0);
          for (let i = first[group] ?? 0; i < endOf(group); i++) {
            const value = values[rows[i] ?? 0] ?? Number.NaN;
            if (Number.isNaN(value)) continue;
            exact.add(0, value);
            present += 1;
          }
          total[group] = present === 0 ? Number.NaN : exact.sum(0);
          absent += endOf(group) - (first[group] ?? 0) - present;
        }
        sums.set(name, total);
        if (absent > 0) missing.set(name, absent);
      }
      return {
        rowOfGroup: first.map((i) => rows[i] ?? 0),
        rowsSummed: first.map((i, group) => endOf(group) - i),
        sums,
        missing,
      };
    },
  };
}

const BLOCK_GROUPS = 2 ** 10;

/** Sorts rows by the first column, then the second and so on, by a stable counting sort per column, the last first. */
async function sortedBy(
  columns: readonly { readonly codes: Codes; readonly values: readonly string[] }[],
  rows: Uint32Array,
  slices: Slices,
): Promise<Uint32Array> {
  let [from, to] = [rows, new Uint32Array(rows.length) as Uint32Array];
  for (const { codes, values } of columns.toReversed()) {
    const offsets = new Uint32Array(values.length + 1);
    for (let i = 0; i < from.length; i += BLOCK_ROWS) {
      countCodes(codes, from.subarray(i, i + BLOCK_ROWS), offsets);
      if (slices.isOver()) await slices.next();
    }
    for (let code = 0; code < values.length; code++)
      offsets[code + 1] = (offsets[code + 1] ?? 0) + (offsets[code] ?? 0);
    for (let i = 0; i < from.length; i += BLOCK_ROWS) {
      scatter(codes, from.subarray(i, i + BLOCK_ROWS), offsets, to);
      if (slices.isOver()) await slices.next();
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Counts each code at index `code + 1`, so that running sums give the first index of each code. */
function countCodes(codes: Codes, rows: Uint32Array, offsets: Uint32Array): void {
  for (let i = 0; i < rows.length; i++) {
    const code = codes[rows[i] ?? 0] ?? 0;
    offsets[code + 1] = (offsets[code + 1] ?? 0) + 1;
  }
}

function scatter(codes: Codes, rows: Uint32Array, offsets: Uint32Array, to: Uint32Array): void {
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0;
    const code = codes[row] ?? 0;
    const offset = offsets[code] ?? 0;
    to[offset] = row;
    offsets[code] = offset + 1;
  }
}
