// Counts the values of each dimension among the rows that meet all filters on other dimensions.

import type { Codes, Table } from '../../catalog/columns.ts';
import { type DimensionName, rowOrder } from '../../catalog/datasets.ts';
import type { Condition } from '../selection/compile.ts';
import { allowedFraction, type Mask, maskOf } from '../selection/masks.ts';
import { collect, refine } from '../selection/matchingRows.ts';
import type { Slices } from '../slices.ts';

export interface ValueCounts {
  readonly rows: number;
  /** For each requested dimension, an array whose element `code` is the number of rows with this code. */
  readonly counts: ReadonlyMap<DimensionName, Uint32Array>;
}

/**
 * Counts from the columns in memory, a block of rows at a time:
 * 1. In a requested dimension with a condition, it counts the rows that meet all other conditions.
 * 2. In a requested dimension without one, it counts the rows that meet all conditions.
 *
 * Rows are sorted, so the first columns often have one value in a whole block. Such a value is tested and counted once for
 * all rows of the block.
 */
export async function countValues(
  table: Table,
  conditions: readonly Condition[],
  dimensions: readonly DimensionName[],
  slices: Slices,
): Promise<ValueCounts> {
  const plan = planOf(table, conditions, dimensions);
  const found = new Uint32Array(COUNTED_BLOCK_ROWS);
  let rows = 0;
  for (let from = 0; from < table.rows; from += COUNTED_BLOCK_ROWS) {
    rows += countBlock(plan, found, from, Math.min(from + COUNTED_BLOCK_ROWS, table.rows));
    if (slices.isOver()) await slices.next();
  }
  return {
    rows,
    counts: new Map(dimensions.map((name) => [name, merged(plan.counters.get(name))])),
  };
}

/** Rows in a block. The positions found in a block fit into the processor's L1 cache. */
const COUNTED_BLOCK_ROWS = 2 ** 13;

/**
 * The number of counters per value. Consecutive rows often have the same value. If all of them incremented one counter,
 * each increment would wait for the one before.
 */
const LANES = 4;

interface Counter {
  readonly codes: Codes;
  /** The counters: `LANES` for each code. */
  readonly lanes: Uint32Array;
}

/** A condition, with the counter of its dimension. */
interface CountedTest extends Mask {
  /** Counts the rows that meet all other tests; null when the dimension is not requested. */
  readonly counter: Counter | null;
}

interface Plan {
  readonly tests: readonly CountedTest[];
  readonly counters: ReadonlyMap<DimensionName, Counter>;
  /** The counters of dimensions without a condition, in the row order. */
  readonly untestedCounters: readonly Counter[];
  readonly order: readonly Codes[];
}

function planOf(table: Table, conditions: readonly Condition[], dimensions: readonly DimensionName[]): Plan {
  const order = rowOrder(table.dataset);
  const counters = new Map(
    dimensions.flatMap((name): [DimensionName, Counter][] => {
      const column = table.dimensions.get(name);
      return column
        ? [[name, { codes: column.codes, lanes: new Uint32Array(LANES * column.values.length) }]]
        : [];
    }),
  );
  // The most selective test comes first, so that the other tests have fewer rows to check.
  const tests = conditions
    .toSorted((a, b) => allowedFraction(a) - allowedFraction(b))
    .map((condition): CountedTest => {
      return { ...maskOf(condition), counter: counters.get(condition.dimension) ?? null };
    });
  const isTested = (name: DimensionName) => conditions.some(({ dimension }) => dimension === name);
  return {
    tests,
    counters,
    untestedCounters: order.flatMap((name) => (isTested(name) ? [] : (counters.get(name) ?? []))),
    order: order.flatMap((name) => table.dimensions.get(name)?.codes ?? []),
  };
}

/** Counts one block. Returns the number of rows that meet all tests. */
function countBlock(
  { tests, untestedCounters, order }: Plan,
  rows: Uint32Array,
  from: number,
  to: number,
): number {
  const constant = constantColumns(order, from, to);
  const open = tests.filter(({ codes }) => !constant.has(codes));
  const failed = tests.filter(({ codes, wanted }) => constant.has(codes) && wanted[codes[from] ?? 0] === 0);
  const [only] = failed;
  if (failed.length > 1 || (only && only.counter === null)) return 0;
  if (only?.counter) {
    addConstant(only.counter, from, collect(open, rows, from, to));
    return 0;
  }
  let met = 0;
  if (open.length === 0) met = collect([], rows, from, to);
  for (const [i, test] of open.entries()) {
    const isLast = i === open.length - 1;
    if (test.counter === null && !isLast) continue;
    const others = collect(
      open.filter((other) => other !== test),
      rows,
      from,
      to,
    );
    if (test.counter !== null) count(test.counter, rows, others);
    if (isLast) met = refine(test, rows, others);
  }
  if (met === 0) return 0;
  for (const { codes, counter } of tests) {
    if (constant.has(codes) && counter !== null) addConstant(counter, from, met);
  }
  for (const counter of untestedCounters) {
    if (constant.has(counter.codes)) addConstant(counter, from, met);
    else count(counter, rows, met);
  }
  return met;
}

/**
 * The columns that have one value in all rows of a block. Rows are sorted. So a column is constant when its first and
 * last value agree and all columns before it in the row order are constant.
 */
function constantColumns(order: readonly Codes[], from: number, to: number): Set<Codes> {
  const end = order.findIndex((codes) => codes[from] !== codes[to - 1]);
  return new Set(end < 0 ? order : order.slice(0, end));
}

function addConstant({ codes, lanes }: Counter, row: number, rows: number): void {
  const lane = LANES * (codes[row] ?? 0);
  lanes[lane] = (lanes[lane] ?? 0) + rows;
}

function count({ codes, lanes }: Counter, rows: Uint32Array, length: number): void {
  const whole = length - (length % LANES);
  for (let i = 0; i < whole; i += LANES) {
    const first = LANES * (codes[rows[i] ?? 0] ?? 0);
    const second = LANES * (codes[rows[i + 1] ?? 0] ?? 0) + 1;
    const third = LANES * (codes[rows[i + 2] ?? 0] ?? 0) + 2;
    const fourth = LANES * (codes[rows[i + 3] ?? 0] ?? 0) + 3;
    lanes[first] = (lanes[first] ?? 0) + 1;
    lanes[second] = (lanes[second] ?? 0) + 1;
    lanes[third] = (lanes[third] ?? 0) + 1;
    lanes[fourth] = (lanes[fourth] ?? 0) + 1;
  }
  for (let i = whole; i < length; i++) {
    const lane = LANES * (codes[rows[i] ?? 0] ?? 0);
    lanes[lane] = (lanes[lane] ?? 0) + 1;
  }
}

function merged(counter: Counter | undefined): Uint32Array {
  const lanes = counter?.lanes ?? new Uint32Array(0);
  return Uint32Array.from({ length: lanes.length / LANES }, (_, code) =>
    lanes.subarray(LANES * code, LANES * (code + 1)).reduce((sum, lane) => sum + lane, 0),
  );
}
