// The options of publishing a month: where its sources are, how they are read, and what a person accepts.

import type { DatasetName } from '../../../src/catalog/datasets.ts';
import type { ObjectStore } from '../../../src/store/objectStore.ts';
import type { Acceptance } from '../../guards/finding.ts';
import type { GuardLimits } from '../../guards/guard.ts';
import type { ReadingOptions } from '../../staging/readingOptions.ts';

export interface PublishOptions {
  readonly dataDir: string;
  /** The folder with the month's files. */
  readonly directory: string;
  /** `YYYY-MM`. */
  readonly month: string;
  /** A folder with SQL that turns other people's tables into ours; null without one. */
  readonly recipe: string | null;
  /** How the sources are to be read. */
  readonly reading?: ReadingOptions;
  /** Datasets that keep the current snapshot's rows. */
  readonly carry: readonly DatasetName[];
  /** Do everything but publish. */
  readonly dryRun: boolean;
  /** A warning stops the month as an error does. */
  readonly strict: boolean;
  readonly guards: GuardLimits;
  /** Findings of guards that are right, and why. */
  readonly accept: readonly Acceptance[];
  /** Why the month may be published although the current snapshot is damaged; null when it may not. */
  readonly acceptDamagedCurrent?: string | null;
  readonly at: Date;
  /** The store in which publishers agree; null or left out without one. */
  readonly store?: ObjectStore | null;
}
