// Finds pairs of rows that differ in one dimension only, such as a forecast and a reported value of the same year.

import type { Codes, Table } from '../../catalog/columns.ts';
import { type DimensionName, rowOrder } from '../../catalog/datasets.ts';
import type { Slices } from '../slices.ts';
import { createGrowingList, type GrowingList } from './growingList.ts';

/**
 * A flat list of pairs of row positions. The rows of a pair differ in `dimension` only.
 *
 * Rows are sorted (ruling 13). Rows that agree in all dimensions before `dimension` are consecutive, and form a run for
 * each value of `dimension`. A run is sorted by the dimensions after it, so merging two runs finds their pairs.
 */
export async function findTwinRows(
  table: Table,
  dimension: DimensionName,
  slices: Slices,
): Promise<Uint32Array> {
  const order = rowOrder(table.dataset);
  const columnsOf = (names: readonly DimensionName[]) =>
    names.flatMap((name) => table.dimensions.get(name)?.codes ?? []);
  const level = order.indexOf(dimension);
  const column = table.dimensions.get(dimension)?.codes;
  const pairs = createGrowingList();
  if (column === undefined) return pairs.view();
  const [before, behind] = [columnsOf(order.slice(0, level)), columnsOf(order.slice(level + 1))];
  let checkedRow = 0;
  for (let row = 1; row < table.rows; row++) {
    if (row - checkedRow >= ROWS_PER_CHECK) {
      checkedRow = row;
      if (slices.isOver()) await slices.next();
    }
    // A search begins where two neighbouring rows differ in `dimension`, but agree in all dimensions before it.
    if (column[row] === column[row - 1] || !agree(before, row - 1, row)) continue;
    let first = row - 1;
    while (first > 0 && agree(before, first - 1, row)) first -= 1;
    const starts = [first];
    let end = first + 1;
    for (; end < table.rows && agree(before, end, row); end++) {
      if (column[end] !== column[end - 1]) starts.push(end);
    }
    mergeAll(starts, end, behind, pairs);
    row = end;
  }
  return pairs.view();
}

/** How many rows are searched before the next check whether the slice is over. */
const ROWS_PER_CHECK = 2 ** 12;

const agree = (columns: readonly Codes[], one: number, other: number) => {
  for (const codes of columns) if (codes[one] !== codes[other]) return false;
  return true;
};

/** Finds the pairs of all runs: merges each run with each later run. */
function mergeAll(
  starts: readonly number[],
  end: number,
  columns: readonly Codes[],
  pairs: GrowingList,
): void {
  for (const [i, start] of starts.entries()) {
    const stop = starts[i + 1] ?? end;
    for (let j = i + 1; j < starts.length; j++) {
      let [one, other] = [start, starts[j] ?? end];
      const otherStop = starts[j + 1] ?? end;
      while (one < stop && other < otherStop) {
        const step = compare(columns, one, other);
        if (step === 0) {
          pairs.push(one);
          pairs.push(other);
        }
        if (step <= 0) one += 1;
        if (step >= 0) other += 1;
      }
    }
  }
}

function compare(columns: readonly Codes[], one: number, other: number): number {
  for (const codes of columns) {
    const step = (codes[one] ?? 0) - (codes[other] ?? 0);
    if (step !== 0) return step;
  }
  return 0;
}
