// Defines the input of all checks of a month's staged rows.

import type { DatasetName } from '../../src/catalog/datasets.ts';
import type { Problems } from '../messages/problems.ts';
import type { StagingView } from '../staging/database/staging.ts';
import type { KnownValues } from '../staging/knownValues.ts';
import type { AcceptedYears } from './acceptedYears.ts';
import type { Checked } from './places.ts';
import type { InMemory } from './stagedRows.ts';
import type { UsedValues } from './usedValues.ts';

/** The staged rows of a month, what is known about their values, and the receiver of the problems. */
export interface CheckedRows extends Checked {
  /** The datasets with more than one row. A single row cannot be a duplicate, a sum or a break in a series. */
  readonly several: readonly DatasetName[];
  readonly inMemory: InMemory;
  readonly used: UsedValues;
  /** The values of the current snapshot; null without a current snapshot. */
  readonly known: KnownValues | null;
  /** The datasets that repeat the rows of the current snapshot (`--carry`). No source has these rows, so nobody can correct one. */
  readonly carried: ReadonlySet<DatasetName>;
  readonly acceptedYears: AcceptedYears;
  /** The month that is published, such as `2026-11`. */
  readonly month: string;
  readonly problems: Problems;
}

/** The input of the checks of years. */
export type YearsChecked = Pick<
  CheckedRows,
  'staging' | 'datasets' | 'inMemory' | 'known' | 'carried' | 'acceptedYears' | 'problems'
>;

/** The input of checks that read the staged rows by SQL alone. They may run on any connection to the staging database. */
export interface CheckedBySql extends Omit<CheckedRows, 'staging'> {
  readonly staging: StagingView;
}
