// Writes a query as one DuckDB statement over the snapshot's Parquet file: the rows of the walk, in its order.

import { columnNames, isText, rowOrder } from '../../catalog/datasets.ts';
import { literal } from '../../duckdb.ts';
import type { SelectionQuery } from '../parameters/parse.ts';
import { comparable } from '../selection/compile.ts';

/**
 * The statement, to be run in the folder that holds `data`. It selects all rows that the filters keep, not only a page.
 * As in every answer, text is compared in NFC and years as numbers (ruling 4).
 */
export function explainSql(query: SelectionQuery, snapshotId: string): string {
  const { dataset, period } = query;
  const columns = columnNames(dataset);
  const conditions = [...query.filters].map(([dimension, values]) => {
    const literals = values.map((value) =>
      isText(dimension) ? literal(comparable(dimension, value)) : digitsOf(value),
    );
    return `${dimension} IN (${literals.join(', ')})`;
  });
  if (period !== null) conditions.push(`year BETWEEN ${period.firstYear} AND ${period.lastYear}`);
  return [
    `SELECT ${columns.join(', ')}`,
    `FROM 'data/snapshots/${snapshotId}/${dataset}.parquet'`,
    ...(conditions.length > 0 ? [`WHERE ${conditions.join('\n  AND ')}`] : []),
    `ORDER BY ${rowOrder(dataset).join(', ')};`,
  ].join('\n');
}

/**
 * A year without leading zeros. It remains a text. A number of 400 digits would become `Infinity`, and SQL would read
 * that as the name of a column.
 */
const digitsOf = (year: string): string => year.replace(/^(-?)0+(?=[0-9])/, '$1');
