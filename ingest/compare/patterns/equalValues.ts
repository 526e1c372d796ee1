// Finds values that are equal to the last digit among millions of rows.

import type { Rows } from '../rows/codedRows.ts';
import { firstWhere, rowsWhere } from '../rows/rowLists.ts';

/** The rows of a side whose first metric has one of these values. `values` must be sorted. */
export function rowsWithValues(rows: Rows, values: Float64Array): Int32Array {
  if (values.length === 0) return new Int32Array(0);
  const all = rows.values(0);
  const likely = rowsThatMayBe(hashBits(values), all);
  return rowsWhere(likely, (row) => sortedIncludes(values, all[row] as number));
}

/** The values that appear more than once in a sorted list. */
export function repeatedValuesIn(sorted: Float64Array): Float64Array {
  const found: number[] = [];
  for (let i = 1; i < sorted.length; i += 1)
    if (sorted[i] === sorted[i - 1] && sorted[i] !== found.at(-1)) found.push(sorted[i] as number);
  return Float64Array.from(found);
}

/** The bits for each hash. With 64, at most one unwanted row in 64 has the bit of a wanted value. */
const BITS_PER_HASH = 64;

/** The set of the hashes of these values: the bit of each hash, by its lower digits, is 1. */
function hashBits(values: Float64Array): Uint32Array {
  const bits = new Uint32Array(2 ** Math.ceil(Math.log2((BITS_PER_HASH / 32) * values.length)));
  const mask = bits.length - 1;
  const halves = halvesOf(values);
  for (let i = 0; i < values.length; i += 1) {
    const hash = hashAt(halves, i);
    const word = (hash >>> 5) & mask;
    bits[word] = (bits[word] as number) | (1 << hash);
  }
  return bits;
}

/** The rows whose value has the bit of its hash: all that have a wanted value, and a few others. */
function rowsThatMayBe(bits: Uint32Array, values: Float64Array): Int32Array {
  const found = new Int32Array(values.length);
  const mask = bits.length - 1;
  const halves = halvesOf(values);
  let count = 0;
  for (let row = 0; row < found.length; row += 1) {
    const hash = hashAt(halves, row);
    found[count] = row;
    count += ((bits[(hash >>> 5) & mask] as number) >>> hash) & 1;
  }
  return found.subarray(0, count);
}

/** The bits of values: two integers for each value. */
const halvesOf = (values: Float64Array): Int32Array =>
  new Int32Array(values.buffer, values.byteOffset, 2 * values.length);

/**
 * The hash of a value. Equal values have equal hashes, except 0 and −0. Different values rarely have equal ones.
 *
 * @param halves The bits of the values.
 */
function hashAt(halves: Int32Array, i: number): number {
  const mixed = Math.imul(
    (halves[2 * i] as number) ^ Math.imul(halves[2 * i + 1] as number, 0x9e3779b1),
    0x85ebca6b,
  );
  return mixed ^ (mixed >>> 15);
}

/** Whether a sorted list has a value. */
export const sortedIncludes = (sorted: Float64Array, value: number): boolean =>
  sorted[firstWhere(sorted.length, (i) => (sorted[i] as number) >= value)] === value;
