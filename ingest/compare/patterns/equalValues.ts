// Finds values that are equal to the last digit among millions of rows.

import type { Rows } from '../rows/codedRows.ts';
import { firstWhere, rowsWhere } from '../rows/rowLists.ts';

/** The rows of a side whose first metric has one of these values. `values` must be sorted. */
export function rowsWithValues(rows: Rows, values: Float64Array): Int32Array {
  if (values.length === 0) return new Int32Array(0);
  const mayBe = new Uint8Array(2 ** Math.ceil(Math.log2(8 * values.length)));
  const mask = mayBe.length - 1;
  for (const hash of hashes(values)) mayBe[hash & mask] = 1;
  const all = rows.values(0);
  const likely = rowsThatMayBe(mayBe, hashes(all));
  return rowsWhere(likely, (row) => sortedIncludes(values, all[row] as number));
}

/** The values that appear more than once in a sorted list. */
export function repeatedValuesIn(sorted: Float64Array): Float64Array {
  const found: number[] = [];
  for (let i = 1; i < sorted.length; i += 1)
    if (sorted[i] === sorted[i - 1] && sorted[i] !== found.at(-1)) found.push(sorted[i] as number);
  return Float64Array.from(found);
}

/** The rows whose hash is marked in `mayBe`: all that have a wanted value, and a few others. */
function rowsThatMayBe(mayBe: Uint8Array, hashed: Int32Array): Int32Array {
  const found = new Int32Array(hashed.length);
  const mask = mayBe.length - 1;
  let count = 0;
  for (let row = 0; row < hashed.length; row += 1) {
    found[count] = row;
    count += mayBe[(hashed[row] as number) & mask] as number;
  }
  return found.subarray(0, count);
}

/**
 * Hashes the bits of each value. Equal values have equal hashes, except 0 and −0. Different values rarely have equal ones.
 */
function hashes(values: Float64Array): Int32Array {
  const halves = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
  const found = new Int32Array(values.length);
  for (let i = 0; i < found.length; i += 1) {
    const mixed = Math.imul(
      (halves[2 * i] as number) ^ Math.imul(halves[2 * i + 1] as number, 0x9e3779b1),
      0x85ebca6b,
    );
    found[i] = mixed ^ (mixed >>> 15);
  }
  return found;
}

/** Whether a sorted list has a value. */
export const sortedIncludes = (sorted: Float64Array, value: number): boolean =>
  sorted[firstWhere(sorted.length, (i) => (sorted[i] as number) >= value)] === value;
