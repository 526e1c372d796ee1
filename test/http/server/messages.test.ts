// Requests and responses have Express's prototypes from the start.

import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import express from 'express';
import { messageClassesOf } from '../../../src/http/server/messageClasses.ts';

it('requests and responses are born with the prototypes that Express gives them', async () => {
  const app = express();
  const before: unknown[] = [];
  const after: unknown[] = [];
  app.get('/', (request, response) => {
    after.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
    response.json({ app: request.app === app, path: request.path, method: typeof response.redirect });
  });
  const server = http.createServer(messageClassesOf(app), (request, response) => {
    before.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
    app(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect(await answer.json()).toEqual({ app: true, path: '/', method: 'function' });
  expect(after).toHaveLength(2);
  expect(before.every((prototype, i) => prototype === after[i])).toBe(true);
  server.close();
});
