// The type of what all checks of a month's staged rows receive.

import type { DatasetName } from '../../src/catalog/datasets.ts';
import type { Problems } from '../messages/problems.ts';
import type { StagingView } from '../staging/database/staging.ts';
import type { KnownValues } from '../staging/knownValues.ts';
import type { Checked } from './places.ts';
import type { InMemory } from './stagedRows.ts';
import type { UsedValues } from './usedValues.ts';

export interface CheckedRows extends Checked {
  /** The datasets with more than one row. A single row cannot be a duplicate, a sum or a break in a series. */
  readonly several: readonly DatasetName[];
  /** The rows of small datasets. */
  readonly inMemory: InMemory;
  /** The values that occur in the rows. */
  readonly used: UsedValues;
  /** The values of the current snapshot; null when there is none. */
  readonly known: KnownValues | null;
  /** The datasets whose rows are those of the current snapshot (`--carry`). No source has them, so nobody can correct them there. */
  readonly carried: ReadonlySet<DatasetName>;
  /** The month that is published, such as `2026-11`. */
  readonly month: string;
  /** The checks add what they find. */
  readonly problems: Problems;
}

/** The same for checks that need the staged rows only by SQL, on whichever connection. */
export interface CheckedBySql extends Omit<CheckedRows, 'staging'> {
  readonly staging: StagingView;
}
