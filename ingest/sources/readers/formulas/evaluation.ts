// Defines what the functions of formulas get: the formula that is being computed, with its cells.

import type { Expression, Reference } from './expression.ts';
import type { FormulaResult } from './results.ts';
import type { Area, WorkbookCells } from './workbookCells.ts';

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

/**
 * How a formula reads a range outside of functions for ranges:
 * - `one cell`: not at all, so the result is unknown;
 * - `array of one cell`, in an array formula of one cell: as in `one cell`, but a function such as SUM computes its
 *   argument for each cell of the ranges in it;
 * - a position, in a SUMPRODUCT or an array formula of several cells: as the cell at this position of the range.
 */
export type Scope = 'one cell' | 'array of one cell' | RangePosition;

/** The formula that is being computed. */
export interface Evaluation {
  scope: Scope;
  readonly cells: WorkbookCells;
  /** The subtotals on the sheet of the formula; null when SUBTOTAL and AGGREGATE give unknown results. */
  readonly subtotals: Readonly<Record<'result' | 'aggregate', Compute>> | null;
  compute(expression: Expression): FormulaResult;
  /** The value of a reference to one cell. */
  cellOf(reference: Reference): FormulaResult;
}

/** Computes a function. `name` is its name in upper case. It has at least one argument. */
export type Compute = (args: readonly Expression[], formula: Evaluation, name: string) => FormulaResult;

/** The cells that an argument means; null when it is not a range. */
export const areaOf = (expression: Expression | undefined, { cells }: Evaluation): Area | null =>
  expression?.kind === 'reference' ? cells.areaOf(expression) : null;
