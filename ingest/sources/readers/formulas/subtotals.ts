// Computes SUBTOTAL and AGGREGATE, which leave out other subtotals and hidden rows.
//
// A result is unknown where programs differ in which of them they leave out.

import { areaOf, type Evaluation } from './evaluation.ts';
import type { Expression } from './expression.ts';
import { hasPart } from './expressionParts.ts';
import type { FormulaCells } from './formulaCells.ts';
import { type FormulaResult, Totals, wholeNumber } from './results.ts';
import type { Role } from './workbookCells.ts';

/**
 * Function number of SUBTOTAL and AGGREGATE → function. In SUBTOTAL, 100 more means the same function without the rows that
 * are hidden by hand.
 */
const TOTALS: Readonly<Record<number, string>> = {
  1: 'AVERAGE',
  2: 'COUNT',
  4: 'MAX',
  5: 'MIN',
  6: 'PRODUCT',
  9: 'SUM',
};

const SUBTOTAL_KINDS: ReadonlyMap<string, 'subtotal' | 'aggregate'> = new Map([
  ['SUBTOTAL', 'subtotal'],
  ['AGGREGATE', 'aggregate'],
]);

/** The cells of a sheet whose formula is or contains a subtotal. */
export class Subtotals {
  readonly #cells = new Map<number, 'subtotal' | 'aggregate' | 'part'>();

  /** The subtotals of a sheet; null when it is unknown which cells they leave out. */
  static of(formulas: FormulaCells, hidesRows: boolean): Subtotals | null {
    if (hidesRows || formulas.hasUnknownSubtotals) return null;
    const subtotals = new Subtotals();
    formulas.forEach((row, column, expression) => {
      if (!hasPart(expression, (part) => kindOf(part) !== undefined)) return;
      subtotals.#cells.set(keyOf(row, column), kindOf(expression) ?? 'part');
    });
    return subtotals;
  }

  /** The result of SUBTOTAL for ranges of the formula's own sheet. */
  result(args: readonly Expression[], formula: Evaluation): FormulaResult {
    const [first, ...ranges] = args;
    const functionNumber = wholeNumberOf(first, formula);
    return functionNumber === null
      ? 'unknown'
      : this.#total(functionNumber % 100, ranges, formula, SUBTOTAL_ROLES);
  }

  /**
   * The result of AGGREGATE for ranges of the formula's own sheet. With an option from 4 on, it includes subtotals. The
   * result is unknown when a cell has an error, even with an option that leaves errors out.
   */
  aggregate(args: readonly Expression[], formula: Evaluation): FormulaResult {
    const [first, second, ...ranges] = args;
    const [functionNumber, option] = [first, second].map((arg) => wholeNumberOf(arg, formula));
    if (functionNumber == null || option == null || option < 0 || option > LAST_OPTION) return 'unknown';
    return this.#total(
      functionNumber,
      ranges,
      formula,
      option < FIRST_THAT_COUNTS_SUBTOTALS ? AGGREGATE_ROLES : {},
    );
  }

  #total(
    functionNumber: number,
    ranges: readonly Expression[],
    formula: Evaluation,
    roles: Partial<Readonly<Record<'subtotal' | 'aggregate' | 'part', Role>>>,
  ): FormulaResult {
    const name = TOTALS[functionNumber];
    if (name === undefined || ranges.length === 0) return 'unknown';
    const totals = new Totals();
    for (const range of ranges) {
      const area = areaOf(range, formula);
      if (area === null || area.sheet !== null) return 'unknown';
      const roleOf = (row: number, column: number) => {
        const kind = this.#cells.get(keyOf(row, column));
        return (kind && roles[kind]) ?? null;
      };
      if (!formula.cells.addNumbers(area, totals, roleOf)) return 'unknown';
    }
    return totals.of(name);
  }
}

/**
 * Programs may differ in whether SUBTOTAL leaves out cells with AGGREGATE, and cells whose formula only contains a
 * subtotal.
 */
const SUBTOTAL_ROLES = { subtotal: 'skipped', aggregate: 'doubtful', part: 'doubtful' } as const;
const AGGREGATE_ROLES = { subtotal: 'skipped', aggregate: 'skipped', part: 'doubtful' } as const;

/** The last option of AGGREGATE, and the first one that includes subtotals. */
const LAST_OPTION = 7;
const FIRST_THAT_COUNTS_SUBTOTALS = 4;

const wholeNumberOf = (expression: Expression | undefined, formula: Evaluation): number | null =>
  expression === undefined ? null : wholeNumber(formula.compute(expression));

const kindOf = (expression: Expression) =>
  expression.kind === 'call' ? SUBTOTAL_KINDS.get(expression.name) : undefined;

const keyOf = (row: number, column: number): number => row * 16_384 + column;
