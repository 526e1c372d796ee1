// What decides how the cells of one table are read, and who reports them. All parts that stage a table share it.

import type { Cell } from '../sources/readers/raw.ts';
import type { Staging } from './database/staging.ts';
import type { KnownValues } from './knownValues.ts';
import type { Placement } from './placement.ts';
import type { FileOptions, OptionName } from './readingOptions.ts';
import type { CellAt, Remarks } from './remarks.ts';
import type { Survey } from './survey.ts';
import type { Terms } from './terms.ts';

/** The options of the file, the survey of the table, the known values. */
export interface ReadingContext {
  readonly file: string;
  readonly options: FileOptions;
  /** Null on the first pass, which stops at the first cell that cannot be read without a survey. */
  readonly survey: Survey | null;
  /** The values of the current snapshot; null when there is none. */
  readonly known: KnownValues | null;
  /** Called when an option changed how a cell was read; for `scale`, with the metric. */
  readonly onEffect: (option: OptionName, metric?: string) => void;
}

/** The same with the columns of the table, its texts and its remarks, and where its rows go. */
export interface TableContext extends ReadingContext {
  readonly staging: Staging;
  /** The index of the table in the staging's origins. */
  readonly source: number;
  readonly placement: Placement;
  readonly terms: Terms;
  readonly remarks: Remarks;
}

/** A cell in the column of a metric, or in a column of years of wide form. */
export interface MetricCell extends CellAt {
  /** The name of the metric. */
  readonly name: string;
  readonly cell: Cell | undefined;
}
