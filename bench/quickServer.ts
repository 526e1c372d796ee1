// A reference as a good developer would quickly write it: Express, read_parquet, ORDER BY, LIMIT and OFFSET.

import { DuckDBInstance } from '@duckdb/node-api';
import express from 'express';
import { rowOrder } from '../src/catalog/datasets.ts';

const [file = '', port = ''] = process.argv.slice(2);
const instance = await DuckDBInstance.create(':memory:');
const connections = await Promise.all(Array.from({ length: 4 }, () => instance.connect()));
let turn = 0;

const app = express();
app.get('/v1/financials', async (request, response) => {
  const {
    metric: _,
    limit = '100',
    offset = '0',
    ...filters
  } = request.query as Record<string, string | string[]>;
  const values: string[] = [];
  const where = Object.entries(filters).map(([name, given]) => {
    const list = [given].flat();
    values.push(...list);
    return `${name}::VARCHAR IN (${list.map(() => '?').join(', ')})`;
  });
  const sql = `SELECT * FROM read_parquet('${file}') ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''}
    ORDER BY ${rowOrder('ggr').join(', ')} LIMIT ${Number(limit) + 1} OFFSET ${Number(offset)}`;
  const connection = connections[turn++ % connections.length];
  const rows = (await (await connection?.runAndReadAll(sql, values))?.getRowObjectsJS()) ?? [];
  const data = rows
    .slice(0, Number(limit))
    .map(({ ggr, ...dimensions }) => ({ dimensions, values: { ggr } }));
  const pagination = { cursor: null, has_more: rows.length > Number(limit) };
  response.json({ meta: { row_count: data.length }, data, pagination });
});
app.listen(Number(port), '127.0.0.1', () => process.stdout.write('Listening\n'));
