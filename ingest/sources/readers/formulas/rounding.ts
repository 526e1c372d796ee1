// Rounds numbers as ROUND, ROUNDUP, ROUNDDOWN, TRUNC and INT do.
//
// When a number is so near to the boundary between two steps that it may round to either, the error of the result is one
// step.

import {
  type Computed,
  exactly,
  isNumber,
  numberOf,
  RELATIVE_ERROR,
  type Result,
  withRoundingError,
} from './results.ts';

/** For each function: how it rounds a number of steps to a whole number, and how many arguments it may have. */
const ROUNDINGS: Readonly<
  Record<string, { readonly toWhole: (steps: number) => number; readonly arguments: readonly number[] }>
> = {
  ROUND: { toWhole: (steps) => Math.sign(steps) * Math.round(Math.abs(steps)), arguments: [2] },
  ROUNDUP: { toWhole: (steps) => Math.sign(steps) * Math.ceil(Math.abs(steps)), arguments: [2] },
  ROUNDDOWN: { toWhole: Math.trunc, arguments: [2] },
  TRUNC: { toWhole: Math.trunc, arguments: [1, 2] },
  INT: { toWhole: Math.floor, arguments: [1] },
};

/** The largest number of digits that the second argument may name. Spreadsheet programs keep 15 digits of a number. */
const MOST_DIGITS = 15;

/** Whether a function, named in upper case, rounds its argument. */
export const isRounding = (name: string): boolean => ROUNDINGS[name] !== undefined;

/** The result of a rounding function. `args` are the results of its arguments. */
export function rounded(name: string, args: readonly Result[]): Result {
  const rounding = ROUNDINGS[name];
  const [number, digits] = [args[0] ?? 'unknown', args[1] ?? exactly(0)].map(numberOf);
  if (!rounding?.arguments.includes(args.length) || number === undefined || digits === undefined)
    return 'unknown';
  if (number === 'unknown' || digits === 'unknown') return 'unknown';
  if (!isNumber(number)) return number;
  if (!isNumber(digits)) return digits;
  if (!Number.isInteger(digits.value) || Math.abs(digits.value) > MOST_DIGITS) return 'unknown';
  if (isWhole(number) && digits.value >= 0) return number;
  return toSteps(number, 10 ** -digits.value, rounding.toWhole, name === 'ROUND' ? 0.5 : 0);
}

/** Whether a number is whole, so that rounding does not change it. */
const isWhole = ({ value, error }: Computed): boolean =>
  Number.isInteger(value) && error <= Math.abs(value) * RELATIVE_ERROR;

/**
 * A number rounded to a whole number of steps.
 *
 * @param edge Where between two steps the result changes, as a part of a step: 0.5 for ROUND, 0 for the others.
 */
function toSteps(
  { value, error }: Computed,
  step: number,
  toWhole: (steps: number) => number,
  edge: number,
): Computed {
  const steps = value / step;
  const doubt = error / step + Math.abs(steps) * 1e-12;
  const toEdge = Math.abs(steps) - edge - Math.round(Math.abs(steps) - edge);
  return withRoundingError(toWhole(steps) * step, Math.abs(toEdge) <= doubt ? step : 0);
}
