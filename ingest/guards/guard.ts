// What a guard is: a question to the comparison of one dataset, whose answer is what it finds suspicious.

import type { Comparison, DatasetComparison, Pattern, Rule, ScaledGroup } from '../compare/types.ts';
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
  /** Of a country's total of closed years. */
  readonly country: Band;
  /** Of a part of a country, such as a product. */
  readonly part: Band;
  /** From which share of a country's total on a finding matters. */
  readonly material: Band;
}

export interface Suspicion {
  readonly severity: 'warn' | 'refuse';
  /** Where, what and how much: what would stand after the dataset's name and a colon. */
  readonly message: string;
  /** The country that it is about; left out where it is about several or the whole dataset. */
  readonly country?: string | null;
  readonly pattern?: Pattern;
  /** Rules besides this one that object as much. */
  readonly also?: readonly Rule[];
}

/** What a guard may look at besides the dataset it is asked about. */
export interface Context {
  readonly comparison: Comparison;
  readonly renamings: Renamings;
  readonly limits: GuardLimits;
  /** The verdicts on the patterns of this dataset, every one told by one rule. */
  readonly verdicts: readonly Verdict[];
  /** Countries of which a pattern is refused in any dataset. */
  readonly refusedCountries: ReadonlySet<string>;
}

/** What is made of a pattern. */
export interface Verdict extends Suspicion {
  readonly rule: Rule;
  readonly pattern: Pattern;
  /** Groups of another unit that it tells of. */
  readonly scaled: readonly ScaledGroup[];
}

export type Guard = (dataset: DatasetComparison, context: Context) => readonly Suspicion[];

/** Of so many countries at least, one alone does not make the dataset. */
export const SEVERAL = 10;

/** 3 → 3.15 is 5 %, though doubles make it 4.9999999999999999 %. */
const ROUNDING = 1e-12;

/** How a change of this share is met; the number that a setting names is met already. */
export function severityOf(share: number, { warn, refuse }: Band): Suspicion['severity'] | null {
  const size = Math.abs(share);
  if (size === 0 || Number.isNaN(size)) return null;
  if (size >= refuse - ROUNDING) return 'refuse';
  return size >= warn - ROUNDING ? 'warn' : null;
}
