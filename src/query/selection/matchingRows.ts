// Finds all rows that a query selects from the columns in memory, a block at a time, in the published order.

import type { Table } from '../../catalog/columns.ts';
import { rowOrder } from '../../catalog/datasets.ts';
import type { Slices } from '../slices.ts';
import { type Condition, conditionsIn, type SelectedRows } from './compile.ts';
import { lowerBound, type Mask, maskOf } from './masks.ts';

/**
 * How many rows are compared before the next check whether the slice is over. They take about a tenth of a millisecond.
 */
export const MATCHING_BLOCK_ROWS = 2 ** 14;

/** One or more rows of a table, ascending. */
export type RowBlock =
  /** All rows from `first` up to, not including, `end`: any number of them. */
  | { readonly kind: 'range'; readonly first: number; readonly end: number }
  /** At most `MATCHING_BLOCK_ROWS` positions. They are valid until the next block is requested. */
  | { readonly kind: 'positions'; readonly positions: Uint32Array };

/**
 * The rows that a query selects, ascending.
 *
 * Rows are sorted (ruling 13), so a binary search finds the rows that meet a condition on the first sort column. Only
 * those are compared with the other conditions.
 */
export async function* matchingBlocks(
  table: Table,
  selected: SelectedRows,
  slices: Slices,
): AsyncGenerator<RowBlock> {
  if (selected === 'nothing') return;
  const { ranges, masks } = planOf(table, conditionsIn(selected));
  const rows = new Uint32Array(MATCHING_BLOCK_ROWS);
  for (const [begin, end] of ranges) {
    if (masks.length === 0) {
      if (begin < end) yield { kind: 'range', first: begin, end };
      continue;
    }
    for (let from = begin; from < end; from += MATCHING_BLOCK_ROWS) {
      const count = collect(masks, rows, from, Math.min(from + MATCHING_BLOCK_ROWS, end));
      if (slices.isOver()) await slices.next();
      if (count > 0) yield { kind: 'positions', positions: rows.subarray(0, count) };
    }
  }
}

/**
 * The positions of the rows that a query selects, ascending, in blocks of at least one row. A block is valid until the
 * next one is requested.
 */
export async function* matchingRows(
  table: Table,
  selected: SelectedRows,
  slices: Slices,
): AsyncGenerator<Uint32Array> {
  const rows = new Uint32Array(MATCHING_BLOCK_ROWS);
  for await (const block of matchingBlocks(table, selected, slices)) {
    if (block.kind === 'positions') {
      yield block.positions;
      continue;
    }
    for (let from = block.first; from < block.end; from += MATCHING_BLOCK_ROWS) {
      const count = fillRange(rows, from, Math.min(from + MATCHING_BLOCK_ROWS, block.end));
      if (slices.isOver()) await slices.next();
      yield rows.subarray(0, count);
    }
  }
}

interface Plan {
  /** The ranges that hold all selected rows, ascending. */
  readonly ranges: readonly (readonly [begin: number, end: number])[];
  /** The conditions for rows within a range. */
  readonly masks: readonly Mask[];
}

function planOf(table: Table, conditions: readonly Condition[]): Plan {
  const [first] = rowOrder(table.dataset);
  const onSortColumn = conditions.find(({ dimension }) => dimension === first);
  if (!onSortColumn) return { ranges: [[0, table.rows]], masks: conditions.map(maskOf) };
  const { codes } = onSortColumn.column;
  return {
    ranges: onSortColumn.codes.map((code) => [lowerBound(codes, code), lowerBound(codes, code + 1)]),
    masks: conditions.filter((condition) => condition !== onSortColumn).map(maskOf),
  };
}

/** Writes the rows from `from` to `to` that meet all masks into `rows`, ascending. Returns their number. */
export function collect(masks: readonly Mask[], rows: Uint32Array, from: number, to: number): number {
  const first = masks[0];
  if (!first) return fillRange(rows, from, to);
  let count = gather(first, rows, from, to);
  for (let i = 1; i < masks.length; i++) {
    const mask = masks[i];
    if (mask) count = refine(mask, rows, count);
  }
  return count;
}

/** Keeps those of the first `length` rows that meet a mask. Returns their number. */
export function refine({ codes, wanted }: Mask, rows: Uint32Array, length: number): number {
  let count = 0;
  for (let i = 0; i < length; i++) {
    const row = rows[i] ?? 0;
    rows[count] = row;
    count += wanted[codes[row] ?? 0] ?? 0;
  }
  return count;
}

/** Writes all rows from `from` to `to` into `rows`. Returns their number. */
function fillRange(rows: Uint32Array, from: number, to: number): number {
  for (let row = from; row < to; row++) rows[row - from] = row;
  return to - from;
}

/**
 * Writes the rows from `from` to `to` that meet one mask into `rows`. Returns their number. The loop has no branch,
 * because the processor could not predict which rows match.
 */
function gather({ codes, wanted }: Mask, rows: Uint32Array, from: number, to: number): number {
  let count = 0;
  for (let row = from; row < to; row++) {
    rows[count] = row;
    count += wanted[codes[row] ?? 0] ?? 0;
  }
  return count;
}
