// Finds values that are equal to the last digit among millions of rows, and tells whether chance explains that.

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

/** A figure with no more digits than this is rounded, and may equal another one by chance. */
const FEW_DIGITS = 5;

/** Whether a number has so many digits that chance does not explain an equal figure. Zeros at the end do not count. */
export const hasManyDigits = (value: number): boolean => digitsOf(value).count > FEW_DIGITS;

/** How many digits a number has without the zeros at its end, and the unit of the last of them. */
export function digitsOf(value: number): { readonly count: number; readonly unit: number } {
  // Most figures are whole numbers or have two or four decimals. Arithmetic is several times as fast as texts.
  const amount = Math.abs(value);
  for (const places of [0, 2, 4]) {
    const shifted = Math.round(amount * 10 ** places);
    if (shifted > 0 && shifted < LARGEST_SHIFTED && shifted / 10 ** places === amount)
      return digitsOfWhole(shifted, places);
  }
  const [digits = '', exponent = '0'] = Math.abs(value).toExponential().split('e');
  const count = digits.replace('.', '').length;
  return { count, unit: 10 ** (Number(exponent) - count + 1) };
}

/** Below this, a double names its decimal number exactly: no other one of at most 15 digits has the same double. */
const LARGEST_SHIFTED = 1e15;

/** The digits of a whole number above 0, and the unit of the last of them after a division by a power of ten. */
function digitsOfWhole(whole: number, places: number): { readonly count: number; readonly unit: number } {
  let [rest, zeros, count] = [whole, 0, 1];
  for (; rest % 10 === 0; rest /= 10) zeros += 1;
  for (let bound = 10; rest >= bound; bound *= 10) count += 1;
  return { count, unit: 10 ** (zeros - places) };
}
