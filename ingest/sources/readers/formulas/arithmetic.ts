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
  ABS: (number, ...others) =>
    number && others.length === 0 ? { value: Math.abs(number.value), error: number.error } : 'unknown',
  POWER: (base, exponent, ...others) =>
    base && exponent && others.length === 0 ? calculate('^', base, exponent) : 'unknown',
  SQRT: (number, ...others) => {
    if (!number || others.length > 0) return 'unknown';
    return number.value === 0 && number.error === 0 ? number : calculate('^', number, exactly(0.5));
  },
  SIGN: (number, ...others) => {
    if (!number || others.length > 0) return 'unknown';
    if (number.value !== 0 && Math.abs(number.value) <= number.error) return 'unknown';
    return exactly(Math.sign(number.value));
  },
  // For numbers that are not whole, a rounding error may decide whether the result is 0 or near the divisor.
  MOD: (number, divisor, ...others) => {
    if (!number || !divisor || others.length > 0 || !isWhole(number) || !isWhole(divisor)) return 'unknown';
    const [n, d] = [number.value, divisor.value];
    return d === 0 ? '#DIV/0!' : exactly(n - d * Math.floor(n / d));
  },
};

/** Whether a number is whole, has no larger error than a stored number, and is small enough for exact arithmetic. */
const isWhole = ({ value, error }: Computed): boolean =>
  Number.isSafeInteger(value) && error <= Math.abs(value) * RELATIVE_ERROR && Math.abs(value) < 1e13;

/** The result of ABS, POWER, SQRT, SIGN or MOD for the results of its arguments; undefined for any other function. */
export function arithmetic(name: string, args: () => readonly Result[]): Result | undefined {
  const compute = FUNCTIONS[name];
  if (compute === undefined) return undefined;
  const numbers = args().map(numberOf);
  const fault = numbers.find((result) => !isNumber(result));
  return fault ?? compute(...numbers.filter(isNumber));
}
