// Defines what all parts that stage one table share: options, survey, columns, and the receivers of rows and remarks.

import type { Cell } from '../sources/readers/rawFile.ts';
import type { ColumnMapping } from './columnMapping.ts';
import type { Staging } from './database/staging.ts';
import type { DimensionTexts } from './dimensionTexts.ts';
import type { KnownValues } from './knownValues.ts';
import type { FileOptions, OptionName } from './readingOptions.ts';
import type { CellAt, Remarks } from './remarks.ts';
import type { Survey } from './survey.ts';

/** The table that is staged: how its cells are read, its columns and its texts, and where rows and remarks go. */
export interface TableContext {
  readonly file: string;
  readonly options: FileOptions;
  /** Null on the first pass, which stops at the first cell that cannot be read without a survey. */
  readonly survey: Survey | null;
  readonly known: KnownValues | null;
  /** Records that an option changed how a cell was read. For `scale`, it receives the metric. */
  readonly onEffect: (option: OptionName, metric?: string) => void;
  readonly staging: Staging;
  /** The index of the table in `origins` of the staging database. */
  readonly source: number;
  readonly mapping: ColumnMapping;
  readonly dimensionTexts: DimensionTexts;
  readonly remarks: Remarks;
  /** The metrics with a number such as `1234.5`, which shows that a dot in this column does not separate thousands. */
  readonly ungroupedMetrics: Set<string>;
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
