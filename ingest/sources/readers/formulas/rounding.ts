// Rounds numbers as ROUND, ROUNDUP, ROUNDDOWN, TRUNC and INT do.
//
// When a number is so near to a limit that it may round to the next step, the error of the result is one step.

import {
  type Computed,
  exactly,
  isNumber,
  numberOf,
  RELATIVE_ERROR,
  type Result,
  withOwnError,
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

/** The most digits that spreadsheet programs keep. */
const MOST_DIGITS = 15;

/** Whether a function, named in upper case, rounds its argument. */
export const isRounding = (name: string): boolean => ROUNDINGS[name] !== undefined;

/** The result of a rounding function. `args` are the results of its arguments. */
export function rounded(name: string, args: readonly Result[]): Result {
  const rounding = ROUNDINGS[name];
  const [of, digits] = [args[0] ?? 'unknown', args[1] ?? exactly(0)].map(numberOf);
  if (!rounding?.arguments.includes(args.length) || of === undefined || digits === undefined)
    return 'unknown';
  if (of === 'unknown' || digits === 'unknown') return 'unknown';
  if (!isNumber(of)) return of;
  if (!isNumber(digits)) return digits;
  if (!Number.isInteger(digits.value) || Math.abs(digits.value) > MOST_DIGITS) return 'unknown';
  if (isWhole(of) && digits.value >= 0) return of;
  return toSteps(of, 10 ** -digits.value, rounding.toWhole, name === 'ROUND' ? 0.5 : 0);
}

/** Whether a number is whole, so that rounding does not change it. */
const isWhole = ({ value, error }: Computed): boolean =>
  Number.isInteger(value) && error <= Math.abs(value) * RELATIVE_ERROR;

/**
 * A number rounded to a whole number of steps.
 *
 * @param edge Where between two steps the result changes: 0.5 for ROUND.
 */
function toSteps(of: Computed, step: number, toWhole: (steps: number) => number, edge: number): Computed {
  const steps = of.value / step;
  const doubt = of.error / step + Math.abs(steps) * 1e-12;
  const toEdge = Math.abs(steps) - edge - Math.round(Math.abs(steps) - edge);
  return withOwnError(toWhole(steps) * step, Math.abs(toEdge) <= doubt ? step : 0);
}
