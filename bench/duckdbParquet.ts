// The reference for Parquet: DuckDB reads, sorts and writes the file without checks.

import { DuckDBInstance } from '@duckdb/node-api';
import { datasetOf, rowOrder } from '../src/catalog/datasets.ts';
import { literal } from '../src/duckdb.ts';
import { totalsOf } from './fileTotals.ts';

const [source = '', target = ''] = process.argv.slice(2);
// The column names of the source are spelled as in a spreadsheet. DuckDB ignores the case of letters.
const columns = [...datasetOf('ggr').dimensions, 'ggr'].map((name) =>
  name === 'sub_channel' ? '"Sub-channel" AS sub_channel' : `${name} AS ${name}`,
);
const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
await connection.run(
  `COPY (SELECT ${columns.join(', ')} FROM read_parquet(${literal(source)}) ORDER BY ${rowOrder('ggr').join(', ')})
   TO ${literal(target)} (FORMAT parquet, COMPRESSION zstd)`,
);
process.stdout.write(await totalsOf(connection, target));
