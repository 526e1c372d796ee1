// The reference for csv: DuckDB reads, sorts and writes the file without checks.

import { DuckDBInstance } from '@duckdb/node-api';
import { datasetOf, rowOrder } from '../src/catalog/datasets.ts';
import { totalsOf } from './fileTotals.ts';

const [source = '', target = ''] = process.argv.slice(2);
const columns = [...datasetOf('ggr').dimensions, 'ggr']
  .map((name) => `'${name}': '${{ year: 'INTEGER', ggr: 'DOUBLE' }[name] ?? 'VARCHAR'}'`)
  .join(', ');
const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
await connection.run(
  `COPY (FROM read_csv('${source}', header = true, columns = {${columns}}) ORDER BY ${rowOrder('ggr').join(', ')})
   TO '${target}' (FORMAT parquet, COMPRESSION zstd)`,
);
process.stdout.write(await totalsOf(connection, target));
