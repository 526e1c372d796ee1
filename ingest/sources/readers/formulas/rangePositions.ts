// Helps to compute SUMPRODUCT and array formulas, which use one cell of each range at a time.

import { type Cells, heightOf, widthOf } from './cells.ts';
import type { Expression, Reference } from './expression.ts';
import { forEachPart } from './expressionParts.ts';
import { isRounding } from './rounding.ts';

/** The position in the ranges of a SUMPRODUCT, counted from their first cell, and the size of the ranges. */
export interface RangePosition {
  row: number;
  column: number;
  readonly height: number;
  readonly width: number;
}

/** The size of the ranges of a SUMPRODUCT, and their number. */
export type Size = Pick<RangePosition, 'height' | 'width'> & { readonly ranges: number };

/** Functions that reduce ranges to one number. */
const AGGREGATES: ReadonlySet<string> = new Set(['AVERAGE', 'COUNT', 'MAX', 'MIN', 'PRODUCT', 'SUM']);

/**
 * Whether a function can be computed for one cell of each range at a time. It takes that cell, or it reduces a whole range to one
 * number.
 */
export const worksPerCell = (name: string, args: readonly Expression[]): boolean =>
  isRounding(name) ||
  name === 'ABS' ||
  (AGGREGATES.has(name) && args.every((one) => one.kind === 'reference'));

/** The steps that the computation with one cell of a range takes. */
export const STEPS_PER_CELL = 30;

/**
 * The size of the first range in the factors. Null when a factor is one cell, a whole column, or a condition alone. Programs
 * count a condition alone as 0.
 */
export function sizeOfRanges(args: readonly Expression[], cells: Cells): Size | null {
  const ranges: Reference[] = [];
  for (const one of args) {
    if (one.kind === 'binary' && /[<>=]/.test(one.operator)) return null;
    if (one.kind === 'reference' && one.isOneCell) return null;
    forEachPart(one, (part) => {
      if (part.kind === 'reference' && !part.isOneCell) ranges.push(part);
    });
  }
  const [first] = ranges;
  const area = first && cells.areaOf(first);
  if (!area || ranges.some(({ rows }) => rows === null)) return null;
  return { height: heightOf(area), width: widthOf(area), ranges: ranges.length };
}
