// Tests rows against conditions: a mask for each condition, and binary search where the codes are sorted.

import type { Codes } from '../catalog/columns.ts';
import type { Condition } from './compile.ts';

/** A condition as a table: a row meets it when `wanted[codes[row]]` is 1. */
export interface Mask {
  readonly codes: Codes;
  readonly wanted: Uint8Array;
}

export function maskOf({ column, codes }: Condition): Mask {
  const wanted = new Uint8Array(column.values.length);
  for (const code of codes) wanted[code] = 1;
  return { codes: column.codes, wanted };
}

/** The first row in [from, to) whose code is at least `code`, or `to`; the codes must ascend there. */
export function lowerBound(codes: Codes, code: number, from = 0, to = codes.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((codes[middle] ?? 0) < code) low = middle + 1;
    else high = middle;
  }
  return low;
}
