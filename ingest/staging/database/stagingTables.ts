// Names the tables of the staging database and their columns.

import type { DuckDBType } from '@duckdb/node-api';
import {
  type DatasetName,
  type DimensionName,
  datasetOf,
  isText,
  metricNames,
} from '../../../src/catalog/datasets.ts';
import { DOUBLE, INTEGER, TINYINT } from '../../../src/duckdb.ts';

/**
 * The name of a dataset's table. Its first columns are the place of the row in its source. Dimensions and metrics follow.
 */
export const stagingTable = (dataset: DatasetName) => `${dataset}_rows`;

/** The name of a dimension's column. It holds the code of a text, and the year as a number. */
export const stagingColumn = (dimension: DimensionName) =>
  isText(dimension) ? `${dimension}_code` : dimension;

/**
 * The `_metric` of a row with all metrics. If a dataset has several, a row of wide form has the index of one metric
 * instead.
 */
export const EVERY_METRIC = -1;

/** The columns of a dataset's staging table. */
export const stagingColumns = (
  dataset: DatasetName,
): readonly (readonly [name: string, type: DuckDBType])[] => [
  ['_source', INTEGER],
  ['_row', INTEGER],
  ['_column', INTEGER],
  ['_metric', TINYINT],
  ...datasetOf(dataset).dimensions.map((d): [string, DuckDBType] => [stagingColumn(d), INTEGER]),
  ...metricNames(dataset).map((metric): [string, DuckDBType] => [metric, DOUBLE]),
];

/** The statement that creates a dataset's table. */
export const createTableSql = (dataset: DatasetName): string =>
  `CREATE TABLE ${stagingTable(dataset)} (${stagingColumns(dataset)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')})`;
