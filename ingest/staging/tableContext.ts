// Defines what all parts that stage one table share: options, survey, columns, and the receivers of rows and remarks.

import type { Cell } from '../sources/readers/rawFile.ts';
import type { ColumnMapping } from './columnMapping.ts';
import type { Staging } from './database/staging.ts';
import type { DimensionTexts } from './dimensionTexts.ts';
import type { KnownValues } from './knownValues.ts';
import type { FileOptions, OptionName } from './readingOptions.ts';
import type { CellAt, Remarks } from './remarks.ts';
import type { Survey } from './survey.ts';

/** The options of the file, the survey of the table, and the values of the current snapshot. */
export interface ReadingContext {
  readonly file: string;
  readonly options: FileOptions;
  /** Null on the first pass, which stops at the first cell that cannot be read without a survey. */
  readonly survey: Survey | null;
  readonly known: KnownValues | null;
  /** Records that an option changed how a cell was read. For `scale`, it receives the metric. */
  readonly onEffect: (option: OptionName, metric?: string) => void;
}

/** A reading context, with the columns, the texts and the remarks of the table, and the staging database for its rows. */
export interface TableContext extends ReadingContext {
  readonly staging: Staging;
  /** The index of the table in `origins` of the staging database. */
  readonly source: number;
  readonly mapping: ColumnMapping;
  readonly dimensionTexts: DimensionTexts;
  readonly remarks: Remarks;
  /**
   * Whether the first pass met a cell that only its whole column can explain, which is not reported yet. The rows that were
   * staged so far must then be discarded.
   */
  needsSurvey: boolean;
}

/** A cell in the column of a metric, or in a column of years of wide form. */
export interface MetricCell extends CellAt {
  readonly name: string;
  readonly cell: Cell | undefined;
}
