// The reference for comparing: DuckDB joins two Parquet files by their texts, and only counts the rows that differ.

import { DuckDBInstance } from '@duckdb/node-api';
import { datasetOf } from '../src/catalog/datasets.ts';
import { parquetRows } from '../src/duckdb.ts';

const [before = '', after = ''] = process.argv.slice(2);
const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
const counted = await connection.runAndReadAll(
  `SELECT count(*) FILTER (b.year IS NULL), count(*) FILTER (a.year IS NULL),
     count(*) FILTER (b.year IS NOT NULL AND a.year IS NOT NULL AND b.ggr IS DISTINCT FROM a.ggr)
   FROM ${parquetRows(before)} b FULL JOIN ${parquetRows(after)} a
     USING (${datasetOf('ggr').dimensions.join(', ')})`,
);
process.stdout.write(`${counted.getRowsJS()[0]?.join(' ')}\n`);
connection.closeSync();
instance.closeSync();
