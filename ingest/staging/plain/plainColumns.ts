// The types of columns that staging plain rows works with, one row at a time or in runs.

import type { BatchColumn } from '../../sources/readers/raw.ts';
import type { Target } from '../placement.ts';

/** A column of numbers: years, the values of a metric in long form, or those of a year in wide form. */
export interface NumberColumn {
  readonly index: number;
  readonly target: Target;
}

/** Whether a value is reported because of its sign. */
export type Refuses = (value: number) => boolean;

export type Texts = Extract<BatchColumn, { kind: 'texts' }>;
export type Numbers = Extract<BatchColumn, { kind: 'numbers' }>;
