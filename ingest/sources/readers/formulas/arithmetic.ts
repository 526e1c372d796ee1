// Computes ABS, POWER, SQRT, SIGN and MOD.

import {
  type Computed,
  calculate,
  exactly,
  isNumber,
  numberOf,
  RELATIVE_ERROR,
  type Result,
} from './results.ts';

const FUNCTIONS: Readonly<Record<string, (...args: readonly Computed[]) => Result>> = {
  ABS: (of, ...others) =>
    of && others.length === 0 ? { value: Math.abs(of.value), error: of.error } : 'unknown',
  POWER: (base, exponent, ...others) =>
    base && exponent && others.length === 0 ? calculate('^', base, exponent) : 'unknown',
  SQRT: (of, ...others) => {
    if (!of || others.length > 0) return 'unknown';
    return of.value === 0 && of.error === 0 ? of : calculate('^', of, exactly(0.5));
  },
  SIGN: (of, ...others) => {
    if (!of || others.length > 0 || (of.value !== 0 && Math.abs(of.value) <= of.error)) return 'unknown';
    return exactly(Math.sign(of.value));
  },
  // For numbers that are not whole, a rounding error may decide whether the result is 0 or near the divisor.
  MOD: (of, by, ...others) => {
    if (!of || !by || others.length > 0 || !isWhole(of) || !isWhole(by)) return 'unknown';
    return by.value === 0 ? '#DIV/0!' : exactly(of.value - by.value * Math.floor(of.value / by.value));
  },
};

/** Whether a number of a cell or of the formula is whole, and small enough to be computed with exactly. */
const isWhole = ({ value, error }: Computed): boolean =>
  Number.isSafeInteger(value) && error <= Math.abs(value) * RELATIVE_ERROR && Math.abs(value) < 1e13;

/** The result of ABS, POWER, SQRT, SIGN or MOD for the results of its arguments; undefined for any other function. */
export function arithmetic(name: string, args: () => readonly Result[]): Result | undefined {
  const compute = FUNCTIONS[name];
  if (compute === undefined) return undefined;
  const numbers = args().map(numberOf);
  const fault = numbers.find((one) => !isNumber(one));
  return fault ?? compute(...numbers.filter(isNumber));
}
