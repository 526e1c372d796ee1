// Finds markets that were multiplied by a factor of few digits, such as 1.06 or 1.0827, to the last digit of their figures.

import { groupBy } from '../../../src/groupBy.ts';
import { upperMedian } from '../../../src/medians.ts';
import { factorsOf, type OldAndFresh, unitOf } from '../commonFactor.ts';
import type { Matched } from '../rows/matchedRows.ts';
import { LEAST_FIGURE } from './scaledReported.ts';

/**
 * Mistakes multiply figures by a round factor such as 1.05, or by a number of twelfths where a month is missing or counted twice.
 * A revision has such a factor, a multiple of half a percent or of a twelfth, only by chance.
 */
const STEPS_OF_FACTORS = 200;
const MONTHS = 12;

/** The factors that explain all figures must differ by less than one part in this many. A wider range holds such a multiple by chance. */
const LEAST_LAST_DIGITS = 10_000_000;

/** People also multiply by an exchange rate of four decimals, such as 1.0827. There are more of these, so more digits must agree. */
const DECIMALS_OF_RATES = 10_000;
const LEAST_LAST_DIGITS_OF_RATES = 100_000_000;

/** How far rounding moves a figure, as a share of its last digit. */
const ROUNDING_DIGITS = 0.5 + 1e-6;

/** The largest share of a country's other figures that may have moved. With a larger share, the whole country was revised. */
const MOST_OTHERS_SHARE = 0.5;

/** A figure on both sides, in a row of the earlier one. */
export interface MovedFigure extends OldAndFresh {
  readonly row: number;
  readonly ratio: number;
}

/** A market of a country that moved by one factor. */
export interface Scaled {
  readonly country: string;
  readonly place: string;
  readonly years: readonly number[];
  readonly factor: number;
  /** The factor, if it is exact and explains most figures to their last digit; else null. */
  readonly exactly: number | null;
  /** One of its rows before. */
  readonly row: number;
  /** The number of its figures that have the factor. */
  readonly figures: number;
}

/** The multiple of half a percent, or of a twelfth, that is nearest to a factor. */
function nearestStep(factor: number): number {
  const ofPercent = Math.round(factor * STEPS_OF_FACTORS) / STEPS_OF_FACTORS;
  const ofMonths = Math.round(factor * MONTHS) / MONTHS;
  return Math.abs(ofMonths - factor) < Math.abs(ofPercent - factor) ? ofMonths : ofPercent;
}

/**
 * The multiple of half a percent or of a twelfth, or else the factor of four decimals, that explains at least `fewest` figures
 * to their last digit; null where there is none, or where other factors explain them as well.
 *
 * @param large The multiples that explain these figures must differ by at most 1 / `large`. One figure that is `large` times its
 *   last digit is enough for that. So are several smaller ones, because each was rounded in its own way.
 */
export function exactFactor(
  figures: readonly Pick<MovedFigure, 'old' | 'fresh' | 'ratio'>[],
  fewest: number,
  large = LEAST_LAST_DIGITS,
): number | null {
  const rounding = ROUNDING_DIGITS * unitOf(figures.map(({ fresh }) => fresh));
  const explains = (factor: number, parts: number) => {
    const exact = figures.filter(({ old, fresh }) => Math.abs(fresh - factor * old) <= rounding);
    const { least, most } = factorsOf(exact, rounding);
    return exact.length >= fewest && most - least <= 1 / parts;
  };
  const ratio = upperMedian(figures.map((one) => one.ratio));
  const [step, rate] = [nearestStep(ratio), Math.round(ratio * DECIMALS_OF_RATES) / DECIMALS_OF_RATES];
  if (explains(step, large)) return step;
  return explains(rate, Math.max(large, LEAST_LAST_DIGITS_OF_RATES)) ? rate : null;
}

/** Leaves out markets of countries of which most other reported figures moved, or that have no other. */
export function inStillCountries(
  { before, changed }: Matched,
  found: readonly Scaled[],
  isReported: (row: number) => boolean,
): readonly Scaled[] {
  if (found.length === 0) return [];
  const [countries, values] = [before.codes('country'), before.values(0)];
  const byCountry = groupBy(found, ({ row }) => countries[row] as number);
  const isFigure = (row: number) =>
    byCountry.has(countries[row] as number) && (values[row] as number) >= LEAST_FIGURE && isReported(row);
  const [all, moved] = [new Map<number, number>(), new Map<number, number>()];
  const count = (counts: Map<number, number>, row: number) => {
    const country = countries[row] as number;
    if (isFigure(row)) counts.set(country, (counts.get(country) ?? 0) + 1);
  };
  for (let row = 0; row < before.count; row += 1) count(all, row);
  for (const row of changed.before) if (row >= 0) count(moved, row);
  return [...byCountry].flatMap(([country, own]) => {
    const figures = own.reduce((sum, one) => sum + one.figures, 0);
    const others = (all.get(country) ?? 0) - figures;
    const movedOthers = (moved.get(country) ?? 0) - figures;
    return others > 0 && movedOthers < MOST_OTHERS_SHARE * others ? own : [];
  });
}
