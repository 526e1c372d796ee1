// Defines which signs the values of a metric may have, and the error or warning for a value with another sign.

import { type DatasetName, datasetOf, type Metric } from '../../../src/catalog/datasets.ts';
import type { Severity } from '../../messages/problems.ts';

interface SignRule {
  /** Whether the rule reports this value. */
  readonly reports: (value: number) => boolean;
  /** The same condition in SQL, to be written behind the value. */
  readonly sql: string;
  readonly severity: Severity;
  readonly remedy: string;
  /** The name of the group of reported values in messages, behind the metric's name. */
  readonly kind: string;
}

/** The rule for each kind of sign in the definition of a metric. */
const SIGNS: Partial<Record<Metric['sign'], SignRule>> = {
  positive: {
    reports: (value) => value <= 0,
    sql: '<= 0',
    severity: 'error',
    remedy: 'it must be above zero',
    kind: 'is zero or negative',
  },
  'not negative': {
    reports: (value) => value < 0,
    sql: '< 0',
    severity: 'error',
    remedy: 'it must not be negative',
    kind: 'is negative',
  },
  'usually not negative': {
    reports: (value) => value < 0,
    sql: '< 0',
    severity: 'warning',
    remedy: 'it is usually not negative',
    kind: 'is negative',
  },
};

/** The rule for the sign of a metric; undefined when the metric may have any sign. */
export const signRule = (dataset: DatasetName, name: string): SignRule | undefined =>
  SIGNS[datasetOf(dataset).metrics[name]?.sign ?? 'any'];
