// Computes MEDIAN, LARGE and SMALL, which pick a number by its rank.

import { type Computed, isNumber, numberOf, type Result, withRoundingError } from './results.ts';
import type { Area, SeenCells } from './seenCells.ts';

export const RANK_FUNCTIONS: ReadonlySet<string> = new Set(['MEDIAN', 'LARGE', 'SMALL']);

/** Sorting one number counts as this many steps. */
const STEPS_TO_SORT = 10;

/** The result of MEDIAN, LARGE or SMALL. Cells without a number are left out. */
export function ranked(name: string, args: readonly (Area | Result)[], cells: SeenCells): Result {
  const [from, place] = name === 'MEDIAN' ? [args, null] : [args.slice(0, 1), args[1] ?? null];
  if (name !== 'MEDIAN' && args.length !== 2) return 'unknown';
  const numbers: Computed[] = [];
  const add = (value: number, error: number) => numbers.push({ value, error });
  for (const arg of from) {
    if (isArea(arg)) {
      if (!cells.addNumbers(arg, { add })) return 'unknown';
    } else if (isNumber(arg)) numbers.push(arg);
    else return 'unknown';
  }
  if (!cells.spend(STEPS_TO_SORT * numbers.length)) return 'unknown';
  numbers.sort((a, b) => a.value - b.value);
  if (name === 'MEDIAN') return middle(numbers);
  const at = place === null || isArea(place) ? 'unknown' : numberOf(place);
  if (!isNumber(at) || !Number.isInteger(at.value) || at.value < 1) return 'unknown';
  return numbers.at(name === 'LARGE' ? -at.value : at.value - 1) ?? 'unknown';
}

function middle(sorted: readonly Computed[]): Result {
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  if (low === undefined || high === undefined) return 'unknown';
  return withRoundingError((low.value + high.value) / 2, Math.max(low.error, high.error));
}

/** Whether an argument is an area of cells, and not a single result. */
export const isArea = (arg: Area | Result): arg is Area => typeof arg === 'object' && 'top' in arg;
