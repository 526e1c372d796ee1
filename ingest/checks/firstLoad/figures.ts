// What the checks receive that compare each figure with those beside it.

import type { Problems } from '../../messages/problems.ts';
import type { StagingView } from '../../staging/database/staging.ts';
import type { Groups, StagedRows } from '../stagedRows.ts';

/** The figures of a dataset with currencies, and where the checks report. */
export interface Figures {
  readonly staging: StagingView;
  readonly problems: Problems;
  /** The only metric of the dataset. */
  readonly metric: string;
  readonly rows: StagedRows;
  /** The rows of a series differ in the year only. */
  readonly series: Groups;
  /** The rows of a market differ in the year and the currency only. */
  readonly markets: Groups;
}
