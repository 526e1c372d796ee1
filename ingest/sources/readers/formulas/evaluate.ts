// Computes formulas from the values of cells, with a bound on the error of each result. An uncertain result is unknown.

import type { FormulaValue } from './agreement.ts';
import { isTrue } from './conditions.ts';
import type { Evaluation, RangePosition, Scope } from './evaluation.ts';
import type { CellPosition, Expression, Reference } from './expression.ts';
import type { ArrayFormula } from './formulaCells.ts';
import { resultOf } from './functions.ts';
import type { ReferencedColumns } from './referencedColumns.ts';
import {
  calculate,
  exactly,
  type FormulaResult,
  isFormulaError,
  isNumber,
  isTextResult,
  numberOf,
} from './results.ts';
import type { Subtotals } from './subtotals.ts';
import { heightOf, WorkbookCells, widthOf } from './workbookCells.ts';

/** Computes formulas until its steps are used up. Reading a cell takes about one step. */
export class Evaluator implements Evaluation {
  readonly cells: WorkbookCells;
  readonly subtotals: Subtotals | null;
  scope: Scope = 'one cell';

  constructor(known: ReferencedColumns, subtotals: Subtotals | null) {
    this.cells = new WorkbookCells(known);
    this.subtotals = subtotals;
  }

  /** The current position in the ranges of a SUMPRODUCT or of an array formula; null outside of both. */
  get #position(): RangePosition | null {
    return typeof this.scope === 'object' ? this.scope : null;
  }

  /** The value of the formula in a cell; null when it is unknown. */
  valueOf(expression: Expression, cell: CellPosition): FormulaValue | null {
    this.cells.cell = cell;
    return this.#known(this.compute(expression));
  }

  /**
   * The value of an array formula in one of its cells. `row` and `column` count from the first of its cells, which has 0.
   */
  valueInArray(
    { expression, range, ...cell }: ArrayFormula,
    row: number,
    column: number,
  ): FormulaValue | null {
    const [height = 0, width = 0] = [range.rows, range.columns].map(([first, last]) => last - first + 1);
    this.cells.range = range;
    this.scope = height === 1 && width === 1 ? 'array of one cell' : { row, column, height, width };
    try {
      return this.valueOf(expression, cell);
    } finally {
      this.cells.range = null;
      this.scope = 'one cell';
    }
  }

  /** A result as a value; null when it is unknown, or when the steps were used up before it was complete. */
  #known(result: FormulaResult): FormulaValue | null {
    if (!this.cells.spend(0)) return null;
    if (isTextResult(result)) return result;
    const number = numberOf(result);
    if (number === 'unknown') return null;
    return isFormulaError(number) || Number.isFinite(number.value) ? number : null;
  }

  compute(expression: Expression): FormulaResult {
    switch (expression.kind) {
      case 'number':
        return exactly(expression.value);
      case 'text':
        return { text: this.cells.texts.codeOf(expression.text) };
      case 'reference':
        return this.cellOf(expression);
      case 'deleted':
        return '#REF!';
      case 'minus': {
        const operand = numberOf(this.compute(expression.operand));
        return isNumber(operand) ? { value: -operand.value, error: operand.error } : operand;
      }
      case 'percent': {
        const operand = numberOf(this.compute(expression.operand));
        return isNumber(operand) ? { value: operand.value / 100, error: operand.error / 100 } : operand;
      }
      case 'binary':
        return this.#binary(expression);
      case 'call':
        return resultOf(expression.args, this, expression.name);
      default:
        return 'unknown';
    }
  }

  #binary(expression: Extract<Expression, { kind: 'binary' }>): FormulaResult {
    const { operator, left, right } = expression;
    if (/[<>=]/.test(operator)) {
      const isFulfilled = this.#position && isTrue(expression, this);
      return isFulfilled === null ? 'unknown' : exactly(Number(isFulfilled));
    }
    if (operator === '&') return this.#joined(left, right);
    const [one, other] = [numberOf(this.compute(left)), numberOf(this.compute(right))];
    if (one === 'unknown' || other === 'unknown') return 'unknown';
    if (isFormulaError(one)) return one;
    return isFormulaError(other) ? other : calculate(operator, one, other);
  }

  /**
   * Two texts joined into one. The result is unknown for a number that has decimals or is 1e10 or more, because programs
   * write such numbers differently.
   */
  #joined(left: Expression, right: Expression): FormulaResult {
    let joined = '';
    for (const side of [left, right]) {
      const result = this.compute(side);
      if (isFormulaError(result)) return result;
      if (isNumber(result) && Number.isSafeInteger(result.value) && Math.abs(result.value) < 1e10)
        joined += result.value;
      else {
        const text = isTextResult(result) ? this.cells.texts.textOf(result.text) : null;
        if (text === null) return 'unknown';
        joined += text;
      }
    }
    return { text: this.cells.texts.codeOf(joined) };
  }

  /**
   * The value of a reference to one cell. In a SUMPRODUCT or an array formula, a range has the value at the current
   * position. Elsewhere a range is unknown, because its meaning depends on the program.
   */
  cellOf(reference: Reference): FormulaResult {
    const area = this.cells.areaOf(reference);
    if (area === null) return 'unknown';
    if (reference.isOneCell) return this.cells.resultAt(area.sheet, area.top, area.left);
    const element = this.#position;
    if (element === null || heightOf(area) !== element.height || widthOf(area) !== element.width)
      return 'unknown';
    return this.cells.resultAt(area.sheet, area.top + element.row, area.left + element.column);
  }
}
