// The reference for workbooks: SheetJS reads the rows, and DuckDB sorts and writes them, without checks.

import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import XLSX from '@e965/xlsx';
import { datasetOf, rowOrder } from '../src/catalog/datasets.ts';
import { totalsOf } from './fileTotals.ts';

const [source = '', target = ''] = process.argv.slice(2);
const { dimensions } = datasetOf('ggr');

// `dense` is the fastest form of SheetJS, and takes least memory.
const book = XLSX.read(readFileSync(source), {
  dense: true,
  cellFormula: false,
  cellHTML: false,
  cellText: false,
});
const sheet = book.Sheets[book.SheetNames[0] ?? ''] as XLSX.DenseWorkSheet;
const [head = [], ...rows] = sheet['!data'];
const heads = Array.from(head, (cell) => String(cell?.v).toLowerCase().replace(/\W/g, '_'));
const years = heads.flatMap((name, column) =>
  /^\d{4}$/.test(name) ? [[Number(name), column] as const] : [],
);

const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
const columns = dimensions.map((name) => `${name} ${name === 'year' ? 'INTEGER' : 'VARCHAR'}`);
await connection.run(`CREATE TABLE ggr (${columns.join(', ')}, ggr DOUBLE)`);
const appender = await connection.createAppender('ggr');
const dimensionColumns = dimensions.map((name) => heads.indexOf(name));
const valueColumn = heads.indexOf('ggr');
for (const row of rows) {
  const facts = years.length > 0 ? years : [[Number(row[dimensionColumns[0] ?? 0]?.v), valueColumn] as const];
  for (const [year, factColumn] of facts) {
    for (const [i, column] of dimensionColumns.entries()) {
      if (dimensions[i] === 'year') appender.appendInteger(year);
      else appender.appendVarchar(String(row[column]?.v ?? ''));
    }
    appender.appendDouble(Number(row[factColumn]?.v));
    appender.endRow();
  }
}
appender.closeSync();
await connection.run(
  `COPY (FROM ggr ORDER BY ${rowOrder('ggr').join(', ')}) TO '${target}' (FORMAT parquet, COMPRESSION zstd)`,
);
process.stdout.write(await totalsOf(connection, target));
