// Finds a page in the columns in memory, which is faster than the engine when the page is few rows away.

import type { Codes, Table } from '../../catalog/columns.ts';
import { type DimensionName, rowOrder } from '../../catalog/datasets.ts';
import type { Condition } from './compile.ts';
import type { Page, PageRequest } from './cutPage.ts';
import { allowedFraction, lowerBound, type Mask, maskOf } from './masks.ts';
import { collect } from './matchingRows.ts';

/**
 * The page of up to `limitRows` rows after position `after` that meet every condition. The compiled statement gives the
 * same page. Null when the page is not complete within the limits. The caller then runs the engine.
 *
 * Rows are sorted (ruling 13). Among rows that agree in the first columns of the order, the next column ascends. So the
 * columns are searched in their order:
 * 1. In a column with a condition, a binary search finds the rows of each wanted value.
 * 2. A column without a condition is divided into the rows of each value, if the conditions after it then skip many
 *    rows.
 * 3. Otherwise the remaining rows are compared one by one.
 */
export function scan(
  table: Table,
  conditions: readonly Condition[],
  { after, limitRows }: PageRequest,
  { maxRows, minRowsPerSearch = MIN_ROWS_PER_SEARCH }: ScanLimits,
): Page | null {
  const found = new Uint32Array(limitRows + 1);
  const levels = levelsOf(table, conditions);
  const search: Search = { levels, found, count: 0, rowsLeft: maxRows, minRowsPerSearch };
  const isAll = searchLevel(search, 0, after + 1, table.rows);
  const { count } = search;
  if (!isAll && count <= limitRows) return null;
  return { positions: found.subarray(0, Math.min(count, limitRows)), hasMore: count > limitRows };
}

interface ScanLimits {
  /** About how many rows may be compared. */
  readonly maxRows: number;
  /** With fewer rows per binary search than this, rows are compared one by one. Only tests set it. */
  readonly minRowsPerSearch?: number;
}

interface Search {
  readonly levels: readonly Level[];
  /** The positions found. There is room for one row more than the page: that row shows whether more rows follow. */
  readonly found: Uint32Array;
  /** How many rows `found` holds. */
  count: number;
  /** How many more rows may be compared. */
  rowsLeft: number;
  readonly minRowsPerSearch: number;
}

/**
 * One of the columns by which rows are sorted, in that order. Columns after the last one with a condition have no level.
 */
interface Level {
  readonly codes: Codes;
  /** The codes that a row may hold, ascending; null without a condition. */
  readonly wanted: readonly number[] | null;
  /**
   * How many combinations of values are possible in this level and the levels after it, up to the next level with a
   * condition; 1 if this level has a condition itself.
   */
  readonly combinations: number;
  /** The conditions of this level and all after it, the most selective first. */
  readonly conditions: readonly Condition[];
  /** The same conditions as masks; null until rows are first compared. */
  masks: readonly Mask[] | null;
}

/**
 * Visits the rows from `from` up to `to`, which agree in the columns of all levels before this one.
 *
 * @param depth the index of the level.
 * @returns false when the search is over: the page is full, or no more rows may be compared.
 */
function searchLevel(search: Search, depth: number, from: number, to: number): boolean {
  const level = search.levels[depth];
  if (!level) return takeRange(search, from, to);
  const { codes, wanted, combinations } = level;
  const searches = wanted?.length ?? combinations;
  if (to - from < searches * search.minRowsPerSearch) return scanRange(search, masksOf(level), from, to);
  if (wanted) {
    let begin = from;
    for (const code of wanted) {
      begin = lowerBound(codes, code, begin, to);
      const end = endOfRun(codes, code, begin, to);
      search.rowsLeft -= SEARCH_ROWS;
      if (begin < end && !searchLevel(search, depth + 1, begin, end)) return false;
      if (search.rowsLeft <= 0) return false;
      begin = end;
    }
    return true;
  }
  for (let begin = from; begin < to; ) {
    const end = endOfRun(codes, codes[begin] ?? 0, begin, to);
    search.rowsLeft -= SEARCH_ROWS;
    if (!searchLevel(search, depth + 1, begin, end)) return false;
    begin = end;
  }
  return true;
}

function masksOf(level: Level): readonly Mask[] {
  level.masks ??= level.conditions.map(maskOf);
  return level.masks;
}

/** A binary search counts as this many rows, because it takes as long as comparing them. */
const SEARCH_ROWS = 32;

/** With fewer rows per binary search, comparing every row is as fast. */
const MIN_ROWS_PER_SEARCH = 2 * SEARCH_ROWS;

/**
 * The first row from `from` on whose code is greater than `code`, or `to`. It goes forward in steps that double,
 * because the run of equal codes is mostly short.
 */
function endOfRun(codes: Codes, code: number, from: number, to: number): number {
  let step = 1;
  let low = from;
  while (low + step < to && (codes[low + step] ?? 0) <= code) {
    low += step;
    step *= 2;
  }
  return lowerBound(codes, code + 1, low, Math.min(low + step, to));
}

/** Adds all rows of a range to `found`, because they meet every condition. Returns false when the search is over. */
function takeRange(search: Search, from: number, to: number): boolean {
  const { found } = search;
  const end = Math.min(to, from + found.length - search.count);
  for (let row = from; row < end; row++) found[search.count++] = row;
  search.rowsLeft -= end - from;
  return search.count < found.length;
}

/** Adds the rows of a range that meet the conditions to `found`. Returns false when the search is over. */
function scanRange(search: Search, masks: readonly Mask[], from: number, to: number): boolean {
  const { found } = search;
  const end = Math.min(to, from + search.rowsLeft);
  for (let begin = from; begin < end; begin += SCANNED_BLOCK_ROWS) {
    const next = Math.min(begin + SCANNED_BLOCK_ROWS, end);
    const matches = collect(masks, block, begin, next);
    const taken = Math.min(matches, found.length - search.count);
    for (let i = 0; i < taken; i++) found[search.count++] = block[i] ?? 0;
    search.rowsLeft -= next - begin;
    if (search.count === found.length) return false;
  }
  return end === to && search.rowsLeft > 0;
}

/**
 * How many rows are compared at a time. They are few, because those after the last row of the page are compared in
 * vain.
 */
const SCANNED_BLOCK_ROWS = 2 ** 10;

/** The rows of one block that meet all conditions. */
const block = new Uint32Array(SCANNED_BLOCK_ROWS);

function levelsOf(table: Table, conditions: readonly Condition[]): Level[] {
  const conditionOf = new Map<DimensionName, Condition>(
    conditions.map((condition) => [condition.dimension, condition]),
  );
  const order = rowOrder(table.dataset);
  const levels: Level[] = [];
  let laterConditions: readonly Condition[] = [];
  let combinations = 1;
  // The loop goes from the last column to the first.
  for (const name of order.toReversed()) {
    const column = table.dimensions.get(name);
    const condition = conditionOf.get(name);
    // Columns after the last one with a condition are not needed.
    if (!column || (!condition && laterConditions.length === 0)) continue;
    if (condition) {
      laterConditions = withCondition(laterConditions, condition);
      combinations = 1;
    } else combinations *= column.values.length;
    levels.push({
      codes: column.codes,
      wanted: condition?.codes ?? null,
      combinations,
      conditions: laterConditions,
      masks: null,
    });
  }
  return levels.reverse();
}

/** `conditions` with one more, the most selective first. */
function withCondition(conditions: readonly Condition[], condition: Condition): Condition[] {
  const share = allowedFraction(condition);
  const index = conditions.findIndex((other) => allowedFraction(other) > share);
  return index < 0 ? [...conditions, condition] : conditions.toSpliced(index, 0, condition);
}
