// The type of matched rows of both sides of a dataset. Tells how a row changed and whether it is a forecast.

import type { ComparisonYears } from '../comparisonYears.ts';
import type { Sides } from '../side.ts';
import type { Rows } from './codedRows.ts';
import type { Codes } from './codes.ts';

/** How a row changed. */
export const CHANGE_KIND = { removed: -1, revised: 0, added: 1 } as const;
/** A value of `CHANGE_KIND`. */
export type ChangeKind = (typeof CHANGE_KIND)[keyof typeof CHANGE_KIND];

/**
 * The rows that differ, in row order. `before` and `after` have their indexes on each side, -1 if the side lacks the row.
 */
export interface ChangedRows {
  readonly count: number;
  readonly before: Int32Array;
  readonly after: Int32Array;
}

/** The rows of both sides of a dataset, and the rows that differ. A code stands for the same value on both sides. */
export interface MatchedRows {
  readonly codes: Codes;
  readonly years: ComparisonYears;
  readonly metrics: readonly string[];
  readonly before: Rows;
  readonly after: Rows;
  readonly changed: ChangedRows;
  readonly flags: Sides<RowFlags>;
  /**
   * For each row of a state: the row of its country that agrees with it, preferably also in `calculation`; else `NO_ROW`.
   * For a row of a whole country: the row itself, or `NO_ROW` if the country has no states. Null on a side where no country
   * has states.
   */
  readonly nationRowOf: Sides<Int32Array | null>;
}

/** Flags of each row: 1 or 0. */
export interface RowFlags {
  readonly forecast: Uint8Array;
  /** Whether the row is a reported figure of a closed year. */
  readonly settled: Uint8Array;
}

/** Whether two values differ; a missing value is NaN. */
export const differ = (a: number, b: number): boolean => a !== b && !(Number.isNaN(a) && Number.isNaN(b));

/** Whether a value is a number other than 0; a missing value is NaN. */
export const isNonZero = (value: number): boolean => value !== 0 && !Number.isNaN(value);

/** How a row that differs changed. */
export function changeKind({ before, after }: ChangedRows, i: number): ChangeKind {
  if ((before[i] as number) < 0) return CHANGE_KIND.added;
  return (after[i] as number) < 0 ? CHANGE_KIND.removed : CHANGE_KIND.revised;
}

/** The row that differs at index `i` of `changed`, with its side. It is the earlier row if both sides have one. */
export function changedRow(matched: MatchedRows, i: number): readonly [rows: Rows, row: number] {
  const row = matched.changed.before[i] as number;
  return row >= 0 ? [matched.before, row] : [matched.after, matched.changed.after[i] as number];
}

/** Whether a row is a forecast. */
export const isForecastRow = ({ before, flags }: MatchedRows, rows: Rows, row: number): boolean =>
  (rows === before ? flags.before : flags.after).forecast[row] === 1;

/** Whether a row is a reported figure of a closed year. */
export const isSettledRow = ({ before, flags }: MatchedRows, rows: Rows, row: number): boolean =>
  (rows === before ? flags.before : flags.after).settled[row] === 1;
