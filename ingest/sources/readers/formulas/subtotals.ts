// Computes SUBTOTAL, which passes over other subtotals and, in ways that differ, over rows that are hidden.

import type { Cells } from './cells.ts';
import type { Expression } from './expression.ts';
import { forEachPart } from './expressionParts.ts';
import type { FormulaCells } from './formulaCells.ts';
import { areaOf } from './lookups.ts';
import { isNumber, type Result, Totals } from './results.ts';

/** By number: what it makes of the cells. From 100 on, rows that are hidden by hand do not count. */
const TOTALS: Readonly<Record<number, string>> = {
  1: 'AVERAGE',
  2: 'COUNT',
  4: 'MAX',
  5: 'MIN',
  6: 'PRODUCT',
  9: 'SUM',
};

/** The cells of a sheet that have subtotals, by themselves or as a part of their formula. */
export class Subtotals {
  readonly #cells = new Map<number, 'passed' | 'doubtful'>();

  /** @returns null where it is not known which cells SUBTOTAL passes over. */
  static of(formulas: FormulaCells, hidesRows: boolean): Subtotals | null {
    if (hidesRows || formulas.hasUnknownSubtotals) return null;
    const subtotals = new Subtotals();
    formulas.forEach((row, column, expression) => {
      if (isSubtotal(expression)) subtotals.#cells.set(keyOf(row, column), 'passed');
      else if (hasSubtotal(expression)) subtotals.#cells.set(keyOf(row, column), 'doubtful');
    });
    return subtotals;
  }

  /** The result of SUBTOTAL for ranges of the formula's own sheet. */
  result(given: readonly Expression[], cells: Cells, resultOf: (expression: Expression) => Result): Result {
    const [first, ...ranges] = given;
    const which = first && resultOf(first);
    const total = which && isNumber(which) ? TOTALS[which.value % 100] : undefined;
    if (total === undefined || ranges.length === 0) return 'unknown';
    const totals = new Totals();
    for (const range of ranges) {
      const area = areaOf(range, cells);
      if (area === null || area.sheet !== null) return 'unknown';
      const roleOf = (row: number, column: number) => this.#cells.get(keyOf(row, column)) ?? null;
      if (!cells.addNumbers(area, totals, roleOf)) return 'unknown';
    }
    return totals.of(total);
  }
}

const isSubtotal = (expression: Expression): boolean =>
  expression.kind === 'call' && expression.name === 'SUBTOTAL';

function hasSubtotal(expression: Expression): boolean {
  let has = false;
  forEachPart(expression, (part) => {
    has ||= isSubtotal(part);
  });
  return has;
}

const keyOf = (row: number, column: number): number => row * 16_384 + column;
