// Defines the input of all checks of a month's staged rows.

import type { DatasetName } from '../../src/catalog/datasets.ts';
import type { Problems } from '../messages/problems.ts';
import type { StagingView } from '../staging/database/staging.ts';
import type { KnownValues } from '../staging/knownValues.ts';
import type { AcceptedYears } from './acceptedYears.ts';
import type { StagedDatasets } from './stagedPlaces.ts';
import type { RowsInMemory } from './stagedRows.ts';
import type { UsedValues } from './usedValues.ts';

/** The staged rows of a month, what is known about their values, and the receiver of the problems. */
export interface CheckInput extends StagedDatasets {
  /** The datasets with more than one row. A single row cannot be a duplicate, a sum or a break in a series. */
  readonly datasetsWithSeveralRows: readonly DatasetName[];
  readonly rowsInMemory: RowsInMemory;
  readonly usedValues: UsedValues;
  /** The values of the current snapshot; null without a current snapshot. */
  readonly publishedValues: KnownValues | null;
  /**
   * The datasets that repeat the rows of the current snapshot (`--carry`). No source has these rows, so nobody can correct
   * one.
   */
  readonly carried: ReadonlySet<DatasetName>;
  readonly acceptedYears: AcceptedYears;
  /** The month that is published, such as `2026-11`. */
  readonly month: string;
  readonly problems: Problems;
}

/** The input of the checks of years. */
export type YearCheckInput = Pick<
  CheckInput,
  'staging' | 'datasets' | 'rowsInMemory' | 'publishedValues' | 'carried' | 'acceptedYears' | 'problems'
>;

/** The input of checks that read the staged rows by SQL alone. They may run on any connection to the staging database. */
export interface SqlCheckInput extends Omit<CheckInput, 'staging'> {
  readonly staging: StagingView;
}
