// Finds a page by scanning rows in memory, which is faster than the engine when the page is few rows away.

import type { Codes, Table } from '../catalog/columns.ts';
import { type DimensionName, rowOrder } from '../catalog/datasets.ts';
import type { Condition } from './compile.ts';
import { lowerBound, type Mask, maskOf } from './masks.ts';
import type { Page, PageRequest } from './page.ts';

/**
 * Up to `limitRows` rows after position `after` that meet every condition: the same page as the compiled statement gives.
 * Null when about `maxRows` rows were not enough; the engine runs then.
 *
 * 1. Rows are sorted (ruling 13). The first columns of that order are binary-searched, as long as they have conditions.
 * 2. Within the ranges found, the other conditions are compared row by row.
 */
export function scan(
  table: Table,
  conditions: readonly Condition[],
  { after, limitRows }: PageRequest,
  maxRows: number,
): Page | null {
  const found = new Uint32Array(limitRows + 1);
  const search: Search = { plan: planOf(table, conditions), found, count: 0, rowsLeft: maxRows };
  const isAll = visit(search, 0, after + 1, table.rows);
  const { count } = search;
  if (!isAll && count <= limitRows) return null;
  return { positions: found.subarray(0, Math.min(count, limitRows)), hasMore: count > limitRows };
}

interface Search {
  readonly plan: Plan;
  /** Holds one row more than the page, which tells whether rows follow. */
  readonly found: Uint32Array;
  count: number;
  rowsLeft: number;
}

/** Visits the ranges of one sorted column; false when the search is over. */
function visit(search: Search, level: number, from: number, to: number): boolean {
  const step = search.plan.sorted[level];
  if (!step) return scanRange(search, from, to);
  let begin = from;
  for (const code of step.wanted) {
    begin = lowerBound(step.codes, code, begin, to);
    const end = lowerBound(step.codes, code + 1, begin, to);
    search.rowsLeft -= SEARCH_ROWS;
    if (begin < end && !visit(search, level + 1, begin, end)) return false;
    if (search.rowsLeft <= 0) return false;
    begin = end;
  }
  return true;
}

/** Scans one range row by row; false when the search is over. */
function scanRange(search: Search, from: number, to: number): boolean {
  const { plan, found } = search;
  const end = Math.min(to, from + search.rowsLeft);
  search.count = collect(plan.others, found, search.count, from, end);
  search.rowsLeft -= end - from;
  return search.count < found.length && end === to;
}

/**
 * Appends the rows that meet all masks to `found` until it is full; returns how many it holds.
 *
 * The loop must stay the last statement: V8 enters compiled code in the middle of it (on-stack replacement) and would
 * deoptimise at the first statement after it, at every call.
 */
function collect(
  masks: readonly Mask[],
  found: Uint32Array,
  count: number,
  from: number,
  end: number,
): number {
  let filled = count;
  for (let row = from; row < end && filled < found.length; row++) {
    if (meets(masks, row)) found[filled++] = row;
  }
  return filled;
}

/** About how many rows could be scanned in the time of one binary search. */
const SEARCH_ROWS = 32;

interface Plan {
  /** The first columns of the row order that have conditions, with the wanted codes of each, ascending. */
  readonly sorted: readonly { readonly codes: Codes; readonly wanted: readonly number[] }[];
  /** The other conditions. */
  readonly others: readonly Mask[];
}

function planOf(table: Table, conditions: readonly Condition[]): Plan {
  const open = new Map<DimensionName, Condition>(conditions.map((one) => [one.dimension, one]));
  const sorted = [];
  for (const name of rowOrder(table.dataset)) {
    const condition = open.get(name);
    if (!condition) break;
    sorted.push({ codes: condition.column.codes, wanted: condition.codes });
    open.delete(name);
  }
  return { sorted, others: [...open.values()].map(maskOf) };
}

function meets(masks: readonly Mask[], row: number): boolean {
  for (const { codes, wanted } of masks) {
    if (wanted[codes[row] ?? 0] !== 1) return false;
  }
  return true;
}
