// Ranges that stand for one cell each: those that a SUMPRODUCT multiplies, and those of an array formula.

import { type Cells, heightOf, widthOf } from './cells.ts';
import type { Expression, Reference } from './expression.ts';
import { forEachPart } from './expressionParts.ts';
import { isRounding } from './rounding.ts';

/** A cell of the ranges that a SUMPRODUCT multiplies, counted from their first, and how large they are. */
export interface Factor {
  row: number;
  column: number;
  readonly height: number;
  readonly width: number;
}

/** How large the ranges of a SUMPRODUCT are, and how many. */
export type Size = Pick<Factor, 'height' | 'width'> & { readonly ranges: number };

/** Functions that reduce ranges to one number. */
const AGGREGATES: ReadonlySet<string> = new Set(['AVERAGE', 'COUNT', 'MAX', 'MIN', 'PRODUCT', 'SUM']);

/**
 * Whether a function is computed where a range stands for one cell at a time. The function takes that cell, or it reduces the
 * range to one number.
 */
export const isInFactor = (name: string, given: readonly Expression[]): boolean =>
  isRounding(name) ||
  name === 'ABS' ||
  (AGGREGATES.has(name) && given.every((one) => one.kind === 'reference'));

/** How many steps it takes to compute with one cell of a range. */
export const STEPS_PER_FACTOR = 30;

/**
 * The size of the first range in the factors. Null when a factor is one cell, a whole column, or a condition, which counts as
 * 0 by itself.
 */
export function sizeOfFactors(given: readonly Expression[], cells: Cells): Size | null {
  const ranges: Reference[] = [];
  for (const one of given) {
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
