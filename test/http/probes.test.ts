// `/healthz` and `/readyz` answer whatever the server lacks.

import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createGate } from '../../src/access/gate/gate.ts';
import { watchRedis } from '../../src/access/redis/watchRedis.ts';
import { HISTORY_FILE } from '../../src/catalog/readHistory.ts';
import { OPERATIONS } from '../../src/http/docs/operations/operations.ts';
import { createAuthenticator } from '../../src/http/middleware/authenticator.ts';
import type { Observation } from '../../src/observations.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { type StartOptions, startServer, type TestServer } from '../support/server.ts';
import { aDataDir, publishRows } from '../support/snapshot.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(options: StartOptions): Promise<TestServer> {
  const server = await startServer(options);
  closing.push(() => server.close());
  return server;
}

async function withRedis(): Promise<TestRedis> {
  const redis = await startRedis();
  closing.push(() => redis.close());
  return redis;
}

const until = async (isSo: () => Promise<boolean>) => {
  while (!(await isSo())) await sleep(20);
};

describe('/healthz and /readyz', () => {
  it('answer without a key, take no slot of the address, and are not logged', async () => {
    const redis = await withRedis();
    const lines: string[] = [];
    const writer = (_: object, message: string) => void lines.push(message);
    const authenticator = createAuthenticator(
      createGate(redis.client, { perMinute: 100, perDay: 100 }),
      () => {},
    );
    const server = await start({ authenticator, log: { info: writer, warn: writer, error: writer } });
    for (let i = 0; i < 101; i++) expect((await server.get('/healthz')).status).toBe(200);
    expect((await server.get('/readyz')).status).toBe(200);
    for (const probe of ['/healthz', '/readyz']) {
      const { status, headers } = await fetch(`${server.url}${probe}`, { method: 'OPTIONS' });
      expect([probe, status, headers.get('allow')]).toEqual([probe, 204, 'GET, HEAD, OPTIONS']);
    }
    expect(lines).not.toContain('answered');
    const { status, headers } = await server.get('/v1/catalog');
    expect([status, headers.get('x-ratelimit-remaining')]).toEqual([401, '99']);
  });

  it('say which snapshot is served and how old it is', async () => {
    const server = await start({});
    // The age is null when a busy machine reads the history for longer than a probe waits.
    await until(async () => (await server.get('/readyz')).json.snapshot.age_seconds !== null);
    const { json, headers } = await server.get('/readyz');
    expect(json).toEqual({
      status: 'ready',
      snapshot: { id: '2026-11.1', age_seconds: expect.any(Number) },
      redis: 'up',
      warm: true,
    });
    expect(json.snapshot.age_seconds).toBeLessThan(600);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('is ready without its snapshot store, and says so as the OpenAPI document describes it', async () => {
    let isUp = true;
    const readiness = { isRedisUp: () => true, isWarm: () => true, isStoreUp: () => isUp };
    const server = await start({ readiness });
    const schema = OPERATIONS.find(({ path }) => path === '/readyz')?.answers['application/json'];
    for (const store of ['up', 'down']) {
      isUp = store === 'up';
      const { status, json } = await server.get('/readyz');
      expect([status, json.store]).toEqual([200, store]);
      // Parsing removes unknown fields, so this also finds a field that the schema does not describe.
      expect(schema?.parse(json)).toEqual(json);
    }
  });

  it('answer while no file can be read, and say so once', async () => {
    const made = await aDataDir();
    closing.push(made.remove);
    await publishRows(made.dataDir, '2026-11.1');
    await rm(path.join(made.dataDir, HISTORY_FILE));
    const observed: Observation[] = [];
    const server = await start({
      dataDir: made.dataDir,
      follow: { slowReadMs: 50 },
      observe: (one) => observed.push(one),
    });
    // Nobody writes to this pipe, so each `open` of it occupies one of the threads that read files.
    const pipe = path.join(made.dataDir, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
    const opening = Array.from({ length: threads }, () => open(pipe));
    for (let i = 0; i < 3; i += 1)
      expect((await server.get('/readyz')).json).toMatchObject({
        status: 'ready',
        snapshot: { id: '2026-11.1', age_seconds: null },
      });
    const file = path.join(made.dataDir, HISTORY_FILE);
    const hangs = () => observed.filter(({ event }) => event === 'history read hangs');
    await until(async () => hangs().length > 0);
    expect(hangs()).toEqual([{ event: 'history read hangs', file }]);
    closeSync(openSync(pipe, 'r+'));
    for (const handle of await Promise.all(opening)) await handle.close();
  });

  it('is not ready without a snapshot, and becomes ready with the first one', async () => {
    const made = await aDataDir();
    closing.push(made.remove);
    const server = await start({ dataDir: made.dataDir });
    const { status, json } = await server.get('/readyz');
    expect([status, json.status, json.snapshot]).toEqual([503, 'not ready', null]);
    expect((await server.get('/healthz')).status).toBe(200);
    await publishRows(made.dataDir, '2026-11.1');
    await until(async () => (await server.get('/readyz')).status === 200);
  });

  it('is not ready while Redis is away or silent, nor before the warm-up is over', async () => {
    const redis = await withRedis();
    const watch = watchRedis(redis.client);
    closing.push(async () => watch.stop());
    let isWarm = false;
    const server = await start({ readiness: { isRedisUp: watch.isUp, isWarm: () => isWarm } });
    await until(async () => (await server.get('/readyz')).json.redis === 'up');
    expect(await server.get('/readyz')).toMatchObject({ status: 503, json: { warm: false } });
    isWarm = true;
    expect((await server.get('/readyz')).status).toBe(200);
    redis.pause();
    await until(async () => (await server.get('/readyz')).status === 503);
    expect((await server.get('/readyz')).json).toMatchObject({ status: 'not ready', redis: 'down' });
    redis.resume();
    await until(async () => (await server.get('/readyz')).status === 200);
    await redis.kill();
    await until(async () => (await server.get('/readyz')).status === 503);
    await redis.start();
    await until(async () => (await server.get('/readyz')).status === 200);
  });
});
