// Several processes that serve as one: limits, metrics, connections that break off, a process that dies, the end.

import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isListening } from '../../src/access/redis/startLock.ts';
import { itInDepth } from '../support/depth.ts';
import { freePort } from '../support/freePort.ts';
import { patientFetch } from '../support/retryUnavailable.ts';
import {
  aKeyOf,
  childrenOf,
  type ServerProcess,
  serversOfTests,
  spawnServer,
} from '../support/serverProcess.ts';
import { aDataDir, type DataDir, publishRows } from '../support/snapshot.ts';
import { talk } from '../support/sockets.ts';
import { aStory } from '../support/story.ts';

describe('two processes on one port, from their start to their end', () => {
  const step = aStory();
  let directory: DataDir;
  let running: ServerProcess;
  let url: string;
  let key: string;
  let METRICS_PORT: string;
  beforeAll(async () => {
    directory = await aDataDir();
    await publishRows(directory.dataDir, '2026-11.1');
    METRICS_PORT = await freePort();
    const settings = { DATA_DIR: directory.dataDir, PORT: await freePort(), METRICS_PORT, PROCESSES: '2' };
    running = spawnServer(settings, '--invite');
    url = await running.url();
    key = await aKeyOf(directory.dataDir);
  });
  afterAll(async () => {
    running.child.kill('SIGTERM');
    await running.ended;
    await directory.remove();
  });

  const ask = () => patientFetch(`${url}/v1/catalog`, { headers: { 'x-api-key': key, connection: 'close' } });

  step('have one limit for both', async () => {
    const remaining = [];
    for (let i = 0; i < 12; i++) remaining.push((await ask()).headers.get('x-ratelimit-remaining'));
    expect(remaining).toEqual(Array.from({ length: 12 }, (_, i) => String(99 - i)));
  });

  step('have the sum of both as their metrics, on METRICS_PORT alone', async () => {
    await expectMetrics(url, METRICS_PORT, key);
  });

  step('count one that hangs as not ready in their metrics, with what it counted before', async () => {
    const [victim = 0] = childrenOf(running.child.pid);
    process.kill(victim, 'SIGSTOP');
    const text = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
    process.kill(victim, 'SIGCONT');
    expect(text).toContain('data_api_ready 0\n');
    expect(text).toContain('data_api_key_verdicts_total{outcome="admitted"} 12\n');
  });

  step('live through connections that are reset', async () => {
    const workers = childrenOf(running.child.pid);
    expect(workers).toHaveLength(2);
    // Connections that are reset after CONNECT have no listener of their own for errors.
    for (let i = 0; i < 40; i++)
      await talk(url, ['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'], {
        after: (socket) => setTimeout(() => socket.resetAndDestroy(), i % 5),
      });
    expect((await patientFetch(`${url}/v1/catalog`)).status).toBe(401);
    expect(childrenOf(running.child.pid)).toEqual(workers);
    expect(running.stderr).not.toMatch(/died|unhandled/i);
  });

  step('replace one that dies, and answer meanwhile', async () => {
    const [victim = 0] = childrenOf(running.child.pid);
    process.kill(victim, 'SIGKILL');
    const replaced = () => {
      const now = childrenOf(running.child.pid);
      return now.length === 2 && !now.includes(victim);
    };
    while (!replaced()) {
      // The connection may have been to the killed process.
      const left = await ask().then(
        ({ headers }) => headers.get('x-ratelimit-remaining'),
        () => 'reset',
      );
      expect(left).not.toBeNull();
      await sleep(50);
    }
    // The log of the server may be read later than /proc shows the new process.
    while (!running.stderr.includes(`"died":${victim},`)) await sleep(20);
    let text = '';
    while (!text.includes('data_api_ready 1\n')) {
      await sleep(50);
      text = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
    }
    // The sum includes the process that died. If it fell, Prometheus would take that for a restart of the counter.
    expect(text).toContain('data_api_snapshots_served_total 3\n');
  });

  step('end together with 0, have made one claim link, and log the key by its id', async () => {
    const { socket, begun } = aHalfSentRequest(url, key);
    await begun;
    running.child.kill('SIGTERM');
    // The request arrived before the server began to end, so it is answered.
    while (
      await fetch(url, { headers: { connection: 'close' } }).then(
        () => true,
        () => false,
      )
    )
      await sleep(20);
    let answer = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text;
    });
    socket.write(PING.slice(1));
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*"result":\{\}/s);
    await expect(running.ended).resolves.toBe(0);
    expect(childrenOf(running.child.pid)).toEqual([]);
    // On a slow disk, Redis may end later than the server waits.
    while (await isListening(path.join(directory.dataDir, 'redis', 'redis.sock'))) await sleep(20);
    expect(running.stdout).toMatch(
      new RegExp(
        `^Listening on ${url}\nClaim a key:\n${url}/claim/\\w+\nThen ask: curl .* ${url}/v1/catalog\n$`,
      ),
    );
    expectLogged(running.stderr, key);
  });
});

describe('servers as processes', () => {
  const servers = serversOfTests();

  itInDepth('that are several replace one that dies before all of them listen', async () => {
    const PORT = await freePort();
    const running = servers.start({ PORT, PROCESSES: '2' });
    // The other process starts when the first one listens.
    const answers = () => fetch(`http://127.0.0.1:${PORT}/`).catch(() => null);
    while ((await answers()) === null) await sleep(20);
    while (childrenOf(running.child.pid).length < 2) await sleep(20);
    expect(running.stdout).toBe('');
    const victim = Math.max(...childrenOf(running.child.pid));
    process.kill(victim, 'SIGKILL');
    await running.url();
    const workers = childrenOf(running.child.pid);
    expect(workers).toHaveLength(2);
    expect(workers).not.toContain(victim);
  });

  it('that are several say once why they cannot serve', async () => {
    const other = net.createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const running = servers.start({ PORT: String(port), PROCESSES: '2' });
    await expect(running.ended).resolves.toBe(2);
    other.close();
    expect(running.stdout).toBe('');
    expect(running.stderr.match(/is in use/g)).toHaveLength(1);
  });

  itInDepth('that are several end as the first of them does, where no Redis can be started', async () => {
    const running = servers.start({
      PORT: await freePort(),
      PROCESSES: '2',
      PATH: '/nonexistent',
      LOG_LEVEL: 'silent',
    });
    await expect(running.ended).resolves.toBe(2);
    expect(running.stdout).toBe('');
    expect(running.stderr.match(/^Neither redis-server/gm)).toHaveLength(1);
  });

  itInDepth(
    'that are several end with 0 while the first of them still starts, and their Redis with them',
    async () => {
      const running = servers.start({ PORT: await freePort(), PROCESSES: '2' });
      while (childrenOf(running.child.pid).length === 0) await sleep(5);
      running.child.kill('SIGTERM');
      await expect(running.ended).resolves.toBe(0);
      expect(running.stdout).toBe('');
      expect(running.stderr).not.toContain('Error');
      while (await isListening(path.join(servers.dataDir, 'redis', 'redis.sock'))) await sleep(20);
    },
  );

  itInDepth('that are several end although one of them is stopped or hangs', async () => {
    const running = servers.start({ PORT: await freePort(), PROCESSES: '2' });
    await running.url();
    const [hanging = 0] = childrenOf(running.child.pid);
    process.kill(hanging, 'SIGSTOP');
    running.child.kill('SIGTERM');
    await expect(running.ended).resolves.toBe(0);
    expect(() => process.kill(hanging, 0)).toThrow('ESRCH');
  });

  // A test above does the same with two processes.
  itInDepth(
    'serve the metrics of one process on METRICS_PORT, and the log names the key by its id',
    async () => {
      const METRICS_PORT = await freePort();
      const running = servers.start({ PORT: await freePort(), METRICS_PORT });
      const url = await running.url();
      const key = await aKeyOf(servers.dataDir);
      const headers = { 'x-api-key': key, connection: 'close' };
      for (let i = 0; i < 12; i++)
        expect((await patientFetch(`${url}/v1/catalog`, { headers })).status).toBe(200);
      await expectMetrics(url, METRICS_PORT, key);
      running.child.kill('SIGTERM');
      await expect(running.ended).resolves.toBe(0);
      expectLogged(running.stderr, key);
    },
  );

  // test/process/listen.test.ts tests the message, and test/main.test.ts that the program ends with it.
  itInDepth('end with one line when METRICS_PORT is in use', async () => {
    const other = net.createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const taken = String((other.address() as AddressInfo).port);
    const running = servers.start({ PORT: await freePort(), METRICS_PORT: taken });
    await expect(running.ended).resolves.toBe(2);
    other.close();
    expect(running.stderr).toBe(
      `METRICS_PORT: ${taken} on 127.0.0.1 is in use; stop what uses it, or choose another port\n`,
    );
  });
});

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

/** A request of which the server has the head and the first byte of the body when `begun` settles. */
function aHalfSentRequest(url: string, key: string): { socket: net.Socket; begun: Promise<unknown> } {
  const socket = net.connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
  const head = [
    'POST /mcp HTTP/1.1',
    'Host: x',
    `X-Api-Key: ${key}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${PING.length}`,
    'Expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${PING[0]}`);
  // The server answers the head with 100.
  return { socket, begun: once(socket, 'data') };
}

/** Expects the metrics after twelve requests for the catalog with a key. */
async function expectMetrics(url: string, metricsPort: string, key: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  const text = await answer.text();
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(text).toContain('data_api_key_verdicts_total{outcome="admitted"} 12\n');
  expect(text).toContain('data_api_request_duration_seconds_count{route="/v1/catalog",status="200"} 12\n');
  expect(text).toContain('data_api_snapshot_info{snapshot="2026-11.1"} 1\n');
  expect(text).toContain('data_api_redis_up 1\n');
  for (const cache of ['addresses', 'manifests', 'row texts', 'responses'])
    expect(text).toMatch(new RegExp(`data_api_cache_capacity_bytes\\{cache="${cache}"\\} [1-9]`));
  for (const other of [`http://127.0.0.1:${metricsPort}/v1/catalog`, `${url}/metrics`])
    expect((await patientFetch(other, { headers: { 'x-api-key': key } })).status).toBe(404);
}

/** Expects a log line for each answer. It names the key by its id. */
function expectLogged(stderr: string, key: string): void {
  const lines = stderr.split('\n').filter((line) => line.includes('"answered"'));
  const [first] = lines.map((line) => JSON.parse(line)).filter(({ status }) => status === 200);
  expect(first).toMatchObject({
    keyId: expect.stringMatching(/^[0-9a-z]{6,}$/),
    address: '127.0.0.1',
    method: 'GET',
    path: '/v1/catalog',
    route: '/v1/catalog',
    status: 200,
    bytes: expect.any(Number),
    durationMs: expect.any(Number),
    snapshot: '2026-11.1',
  });
  expect(stderr).not.toContain(key);
}
