// Finds values that are equal to the last digit among millions of rows.

import type { Rows } from '../rows/codedRows.ts';
import { firstWhere, rowsWhere } from '../rows/rowLists.ts';

/** The rows of a side whose first metric has one of these values. `values` must be sorted. */
export function rowsWithValues(rows: Rows, values: Float64Array): Int32Array {
  if (values.length === 0) return new Int32Array(0);
  const wanted = hashBits(hashes(values));
  const all = rows.values(0);
  const likely = rowsThatMayBe(wanted, hashes(all));
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

/** A set of hashes: the bit of each hash, by its lower digits, is 1. */
function hashBits(hashed: Int32Array): Uint32Array {
  const bits = new Uint32Array(2 ** Math.ceil(Math.log2((BITS_PER_HASH / 32) * hashed.length)));
  const mask = bits.length - 1;
  for (const hash of hashed) {
    const word = (hash >>> 5) & mask;
    bits[word] = (bits[word] as number) | (1 << hash);
  }
  return bits;
}

/** The rows whose hash has its bit: all that have a wanted value, and a few others. */
function rowsThatMayBe(bits: Uint32Array, hashed: Int32Array): Int32Array {
  const found = new Int32Array(hashed.length);
  const mask = bits.length - 1;
  let count = 0;
  for (let row = 0; row < hashed.length; row += 1) {
    const hash = hashed[row] as number;
    found[count] = row;
    count += ((bits[(hash >>> 5) & mask] as number) >>> hash) & 1;
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
