// Reads which cells a range of merged cells covers.

import type { MergedCells } from '../raw.ts';
import { FIRST_LETTER } from './bytes.ts';

/** The range written `B3:C7`; null for what is none. */
export function mergedCells(ref: string): MergedCells | null {
  const [, ...ends] = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(ref) ?? [];
  const [from = '', top, to = '', bottom] = ends;
  if (ends.length === 0) return null;
  const ascending = (one: number, other: number) => [Math.min(one, other), Math.max(one, other)] as const;
  return {
    rows: ascending(Number(top), Number(bottom)),
    columns: ascending(columnNumber(from), columnNumber(to)),
  };
}

const columnNumber = (letters: string) =>
  [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - FIRST_LETTER + 1, 0) - 1;
