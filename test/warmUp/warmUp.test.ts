// A fresh server sends itself requests that are not observable from outside, and stops when it should.

import { once } from 'node:events';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RequestHandler } from 'express';
import type { Gate } from '../../src/access/gate/gate.ts';
import { mintKey } from '../../src/access/keys/keyText.ts';
import { followSnapshots } from '../../src/catalog/snapshots.ts';
import { unavailable } from '../../src/errors.ts';
import { createApp, createEndpoints } from '../../src/http/app.ts';
import { admitEverybody } from '../../src/http/middleware/authenticator.ts';
import { messageClassesOf } from '../../src/http/server/messageClasses.ts';
import { createSelector } from '../../src/query/selection/selector.ts';
import { warmUp } from '../../src/warmUp/warmUp.ts';
import { itInDepth } from '../support/depth.ts';
import { freePort } from '../support/freePort.ts';
import { LONG_DEADLINE, LONG_DEADLINE_MS } from '../support/longDeadlines.ts';
import { patientFetch } from '../support/retryUnavailable.ts';
import { spawnServer } from '../support/serverProcess.ts';
import { aDataDir, aRow, type DataDir, publishRows } from '../support/snapshot.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A directory that the tests in this process share, because they only read it. */
let directory: DataDir;
let app: Awaited<ReturnType<typeof anApp>>;
beforeAll(async () => {
  directory = await aDataDir();
  await publishPages(directory.dataDir);
  app = await anApp(directory.dataDir);
});
afterAll(async () => {
  await app.snapshots.close();
  await directory.remove();
});

/** A directory for a server process, which starts a Redis in it. */
async function aDirectory(): Promise<string> {
  const { dataDir, remove } = await aDataDir();
  closing.push(remove);
  await publishPages(dataDir);
  return dataDir;
}

/** Publishes more rows than a page has. */
async function publishPages(dataDir: string): Promise<void> {
  const ggr = Array.from({ length: 1500 }, (_, i) => aRow('ggr', { year: 1000 + i }));
  await publishRows(dataDir, '2026-11.1', { ggr });
}

async function anApp(dataDir: string) {
  const snapshots = followSnapshots({ dataDir, maxBytes: 2 ** 31, connections: 2, observe() {} });
  await snapshots.firstPoll;
  const settings = { cacheMaxAgeSeconds: 0, publicUrl: 'http://127.0.0.1:3000' };
  const deps = { snapshots, selector: createSelector(LONG_DEADLINE), observe() {}, settings };
  return { ...deps, endpoints: createEndpoints(deps), authenticator: admitEverybody };
}

/** A server for clients, to which nobody connects. */
async function listening(): Promise<http.Server> {
  const server = http.createServer().listen(0, '127.0.0.1');
  closing.push(async () => void server.close());
  await once(server, 'listening');
  return server;
}

const aGate = (admit: Gate['admit']): Gate => ({
  admit,
  async check() {
    throw new Error('nothing is to be checked');
  },
});

/** In tests, servers warm up only with this setting. */
const WARM = { WARM_UP_SECONDS: '1' };

describe('the warm-up', () => {
  it('asks what has an answer, for values and totals besides pages, because a fresh server answers them slowly too', async () => {
    const asked = new Map<string, number>();
    const endpoints = Object.fromEntries(
      Object.entries(app.endpoints).map(([path, handler]): [string, RequestHandler] => [
        path,
        (request, response, next) => {
          asked.set(path, (asked.get(path) ?? 0) + 1);
          return handler(request, response, next);
        },
      ]),
    );
    expect(await warmUp({ app: { ...app, endpoints }, deadlineMs: LONG_DEADLINE_MS, requests: 64 })).toBe(64);
    expect(asked.get('/v1/values')).toBe(1);
    expect(asked.get('/v1/totals')).toBe(1);
  });

  it('has the classes of requests and responses of the server, for which V8 compiles code', async () => {
    const clients = createApp(app);
    const { IncomingMessage, ServerResponse } = messageClassesOf(clients);
    const classes = new Set<unknown>();
    const answer: RequestHandler = (request, response) => {
      classes.add(request.constructor).add(response.constructor);
      response.set('Content-Length', '0').end();
    };
    const endpoints = { ...app.endpoints, '/v1/financials': answer };
    await warmUp({
      app: { ...app, endpoints, classesOf: clients },
      deadlineMs: LONG_DEADLINE_MS,
      requests: 8,
    });
    expect(classes).toEqual(new Set([IncomingMessage, ServerResponse]));
  });

  it.each([
    ['rests while clients ask, who then warm the server up themselves', '/v1/financials', false],
    ['does not rest while somebody asks whether the server is ready', '/readyz', true],
  ])('%s', async (_promise, url, isWhole) => {
    const clients = await listening();
    // Requests come faster than the pause after a client's request, so a warm-up that rests for them never continues.
    const asking = setInterval(() => clients.emit('request', { url }), 5);
    const answer: RequestHandler = (_request, response) => {
      clients.emit('request', { url });
      response.set('Content-Length', '0').end();
    };
    const endpoints = { ...app.endpoints, '/v1/financials': answer };
    const requests = isWhole ? 31 * 2 : 31 * 8;
    const options = { app: { ...app, endpoints }, clients, requests };
    const answered = await warmUp({ ...options, deadlineMs: isWhole ? LONG_DEADLINE_MS : 300 });
    clearInterval(asking);
    if (isWhole) expect(answered).toBe(requests);
    else expect(answered).toBeLessThan(requests);
    expect(clients.listenerCount('request')).toBe(0);
  });

  itInDepth('ends with the server when that is asked to end meanwhile', async () => {
    const settings = { DATA_DIR: await aDirectory(), PORT: await freePort(), WARM_UP_SECONDS: '60' };
    const running = spawnServer(settings);
    await running.url();
    running.child.kill('SIGTERM');
    expect(await running.ended).toBe(0);
  });

  it('admits nobody but itself to the port that it opens, and closes it', async () => {
    const statuses: number[] = [];
    let address = '';
    const askAsOthers = async (port: number | undefined) => {
      address = `http://127.0.0.1:${port}/v1/catalog`;
      for (const headers of [{}, { 'X-Api-Key': mintKey() }])
        statuses.push((await fetch(address, { headers })).status);
    };
    const answer: RequestHandler = ({ socket }, response) => {
      void askAsOthers(socket.localPort).then(() => response.set('Content-Length', '0').end());
    };
    const endpoints = { ...app.endpoints, '/v1/financials': answer };
    expect(await warmUp({ app: { ...app, endpoints }, deadlineMs: LONG_DEADLINE_MS, requests: 8 })).toBe(8);
    expect(statuses.length).toBeGreaterThan(1);
    expect(new Set(statuses)).toEqual(new Set([401]));
    await expect(fetch(address)).rejects.toThrow();
  });

  it('ends when an answer breaks off', async () => {
    const endpoints = {
      ...app.endpoints,
      '/v1/financials': ((_request, response) => void response.destroy()) satisfies RequestHandler,
    };
    expect(
      await warmUp({ app: { ...app, endpoints }, deadlineMs: LONG_DEADLINE_MS, requests: 1000 }),
    ).toBeLessThan(1000);
  });

  it('ends when the server of clients no longer listens', async () => {
    const clients = await listening();
    const answering = warmUp({ app, clients, requests: 1e6, deadlineMs: LONG_DEADLINE_MS });
    setTimeout(() => clients.close(), 100);
    expect(await answering).toBeLessThan(1e6);
  });

  it('ends at its deadline', async () => {
    const answered = await warmUp({ app, deadlineMs: 20, requests: 100_000 });
    expect(answered).toBeLessThan(100_000);
  });

  it('asks nothing with a deadline of 0, which is WARM_UP_SECONDS=0', async () => {
    expect(await warmUp({ app, deadlineMs: 0, requests: 1000 })).toBe(0);
  });

  it('asks the gate about some requests, and is admitted although nobody has its key', async () => {
    const asked = new Set<string>();
    let count = 0;
    const gate = aGate(async (keyHash) => {
      asked.add(keyHash);
      count += 1;
      return { outcome: 'unknown', keyId: null };
    });
    expect(await warmUp({ app, gate, deadlineMs: LONG_DEADLINE_MS, requests: 40 })).toBe(40);
    // Three of the requests are for documents, which need no key. A quarter of the others ask the gate.
    expect(count).toBe(Math.ceil((40 - 3) / 4));
    expect(asked.size).toBe(1);
  });

  it('does not ask the gate again once Redis is away', async () => {
    let count = 0;
    const gate = aGate(async () => {
      count += 1;
      throw unavailable();
    });
    expect(await warmUp({ app, gate, deadlineMs: LONG_DEADLINE_MS, requests: 40 })).toBe(40);
    expect(count).toBe(1);
  });

  it('asks nothing while there is no snapshot', async () => {
    const { dataDir, remove } = await aDataDir();
    closing.push(remove);
    const empty = await anApp(dataDir);
    closing.push(() => empty.snapshots.close());
    expect(await warmUp({ app: empty, deadlineMs: LONG_DEADLINE_MS, requests: 1500 })).toBe(0);
  });

  itInDepth(
    'does not delay listening, opens nothing to clients without a key, and then makes the server ready',
    async () => {
      const DATA_DIR = await aDirectory();
      /** The value of `warm` in the first answer. On a busy machine that answer may come late. */
      async function firstLook(): Promise<boolean> {
        const running = spawnServer({ DATA_DIR, PORT: await freePort(), ...WARM });
        const url = await running.url();
        const states: boolean[] = [];
        for (let isReady = false; !isReady; await sleep(50)) {
          // The warm-up rests while clients send requests. They have no key, so this address may send 100 a minute.
          expect((await patientFetch(`${url}/v1/catalog`)).status).toBe(401);
          const response = await fetch(`${url}/readyz`);
          isReady = response.status === 200;
          const { warm } = (await response.json()) as { warm: boolean };
          // The answer is also 503 while Redis does not answer.
          if (isReady) expect(warm).toBe(true);
          states.push(warm);
        }
        running.child.kill('SIGTERM');
        await running.ended;
        // The server's requests to itself are not logged as those of clients.
        expect(running.stderr).toContain('"status":401');
        expect(running.stderr).not.toContain('"status":200');
        return states[0] ?? true;
      }
      while (await firstLook());
    },
  );
});
