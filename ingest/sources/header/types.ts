// What a header says: the meaning of each column, and the remarks on its headings.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import type { Diagnostic } from '../../messages/fault.ts';

export type Column =
  | { readonly kind: 'dimension'; readonly name: DimensionName }
  | { readonly kind: 'metric'; readonly name: string }
  /** Wide form: the values of one year. `metric` is null where no title above the year names it. */
  | { readonly kind: 'year'; readonly name: string; readonly year: number; readonly metric: string | null }
  /** Wide form of a dataset with several metrics: the column that names the metric of each row. */
  | { readonly kind: 'metric name'; readonly name: 'metric' };

export interface Header {
  /** The number of its last row; data begins below. */
  readonly row: number;
  readonly form: 'long' | 'wide';
  /** By column index; undefined where there is no heading or none that is known. */
  readonly columns: readonly (Column | undefined)[];
  readonly faults: readonly HeaderRemark[];
  /** What may be wrong, such as a title above the years that was not read. */
  readonly warnings: readonly HeaderRemark[];
  /** What was ignored in its headings, such as footnote marks. */
  readonly notes: readonly HeaderRemark[];
  /** False when a column of the dataset is missing: its rows cannot be told apart. */
  readonly complete: boolean;
}

/** What is wrong or remarkable about the heading of one column. */
export interface HeaderRemark extends Diagnostic {
  /** The index of the column. */
  readonly index: number;
  /** Its row, where that is not the header's last one. */
  readonly row?: number;
}
