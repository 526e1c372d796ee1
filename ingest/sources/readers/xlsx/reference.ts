// Reads references to cells and ranges as workbooks write them: `B3`, `B3:C7`.

import { columnNumber, type Position } from '../../../messages/place.ts';
import type { CellRange } from '../rawFile.ts';

/** Whether the text names one cell. */
export const isCellReference = (ref: string): boolean => /^[A-Z]{1,3}\d{1,7}$/.test(ref);

/** The range that a text such as `B3:C7` names; null for another text. */
export function cellRange(ref: string): CellRange | null {
  const [, ...ends] = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(ref) ?? [];
  const [from = '', top, to = '', bottom] = ends;
  if (ends.length === 0) return null;
  const ascending = (a: number, b: number) => [Math.min(a, b), Math.max(a, b)] as const;
  return {
    rows: ascending(Number(top), Number(bottom)),
    columns: ascending(columnNumber(from), columnNumber(to)),
  };
}

/** The first cell of a list of cells and ranges, such as `K2:K9 M2`; null for another text. */
export function firstCell(refs: string): Position | null {
  const [, letters = '', row] = /^([A-Z]{1,3})(\d{1,7})(?![^:\s])/.exec(refs) ?? [];
  return row === undefined ? null : [Number(row), columnNumber(letters)];
}
