// Several servers on one Redis are one service: limits and revocation hold across them.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../bench/freePort.ts';
import { keysOf } from '../src/access/keys.ts';
import { type ServerProcess, spawnServer } from './support/process.ts';
import { openDatabase, type TestDatabase } from './support/redis.ts';
import { retryUnavailable } from './support/retryUnavailable.ts';
import { aDataDir, publishRows } from './support/snapshot.ts';

let redis: TestDatabase;
let remove: () => Promise<void>;
let servers: ServerProcess[];
let urls: string[];
beforeAll(async () => {
  redis = await openDatabase();
  const made = await aDataDir();
  remove = made.remove;
  await publishRows(made.dataDir, '2026-11.1');
  const settings = { DATA_DIR: made.dataDir, REDIS_URL: redis.url, LOG_LEVEL: 'error' };
  servers = [
    spawnServer({ ...settings, PORT: await freePort() }),
    spawnServer({ ...settings, PORT: await freePort() }),
  ];
  urls = await Promise.all(servers.map((server) => server.url()));
}, 60_000);
afterAll(async () => {
  for (const { child } of servers) child.kill('SIGTERM');
  for (const { ended } of servers) expect(await ended).toBe(0);
  await redis.close();
  await remove();
});

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
    const { key } = await keysOf(redis.client).issue({ label: 'both', by: 'test' });
    const statuses = await statusesOf(key, 160);
    expect(statuses.filter((status) => status === 200)).toHaveLength(100);
    expect(statuses.filter((status) => status === 429)).toHaveLength(60);
  });

  it('both refuse a revoked key on the next request', async () => {
    const keys = keysOf(redis.client);
    const { key, id } = await keys.issue({ label: 'gone', by: 'test' });
    expect(await statusesOf(key, 2)).toEqual([200, 200]);
    await keys.revoke(id, 'test');
    expect(await statusesOf(key, 2)).toEqual([401, 401]);
  });

  it('count the usage of a key together, and both report it', async () => {
    const { key } = await keysOf(redis.client).issue({ label: 'counted', by: 'test' });
    await statusesOf(key, 120);
    const used = async (url = '') => {
      const answer = await fetch(`${url}/v1/usage`, { headers: { 'x-api-key': key } });
      return ((await answer.json()) as { days: unknown }).days;
    };
    // Over the limit, `/v1/usage` itself would be refused.
    const keys = keysOf(redis.client);
    const [own] = (await keys.list()).filter(({ label }) => label === 'counted');
    await keys.limit(own?.id ?? '', { perMinute: 1000 }, 'test');
    const date = new Date().toISOString().slice(0, 10);
    expect(await used(urls[0])).toEqual([{ date, requests: 101, refused: 20 }]);
    expect(await used(urls[1])).toEqual([{ date, requests: 102, refused: 20 }]);
  });

  it('answer with the same ETag', async () => {
    const { key } = await keysOf(redis.client).issue({ label: 'caching', by: 'test' });
    const etags = [(await asked(key, 0)).headers.get('etag'), (await asked(key, 1)).headers.get('etag')];
    expect(etags[0]).toMatch(/^W\//);
    expect(etags[1]).toBe(etags[0]);
  });
});
