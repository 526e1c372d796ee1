// Three servers behind HAProxy with Redis and its Sentinels: restarts and failovers under 200 requests a second.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { freePort } from '../../bench/freePort.ts';
import { keysOf } from '../../src/access/keys.ts';
import type { RedisClient } from '../../src/access/redis/connection.ts';
import { startCluster } from '../support/cluster.ts';
import { startLoad } from '../support/load.ts';
import { type ServerProcess, spawnServer } from '../support/process.ts';
import { startSentinels } from '../support/sentinel.ts';
import { aDataDir, publishRows } from '../support/snapshot.ts';

const missing = ['haproxy', 'redis-server'].filter((program) => spawnSync(program, ['-v']).status !== 0);
if (missing.length > 0) process.stderr.write(`skipped: ${missing} is not installed\n`);
const long = missing.length === 0 ? it : it.skip;

const PER_SECOND = Number(process.env.PER_SECOND ?? 200);

let data: { dataDir: string; remove: () => Promise<void> };
let folder: string;
let proxy: ChildProcess;
let url: string;
let servers: { running: ServerProcess; readonly port: string }[];
let redisUrl: string;

beforeAll(async () => {
  data = await aDataDir();
  await publishRows(data.dataDir, '2026-11.1');
  folder = await mkdtemp(path.join(os.tmpdir(), 'haproxy-'));
});
afterAll(async () => {
  await data.remove();
  await rm(folder, { recursive: true, force: true });
});

const start = (port: string) =>
  spawnServer({
    PORT: port,
    DATA_DIR: data.dataDir,
    REDIS_URL: redisUrl,
    TRUST_PROXY_HOPS: '1',
    ACCESS_LOG: 'off',
    SNAPSHOT_MEMORY_MB: '64',
  });

async function ready(port: string): Promise<void> {
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  for (let turns = 0; !(await isReady()); turns++) {
    if (turns > 600) throw new Error('it does not become ready within a minute');
    await sleep(100);
  }
}

/** The file of deploy/, with addresses of the test. */
async function startProxy(): Promise<void> {
  const port = await freePort();
  let text = (await readFile('deploy/haproxy/haproxy.cfg', 'utf8')).replace(
    '127.0.0.1:8080',
    `127.0.0.1:${port}`,
  );
  for (const [i, server] of servers.entries())
    text = text.replace(`127.0.0.1:300${i + 1}`, `127.0.0.1:${server.port}`);
  const file = path.join(folder, 'haproxy.cfg');
  await writeFile(file, text);
  proxy = spawn('haproxy', ['-f', file, '-db'], { stdio: 'ignore' });
  url = `http://127.0.0.1:${port}`;
  for (let turns = 0; ; turns++) {
    const { status } = await fetch(`${url}/v1/catalog`).catch(() => ({ status: 0 }));
    if (status === 401) return;
    if (turns > 200) throw new Error('the proxy does not answer');
    await sleep(50);
  }
}

async function startAll(redis: { readonly url: string }): Promise<void> {
  redisUrl = redis.url;
  const ports = [await freePort(), await freePort(), await freePort()];
  servers = ports.map((port) => ({ port, running: start(port) }));
  await Promise.all(ports.map(ready));
  await startProxy();
}

beforeEach(() => {
  servers = [];
});
afterEach(async () => {
  for (const { running } of servers) running.child.kill('SIGTERM');
  await Promise.all(servers.map(({ running }) => running.ended));
  if (proxy && proxy.exitCode === null) {
    const ended = once(proxy, 'exit');
    proxy.kill('SIGKILL');
    await ended;
  }
});

/** A key for the load, one that is used up, and one that is to be revoked. */
async function someKeys(client: RedisClient) {
  const keys = keysOf(client);
  const issue = async (perMinute: number) => {
    const issued = await keys.issue({ label: 'test', by: 'test' });
    await keys.limit(issued.id, { perMinute, perDay: 1_000_000_000 }, 'test');
    return issued;
  };
  const [loaded, small, revoked] = [await issue(1_000_000), await issue(40), await issue(1000)];
  return { keys, loaded, small, revoked };
}

const ask = async (key: string) =>
  (await fetch(`${url}/v1/catalog`, { headers: { 'x-api-key': key } })).status;

const figures = (load: ReturnType<typeof startLoad>) =>
  JSON.stringify({
    asked: load.asked,
    statuses: Object.fromEntries(load.statuses),
    failedMs: load.firstFailureMs === null ? 0 : Math.round((load.lastFailureMs ?? 0) - load.firstFailureMs),
    reasons: Object.fromEntries(load.reasons),
  });

long(
  'restarts every server in turn without a failed request and without an admission too many',
  async () => {
    const redis = await startSentinels();
    try {
      await startAll(redis);
      const { loaded, small } = await someKeys(redis.client);
      const load = startLoad(`${url}/v1/financials?metric=ggr`, { 'x-api-key': loaded.key }, PER_SECOND);
      await sleep(2000);
      // The small key is asked all the time, within one window.
      let admitted = 0;
      const begunMs = Date.now();
      let isDone = false;
      const asking = (async () => {
        while (!isDone && Date.now() - begunMs < 55_000) {
          if ((await ask(small.key)) === 200) admitted += 1;
          await sleep(100);
        }
      })();
      for (const server of servers) {
        server.running.child.kill('SIGTERM');
        expect(await server.running.ended).toBe(0);
        server.running = start(server.port);
        await ready(server.port);
        await sleep(1000);
      }
      isDone = true;
      await asking;
      await load.stop();
      process.stderr.write(`rolling restart: ${figures(load)}; ${admitted} of a limit of 40 admitted\n`);
      expect(load.wrong).toEqual([]);
      expect([...load.statuses.keys()]).toEqual([200]);
      expect(admitted).toBeLessThanOrEqual(40);
      expect(load.asked).toBeGreaterThan(PER_SECOND * 5);
    } finally {
      await redis.close();
    }
  },
  300_000,
);

long(
  'outlives the master of Redis: only 503 until a replica is promoted, and what was revoked stays so',
  async () => {
    const redis = await startSentinels();
    try {
      await startAll(redis);
      const { keys, loaded, revoked } = await someKeys(redis.client);
      const load = startLoad(`${url}/v1/financials?metric=ggr`, { 'x-api-key': loaded.key }, PER_SECOND);
      await sleep(2000);
      expect(await ask(revoked.key)).toBe(200);
      expect(await keys.revoke(revoked.id, 'test')).toBe('revoked');
      await redis.killMaster();
      await sleep(1000);
      let answer = 503;
      for (let turns = 0; answer === 503 && turns < 300; turns++) {
        answer = await ask(revoked.key);
        await sleep(100);
      }
      expect(answer).toBe(401);
      await sleep(3000);
      await load.stop();
      process.stderr.write(`failover by Sentinels: ${figures(load)}\n`);
      expect(load.wrong).toEqual([]);
      expect([...load.statuses.keys()].sort()).toEqual([200, 503]);
      for (const reason of load.reasons.keys())
        expect(reason).toMatch(/^503 of the (proxy|server): \{"error":"Service temporarily unavailable/);
      // The last second is served again.
      expect(await ask(loaded.key)).toBe(200);
    } finally {
      await redis.close();
    }
  },
  300_000,
);

long(
  'serves the keys of the other masters while one master of a Redis Cluster is away, and all of them afterwards',
  async () => {
    const cluster = await startCluster();
    try {
      await startAll({ url: cluster.url });
      const keys = keysOf(cluster.client);
      const issued = await Promise.all(
        Array.from({ length: 12 }, () => keys.issue({ label: 'test', by: 'test' })),
      );
      const answers = async () => Promise.all(issued.map(({ key }) => ask(key)));
      expect(new Set(await answers())).toEqual(new Set([200]));
      const [node] = cluster.nodes;
      await node?.kill();
      await sleep(3000);
      const away = await answers();
      expect(new Set(away)).toEqual(new Set([200, 503]));
      await node?.start();
      let back: number[] = [];
      for (let turns = 0; turns < 100 && (back.includes(503) || back.length === 0); turns++) {
        await sleep(200);
        back = await answers();
      }
      expect(new Set(back)).toEqual(new Set([200]));
    } finally {
      await cluster.close();
    }
  },
  300_000,
);
