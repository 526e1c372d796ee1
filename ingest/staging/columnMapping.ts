// Maps each column of a header to its place in a staged row, and lists the dimensions that every row must fill.

import {
  type DatasetName,
  type Dimension,
  type DimensionName,
  datasetOf,
  dimensionOf,
  metricNames,
} from '../../src/catalog/datasets.ts';
import type { Column, Header } from '../sources/header/headerTypes.ts';

/** The place of a column's cells in a staged row. Dimensions and metrics are indexes into the lists of `ColumnMapping`. */
export type Target =
  | TextTarget
  /** The column `year` of long form. */
  | { readonly kind: 'year'; readonly dimension: number }
  /** The column of one metric in long form. */
  | { readonly kind: 'value'; readonly name: string; readonly metric: number }
  /** The column of one year in wide form. The metric is null if each row names its metric. */
  | { readonly kind: 'year value'; readonly year: number; readonly metric: number | null }
  /** The column of wide form in which each row names its metric. */
  | { readonly kind: 'metric name' };

/** A column of a dimension's texts. */
export interface TextTarget {
  readonly kind: 'text';
  readonly name: DimensionName;
  readonly form: Dimension['form'];
  readonly dimension: number;
}

/** The columns of a table in the rows of its dataset. */
export interface ColumnMapping {
  readonly dataset: DatasetName;
  readonly header: Header;
  readonly dimensions: readonly DimensionName[];
  readonly metrics: readonly string[];
  /** The target of each column, by its index; undefined for a column without a heading or with an unknown one. */
  readonly targets: readonly (Target | undefined)[];
  /** Index of the first column with a known heading. */
  readonly firstColumn: number;
  /** Index of the first column that holds a dimension's texts; -1 when there is none. */
  readonly firstText: number;
  /** Index of the column in which each row names its metric; -1 when there is none. */
  readonly metricColumn: number;
  /** Dimensions that every row must fill, as indexes into `dimensions`. */
  readonly required: readonly number[];
  /** Dimensions that a row may leave empty, as indexes into `dimensions`. */
  readonly optional: readonly number[];
}

/** Maps the columns of a header to the rows of its dataset. */
export function mapColumns(dataset: DatasetName, header: Header): ColumnMapping {
  const { dimensions } = datasetOf(dataset);
  const metrics = metricNames(dataset);
  const { columns } = header;
  const targets = Array.from(columns, (column) => targetOf(column, dimensions, metrics));
  const present = new Set(columns.flatMap((column) => (column === undefined ? [] : [column.name as string])));
  const isWide = header.form === 'wide';
  return {
    dataset,
    header,
    dimensions,
    metrics,
    targets,
    firstColumn: Math.max(
      0,
      columns.findIndex((column) => column !== undefined),
    ),
    firstText: targets.findIndex((target) => target?.kind === 'text'),
    metricColumn: targets.findIndex((target) => target?.kind === 'metric name'),
    required: dimensions.flatMap((name, i) =>
      present.has(name) && !dimensionOf(name).mayBeEmpty && !(isWide && name === 'year') ? [i] : [],
    ),
    optional: dimensions.flatMap((name, i) => (dimensionOf(name).mayBeEmpty ? [i] : [])),
  };
}

function targetOf(
  column: Column | undefined,
  dimensions: readonly DimensionName[],
  metrics: readonly string[],
): Target | undefined {
  switch (column?.kind) {
    case undefined:
      return undefined;
    case 'metric':
      return { kind: 'value', name: column.name, metric: metrics.indexOf(column.name) };
    case 'metric name':
      return { kind: 'metric name' };
    case 'year':
      return {
        kind: 'year value',
        year: column.year,
        metric: column.metric === null ? null : metrics.indexOf(column.metric),
      };
    case 'dimension': {
      const dimension = dimensions.indexOf(column.name);
      const { type, form } = dimensionOf(column.name);
      return type === 'integer'
        ? { kind: 'year', dimension }
        : { kind: 'text', name: column.name, form, dimension };
    }
  }
}
