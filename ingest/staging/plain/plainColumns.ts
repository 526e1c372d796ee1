// Defines the types of columns and runs that `plainRows.ts` and `plainRuns.ts` share.

import type { BatchColumn, ColumnBatch } from '../../sources/readers/raw.ts';
import type { Target } from '../placement.ts';

/** A column of numbers: years, the values of a metric in long form, or those of a year in wide form. */
export interface NumberColumn {
  readonly index: number;
  readonly target: Target;
}

/** Whether a value is reported because of its sign. */
export type Refuses = (value: number) => boolean;

/** A column of texts, as codes into a dictionary. */
export type Texts = Extract<BatchColumn, { kind: 'texts' }>;
/** A column of numbers and their states, such as `NO_NUMBER`. */
export type Numbers = Extract<BatchColumn, { kind: 'numbers' }>;

/** The rows of a batch from `from` to `to`, without `to`. None of them is odd. */
export interface Run {
  readonly batch: ColumnBatch;
  readonly from: number;
  readonly to: number;
}
