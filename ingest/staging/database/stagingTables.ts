// The tables of the staging database: their names and their columns.

import type { DuckDBType } from '@duckdb/node-api';
import {
  type DatasetName,
  type DimensionName,
  datasetOf,
  dimensionOf,
  metricNames,
} from '../../../src/catalog/datasets.ts';
import { DOUBLE, INTEGER, TINYINT } from '../../../src/duckdb.ts';

/** The table of a dataset. Its columns: the place of a row, then its dimensions and metrics. */
export const stagingTable = (dataset: DatasetName) => `${dataset}_rows`;

/** The column of a dimension: text as its code, year as a number. */
export const stagingColumn = (dimension: DimensionName) =>
  dimensionOf(dimension).type === 'text' ? `${dimension}_code` : dimension;

/** The `metric` of a long row, which holds every metric; a row of a wide sheet holds the one of that index. */
export const EVERY_METRIC = -1;

/** The columns of a dataset's staging table. */
export const columnsOf = (dataset: DatasetName): readonly (readonly [name: string, type: DuckDBType])[] => [
  ['_source', INTEGER],
  ['_row', INTEGER],
  ['_column', INTEGER],
  ['_metric', TINYINT],
  ...datasetOf(dataset).dimensions.map((d): [string, DuckDBType] => [stagingColumn(d), INTEGER]),
  ...metricNames(dataset).map((metric): [string, DuckDBType] => [metric, DOUBLE]),
];

/** The statement that creates a dataset's table. */
export const createTable = (dataset: DatasetName): string =>
  `CREATE TABLE ${stagingTable(dataset)} (${columnsOf(dataset)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')})`;
