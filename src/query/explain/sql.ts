// Writes a query as one DuckDB statement over the snapshot's Parquet file: the rows of the walk, in its order.

import { datasetOf, dimensionOf, metricNames, rowOrder } from '../../catalog/datasets.ts';
import { literal } from '../../duckdb.ts';
import { comparable } from '../compile.ts';
import type { RowQuery } from '../parse.ts';

/**
 * The statement, to be run in the folder that holds `data`. It selects every row that the filters keep, whatever the
 * page size; text compares in NFC and years as numbers, as in every answer (ruling 4).
 */
export function explainSql(
  query: Pick<RowQuery, 'dataset' | 'filters' | 'period'>,
  snapshotId: string,
): string {
  const { dataset, period } = query;
  const columns = [...datasetOf(dataset).dimensions, ...metricNames(dataset)];
  const conditions = [...query.filters].map(([dimension, values]) => {
    const isText = dimensionOf(dimension).type === 'text';
    const texts = values.map((value) => comparable(dimension, value));
    return `${dimension} IN (${texts.map((text) => (isText ? textLiteral(text) : text)).join(', ')})`;
  });
  if (period !== null) conditions.push(`year BETWEEN ${period.firstYear} AND ${period.lastYear}`);
  return [
    `SELECT ${columns.join(', ')}`,
    `FROM 'data/snapshots/${snapshotId}/${dataset}.parquet'`,
    ...(conditions.length > 0 ? [`WHERE ${conditions.join('\n  AND ')}`] : []),
    `ORDER BY ${rowOrder(dataset).join(', ')};`,
  ].join('\n');
}

/** DuckDB's parser ends a statement at a NUL, so that character is written by its number. */
const textLiteral = (text: string): string =>
  text.includes('\0') ? `(${text.split('\0').map(literal).join(' || chr(0) || ')})` : literal(text);
