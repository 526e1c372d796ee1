// Keys decide whether requests are admitted. Requests without a valid key are counted by address.

import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { createGate } from '../../../src/access/gate/gate.ts';
import { keysOf } from '../../../src/access/keys/keys.ts';
import { mintKey } from '../../../src/access/keys/keyText.ts';
import { minuteLog } from '../../../src/access/redis/keyNames.ts';
import { hashOf } from '../../../src/access/secret.ts';
import { createAuthenticator } from '../../../src/http/middleware/authenticator.ts';
import { keyIdOf, rateLimitHeadersOf } from '../../../src/http/server/responseFacts.ts';
import { openDatabase, type TestDatabase } from '../../support/redis.ts';
import { retryThrown } from '../../support/retryUnavailable.ts';

let redis: TestDatabase;
beforeAll(async () => {
  redis = await openDatabase();
});
afterAll(() => redis.close());

it.each(['admit', 'checkKey'] as const)(
  'passes on what %s lets in, and names the key for the log',
  async (way) => {
    const { id, key } = await keysOf(redis.client).issue({ label: 'test', by: 'test' });
    const authenticator = createAuthenticator(
      createGate(redis.client, { perMinute: 10, perDay: 10 }),
      () => {},
    );
    const request = new IncomingMessage(new Socket());
    request.headers['x-api-key'] = key;
    const response = new ServerResponse(request);
    const passed: unknown[] = [];
    const next = (...given: unknown[]) => void passed.push(given);
    await retryThrown(async () => authenticator[way](request as Request, response as Response, next));
    expect(passed).toEqual([[]]);
    expect(keyIdOf(response)).toBe(id);
  },
);

it('refuses a key of the wrong form without asking Redis', async () => {
  const away = await openDatabase();
  const observed: unknown[] = [];
  const authenticator = createAuthenticator(createGate(away.client, { perMinute: 10, perDay: 10 }), (one) =>
    observed.push(one),
  );
  await away.close();
  for (const way of ['admit', 'checkKey'] as const) {
    const refusalOf = async (key: string) => {
      const request = new IncomingMessage(new Socket());
      request.headers['x-api-key'] = key;
      const response = new ServerResponse(request);
      return new Promise((resolve, reject) => {
        Promise.resolve(authenticator[way](request as Request, response as Response, resolve)).catch(reject);
      });
    };
    for (const malformed of ['x', `${mintKey()}x`, `${mintKey()}, ${mintKey()}`])
      expect(await refusalOf(malformed)).toMatchObject({ status: 401 });
    await expect(refusalOf(mintKey())).rejects.toMatchObject({ status: 503 });
    expect(observed.splice(0)).toEqual(Array(3).fill({ event: 'key checked', outcome: 'malformed' }));
  }
});

it('tells the client of a key to wait a whole second when less is left', async () => {
  const { key } = await keysOf(redis.client).issue({ label: 'test', by: 'test' });
  const authenticator = createAuthenticator(createGate(redis.client, { perMinute: 1, perDay: 10 }), () => {});
  const request = new IncomingMessage(new Socket());
  request.headers['x-api-key'] = key;
  const response = new ServerResponse(request);
  const refusal = () =>
    new Promise<unknown>((resolve, reject) => {
      Promise.resolve(authenticator.admit(request as Request, response as Response, resolve)).catch(reject);
    });
  const log = minuteLog(hashOf(key));
  let refused: unknown;
  // On a busy machine the half second may pass before the gate is called.
  while (refused === undefined) {
    await redis.client.del(log);
    await redis.client.rpush(log, String((Date.now() - 59_500) * 1000));
    refused = await retryThrown(refusal);
  }
  expect(refused).toMatchObject({ status: 429, retryAfterSeconds: 1 });
});

it('counts a request without a key by its address, and leaves all headers to the answer', async () => {
  const authenticator = createAuthenticator(
    createGate(redis.client, { perMinute: 10, perDay: 10 }),
    () => {},
  );
  const request = new IncomingMessage(Object.create(new Socket(), { remoteAddress: { value: '192.0.2.7' } }));
  const response = new ServerResponse(request);
  const error = await new Promise((resolve) => {
    void authenticator.admit(request as Request, response as Response, resolve);
  });
  expect(error).toMatchObject({ status: 401 });
  expect(rateLimitHeadersOf(response as Response)).toContain('"minute";r=99;t=60');
  expect(response.getHeaderNames()).toEqual([]);
  expect(authenticator.addressLimitHeaders('192.0.2.7')).toContain('"minute";r=99;t=60');
  for (const other of ['192.0.2.8', undefined])
    expect(authenticator.addressLimitHeaders(other)).toContain('"minute";r=100;t=60');
  expect(authenticator.addressesBytes()).toBeGreaterThan(0);
});
