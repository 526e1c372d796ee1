// Defines the results of formulas, which are numbers with a bound on their error, and computes with them.

import { COMPARE } from '../formatConditions.ts';

/** A number, and by how much the result of a spreadsheet program may differ from it. */
export interface ComputedNumber {
  readonly value: number;
  readonly error: number;
}

/**
 * The error of a formula: a division by 0, a lookup of a value that is not there, or a reference to cells that were
 * deleted.
 */
export type FormulaError = '#DIV/0!' | '#N/A' | '#REF!';

/** A text, as the number that stands for it in `TextCodes`. */
export interface TextResult {
  readonly text: number;
}

/** The result of a formula or of a part of one. */
export type FormulaResult = ComputedNumber | TextResult | FormulaError | 'empty' | 'unknown';

/** The largest relative error of a stored number. It is not 0, because some programs write only 15 digits. */
export const RELATIVE_ERROR = 1e-14;

/** Whether a result is a number. */
export const isNumber = (result: FormulaResult): result is ComputedNumber =>
  typeof result === 'object' && 'value' in result;

/** Whether a result is a text. */
export const isTextResult = (result: FormulaResult): result is TextResult =>
  typeof result === 'object' && 'text' in result;

/** Whether a result is an error, such as a division by 0. */
export const isFormulaError = (result: FormulaResult): result is FormulaError =>
  result === '#DIV/0!' || result === '#N/A' || result === '#REF!';

/** A number that every program computes without an error. */
export const exactly = (value: number): ComputedNumber => ({ value, error: 0 });

/** A number that a cell stores, which some programs write with 15 digits. */
export const stored = (value: number): ComputedNumber => ({ value, error: Math.abs(value) * RELATIVE_ERROR });

/**
 * The number of a result in arithmetic. It is unknown for a text, which some programs read as a number and others refuse.
 */
export function numberOf(result: FormulaResult): ComputedNumber | FormulaError | 'unknown' {
  if (result === 'empty') return exactly(0);
  return isTextResult(result) ? 'unknown' : result;
}

/** A result as a whole number; null when it is not a whole number. */
export const wholeNumber = (result: FormulaResult): number | null =>
  isNumber(result) && Number.isSafeInteger(result.value) ? result.value : null;

/** The result of an operator between two numbers. */
export function calculate(
  operator: string,
  one: ComputedNumber,
  other: ComputedNumber,
): ComputedNumber | FormulaError | 'unknown' {
  const { value: a, error: errorA } = one;
  const { value: b, error: errorB } = other;
  switch (operator) {
    case '+':
      return withRoundingError(a + b, errorA + errorB);
    case '-':
      return withRoundingError(a - b, errorA + errorB);
    case '*':
      return withRoundingError(a * b, Math.abs(a) * errorB + Math.abs(b) * errorA);
    case '/':
      if (b === 0 && errorB === 0) return '#DIV/0!';
      // The divisor may be 0 apart from rounding errors.
      if (Math.abs(b) <= 2 * errorB) return 'unknown';
      return withRoundingError(a / b, (errorA + Math.abs(a / b) * errorB) / (Math.abs(b) - errorB));
    case '^':
      return (a > 0 || (a < 0 && Number.isInteger(b))) &&
        Math.abs(b) <= 100 &&
        errorB <= 2 * Math.abs(b) * RELATIVE_ERROR
        ? withRoundingError(a ** b, Math.abs(b * a ** (b - 1)) * errorA * 2 + Math.abs(a ** b) * 1e-10)
        : 'unknown';
    default:
      return 'unknown';
  }
}

/** Whether a comparison of two numbers is true; null when it depends on their errors. */
export function compare(operator: string, one: ComputedNumber, other: ComputedNumber): boolean | null {
  const difference = one.value - other.value;
  // Some programs treat numbers as equal that differ only in their last digits, and others do not.
  const doubt = one.error + other.error + 1e-9 * Math.abs(one.value);
  if (difference !== 0 && Math.abs(difference) <= doubt) return null;
  return COMPARE[operator]?.(difference, 0) ?? null;
}

/**
 * The result of an operation, which adds a rounding error.
 *
 * @param error The error that comes from the operands.
 */
export const withRoundingError = (value: number, error: number): ComputedNumber => ({
  value,
  error: error + Math.abs(value) * RELATIVE_ERROR,
});

/** Adds numbers up for SUM, AVERAGE, COUNT, MIN, MAX and PRODUCT. */
export class Totals {
  #count = 0;
  #sum = 0;
  #sumError = 0;
  #least = Number.POSITIVE_INFINITY;
  #most = Number.NEGATIVE_INFINITY;
  #largestError = 0;
  #product = 1;
  #productError = 0;

  add(value: number, error: number): void {
    this.#count += 1;
    this.#sum += value;
    // Each addition may lose the last digits of the larger number.
    this.#sumError += error + Math.abs(value) * RELATIVE_ERROR;
    this.#least = Math.min(this.#least, value);
    this.#most = Math.max(this.#most, value);
    this.#largestError = Math.max(this.#largestError, error);
    const before = this.#product;
    this.#productError = Math.abs(before) * error + Math.abs(value) * this.#productError;
    this.#product = before * value;
    this.#productError += Math.abs(this.#product) * RELATIVE_ERROR;
  }

  /** The result of the function `name` for all numbers so far. */
  of(name: string): FormulaResult {
    const count = this.#count;
    const sum = { value: this.#sum, error: this.#sumError };
    if (name === 'SUM') return sum;
    if (name === 'COUNT') return exactly(count);
    if (name === 'AVERAGE')
      return count === 0 ? '#DIV/0!' : { value: sum.value / count, error: sum.error / count };
    if (count === 0) return exactly(0);
    if (name === 'PRODUCT') return { value: this.#product, error: this.#productError };
    return { value: name === 'MIN' ? this.#least : this.#most, error: this.#largestError };
  }
}
