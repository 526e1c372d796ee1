// The types of a header: the meaning of each column, and the remarks on its headings.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import type { Diagnostic } from '../../messages/fault.ts';

/** The meaning of a column with a known heading. */
export type Column =
  | { readonly kind: 'dimension'; readonly name: DimensionName }
  | { readonly kind: 'metric'; readonly name: string }
  /** Wide form: the values of one year. `metric` is null when no title above the year names it. */
  | { readonly kind: 'year'; readonly name: string; readonly year: number; readonly metric: string | null }
  /** Wide form of a dataset with several metrics: the column that names the metric of each row. */
  | { readonly kind: 'metric name'; readonly name: 'metric' };

/** A header of a table, read for one dataset. */
export interface Header {
  /** The number of the last row of the header. Data begins below it. */
  readonly row: number;
  readonly form: 'long' | 'wide';
  /** The columns by their index; undefined for a column whose heading is missing or unknown. */
  readonly columns: readonly (Column | undefined)[];
  readonly faults: readonly HeaderRemark[];
  /** Remarks on possible mistakes, such as a title above the years that names no metric. */
  readonly warnings: readonly HeaderRemark[];
  /** Remarks on parts of headings that were ignored, such as footnote marks. */
  readonly notes: readonly HeaderRemark[];
  /**
   * Whether the header has all columns that the dataset needs. Rows that differ only in a missing column look like
   * duplicates.
   */
  readonly complete: boolean;
  /**
   * False if the rows below have no meaning without headings that stand elsewhere. One fault says so, and no row is read.
   */
  readonly isReadable: boolean;
}

/** A fault, warning or note on the heading of one column, or on the header as a whole. */
export interface HeaderRemark extends Diagnostic {
  /** The index of the column; null for a remark on the header as a whole. */
  readonly index: number | null;
  /** The row of the heading; left out for the last row of the header. */
  readonly row?: number;
}
