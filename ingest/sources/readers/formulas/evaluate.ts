// Computes formulas from the values of cells, with a bound on the error of each result. In doubt it gives no value.

import { type CellPosition, type Expression, placeIn, type Reference } from './expression.ts';

/** What the cells of a workbook hold, each as a number; a sheet of null is the formula's own. */
export interface KnownValues {
  /** The values of a column, that of row 1 first: finite numbers, or one of the constants below. Null when it is not known. */
  columnOf(sheet: string | null, column: number): Float64Array | null;
  /** The number of the last row with a value. */
  lastRow(sheet: string | null): number;
}

/** The cell is empty. */
export const EMPTY = Number.NaN;
/** The cell holds a text or a truth value. SUM of a range ignores it. */
export const TEXT = Number.POSITIVE_INFINITY;
/** The cell holds an error, or a value that is not known here. */
export const UNKNOWN = Number.NEGATIVE_INFINITY;

/** The value in a row of a column. */
export const valueAt = (values: Float64Array | null, row: number): number =>
  values === null ? UNKNOWN : (values[row - 1] ?? EMPTY);

/** A number, and the largest distance at which a spreadsheet program's result may lie. */
export interface Computed {
  readonly value: number;
  readonly error: number;
}

/** `fault` is a division by 0. */
type Result = Computed | 'empty' | 'text' | 'fault' | 'unknown';

/** How much of a number programs may lose when they store it: some write 15 digits. */
const STORED = 1e-14;

/** As many digits as spreadsheet programs keep. */
const MOST_DIGITS = 15;

/** Computes formulas while there are steps left: one for each cell that is looked at. */
export class Evaluator {
  readonly #known: KnownValues;
  #stepsLeft: number;
  #cell: CellPosition = { row: 1, column: 0 };

  constructor(known: KnownValues, mostSteps: number) {
    this.#known = known;
    this.#stepsLeft = mostSteps;
  }

  /** The number that a formula in this cell has; `fault` for a division by 0, null when it is not known. */
  of(expression: Expression, cell: CellPosition): Computed | 'fault' | null {
    this.#cell = cell;
    const result = numberOf(this.#of(expression));
    if (result === 'fault') return result;
    return result === 'unknown' || !Number.isFinite(result.value) ? null : result;
  }

  #of(expression: Expression): Result {
    switch (expression.kind) {
      case 'number':
        return exactly(expression.value);
      case 'empty text':
        return 'text';
      case 'reference':
        return this.#cellOf(expression);
      case 'minus': {
        const of = numberOf(this.#of(expression.of));
        return isNumber(of) ? { value: -of.value, error: of.error } : of;
      }
      case 'percent': {
        const of = numberOf(this.#of(expression.of));
        return isNumber(of) ? { value: of.value / 100, error: of.error / 100 } : of;
      }
      case 'binary':
        return this.#binary(expression);
      case 'call':
        return this.#call(expression.name, expression.given);
    }
  }

  #binary({ operator, left, right }: Extract<Expression, { kind: 'binary' }>): Result {
    if (/[<>=]/.test(operator)) return 'unknown';
    const [one, other] = [numberOf(this.#of(left)), numberOf(this.#of(right))];
    if (one === 'unknown' || other === 'unknown') return 'unknown';
    if (one === 'fault' || other === 'fault') return 'fault';
    return calculate(operator, one, other);
  }

  /** The value of a reference to one cell. What a range means outside of a sum depends on the program. */
  #cellOf(reference: Reference): Result {
    if (!reference.isOneCell || reference.rows === null) return 'unknown';
    const { row, column } = this.#cell;
    const at = [placeIn(reference.rows[0], row, 1), placeIn(reference.columns[0], column, 0)] as const;
    if (at[0] === null || at[1] === null) return 'unknown';
    this.#stepsLeft -= 1;
    const value = valueAt(this.#known.columnOf(reference.sheet, at[1]), at[0]);
    if (Number.isNaN(value)) return 'empty';
    if (value === TEXT) return 'text';
    return value === UNKNOWN ? 'unknown' : stored(value);
  }

  #call(name: string, given: readonly Expression[]): Result {
    const [first, second, third] = given;
    if (first === undefined) return 'unknown';
    switch (name) {
      case 'ROUND':
        return given.length === 2 && second ? rounded(this.#of(first), this.#of(second)) : 'unknown';
      case 'ABS': {
        const of = numberOf(this.#of(first));
        if (given.length !== 1) return 'unknown';
        return isNumber(of) ? { value: Math.abs(of.value), error: of.error } : of;
      }
      case 'IFERROR': {
        const of = this.#of(first);
        return of === 'fault' && given.length === 2 && second ? this.#of(second) : of;
      }
      case 'IF': {
        if (given.length !== 3 || !second || !third) return 'unknown';
        const isTrue = this.#condition(first);
        return isTrue === null ? 'unknown' : this.#of(isTrue ? second : third);
      }
      default:
        return this.#aggregate(name, given);
    }
  }

  /** Whether a comparison is true; null when it is not known. */
  #condition(condition: Expression): boolean | null {
    if (condition.kind !== 'binary') return null;
    const { operator, left, right } = condition;
    const one = this.#of(left);
    if (right.kind === 'empty text') {
      // A text may be an empty one.
      if (one === 'text' || one === 'unknown' || one === 'fault') return null;
      const isEmpty = one === 'empty';
      return operator === '=' ? isEmpty : operator === '<>' ? !isEmpty : null;
    }
    const [a, b] = [numberOf(one), numberOf(this.#of(right))];
    if (!isNumber(a) || !isNumber(b)) return null;
    const difference = a.value - b.value;
    // Programs call numbers equal that differ in their last digits.
    if (difference !== 0 && Math.abs(difference) <= a.error + b.error + 1e-9 * Math.abs(a.value)) return null;
    return COMPARE[operator]?.(difference) ?? null;
  }

  #aggregate(name: string, given: readonly Expression[]): Result {
    const totals = new Totals();
    for (const one of given) {
      if (one.kind === 'reference') {
        if (!this.#addCells(one, totals)) return 'unknown';
        continue;
      }
      const number = numberOf(this.#of(one));
      if (!isNumber(number)) return number;
      totals.add(number.value, number.error);
    }
    return totals.of(name);
  }

  /** Adds the numbers of a range; false when one of its cells is unknown, or too many were looked at. */
  #addCells({ sheet, rows, columns }: Reference, totals: Totals): boolean {
    const { row, column } = this.#cell;
    const lastRow = this.#known.lastRow(sheet);
    const [oneRow, otherRow] = rows === null ? [1, lastRow] : rows.map((one) => placeIn(one, row, 1));
    const [oneColumn, otherColumn] = columns.map((one) => placeIn(one, column, 0));
    if (oneRow == null || otherRow == null || oneColumn == null || otherColumn == null) return false;
    const [top, bottom] = [Math.min(oneRow, otherRow), Math.min(Math.max(oneRow, otherRow), lastRow)];
    const [first, last] = [Math.min(oneColumn, otherColumn), Math.max(oneColumn, otherColumn)];
    this.#stepsLeft -= Math.max(1, bottom - top + 1) * (last - first + 1);
    if (this.#stepsLeft < 0) return false;
    for (let from = first; from <= last; from++) {
      const values = this.#known.columnOf(sheet, from);
      if (values === null) return false;
      const end = Math.min(bottom, values.length);
      for (let at = top - 1; at < end; at++) {
        const value = values[at] as number;
        if (value === UNKNOWN) return false;
        if (Number.isFinite(value)) totals.add(value, Math.abs(value) * STORED);
      }
    }
    return true;
  }
}

/** Adds up what SUM, AVERAGE, MIN, MAX and PRODUCT need of many numbers. */
class Totals {
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
    // Each addition may lose the last digits of its larger part.
    this.#sumError += error + Math.abs(value) * STORED;
    this.#least = Math.min(this.#least, value);
    this.#most = Math.max(this.#most, value);
    this.#largestError = Math.max(this.#largestError, error);
    const before = this.#product;
    this.#productError = Math.abs(before) * error + Math.abs(value) * this.#productError;
    this.#product = before * value;
    this.#productError += Math.abs(this.#product) * STORED;
  }

  of(name: string): Result {
    const count = this.#count;
    const sum = { value: this.#sum, error: this.#sumError };
    if (name === 'SUM') return sum;
    if (name === 'AVERAGE')
      return count === 0 ? 'fault' : { value: sum.value / count, error: sum.error / count };
    if (count === 0) return exactly(0);
    if (name === 'PRODUCT') return { value: this.#product, error: this.#productError };
    return { value: name === 'MIN' ? this.#least : this.#most, error: this.#largestError };
  }
}

const COMPARE: Readonly<Record<string, (difference: number) => boolean>> = {
  '<': (difference) => difference < 0,
  '<=': (difference) => difference <= 0,
  '>': (difference) => difference > 0,
  '>=': (difference) => difference >= 0,
  '=': (difference) => difference === 0,
  '<>': (difference) => difference !== 0,
};

const isNumber = (result: Result): result is Computed => typeof result === 'object';

const exactly = (value: number): Computed => ({ value, error: 0 });
const stored = (value: number): Computed => ({ value, error: Math.abs(value) * STORED });

/** The number that arithmetic makes of a result. It is unknown for a text, which some programs read as a number and others refuse. */
function numberOf(result: Result): Computed | 'fault' | 'unknown' {
  if (result === 'empty') return exactly(0);
  return result === 'text' ? 'unknown' : result;
}

function calculate(operator: string, one: Computed, other: Computed): Computed | 'fault' | 'unknown' {
  const { value: a, error: ofA } = one;
  const { value: b, error: ofB } = other;
  switch (operator) {
    case '+':
      return withOwnError(a + b, ofA + ofB);
    case '-':
      return withOwnError(a - b, ofA + ofB);
    case '*':
      return withOwnError(a * b, Math.abs(a) * ofB + Math.abs(b) * ofA);
    case '/':
      if (b === 0 && ofB === 0) return 'fault';
      // Rounding may have made this divisor of a 0.
      if (Math.abs(b) <= 2 * ofB) return 'unknown';
      return withOwnError(a / b, (ofA + Math.abs(a / b) * ofB) / (Math.abs(b) - ofB));
    case '^':
      return (a > 0 || (a < 0 && Number.isInteger(b))) &&
        Math.abs(b) <= 100 &&
        ofB <= 2 * Math.abs(b) * STORED
        ? withOwnError(a ** b, Math.abs(b * a ** (b - 1)) * ofA * 2 + Math.abs(a ** b) * 1e-10)
        : 'unknown';
    default:
      return 'unknown';
  }
}

const withOwnError = (value: number, error: number): Computed => ({
  value,
  error: error + Math.abs(value) * STORED,
});

/** A number that is rounded half away from zero. Near a half, programs differ: the error is then a whole step. */
function rounded(given: Result, digitsGiven: Result): Result {
  const [of, digits] = [numberOf(given), numberOf(digitsGiven)];
  if (!isNumber(of) || !isNumber(digits)) return of === 'fault' || digits === 'fault' ? 'fault' : 'unknown';
  if (!Number.isInteger(digits.value) || Math.abs(digits.value) > MOST_DIGITS) return 'unknown';
  const step = 10 ** -digits.value;
  const steps = Math.abs(of.value) / step;
  const whole = Math.floor(steps);
  const doubt = of.error / step + steps * 1e-12;
  const isHalf = Math.abs(steps - whole - 0.5) <= doubt;
  const value = Math.sign(of.value) * Math.round(steps) * step;
  return withOwnError(value, isHalf ? step : 0);
}
