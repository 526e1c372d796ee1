// Finds the factors that explain how figures moved: each later figure is the earlier one times the factor, rounded.

import { upperMedian } from '../../../src/basics/medians.ts';

/**
 * Mistakes multiply figures by a round factor such as 1.05, or by a number of twelfths where a month is missing or counted
 * twice. Round factors are multiples of half a percent. Honest revisions have factors of either kind only by chance.
 */
const STEPS_OF_FACTORS = 200;
const MONTHS = 12;

/**
 * People also multiply by an exchange rate of four decimals, such as 1.0827. There are more rates than round factors, so
 * the factors that explain the figures must differ by less: by at most 1 / `PRECISION_OF_RATES`.
 */
const DECIMALS_OF_RATES = 10_000;
const PRECISION_OF_RATES = 100_000_000;

/** How far rounding moves a figure, as a share of its last digit. */
const ROUNDING_DIGITS = 0.5 + 1e-6;

/** A figure on both sides, and their quotient: `fresh` ÷ `old`. */
export interface MovedFigure {
  readonly old: number;
  readonly fresh: number;
  readonly ratio: number;
}

/** How far a figure moved: 0 for the ratio 1. A half and a double are both 1. */
export const moveSize = (ratio: number): number => Math.max(ratio, 1 / ratio) - 1;

/** The largest group of figures whose ratios differ by less than the share `spread`. */
export function largestGroupOfOneFactor<T extends { readonly ratio: number }>(
  figures: readonly T[],
  spread: number,
): readonly T[] {
  const sorted = figures.filter(({ ratio }) => ratio > 0).sort((a, b) => a.ratio - b.ratio);
  let [from, most, start] = [0, 0, 0];
  for (const [to, { ratio }] of sorted.entries()) {
    while ((sorted[from]?.ratio ?? ratio) < ratio * (1 - spread)) from += 1;
    if (to + 1 - from <= most) continue;
    [most, start] = [to + 1 - from, from];
  }
  return sorted.slice(start, start + most);
}

/** Of the multiples of half a percent and of a twelfth, and of twelve divided by a number, the one nearest to a factor. */
function nearestStep(factor: number): number {
  const ofPercent = Math.round(factor * STEPS_OF_FACTORS) / STEPS_OF_FACTORS;
  const ofMonths = Math.round(factor * MONTHS) / MONTHS;
  const ofWholeYear = MONTHS / Math.round(MONTHS / factor);
  const distance = (step: number) => Math.abs(step - factor);
  return [ofMonths, ofWholeYear].reduce(
    (nearest, step) => (distance(step) < distance(nearest) ? step : nearest),
    ofPercent,
  );
}

/** Whether a factor turns the figures of some months into those of a year, such as 12/11, or the other way round. */
export const isOfMonths = (factor: number): boolean =>
  [factor, 1 / factor].some((one) => Math.abs(one * MONTHS - Math.round(one * MONTHS)) < 1e-9);

/**
 * The factor that explains at least `fewest` figures to their last digit. It is a multiple of half a percent or of a
 * twelfth, twelve divided by a whole number, or else has at most four decimals. Null where there is no such factor, or
 * where other factors explain the figures as well.
 *
 * @param precision The factors that explain these figures must differ by at most 1 / `precision`. One figure that is
 * `precision` times its last digit is enough for that. So are several smaller ones, because each was rounded in its own
 * way.
 */
export function exactFactor(
  figures: readonly MovedFigure[],
  fewest: number,
  precision: number,
): number | null {
  const rounding = ROUNDING_DIGITS * roundingUnit(figures.map(({ fresh }) => fresh));
  const explains = (factor: number, parts: number) => {
    const exact = figures.filter(({ old, fresh }) => Math.abs(fresh - factor * old) <= rounding);
    const { least, most } = factorRange(exact, rounding);
    return exact.length >= fewest && most - least <= 1 / parts;
  };
  const ratio = upperMedian(figures.map((one) => one.ratio));
  const [step, rate] = [nearestStep(ratio), Math.round(ratio * DECIMALS_OF_RATES) / DECIMALS_OF_RATES];
  if (explains(step, precision)) return step;
  return explains(rate, Math.max(precision, PRECISION_OF_RATES)) ? rate : null;
}

/**
 * The factors that explain all of these figures: those from `least` to `most`, none where `least` is larger.
 *
 * @param rounding How far rounding moves a figure.
 */
export function factorRange(
  figures: readonly Pick<MovedFigure, 'old' | 'fresh'>[],
  rounding: number,
): { readonly least: number; readonly most: number } {
  let [least, most] = [0, Number.POSITIVE_INFINITY];
  for (const { old, fresh } of figures) {
    least = Math.max(least, (fresh - rounding) / old);
    most = Math.min(most, (fresh + rounding) / old);
  }
  return { least, most };
}

/** The unit in which figures are rounded: a power of ten. */
export function roundingUnit(values: readonly number[]): number {
  let unit = 1;
  while (unit < LARGEST_UNIT && values.every((value) => value % (10 * unit) === 0)) unit *= 10;
  return unit;
}

const LARGEST_UNIT = 1_000_000;
