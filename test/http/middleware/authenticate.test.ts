import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { createGate } from '../../../src/access/gate.ts';
import { keysOf } from '../../../src/access/keys.ts';
import { createGuard } from '../../../src/http/middleware/authenticate.ts';
import { limitsOf } from '../../../src/http/server/limitHeaders.ts';
import { keyIdOf } from '../../../src/http/server/requestFacts.ts';
import { openDatabase, type TestDatabase } from '../../support/redis.ts';
import { retryThrown } from '../../support/retryUnavailable.ts';

let redis: TestDatabase;
beforeAll(async () => {
  redis = await openDatabase();
});
afterAll(() => redis.close());

it('names the key for the log also where a request is not counted', async () => {
  const { id, key } = await keysOf(redis.client).issue({ label: 'test', by: 'test' });
  const guard = createGuard(createGate(redis.client, { perMinute: 10, perDay: 10 }), () => {});
  const request = new IncomingMessage(new Socket());
  request.headers['x-api-key'] = key;
  const response = new ServerResponse(request);
  await retryThrown(async () => guard.identify(request as Request, response as Response, () => {}));
  expect(keyIdOf(response)).toBe(id);
});

it('counts a request without a key by its address, and leaves all headers to the answer', async () => {
  const guard = createGuard(createGate(redis.client, { perMinute: 10, perDay: 10 }), () => {});
  const request = new IncomingMessage(Object.create(new Socket(), { remoteAddress: { value: '192.0.2.7' } }));
  const response = new ServerResponse(request);
  const error = await new Promise((resolve) => {
    void guard.admit(request as Request, response as Response, resolve);
  });
  expect(error).toMatchObject({ status: 401 });
  expect(limitsOf(response as Response)).toContain('"minute";r=99;t=60');
  expect(response.getHeaderNames()).toEqual([]);
  expect(guard.addressWindowOf('192.0.2.7')).toContain('"minute";r=99;t=60');
  for (const other of ['192.0.2.8', undefined])
    expect(guard.addressWindowOf(other)).toContain('"minute";r=100;t=60');
  expect(guard.addressesBytes()).toBeGreaterThan(0);
});
