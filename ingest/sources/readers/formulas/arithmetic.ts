// Computes the functions of one or two numbers: ABS, POWER, SQRT, SIGN and MOD, and those that round.

import type { Compute } from './evaluation.ts';
import {
  type ComputedNumber,
  calculate,
  exactly,
  type FormulaResult,
  isFormulaError,
  isNumber,
  numberOf,
  RELATIVE_ERROR,
  withRoundingError,
} from './results.ts';

type OfNumbers = (number: ComputedNumber, other: ComputedNumber) => FormulaResult;

/**
 * Rounds to the number of digits in the second argument.
 *
 * @param toWhole Rounds a number of steps to a whole number.
 * @param edge Where between two steps the result changes, as a part of a step.
 */
const rounding =
  (toWhole: (steps: number) => number, edge = 0): OfNumbers =>
  (number, digits) => {
    if (!Number.isInteger(digits.value) || Math.abs(digits.value) > MOST_DIGITS) return 'unknown';
    if (isExact(number) && digits.value >= 0) return number;
    const step = 10 ** -digits.value;
    const steps = number.value / step;
    const doubt = number.error / step + Math.abs(steps) * 1e-12;
    const toEdge = Math.abs(steps) - edge - Math.round(Math.abs(steps) - edge);
    // So near to the edge, the number may round to either step.
    return withRoundingError(toWhole(steps) * step, Math.abs(toEdge) <= doubt ? step : 0);
  };

/** The largest number of digits that the second argument may name. Spreadsheet programs keep 15 digits of a number. */
const MOST_DIGITS = 15;

/** Whether a number is whole, and has no larger error than a stored number. */
const isExact = ({ value, error }: ComputedNumber): boolean =>
  Number.isInteger(value) && error <= Math.abs(value) * RELATIVE_ERROR;

/** For numbers that are not whole, a rounding error may decide whether the result is 0 or near the divisor. */
const remainder: OfNumbers = (number, divisor) => {
  if (![number, divisor].every((one) => isExact(one) && Math.abs(one.value) < 1e13)) return 'unknown';
  const [n, d] = [number.value, divisor.value];
  return d === 0 ? '#DIV/0!' : exactly(n - d * Math.floor(n / d));
};

const awayFromZero = (round: (size: number) => number) => (steps: number) =>
  Math.sign(steps) * round(Math.abs(steps));

/**
 * For each function: the fewest and the most arguments, and its result for them. A second argument that is left out is 0.
 */
const FUNCTIONS: Readonly<Record<string, readonly [fewest: number, most: number, compute: OfNumbers]>> = {
  ABS: [1, 1, ({ value, error }) => ({ value: Math.abs(value), error })],
  INT: [1, 1, rounding(Math.floor)],
  MOD: [2, 2, remainder],
  POWER: [2, 2, (base, exponent) => calculate('^', base, exponent)],
  ROUND: [2, 2, rounding(awayFromZero(Math.round), 0.5)],
  ROUNDDOWN: [2, 2, rounding(Math.trunc)],
  ROUNDUP: [2, 2, rounding(awayFromZero(Math.ceil))],
  SIGN: [
    1,
    1,
    ({ value, error }) => (value !== 0 && Math.abs(value) <= error ? 'unknown' : exactly(Math.sign(value))),
  ],
  SQRT: [
    1,
    1,
    (number) => (number.value === 0 && number.error === 0 ? number : calculate('^', number, exactly(0.5))),
  ],
  TRUNC: [1, 2, rounding(Math.trunc)],
};

/** Computes a function in the table above. */
export const arithmetic: Compute = (args, formula, name) => {
  const [fewest, most, compute] = FUNCTIONS[name] ?? [0, 0];
  if (compute === undefined || args.length < fewest || args.length > most) return 'unknown';
  const results = args.map((arg) => numberOf(formula.compute(arg)));
  if (results.includes('unknown')) return 'unknown';
  const [number, other = exactly(0)] = results.filter(isNumber);
  return results.find(isFormulaError) ?? (number === undefined ? 'unknown' : compute(number, other));
};
