// The options of publishing a month: its sources, how they are read, and the findings that a person accepts.

import type { DatasetName } from '../../../src/catalog/datasets.ts';
import type { ObjectStore } from '../../../src/store/objectStore.ts';
import type { YearAcceptance } from '../../checks/acceptedYears.ts';
import type { Acceptance } from '../../guards/finding.ts';
import type { GuardLimits } from '../../guards/guard.ts';
import type { ReadingOptions } from '../../staging/readingOptions.ts';

export interface PublishOptions {
  readonly dataDir: string;
  /** The folder with the month's files. */
  readonly directory: string;
  /** The month as `YYYY-MM`. */
  readonly month: string;
  /** A folder with SQL that turns tables of any form into datasets; null without one. */
  readonly recipe: string | null;
  readonly reading: ReadingOptions;
  /** Datasets that keep the current snapshot's rows. */
  readonly carry: readonly DatasetName[];
  /** Whether to read, check and compare the month without publishing it. */
  readonly dryRun: boolean;
  /** Whether a warning stops the month as an error does. */
  readonly strict: boolean;
  readonly guards: GuardLimits;
  /** The findings of guards that a person accepts, and why. */
  readonly accept: readonly Acceptance[];
  /** The years far from all others that a person accepts, and why. */
  readonly acceptYears: readonly YearAcceptance[];
  /** The reason for publishing although the current snapshot is damaged; null when nobody gave one. */
  readonly damagedCurrentReason: string | null;
  /** The present time, which the history records as that of the publication. */
  readonly at: Date;
  /** The store of snapshots that several publishers share; null when there is none. */
  readonly store: ObjectStore | null;
}
