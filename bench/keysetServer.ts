// The reference on PostgreSQL: a careful implementation with Express, a connection pool, indexes and keyset pagination.

import express from 'express';
import pg from 'pg';
import { datasetOf, rowOrder } from '../src/catalog/datasets.ts';
import { connectionTo } from './postgres.ts';

const [socketDir = '', port = ''] = process.argv.slice(2);
const pool = new pg.Pool({ ...connectionTo(socketDir), max: 8 });
const order = rowOrder('ggr').join(', ');
const { dimensions } = datasetOf('ggr');

const app = express();
app.disable('x-powered-by');
app.get('/v1/financials', async (request, response) => {
  const { metric: _, limit = '100', cursor, ...filters } = request.query as Record<string, string | string[]>;
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const tests = Object.entries(filters).map(
    ([name, given]) => `${name} = ANY(${bind([given].flat())}::${name === 'year' ? 'integer' : 'text'}[])`,
  );
  if (typeof cursor === 'string') {
    const key = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    tests.push(`(${order}) > (${key.map(bind)})`);
  }
  const where = tests.length > 0 ? `WHERE ${tests.join(' AND ')}` : '';
  const { rows } = await pool.query(
    `SELECT * FROM ggr ${where} ORDER BY ${order} LIMIT ${Number(limit) + 1}`,
    values,
  );
  const page = rows.slice(0, Number(limit));
  const last = page.at(-1);
  const hasMore = rows.length > page.length;
  const key = hasMore ? JSON.stringify(rowOrder('ggr').map((name) => last[name])) : null;
  response.json({
    meta: { dataset: 'ggr', row_count: page.length },
    data: page.map((row) => ({
      dimensions: Object.fromEntries(dimensions.map((name) => [name, row[name]])),
      values: { ggr: row.ggr },
    })),
    pagination: {
      cursor: key === null ? null : Buffer.from(key).toString('base64url'),
      has_more: hasMore,
    },
  });
});
app.listen(Number(port), '127.0.0.1', () => process.stdout.write('Listening\n'));
