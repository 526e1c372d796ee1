// Collects the formulas of a sheet while it is read. Copies of a formula down a column share one expression.

import type { Position } from '../../../messages/place.ts';
import type { Cell, CellRange } from '../rawFile.ts';
import { withComputedReferences } from './computedReferences.ts';
import { type Expression, parseFormula } from './expression.ts';
import { hasPart } from './expressionParts.ts';
import { UncomputedFormulas } from './uncomputedFormulas.ts';

/** The most formulas of a sheet that are stored. The others are only counted. */
const MOST_FORMULAS = 1_048_576;
/** The most characters that all different formulas have together. */
const MOST_CHARACTERS = 2 * 1024 * 1024;
const NOT_UNDERSTOOD = -1;
/** The index of a formula that is not understood and has another value at each calculation. */
const CHANGING = -2;
/** The index of a formula that is not understood and takes values from other files. */
const OF_OTHER_FILES = -3;

/** A formula as the file has it. */
export interface WrittenFormula {
  /** The formula without its `=`; empty when another cell holds the text of the shared formula. */
  readonly text: string;
  /** The key of a formula that several cells share; null for a formula that is not shared. */
  readonly shared: string | null;
  /** The cells of an array formula; `unknown` when the file does not name them; null for another formula. */
  readonly array: CellRange | 'unknown' | null;
}

/** Counts formulas, and remembers the first of their cells; null when there are no formulas. */
export class FormulaCount {
  count = 0;
  first: Position | null = null;

  add(row: number, column: number): void {
    this.count += 1;
    const [firstRow, firstColumn] = this.first ?? [Number.POSITIVE_INFINITY, 0];
    if (row < firstRow || (row === firstRow && column < firstColumn)) this.first = [row, column];
  }
}

/** An array formula: the cell that holds it, and the cells that get its values. */
export interface ArrayFormula {
  readonly row: number;
  readonly column: number;
  readonly range: CellRange;
  readonly expression: Expression;
}

/** The formulas of one sheet, each expression once, and counts of those that are not computed. */
export class FormulaCells {
  #count = 0;
  #rows = new Int32Array(64);
  #columns = new Uint16Array(64);
  #indexes = new Int32Array(64);
  readonly #expressions: Expression[] = [];
  /** Key of a formula, by `relativeText` → index of its expression, or a negative number such as CHANGING. */
  readonly #known = new Map<string, number>();
  /** Key of a shared formula in the file → index as in `#known`. */
  readonly #shared = new Map<string, number>();
  #characters = 0;
  readonly #arrays: (Omit<ArrayFormula, 'expression'> & { readonly index: number })[] = [];
  #arrayCells = 0;
  /** The text of each shared formula that is not understood, by its key. */
  readonly #sharedTexts = new Map<string, string>();
  /** Formulas whose values cannot be computed. */
  readonly unknown = new FormulaCount();
  /** Formulas that have another value each time they are calculated. */
  readonly changing = new FormulaCount();
  readonly ofOtherFiles = new FormulaCount();
  /**
   * Formulas whose values are not computed. Formulas that change at each calculation or take values from other files are
   * left out.
   */
  readonly uncomputed = new UncomputedFormulas();
  /** Whether an array formula, or a formula that is not stored, may have a subtotal. */
  hasUnknownSubtotals = false;

  /**
   * Adds the formula of a cell. Rows count from 1, columns from 0. When the cell has no value, the formula is not counted,
   * and other cells may still share it.
   */
  add(row: number, column: number, formula: WrittenFormula, value: Cell): void {
    const index = this.#indexOf(row, column, formula);
    if (!isCalculated(value)) return;
    const { array } = formula;
    if (array !== null && SUBTOTALS.test(formula.text)) this.hasUnknownSubtotals = true;
    if (array !== null && array !== 'unknown' && this.#addArray(row, column, array, index)) return;
    if (index === CHANGING) this.changing.add(row, column);
    if (index === OF_OTHER_FILES) this.ofOtherFiles.add(row, column);
    if (index < 0 || array !== null || this.#count === MOST_FORMULAS) {
      this.hasUnknownSubtotals ||= formula.text === '' || SUBTOTALS.test(formula.text);
      this.unknown.add(row, column);
      if (index === NOT_UNDERSTOOD || index >= 0) this.#addUncomputed(row, column, formula);
      return;
    }
    if (this.#count === this.#rows.length) this.#grow();
    this.#rows[this.#count] = row;
    this.#columns[this.#count] = column;
    this.#indexes[this.#count] = index;
    this.#count += 1;
  }

  /** Stores an array formula. False when it is not understood, or all array formulas together have too many cells. */
  #addArray(row: number, column: number, range: CellRange, index: number): boolean {
    const [height, width] = [range.rows, range.columns].map(([first, last]) => last - first + 1);
    const cells = (height ?? 0) * (width ?? 0);
    if (index < 0 || !(cells >= 1) || this.#arrayCells + cells > MOST_FORMULAS) return false;
    this.#arrayCells += cells;
    this.#arrays.push({ row, column, range, index });
    return true;
  }

  #addUncomputed(row: number, column: number, { text, shared, array }: WrittenFormula): void {
    const written = text === '' ? (this.#sharedTexts.get(shared ?? '') ?? '') : text;
    const [first, last] = array === null || array === 'unknown' ? [row, row] : array.rows;
    this.uncomputed.add(row, column, written, Math.max(1, last - first + 1));
  }

  /** Counts a stored formula whose value cannot be computed. */
  addUnknown(row: number, column: number, expression: Expression): void {
    this.unknown.add(row, column);
    this.uncomputed.add(row, column, expression);
  }

  /** How many formulas are stored, including array formulas. */
  get count(): number {
    return this.#count + this.#arrays.length;
  }

  arrays(): readonly ArrayFormula[] {
    return this.#arrays.flatMap(({ index, ...array }) => {
      const expression = this.#expressions[index];
      return expression ? [{ ...array, expression }] : [];
    });
  }

  /** Calls `use` for each stored formula that is not an array formula. `index` is the index of its expression. */
  forEach(use: (row: number, column: number, expression: Expression, index: number) => void): void {
    for (let i = 0; i < this.#count; i++) {
      const index = this.#indexes[i] as number;
      const expression = this.#expressions[index];
      if (expression) use(this.#rows[i] as number, this.#columns[i] as number, expression, index);
    }
  }

  /** Replaces each expression by the result of `meaning`. */
  resolve(meaning: (expression: Expression) => Expression): void {
    for (const [index, expression] of this.#expressions.entries())
      this.#expressions[index] = meaning(expression);
  }

  usesKind(kind: Expression['kind']): boolean {
    return this.#expressions.some((expression) => hasPart(expression, (part) => part.kind === kind));
  }

  #indexOf(row: number, column: number, { text, shared, array }: WrittenFormula): number {
    if (array === 'unknown') return kindOf(text);
    if (text === '') return this.#shared.get(shared ?? '') ?? NOT_UNDERSTOOD;
    const key = relativeText(text, row, column);
    const known = this.#known.get(key);
    if (known === undefined) this.#characters += key.length;
    if (this.#characters > MOST_CHARACTERS) return known ?? kindOf(text);
    const index = known ?? this.#parse(text, row, column);
    if (known === undefined) this.#known.set(key, index);
    if (shared !== null) this.#shared.set(shared, index);
    if (shared !== null && index < 0) this.#sharedTexts.set(shared, text);
    return index;
  }

  #parse(text: string, row: number, column: number): number {
    const expression = parseFormula(text, { row, column });
    if (expression === null) return kindOf(text);
    return this.#expressions.push(withComputedReferences(expression, { row, column })) - 1;
  }

  #grow(): void {
    const [rows, columns, indexes] = [this.#rows, this.#columns, this.#indexes];
    this.#rows = new Int32Array(rows.length * 2);
    this.#rows.set(rows);
    this.#columns = new Uint16Array(rows.length * 2);
    this.#columns.set(columns);
    this.#indexes = new Int32Array(rows.length * 2);
    this.#indexes.set(indexes);
  }
}

const SUBTOTALS = /SUBTOTAL|AGGREGATE/i;

/** Whether a formula has a value that is not an error. Missing values and errors are reported elsewhere. */
const isCalculated = (value: Cell): boolean =>
  typeof value !== 'object' || (value?.kind !== 'uncalculated' && value?.kind !== 'error');

/** The index for a formula that is not understood: CHANGING, OF_OTHER_FILES or NOT_UNDERSTOOD. */
function kindOf(text: string): number {
  if (/\b(?:NOW|TODAY|RAND(?:BETWEEN|ARRAY)?)\(/i.test(text)) return CHANGING;
  return /\[\d+\]/.test(text) ? OF_OTHER_FILES : NOT_UNDERSTOOD;
}

/** The key of a formula, which is the same for all its copies: for `A2*$B$1` in C2 and `A3*$B$1` in C3. */
const relativeText = (text: string, row: number, column: number): string =>
  text.replace(CELLS_AND_NAMES, (whole, fixedColumn = '', letters?: string, fixedRow = '', digits = '') => {
    if (letters === undefined) return WHOLE_COLUMNS.test(whole) ? `${whole}{${column}}` : whole;
    const relativeColumn = fixedColumn ? letters : `${column - columnOf(letters)}~`;
    const relativeRow = fixedRow ? digits : `${row - Number(digits)}~`;
    return `{${relativeColumn},${relativeRow}}`;
  });

const WHOLE_COLUMNS = /^\$?[A-Z]{1,3}:\$?[A-Z]{1,3}$/i;

/**
 * Matches texts, headings of tables, cells, whole columns, and names, which may look like cells. A quote or bracket that is
 * never closed also matches. Without that, the rest of the formula would be searched again for each of them.
 */
const CELLS_AND_NAMES = new RegExp(
  [
    '"(?:[^"]|"")*"?',
    "'(?:[^']|'')*(?:'!?)?",
    String.raw`\[(?:[^[\]']|'.)*\]?`,
    String.raw`(?<![\p{L}\p{N}_.\\])(\$?)([A-Z]{1,3})(\$?)(\d{1,7})(?![\p{L}\p{N}_.\\!([])`,
    String.raw`(?<![\p{L}\p{N}_.\\])\$?[A-Z]{1,3}:\$?[A-Z]{1,3}(?![\p{L}\p{N}_.\\!([])`,
    String.raw`[\p{L}_\\][\p{L}\p{N}_.\\?]*`,
  ].join('|'),
  'giu',
);

/** The number of a column from its letters, in upper or lower case. */
function columnOf(letters: string): number {
  let column = 0;
  for (let i = 0; i < letters.length; i++) column = column * 26 + (letters.charCodeAt(i) & LETTER_BITS);
  return column;
}

const LETTER_BITS = 0x1f;
