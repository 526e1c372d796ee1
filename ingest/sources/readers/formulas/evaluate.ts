// Computes formulas from the values of cells, with a bound on the error of each result. An uncertain result is unknown.

import type { FormulaValue } from './agreement.ts';
import { arithmetic } from './arithmetic.ts';
import { type Area, Cells, heightOf, widthOf } from './cells.ts';
import { choiceOf } from './choices.ts';
import { offset } from './computedReferences.ts';
import { Conditions } from './conditions.ts';
import { CONDITIONAL_TOTALS, conditionalTotal } from './criteria.ts';
import type { CellPosition, Expression, Reference } from './expression.ts';
import type { ArrayFormula } from './formulaCells.ts';
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
import type { SheetValues } from './sheetValues.ts';
import type { Subtotals } from './subtotals.ts';

/** Computes formulas until its steps are used up. Reading a cell takes about one step. */
export class Evaluator {
  readonly #cells: Cells;
  readonly #subtotals: Subtotals | null;
  /** The current position in the ranges of a SUMPRODUCT or of an array formula; null outside of both. */
  #position: RangePosition | null = null;
  /** Whether the formula is an array formula of one cell. */
  #isArray = false;
  readonly #conditions: Conditions;

  /** @param subtotals The subtotals on the sheet of the formulas; null when SUBTOTAL and AGGREGATE give unknown results. */
  constructor(known: SheetValues, subtotals: Subtotals | null) {
    this.#subtotals = subtotals;
    this.#cells = new Cells(known);
    this.#conditions = new Conditions(this.#compute, this.#cells.texts, () => this.#position !== null);
  }

  /** The value of the formula in a cell; null when it is unknown. */
  valueOf(expression: Expression, cell: CellPosition): FormulaValue | null {
    this.#cells.cell = cell;
    return this.#known(this.#compute(expression));
  }

  /**
   * The value of an array formula in one of its cells. `row` and `column` count from the first of its cells, which has 0.
   */
  valueInArray(
    { expression, range, ...cell }: ArrayFormula,
    row: number,
    column: number,
  ): FormulaValue | null {
    const [height, width] = [range.rows, range.columns].map(([first, last]) => last - first + 1);
    this.#cells.cell = cell;
    this.#cells.range = range;
    this.#isArray = height === 1 && width === 1;
    if (!this.#isArray) this.#position = { row, column, height: height ?? 0, width: width ?? 0 };
    try {
      return this.#known(this.#compute(expression));
    } finally {
      this.#cells.range = null;
      this.#isArray = false;
      this.#position = null;
    }
  }

  /** A result as a value; null when it is unknown, or when the steps were used up before it was complete. */
  #known(result: Result): FormulaValue | null {
    if (!this.#cells.spend(0)) return null;
    if (isTextResult(result)) return result;
    const number = numberOf(result);
    if (number === 'unknown') return null;
    return isFault(number) || Number.isFinite(number.value) ? number : null;
  }

  readonly #compute = (expression: Expression): Result => {
    switch (expression.kind) {
      case 'number':
        return exactly(expression.value);
      case 'text':
        return { text: this.#cells.texts.valueOf(expression.text) };
      case 'reference':
        return this.#cellOf(expression);
      case 'deleted':
        return '#REF!';
      case 'minus': {
        const operand = numberOf(this.#compute(expression.operand));
        return isNumber(operand) ? { value: -operand.value, error: operand.error } : operand;
      }
      case 'percent': {
        const operand = numberOf(this.#compute(expression.operand));
        return isNumber(operand) ? { value: operand.value / 100, error: operand.error / 100 } : operand;
      }
      case 'binary':
        return this.#binary(expression);
      case 'call':
        return this.#call(expression.name, expression.args);
      default:
        return 'unknown';
    }
  };

  #binary(expression: Extract<Expression, { kind: 'binary' }>): Result {
    const { operator, left, right } = expression;
    if (/[<>=]/.test(operator)) {
      const isTrue = this.#position && this.#conditions.isTrue(expression);
      return isTrue === null ? 'unknown' : exactly(Number(isTrue));
    }
    if (operator === '&') return this.#joined(left, right);
    const [one, other] = [numberOf(this.#compute(left)), numberOf(this.#compute(right))];
    if (one === 'unknown' || other === 'unknown') return 'unknown';
    if (isFault(one)) return one;
    return isFault(other) ? other : calculate(operator, one, other);
  }

  /**
   * Two texts joined into one. The result is unknown for a number that has decimals or is 1e10 or more, because programs
   * write such numbers differently.
   */
  #joined(left: Expression, right: Expression): Result {
    let joined = '';
    for (const side of [left, right]) {
      const result = this.#compute(side);
      if (isFault(result)) return result;
      if (isNumber(result) && Number.isSafeInteger(result.value) && Math.abs(result.value) < 1e10)
        joined += result.value;
      else {
        const text = isTextResult(result) ? this.#cells.texts.textOf(result.text) : null;
        if (text === null) return 'unknown';
        joined += text;
      }
    }
    return { text: this.#cells.texts.valueOf(joined) };
  }

  /**
   * The value of a reference to one cell. In a SUMPRODUCT or an array formula, a range has the value at the current position.
   * Elsewhere a range is unknown, because its meaning depends on the program.
   */
  #cellOf(reference: Reference): Result {
    const area = this.#cells.areaOf(reference);
    if (area === null) return 'unknown';
    if (reference.isOneCell) return this.#cells.resultAt(area.sheet, area.top, area.left);
    const element = this.#position;
    if (element === null || heightOf(area) !== element.height || widthOf(area) !== element.width)
      return 'unknown';
    return this.#cells.resultAt(area.sheet, area.top + element.row, area.left + element.column);
  }

  #call(name: string, args: readonly Expression[]): Result {
    const [first] = args;
    if (first === undefined || (this.#position !== null && !worksPerCell(name, args))) return 'unknown';
    const lookup = LOOKUPS[name];
    const isDeleted = args.some(({ kind }) => kind === 'deleted');
    if (lookup) return isDeleted ? '#REF!' : lookup(args, this.#cells, this.#compute);
    if (isRounding(name)) return rounded(name, args.map(this.#compute));
    if (CONDITIONAL_TOTALS[name] !== undefined)
      return conditionalTotal(name, args, this.#cells, this.#compute);
    if (RANK_FUNCTIONS.has(name)) return ranked(name, args.map(this.#areaOrResult), this.#cells);
    const choice = choiceOf(name, args, { compute: this.#compute, isTrue: this.#conditions.isTrue });
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
        return moved === null ? 'unknown' : this.#cellOf(moved);
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
    const isTrue = this.#conditions.isTrue(condition);
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
      if (result === 'unknown' && this.#isArray && args.length === 1)
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
    this.#position = element;
    try {
      for (; element.row < size.height; element.row++)
        for (element.column = 0; element.column < size.width; element.column++) {
          const product = this.#productOf(args);
          if (!isNumber(product)) return product;
          totals.add(product.value, product.error);
        }
    } finally {
      this.#position = null;
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
