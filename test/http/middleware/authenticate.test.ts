import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { createGate } from '../../../src/access/gate.ts';
import { keysOf } from '../../../src/access/keys.ts';
import { createGuard } from '../../../src/http/middleware/authenticate.ts';
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
