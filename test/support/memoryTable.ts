// Builds a table in memory, without files or an engine: `aTable('ggr', [aRow('ggr', { year: 2020 })])`.

import { dictionaryOf, makeTable, type Table } from '../../src/catalog/columns.ts';
import {
  type DatasetName,
  datasetOf,
  dimensionOf,
  metricNames,
  rowOrder,
} from '../../src/catalog/datasets.ts';
import type { Row } from './snapshot.ts';

/**
 * Makes a table of rows in any order, and sorts them in row order (ruling 13). No two rows may have the same dimensions.
 */
export function aTable(dataset: DatasetName, rows: readonly Row[]): Table {
  const sorted = inRowOrder(dataset, rows);
  const { dimensions } = datasetOf(dataset);
  const dictionaries = new Map(
    dimensions.map((name) => {
      const values = [...new Set(rows.map((row) => String(row[name])))];
      const isNumber = dimensionOf(name).type === 'integer';
      return [name, dictionaryOf(values.sort(isNumber ? (a, b) => Number(a) - Number(b) : byCodePoints))];
    }),
  );
  const table = makeTable(dataset, rows.length, dictionaries);
  for (const [position, row] of sorted.entries()) {
    for (const [name, column] of table.dimensions)
      column.codes[position] = column.codeByValue.get(String(row[name])) ?? 0;
    for (const metric of metricNames(dataset)) {
      const values = table.metrics.get(metric);
      if (values) values[position] = Number(row[metric] ?? Number.NaN);
    }
  }
  return table;
}

/** The rows in row order. */
export function inRowOrder<R extends Row>(dataset: DatasetName, rows: readonly R[]): R[] {
  return [...rows].sort((a, b) => {
    for (const name of rowOrder(dataset)) {
      const [one, other] = [a[name] ?? '', b[name] ?? ''];
      const isNumber = dimensionOf(name).type === 'integer';
      const step = isNumber ? Number(one) - Number(other) : byCodePoints(String(one), String(other));
      if (step !== 0) return step;
    }
    return 0;
  });
}

/** The rows without duplicates: of rows with the same dimensions, only the first. */
export const distinctRows = <R extends Row>(dataset: DatasetName, rows: readonly R[]): R[] => [
  ...new Map(
    rows
      .toReversed()
      .map((row) => [JSON.stringify(datasetOf(dataset).dimensions.map((name) => row[name])), row]),
  ).values(),
];

/** The order of texts by ruling 13. This implementation is independent of the product's. */
export const byCodePoints = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
