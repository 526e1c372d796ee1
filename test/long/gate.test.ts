// The gate at length: many more random steps, a storm of keys over two servers, and a real Redis Cluster.

import { Agent, get, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Keys, keysOf } from '../../src/access/keys/keys.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { freePort } from '../support/freePort.ts';
import { walkTheGate } from '../support/gateModel.ts';
import { startRedis } from '../support/redis.ts';
import { retryUnavailable } from '../support/retryUnavailable.ts';
import { SEED } from '../support/seed.ts';
import { type ServerProcess, spawnServer } from '../support/serverProcess.ts';
import { aDataDir, publishRows } from '../support/snapshot.ts';

describe('the gate at length', () => {
  it('decides as the plain model does over 300,000 random steps, while the clock steps back and forth', async () => {
    const redis = await startRedis();
    for (let walk = 0; walk < 10; walk++) {
      await redis.empty();
      await walkTheGate(redis.client, 30_000, 10 * SEED + walk);
    }
    await redis.close();
  }, 300_000);
});

/** Two servers over one Redis, which may be a cluster. */
async function twoServers(redisUrl: string) {
  const { dataDir, remove } = await aDataDir();
  await publishRows(dataDir, '2026-11.1');
  const settings = { DATA_DIR: dataDir, REDIS_URL: redisUrl, LOG_LEVEL: 'error' };
  const servers: ServerProcess[] = [];
  for (let i = 0; i < 2; i++) servers.push(spawnServer({ ...settings, PORT: await freePort() }));
  const urls = await Promise.all(servers.map((server) => server.url()));
  // One process can hardly have more connections.
  const agent = new Agent({ keepAlive: true, maxSockets: 250 });
  return {
    ask: (key: string, i: number) => asking(agent, `${urls[i % 2]}/v1/catalog`, key),
    async close() {
      agent.destroy();
      for (const { child } of servers) child.kill('SIGTERM');
      for (const { ended } of servers) expect(await ended).toBe(0);
      await remove();
    },
  };
}

function asking(agent: Agent, url: string, key: string) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders }>((resolve, reject) => {
    const request = get(url, { agent, headers: { 'x-api-key': key } }, (response) => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
    });
    request.on('error', reject);
  });
}

/** Sends 300 requests of every key at once, and expects that exactly 100 are admitted. */
async function storm(servers: Awaited<ReturnType<typeof twoServers>>, keys: Keys, count: number) {
  const issued = await Promise.all(
    Array.from({ length: count }, (_, i) => keys.issue({ label: `storm ${i}`, by: 'test' })),
  );
  const admitted = await Promise.all(
    issued.map(async ({ key }) => {
      const answers = Array.from({ length: 300 }, (_, i) => retryUnavailable(() => servers.ask(key, i)));
      const statuses = (await Promise.all(answers)).map(({ status }) => status);
      expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
      return statuses.filter((status) => status === 200).length;
    }),
  );
  return admitted;
}

describe('50 keys asked with 300 times each, over two servers', () => {
  it('are let in 100 times each on one Redis', async () => {
    const redis = await startRedis();
    const servers = await twoServers(redis.url);
    expect(await storm(servers, keysOf(redis.client), 50)).toEqual(Array(50).fill(100));
    await servers.close();
    await redis.close();
  }, 120_000);
});

describe('on a Redis Cluster of three masters', () => {
  let cluster: Cluster;
  let servers: Awaited<ReturnType<typeof twoServers>>;
  let keys: Keys;
  beforeAll(async () => {
    cluster = await startCluster();
    servers = await twoServers(cluster.url);
    keys = keysOf(cluster.client);
  }, 60_000);
  afterAll(async () => {
    await servers?.close();
    await cluster?.close();
  });

  it('every key is let in exactly as often, on whichever node it lies', async () => {
    expect(await storm(servers, keys, 20)).toEqual(Array(20).fill(100));
    for (const node of cluster.nodes) expect(await node.client.dbsize()).toBeGreaterThan(0);
  }, 120_000);

  it('a script flushed from one node is sent again', async () => {
    const { key } = await keys.issue({ label: 'flushed', by: 'test' });
    expect((await servers.ask(key, 0)).status).toBe(200);
    for (const node of cluster.nodes) await node.client.call('SCRIPT', 'FLUSH');
    expect((await servers.ask(key, 0)).headers['x-ratelimit-remaining']).toBe('98');
  });

  it('a dead node: 503 in time for its keys, the others go on; back within 2.5 s of its return', async () => {
    // Each key is random. Of 30 keys, none is on the dead node once in 190,000 runs; of 12 keys, once in 130.
    const issued = await Promise.all(
      Array.from({ length: 30 }, (_, i) => keys.issue({ label: `node ${i}`, by: 'test' })),
    );
    for (const { key } of issued) expect((await servers.ask(key, 0)).status).toBe(200);
    const [node] = cluster.nodes;
    await node?.kill();
    for (let turns = 0; turns < 3; turns++) {
      const answers = await Promise.all(
        issued.map(async ({ key }) => {
          const startMs = performance.now();
          const { status } = await servers.ask(key, 0);
          expect(performance.now() - startMs).toBeLessThan(300);
          return status;
        }),
      );
      expect(new Set(answers)).toEqual(new Set([200, 503]));
    }
    await node?.start();
    const backMs = performance.now();
    for (const { key } of issued) {
      while ((await servers.ask(key, 0)).status !== 200) {
        expect(performance.now() - backMs).toBeLessThan(2500);
        await sleep(50);
      }
    }
  }, 60_000);
});
