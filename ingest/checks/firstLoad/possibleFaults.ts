// Finds out, from rows in memory, which checks of a first load could find anything.
// This is faster than planning their statements.
//
// `undefined` stands for rows that are not in memory. In them, every check may find something.

import { addTo } from '../../../src/basics/maps.ts';
import { BESIDE_SERIES } from '../stagedPlaces.ts';
import type { StagedRows } from '../stagedRows.ts';

type Rows = StagedRows | undefined;

/** Whether some series may lack years between its first and its last one. */
export function mayLackYears(rows: Rows): boolean {
  if (rows === undefined) return true;
  const years = rows.dimension('year');
  const series = rows.groupsWithout(BESIDE_SERIES);
  const [first, last] = [new Int32Array(series.count).fill(AFTER_ALL_YEARS), new Int32Array(series.count)];
  for (let row = 0; row < rows.count; row += 1) {
    const [seriesNumber, year] = [series.numbers[row] as number, years[row] as number];
    first[seriesNumber] = Math.min(first[seriesNumber] as number, year);
    last[seriesNumber] = Math.max(last[seriesNumber] as number, year);
  }
  const complete = last.reduce(
    (sum, year, seriesNumber) => sum + year - (first[seriesNumber] as number) + 1,
    0,
  );
  const ofYears = rows.groupsWithout(BESIDE_SERIES.filter((name) => name !== 'year'));
  return ofYears.count < complete;
}

/** Larger than any year, because years have four digits. */
const AFTER_ALL_YEARS = 10_000;

/** Whether some row may be of a later year than this one. */
export const mayBeAfter = (year: number, rows: Rows): boolean =>
  rows === undefined || rows.dimension('year').some((one) => one > year);

interface PossibleFaults {
  /** A figure 1.8 times as large as another one. */
  readonly jumps: boolean;
  readonly zeros: boolean;
  /** Figures of a year that repeat those of another year. */
  readonly copies: boolean;
}

/**
 * The faults that the series of a metric may have. `false` means that a check for the fault would certainly find nothing.
 */
export function possibleFaults(metric: string, rows: Rows): PossibleFaults {
  if (rows === undefined) return { jumps: true, zeros: true, copies: true };
  const values = rows.values(metric).filter((value) => !Number.isNaN(value));
  const positive = values.filter((value) => value > 0);
  return {
    jumps: largestOf(positive) > LEAST_JUMP * smallestOf(positive),
    zeros: mayBeZero(metric, rows),
    copies: mayRepeat(values, metric, rows),
  };
}

/** Whether a year may be a copy of another one, or a market have one figure for years. */
function mayRepeat(values: Float64Array, metric: string, rows: StagedRows): boolean {
  const counts = new Map<number, number>();
  for (const value of values) if (value !== 0) addTo(counts, value, 1);
  const repeated = Array.from(counts).filter(([, count]) => count > 1);
  if (repeated.length >= FEWEST_COPIED_FIGURES) return true;
  return repeated.some(([value, count]) => count >= FEWEST_CONSTANT_YEARS && isConstant(value, metric, rows));
}

/** Whether some series has a value often enough to be constant. */
function isConstant(wanted: number, metric: string, rows: StagedRows): boolean {
  const { numbers, count } = rows.groupsWithout(BESIDE_SERIES);
  const years = new Int32Array(count);
  for (const [row, value] of rows.values(metric).entries())
    if (value === wanted) years[numbers[row] as number] = (years[numbers[row] as number] as number) + 1;
  return years.some((number) => number >= FEWEST_CONSTANT_YEARS);
}

/**
 * The smallest ratio of a jump: the limit 1.8 of `seriesLeaps.ts`, which is the lowest of all checks, less a margin,
 * because the checks compute with rounded numbers.
 */
const LEAST_JUMP = 1.75;

/** A copied year repeats at least this many different figures. Fewer may be equal by chance. */
export const FEWEST_COPIED_FIGURES = 3;

/** The fewest successive years with one figure. A market may have one figure in two years by chance. */
export const FEWEST_CONSTANT_YEARS = 3;

const largestOf = (values: Float64Array): number =>
  values.reduce((most, value) => Math.max(most, value), -Infinity);

const smallestOf = (values: Float64Array): number =>
  values.reduce((least, value) => Math.min(least, value), Infinity);

/** Whether some figure may be zero. */
export const mayBeZero = (metric: string, rows: Rows): boolean =>
  rows === undefined || rows.values(metric).includes(0);

/** Whether some figure other than zero may be nearer to zero than `size`. */
export const mayBeTiny = (metric: string, size: number, rows: Rows): boolean =>
  rows === undefined || rows.values(metric).some((value) => value !== 0 && Math.abs(value) < size);
