// Computes the calls of functions in formulas. Other files compute most functions, and this file computes the rest.

import { arithmetic } from './arithmetic.ts';
import { choiceOf } from './choices.ts';
import { offset } from './computedReferences.ts';
import { CONDITIONAL_TOTALS, conditionalTotal } from './criteria.ts';
import type { Expression, Reference } from './expression.ts';
import { LOOKUPS } from './lookups.ts';
import { type RangePosition, STEPS_PER_CELL, sizeOfRanges, worksPerCell } from './rangePositions.ts';
import { isArea, RANK_FUNCTIONS, ranked } from './ranks.ts';
import {
  type Computed,
  calculate,
  exactly,
  type Fault,
  isFault,
  isNumber,
  isTextResult,
  numberOf,
  type Result,
  Totals,
} from './results.ts';
import { isRounding, rounded } from './rounding.ts';
import type { Area, SeenCells } from './seenCells.ts';
import type { Subtotals } from './subtotals.ts';

/**
 * How a formula reads a range outside of functions for ranges:
 * - `one cell`: not at all, so the result is unknown;
 * - `array of one cell`, in an array formula of one cell: as in `one cell`, but a function such as SUM computes its
 *   argument for each cell of the ranges in it;
 * - a position, in a SUMPRODUCT or an array formula of several cells: as the cell at this position of the range.
 */
export type Scope = 'one cell' | 'array of one cell' | RangePosition;

/** The formula that is being computed. */
export interface Formula {
  scope: Scope;
  readonly compute: (expression: Expression) => Result;
  /** Whether a condition is fulfilled; null when it is not known. */
  readonly isTrue: (condition: Expression) => boolean | null;
  readonly cellOf: (reference: Reference) => Result;
}

/** Computes the calls of functions in formulas. */
export class Calls {
  readonly #formula: Formula;
  readonly #cells: SeenCells;
  readonly #subtotals: Subtotals | null;
  readonly #compute: Formula['compute'];

  /** @param subtotals The subtotals on the sheet of the formulas; null when SUBTOTAL and AGGREGATE give unknown results. */
  constructor(formula: Formula, cells: SeenCells, subtotals: Subtotals | null) {
    this.#formula = formula;
    this.#cells = cells;
    this.#subtotals = subtotals;
    this.#compute = formula.compute;
  }

  /** The result of a function of these arguments. */
  resultOf(name: string, args: readonly Expression[]): Result {
    const [first] = args;
    const isPerCell = typeof this.#formula.scope === 'object';
    if (first === undefined || (isPerCell && !worksPerCell(name, args))) return 'unknown';
    const lookup = LOOKUPS[name];
    const isDeleted = args.some(({ kind }) => kind === 'deleted');
    if (lookup) return isDeleted ? '#REF!' : lookup(args, this.#cells, this.#compute);
    if (isRounding(name)) return rounded(name, args.map(this.#compute));
    if (CONDITIONAL_TOTALS[name] !== undefined)
      return conditionalTotal(name, args, this.#cells, this.#compute);
    if (RANK_FUNCTIONS.has(name)) return ranked(name, args.map(this.#areaOrResult), this.#cells);
    const choice = choiceOf(name, args, this.#formula);
    if (choice !== undefined) return typeof choice === 'string' ? choice : this.#compute(choice);
    const number = arithmetic(name, () => args.map(this.#compute));
    return number ?? this.#callOwn(name, first, args);
  }

  /** The result of a function that is not in the tables of the other files. */
  #callOwn(name: string, first: Expression, args: readonly Expression[]): Result {
    // An INDIRECT that `computedReferences.ts` did not replace depends on other cells.
    if (name === 'INDIRECT' || IN_CONDITIONS.has(name)) return 'unknown';
    switch (name) {
      case 'IFERROR':
      case 'IFNA':
        return this.#unlessFault(name, first, args);
      case 'IF':
        return this.#chosenByIf(first, args);
      case 'SUBTOTAL':
        return this.#subtotals?.result(args, this.#cells, this.#compute) ?? 'unknown';
      case 'AGGREGATE':
        return this.#subtotals?.aggregate(args, this.#cells, this.#compute) ?? 'unknown';
      case 'VALUE':
        return args.length === 1 ? this.#valueOf(this.#compute(first)) : 'unknown';
      case 'SUMPRODUCT':
        return this.#sumOfProducts(args);
      case 'OFFSET': {
        const moved = this.#offset(args);
        return moved === null ? 'unknown' : this.#formula.cellOf(moved);
      }
      default:
        return this.#aggregate(name, args);
    }
  }

  /** The result of IFERROR or IFNA: the first value, or the second one when the first is an error that the function replaces. */
  #unlessFault(name: 'IFERROR' | 'IFNA', first: Expression, args: readonly Expression[]): Result {
    const [, second] = args;
    const result = this.#compute(first);
    if (args.length !== 2 || !second) return 'unknown';
    const isReplaced = result === '#N/A' || (isFault(result) && name === 'IFERROR');
    return isReplaced ? this.#compute(second) : result;
  }

  #chosenByIf(condition: Expression, args: readonly Expression[]): Result {
    const [, second, third] = args;
    if (args.length > 3 || !second) return 'unknown';
    const isTrue = this.#formula.isTrue(condition);
    const chosen = isTrue ? second : third;
    return isTrue === null || !chosen ? 'unknown' : this.#compute(chosen);
  }

  /** The result of VALUE. Unknown for a text with more than digits, because its meaning depends on the user's country. */
  #valueOf(result: Result): Result {
    const digits = isTextResult(result) ? this.#cells.texts.textOf(result.text) : null;
    if (digits === null) return isNumber(result) ? result : 'unknown';
    return /^\d{1,15}$/.test(digits) ? exactly(Number(digits)) : 'unknown';
  }

  /** The cells of a reference, or of an OFFSET whose distances are known; the result of any other expression. */
  #areaOrResult = (expression: Expression): Area | Result => {
    const isOffset = expression.kind === 'call' && expression.name === 'OFFSET';
    const reference = isOffset ? this.#offset(expression.args) : expression;
    if (reference?.kind !== 'reference') return isOffset ? 'unknown' : this.#compute(expression);
    return this.#cells.areaOf(reference) ?? 'unknown';
  };

  /** The reference of an OFFSET whose distances and sizes may depend on cells; null when one of them is unknown. */
  #offset([from, ...distances]: readonly Expression[]): Reference | null {
    const constants = distances.map((expression): Expression => {
      const distance = numberOf(this.#compute(expression));
      return isNumber(distance) ? { kind: 'number', value: distance.value } : expression;
    });
    return from === undefined ? null : offset([from, ...constants]);
  }

  #aggregate(name: string, args: readonly Expression[]): Result {
    const totals = new Totals();
    for (const arg of args) {
      const result = this.#areaOrResult(arg);
      if (isArea(result)) {
        if (!this.#cells.addNumbers(result, totals)) return 'unknown';
        continue;
      }
      if (result === 'unknown' && this.#formula.scope === 'array of one cell' && args.length === 1)
        return name === 'COUNT' ? result : this.#sumOfProducts(args, name);
      // Only some programs leave out an empty cell that a function such as IF gives. COUNT also leaves out errors.
      if (result === 'empty' || (name === 'COUNT' && !isNumber(result))) return 'unknown';
      const number = numberOf(result);
      if (!isNumber(number)) return number;
      totals.add(number.value, number.error);
    }
    return totals.of(name);
  }

  /**
   * The total of the products of cells at the same positions. In a range that is a factor by itself, a text counts as 0.
   */
  #sumOfProducts(args: readonly Expression[], total = 'SUM'): Result {
    const size = sizeOfRanges(args, this.#cells);
    if (size === null || !this.#cells.spendOnSearch(STEPS_PER_CELL * size.ranges * size.height * size.width))
      return 'unknown';
    const totals = new Totals();
    const element: RangePosition = { row: 0, column: 0, ...size };
    const { scope } = this.#formula;
    this.#formula.scope = element;
    try {
      for (; element.row < size.height; element.row++)
        for (element.column = 0; element.column < size.width; element.column++) {
          const product = this.#productOf(args);
          if (!isNumber(product)) return product;
          totals.add(product.value, product.error);
        }
    } finally {
      this.#formula.scope = scope;
    }
    return totals.of(total);
  }

  #productOf(args: readonly Expression[]): Computed | Fault | 'unknown' {
    let product: Computed | Fault | 'unknown' = exactly(1);
    for (const arg of args) {
      const result = this.#compute(arg);
      const factor = arg.kind === 'reference' && isTextResult(result) ? exactly(0) : numberOf(result);
      if (!isNumber(factor)) return factor;
      product = calculate('*', product, factor);
      if (!isNumber(product)) return product;
    }
    return product;
  }
}

/** Functions that give a truth value, which is understood only in a condition. */
const IN_CONDITIONS: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT', 'ISERROR', 'ISNA', 'ISNUMBER']);
