// The type of a month that was compared with the current snapshot.

import type { WrittenMonth } from '../../../compare/compareWithCurrent.ts';
import type { Engine } from '../../../compare/engine.ts';
import type { Compared } from '../../../compare/types.ts';
import type { PublishOptions } from '../publishOptions.ts';
import type { StagedMonth } from '../stagedMonth.ts';

export interface ComparedMonth {
  readonly options: PublishOptions;
  readonly staged: StagedMonth;
  readonly workDir: string;
  readonly written: WrittenMonth;
  /** The current snapshot. */
  readonly current: Compared;
  readonly engine: Engine;
}
