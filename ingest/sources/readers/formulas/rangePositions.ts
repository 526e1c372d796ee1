// Helps to compute SUMPRODUCT and array formulas, which use one cell of each range at a time.

import type { Expression, Reference } from './expression.ts';
import { forEachPart } from './expressionParts.ts';
import { isRounding } from './rounding.ts';
import { heightOf, type SeenCells, widthOf } from './seenCells.ts';

/**
 * The position in the ranges of a SUMPRODUCT or an array formula, counted from their first cell, and the size of the
 * ranges.
 */
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
 * Whether a function can be computed for one cell of each range at a time: it is applied to that cell alone, or it reduces
 * the whole range to one number.
 */
export const worksPerCell = (name: string, args: readonly Expression[]): boolean =>
  isRounding(name) ||
  name === 'ABS' ||
  (AGGREGATES.has(name) && args.every((arg) => arg.kind === 'reference'));

/** Computing with one cell of a range counts as this many steps. */
export const STEPS_PER_CELL = 30;

/**
 * The size of the first range in the factors. Null when a factor is a single cell or a condition, or contains whole
 * columns. Programs count a condition that is a factor by itself as 0.
 */
export function sizeOfRanges(args: readonly Expression[], cells: SeenCells): Size | null {
  const ranges: Reference[] = [];
  for (const factor of args) {
    if (factor.kind === 'binary' && /[<>=]/.test(factor.operator)) return null;
    if (factor.kind === 'reference' && factor.isOneCell) return null;
    forEachPart(factor, (part) => {
      if (part.kind === 'reference' && !part.isOneCell) ranges.push(part);
    });
  }
  const [first] = ranges;
  const area = first && cells.areaOf(first);
  if (!area || ranges.some(({ rows }) => rows === null)) return null;
  return { height: heightOf(area), width: widthOf(area), ranges: ranges.length };
}
