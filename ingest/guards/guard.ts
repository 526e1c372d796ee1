// What a guard is: a question to the comparison of one dataset, whose answer is what it finds suspicious.

import type { Comparison, DatasetComparison } from '../compare/types.ts';
import type { Renamings } from './renamings.ts';

export { percent } from '../messages/numbers.ts';

/** From which change on a guard warns and refuses, as shares: 0.05 is 5 %. */
export interface Band {
  readonly warn: number;
  readonly refuse: number;
}

export interface GuardLimits {
  readonly rows: Band;
  readonly totals: Band;
  readonly closedYears: Band;
}

export interface Suspicion {
  readonly severity: 'warn' | 'refuse';
  /** The reason in numbers: what would stand after the dataset's name and a colon. */
  readonly message: string;
}

/** What a guard may look at besides the dataset it is asked about. */
export interface Context {
  readonly comparison: Comparison;
  readonly renamings: Renamings;
  readonly limits: GuardLimits;
}

export type Guard = (dataset: DatasetComparison, context: Context) => readonly Suspicion[];

/** 3 → 3.15 is 5 %, though doubles make it 4.9999999999999999 %. */
const ROUNDING = 1e-12;

/** How a change of this share is met; the number that a setting names is met already. */
export function severityOf(share: number, { warn, refuse }: Band): Suspicion['severity'] | null {
  const size = Math.abs(share);
  if (size === 0 || Number.isNaN(size)) return null;
  if (size >= refuse - ROUNDING) return 'refuse';
  return size >= warn - ROUNDING ? 'warn' : null;
}
