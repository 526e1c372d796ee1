// Several servers on one Redis are one service: limits and revocation hold across them.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyUsage } from '../src/access/keys/dailyUsage.ts';
import { keysOf } from '../src/access/keys/keys.ts';
import { type OpenRedis, openRedis } from '../src/access/redis/connection.ts';
import { parseRedisAddress } from '../src/access/redis/redisAddress.ts';
import { hashOf } from '../src/access/secret.ts';
import { createAuthenticator } from '../src/http/middleware/authenticator.ts';
import { itInDepth } from './support/depth.ts';
import { freePort } from './support/freePort.ts';
import { patientGate } from './support/patientGate.ts';
import { patientFetch, retryUnavailable } from './support/retryUnavailable.ts';
import { startServer, type TestServer } from './support/server.ts';
import { spawnServer } from './support/serverProcess.ts';
import { sharedServer } from './support/sharedServer.ts';

/** Each key of this test gets these limits, because the shared server has other default limits. */
const LIMITS = { perMinute: 100, perDay: 10_000 };

let redis: OpenRedis;
let here: TestServer;
/** The addresses of a server that is a process of its own, and of one in this process. */
let urls: string[];
beforeAll(async () => {
  const { url, redisUrl } = await sharedServer();
  redis = openRedis({ address: parseRedisAddress(redisUrl) ?? null, dataDir: '' });
  await redis.untilAnswered(60_000);
  here = await startServer({
    dataDir: process.env.SAMPLE_DATA_DIR ?? '',
    authenticator: createAuthenticator(patientGate(redis.client), () => {}),
    readUsage: (key, nowMs) => keyUsage(redis.client, hashOf(key), nowMs),
  });
  urls = [url, here.url];
});
afterAll(async () => {
  await here.close();
  await redis.close();
});

async function aKey(label: string): Promise<{ key: string; id: string }> {
  const keys = keysOf(redis.client);
  const issued = await keys.issue({ label, by: 'test' });
  await keys.changeLimits(issued.id, LIMITS, 'test');
  return issued;
}

const asked = (key: string, i: number) =>
  retryUnavailable(() => fetch(`${urls[i % urls.length]}/v1/catalog`, { headers: { 'x-api-key': key } }));

const statusesOf = async (key: string, times: number) =>
  Promise.all(
    Array.from({ length: times }, async (_, i) => {
      const response = await asked(key, i);
      await response.arrayBuffer();
      return response.status;
    }),
  );

describe('two servers on one Redis', () => {
  it('together admit exactly the limit of a key', async () => {
    const { key } = await aKey('both');
    const statuses = await statusesOf(key, 160);
    expect(statuses.filter((status) => status === 200)).toHaveLength(100);
    expect(statuses.filter((status) => status === 429)).toHaveLength(60);
  });

  it('both refuse a revoked key on the next request', async () => {
    const keys = keysOf(redis.client);
    const { key, id } = await aKey('gone');
    expect(await statusesOf(key, 2)).toEqual([200, 200]);
    await keys.revoke(id, 'test');
    expect(await statusesOf(key, 2)).toEqual([401, 401]);
  });

  it('count the usage of a key together, and both report it', async () => {
    const { key, id } = await aKey('counted');
    await statusesOf(key, 120);
    /** The requests of all days, because the test may run over midnight. */
    const used = async (url = '') => {
      const answer = await patientFetch(`${url}/v1/usage`, { headers: { 'x-api-key': key } });
      const { days } = (await answer.json()) as { days: { requests: number; refused: number }[] };
      const sum = (count: 'requests' | 'refused') => days.reduce((total, day) => total + day[count], 0);
      return { requests: sum('requests'), refused: sum('refused') };
    };
    // Without a higher limit, `/v1/usage` itself would be refused.
    await keysOf(redis.client).changeLimits(id, { perMinute: 1000 }, 'test');
    expect(await used(urls[0])).toEqual({ requests: 101, refused: 20 });
    expect(await used(urls[1])).toEqual({ requests: 102, refused: 20 });
  });

  // In `make test`, test/contract/rulings-responses.test.ts compares the ETags of two servers in one process.
  itInDepth('that are processes answer with the same ETag', async () => {
    const { redisUrl } = await sharedServer();
    const DATA_DIR = process.env.SAMPLE_DATA_DIR ?? '';
    const other = spawnServer({ DATA_DIR, REDIS_URL: redisUrl, PORT: await freePort() });
    const headers = { 'x-api-key': (await aKey('caching')).key };
    const etagOf = async (url = '') =>
      (await patientFetch(`${url}/v1/catalog`, { headers })).headers.get('etag');
    const etag = await etagOf(urls[0]);
    expect(etag).toMatch(/^W\//);
    expect(await etagOf(await other.url())).toBe(etag);
    other.child.kill('SIGTERM');
    expect(await other.ended).toBe(0);
  });
});
