// The reference with the least possible work: Express sends prepared bytes and does nothing else.

import { readFileSync } from 'node:fs';
import express from 'express';

const [file = '', port = ''] = process.argv.slice(2);
const body = readFileSync(file);
const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.get('/v1/financials', (_request, response) => {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', body.length);
  response.end(body);
});
app.listen(Number(port), '127.0.0.1', () => process.stdout.write('Listening\n'));
