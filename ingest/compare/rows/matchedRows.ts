// The matched rows of both sides of a dataset, and what can be asked about a row that differs.

import type { Sides } from '../side.ts';
import type { Years } from '../years.ts';
import type { Codes } from './codes.ts';
import type { Rows } from './rows.ts';
import type { StateRows } from './stateRows.ts';

/** How a row changed. */
export const KIND = { removed: -1, revised: 0, added: 1 } as const;

/** Rows that differ, in row order: their indexes on both sides, -1 when a side lacks the row. */
export interface Changed {
  readonly count: number;
  readonly before: Int32Array;
  readonly after: Int32Array;
}

export interface Matched {
  readonly codes: Codes;
  readonly years: Years;
  readonly metrics: readonly string[];
  readonly before: Rows;
  readonly after: Rows;
  readonly changed: Changed;
  /** By row of each side: whether it is a forecast, and whether it is a reported figure of a closed year. */
  readonly flags: Sides<RowFlags>;
  /** Connects the rows of states with those of their country. */
  readonly stateRows: Sides<StateRows | null>;
}

/** Flags by row: 1 or 0. */
export interface RowFlags {
  readonly forecast: Uint8Array;
  readonly settled: Uint8Array;
}

/** Whether two values differ; a missing value is NaN. */
export const differ = (a: number, b: number): boolean => a !== b && !(Number.isNaN(a) && Number.isNaN(b));

/** Whether a value is a number other than 0; a missing value is NaN. */
export const isNonZero = (value: number): boolean => value !== 0 && !Number.isNaN(value);

/** How a row that differs changed. */
export function kindOf({ before, after }: Changed, i: number): -1 | 0 | 1 {
  if ((before[i] as number) < 0) return KIND.added;
  return (after[i] as number) < 0 ? KIND.removed : KIND.revised;
}

/** A side that has a row that differs, and its index there; the earlier side when both have it. */
export function rowOf(matched: Matched, i: number): readonly [rows: Rows, row: number] {
  const row = matched.changed.before[i] as number;
  return row >= 0 ? [matched.before, row] : [matched.after, matched.changed.after[i] as number];
}

/** Whether a row is a forecast. */
export const isForecastRow = ({ before, flags }: Matched, rows: Rows, row: number): boolean =>
  (rows === before ? flags.before : flags.after).forecast[row] === 1;

/** Whether a row is a reported figure of a closed year. */
export const isSettledRow = ({ before, flags }: Matched, rows: Rows, row: number): boolean =>
  (rows === before ? flags.before : flags.after).settled[row] === 1;
