// Finds a page by looking at the rows themselves: for whatever is few rows away, quicker than planning a statement.

import type { Codes, Column, Table } from '../catalog/columns.ts';
import { type DimensionName, rowOrder } from '../catalog/datasets.ts';
import type { Condition } from './compile.ts';
import type { Page, PageRequest } from './page.ts';

/**
 * Up to `limitRows` rows behind position `after` that meet every condition: the very page that the compiled
 * statement selects. Null when that is not known after looking at about `mostRows` rows; the engine is asked then.
 *
 * Rows are sorted (ruling 13). While the first columns of that order have conditions, their rows are found by binary
 * search; the others are compared row by row.
 */
export function scan(
  table: Table,
  conditions: readonly Condition[],
  { after, limitRows }: PageRequest,
  mostRows: number,
): Page | null {
  const found = new Uint32Array(limitRows + 1);
  const search: Search = { plan: planOf(table, conditions), found, count: 0, rowsLeft: mostRows };
  const isAll = visit(search, 0, after + 1, table.rows);
  const { count } = search;
  if (!isAll && count <= limitRows) return null;
  return { positions: found.subarray(0, Math.min(count, limitRows)), hasMore: count > limitRows };
}

interface Search {
  readonly plan: Plan;
  /** One more than the page has room for. */
  readonly found: Uint32Array;
  count: number;
  rowsLeft: number;
}

/** Whether to go on. */
function visit(search: Search, level: number, from: number, to: number): boolean {
  const step = search.plan.leading[level];
  if (!step) return look(search, from, to);
  let begin = from;
  for (const code of step.wanted) {
    begin = firstNotBelow(step.codes, code, begin, to);
    const end = firstNotBelow(step.codes, code + 1, begin, to);
    search.rowsLeft -= SEARCH_ROWS;
    if (begin < end && !visit(search, level + 1, begin, end)) return false;
    if (search.rowsLeft <= 0) return false;
    begin = end;
  }
  return true;
}

/** Whether to go on. */
function look(search: Search, from: number, to: number): boolean {
  const { plan, found } = search;
  const end = Math.min(to, from + search.rowsLeft);
  search.count = collect(plan.others, found, search.count, from, end);
  search.rowsLeft -= end - from;
  return search.count < found.length && end === to;
}

/**
 * Adds the rows that meet all masks to those found, until there is no more room; gives how many there are then.
 *
 * Nothing stands behind the loop: V8 may enter compiled code in the middle of it, and would leave that code at the
 * first line it has not seen yet, at every call.
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

/** About how many rows could be looked at while one binary search runs. */
const SEARCH_ROWS = 32;

interface Plan {
  /** Columns of the row order from its beginning, with the codes wanted of each, ascending. */
  readonly leading: readonly { readonly codes: Codes; readonly wanted: readonly number[] }[];
  /** The rest, with a 1 for every code that is wanted. */
  readonly others: readonly Mask[];
}

interface Mask {
  readonly codes: Codes;
  readonly wanted: Uint8Array;
}

function planOf(table: Table, conditions: readonly Condition[]): Plan {
  const open = new Map<DimensionName, Condition>(conditions.map((one) => [one.dimension, one]));
  const leading = [];
  for (const name of rowOrder(table.dataset)) {
    const condition = open.get(name);
    if (!condition) break;
    leading.push({ codes: condition.column.codes, wanted: condition.codes });
    open.delete(name);
  }
  return { leading, others: [...open.values()].map(({ column, codes }) => maskOf(column, codes)) };
}

function maskOf({ codes, values }: Column, wantedCodes: readonly number[]): Mask {
  const wanted = new Uint8Array(values.length);
  for (const code of wantedCodes) wanted[code] = 1;
  return { codes, wanted };
}

function meets(masks: readonly Mask[], row: number): boolean {
  for (const { codes, wanted } of masks) {
    if (wanted[codes[row] ?? 0] !== 1) return false;
  }
  return true;
}

/** The first row from `from` on, below `to`, whose code is not below `code`; codes ascend there. */
function firstNotBelow(codes: Codes, code: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((codes[middle] ?? 0) < code) low = middle + 1;
    else high = middle;
  }
  return low;
}
