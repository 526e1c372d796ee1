// The signs that the values of metrics may have, and what is said of others.

import type { Dataset, Metric } from '../../../src/catalog/datasets.ts';
import type { Severity } from '../../messages/problems.ts';

interface SignRule {
  readonly refuses: (value: number) => boolean;
  /** The same in SQL, to be written after the value. */
  readonly sql: string;
  readonly severity: Severity;
  readonly remedy: string;
  /** What a group of such values is called, after the metric's name. */
  readonly kind: string;
}

/** What a metric's sign refuses, or warns of. */
const SIGNS: Partial<Record<Metric['sign'], SignRule>> = {
  positive: {
    refuses: (value) => value <= 0,
    sql: '<= 0',
    severity: 'error',
    remedy: 'it must be above zero',
    kind: 'is zero or negative',
  },
  'not negative': {
    refuses: (value) => value < 0,
    sql: '< 0',
    severity: 'error',
    remedy: 'it must not be negative',
    kind: 'is negative',
  },
  'usually not negative': {
    refuses: (value) => value < 0,
    sql: '< 0',
    severity: 'warning',
    remedy: 'it is usually not negative',
    kind: 'is negative',
  },
};

/** The rule for the sign of a metric; undefined when any sign will do. */
export const signRule = ({ metrics }: Dataset, name: string): SignRule | undefined =>
  SIGNS[metrics[name]?.sign ?? 'any'];

/** Tells whether a metric's value is refused or warned of for its sign. */
export const signRefusal = (dataset: Dataset, name: string): ((value: number) => boolean) =>
  signRule(dataset, name)?.refuses ?? (() => false);

/** What `signRefusal` refuses, in SQL to be written after the value; null when any sign will do. */
export const refusedSign = (dataset: Dataset, name: string): string | null =>
  signRule(dataset, name)?.sql ?? null;
