// Tests rows against conditions: a mask for each condition, and binary search where the codes are sorted.

import type { Codes } from '../../catalog/columns.ts';
import type { Condition } from './compile.ts';

/** A condition as a table: a row fulfils it when `wanted[codes[row]]` is 1. */
export interface Mask {
  readonly codes: Codes;
  readonly wanted: Uint8Array;
}

/** The mask of a condition. */
export function maskOf({ column, codes }: Condition): Mask {
  const wanted = new Uint8Array(column.values.length);
  for (const code of codes) wanted[code] = 1;
  return { codes: column.codes, wanted };
}

/** Whether a row fulfils all conditions. */
export const meetsAll = (masks: readonly Mask[], row: number): boolean =>
  masks.every(({ codes, wanted }) => wanted[codes[row] ?? 0] === 1);

/** The share of its dimension's values that a condition allows, from 0 to 1. */
export const allowedFraction = ({ codes, column }: Condition): number => codes.length / column.values.length;

/**
 * Binary search: the first index from `from` up to, not including, `to` whose number is at least `least`; `to` when
 * there is none. The numbers in between must ascend.
 */
export function lowerBound(numbers: Codes, least: number, from = 0, to = numbers.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
