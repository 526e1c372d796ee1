// The reference for keys and limits: Express with two stock limiters over Redis sends prepared bytes. No key is checked.

import { readFileSync } from 'node:fs';
import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { Redis } from 'ioredis';
import { RedisStore } from 'rate-limit-redis';

const [file = '', port = '', socket = ''] = process.argv.slice(2);
const body = readFileSync(file);
const redis = new Redis({ path: socket });
const limiter = (prefix: string, windowMs: number) =>
  rateLimit({
    windowMs,
    limit: 1_000_000_000,
    standardHeaders: 'draft-8',
    keyGenerator: ({ headers }) => String(headers['x-api-key']),
    store: new RedisStore({
      prefix,
      sendCommand: (command, ...args) => redis.call(command, ...args) as Promise<number[]>,
    }),
  });
const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.get(
  '/v1/catalog',
  limiter('minute:', 60_000),
  limiter('day:', 86_400_000),
  (_request: express.Request, response: express.Response) => {
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', body.length);
    response.end(body);
  },
);
app.listen(Number(port), '127.0.0.1', () => process.stdout.write('Listening\n'));
