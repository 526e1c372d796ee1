// The server as a process, from its first line to its end.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openRedis } from '../src/access/redis/connection.ts';
import { itInDepth } from './support/depth.ts';
import { freePort } from './support/freePort.ts';
import { aLatch } from './support/latch.ts';
import { patientFetch } from './support/retryUnavailable.ts';
import { aKeyOf, type ServerProcess, spawnServer } from './support/serverProcess.ts';
import { aDataDir, aRow, publishRows } from './support/snapshot.ts';
import { talk } from './support/sockets.ts';
import { aStory } from './support/story.ts';

let dataDir: string;
let remove: () => Promise<void>;
let started: ServerProcess[];

async function makeDataDir(): Promise<void> {
  ({ dataDir, remove } = await aDataDir());
  started = [];
}

async function endAll(): Promise<void> {
  for (const { child, ended } of started) {
    child.kill('SIGKILL');
    await ended;
  }
  await endPrivateRedis();
  await remove();
}

function start(settings: Record<string, string>, ...args: string[]): ServerProcess {
  const running = spawnServer({ DATA_DIR: dataDir, ...settings }, ...args);
  started.push(running);
  return running;
}

/** Ends the private Redis that a killed server left running: Redis ends when its last client closes. */
async function endPrivateRedis(): Promise<void> {
  if (!existsSync(path.join(dataDir, 'redis', 'redis.sock'))) return;
  const redis = openRedis({ address: null, dataDir });
  await redis.untilAnswered(60_000);
  await redis.close();
}

const someRows = Array.from({ length: 1000 }, (_, i) => aRow('ggr', { year: 1000 + i }));

/** A client that requests many large pages and does not read them until `read` is called. */
async function lazyClient(url: string) {
  const key = await aKeyOf(dataDir);
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  const request = `GET /v1/financials?metric=ggr&limit=1000 HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\n\r\n`;
  socket.write(request.repeat(40));
  // Once bytes wait to be read, the server has begun to answer.
  await once(socket, 'readable');
  return {
    async read(): Promise<string> {
      let text = '';
      for await (const chunk of socket) text += chunk;
      return text;
    },
    leave: () => socket.destroy(),
  };
}

/** Options of a request with a key from the server's own Redis. */
const withKey = async () => ({ headers: { 'x-api-key': await aKeyOf(dataDir) } });

/** Expects that the log says once how to make a snapshot. */
function expectAdvice(running: ServerProcess, missing: string): void {
  const lines = running.stderr.split('\n').filter((line) => line.includes(`no snapshot in ${missing}`));
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '').msg).toMatch(
    /^no snapshot in .+not\/there yet: answering 503 .+ publish <folder>/,
  );
}

describe('a server from its start to its end', () => {
  const step = aStory();
  let running: ServerProcess;
  let url: string;
  let before: readonly string[];
  let port: string;
  let coverage: string;
  const left = async () =>
    (await readdir(dataDir, { recursive: true }))
      .filter((name) => !/^redis(\/appendonlydir.*|\/redis\.log)?$/.test(name))
      .sort();
  beforeAll(async () => {
    await makeDataDir();
    await publishRows(dataDir, '2026-11.1');
    before = await left();
    port = await freePort();
    coverage = await mkdtemp(path.join(os.tmpdir(), 'coverage-'));
    running = start({ PORT: port, NODE_V8_COVERAGE: coverage });
    url = await running.url();
  });
  afterAll(async () => {
    await endAll();
    await rm(coverage, { recursive: true, force: true });
  });

  step('prints where it listens once snapshot and Redis answer', async () => {
    const response = await patientFetch(`${url}/v1/catalog`, await withKey());
    expect([response.status, response.headers.get('x-snapshot')]).toEqual([200, '2026-11.1']);
    expect(running.stdout).toBe(`Listening on ${url}\n`);
  });

  step('is not disturbed by a second one, which names a misspelt setting and the port in use', async () => {
    const second = start({ PORT: port, LOG_LEVEL: 'trace', REDIS_ULR: 'redis://127.0.0.1' });
    await expect(second.ended).resolves.toBe(2);
    const [refusal = '', line = '', ...others] = second.stderr.trim().split('\n');
    expect(refusal).toBe(`PORT: ${port} on 127.0.0.1 is in use; stop what uses it, or choose another port`);
    expect(JSON.parse(line)).toMatchObject({
      level: 40,
      msg: 'REDIS_ULR is not a setting and has no effect; did you mean REDIS_URL?',
    });
    expect(others).toEqual([]);
    // Both servers used one private Redis.
    expect((await patientFetch(`${url}/v1/catalog`, await withKey())).status).toBe(200);
  });

  step('ends with 0 on SIGTERM, and leaves nothing in the data directory but what Redis keeps', async () => {
    await fetch(`${url}/v1/financials?metric=ggr&country=Malta`, await withKey());
    running.child.kill('SIGTERM');
    await expect(running.ended).resolves.toBe(0);
    for (const line of running.stderr.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg');
    expect(await left()).toEqual(before);
  });

  step('has loaded no library that JSON pages do without', async () => {
    const written = await Promise.all(
      (await readdir(coverage)).map((file) => readFile(path.join(coverage, file), 'utf8')),
    );
    // In a bundle, each module is a function with the module's path as its name.
    const modules = written
      .flatMap((text) => (JSON.parse(text) as Coverage).result)
      .flatMap(({ functions }) => functions)
      .filter(({ ranges }) => ranges.some(({ count }) => count > 0))
      .map(({ functionName }) => functionName);
    const loaded = new Set(modules.map((module) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module)?.[1]));
    expect([...loaded]).toEqual(expect.arrayContaining(['express', 'zod', '@duckdb/node-api']));
    for (const name of ['apache-arrow', '@modelcontextprotocol/sdk', 'openid-client'])
      expect(loaded).not.toContain(name);
  });
});

/** The part of V8's coverage report, written at the end of a process, that lists the loaded scripts. */
interface Coverage {
  readonly result: readonly {
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

describe('the server as a process', () => {
  beforeEach(makeDataDir);
  afterEach(endAll);

  it('listens after 2 s without its DATA_DIR, says once how to make a snapshot, and serves the first one', async () => {
    const missing = path.join(dataDir, 'not', 'there');
    const running = start({ DATA_DIR: missing, PORT: await freePort() });
    const startMs = performance.now();
    const url = await running.url();
    expect(performance.now() - startMs).toBeGreaterThan(1900);
    const headers = { 'x-api-key': await aKeyOf(missing) };
    expect((await fetch(`${url}/v1/catalog`, { headers })).status).toBe(503);
    await publishRows(missing, '2026-11.1');
    while ((await fetch(`${url}/v1/catalog`, { headers })).status !== 200) await sleep(50);
    running.child.kill('SIGINT');
    await expect(running.ended).resolves.toBe(0);
    expectAdvice(running, missing);
  });

  itInDepth(
    'without its DATA_DIR answers 503 in two processes, which say once how to make a snapshot',
    async () => {
      const missing = path.join(dataDir, 'not', 'there');
      const running = start({ DATA_DIR: missing, PORT: await freePort(), PROCESSES: '2' });
      const url = await running.url();
      const headers = { 'x-api-key': await aKeyOf(missing) };
      expect((await fetch(`${url}/v1/catalog`, { headers })).status).toBe(503);
      running.child.kill('SIGTERM');
      await running.ended;
      expectAdvice(running, missing);
    },
  );

  itInDepth('names a damaged snapshot, and does not say then that there is none yet', async () => {
    await publishRows(dataDir, '2026-11.1');
    await writeFile(path.join(dataDir, 'snapshots', '2026-11.1', 'ggr.parquet'), 'PAR1');
    const running = start({ PORT: await freePort() });
    await running.url();
    running.child.kill('SIGTERM');
    await running.ended;
    expect(running.stderr).toMatch(/ggr\.parquet/);
    expect(running.stderr).not.toContain('no snapshot in');
  });

  it('answers to the end what already runs when SIGTERM comes', async () => {
    await publishRows(dataDir, '2026-11.1', { ggr: someRows });
    const running = start({ PORT: await freePort() });
    const url = await running.url();
    const client = await lazyClient(url);
    running.child.kill('SIGTERM');
    while (await fetch(`${url}/v1/catalog`).catch(() => null)) await sleep(20);
    expect(running.child.exitCode).toBeNull();
    const text = await client.read();
    const begun = text.match(/HTTP\/1\.1 200 OK/g);
    expect(begun?.length).toBeGreaterThan(0);
    expect(text.match(/"pagination":\{"cursor":null,"has_more":false\}\}/g)).toHaveLength(begun?.length ?? 0);
    await expect(running.ended).resolves.toBe(0);
  });

  itInDepth('ends at once on a second signal', async () => {
    await publishRows(dataDir, '2026-11.1', { ggr: someRows });
    const running = start({ PORT: await freePort() });
    const client = await lazyClient(await running.url());
    running.child.kill('SIGTERM');
    // Two signals that wait to be handled count as one.
    while (!running.stderr.includes('"ending')) await sleep(10);
    expect(running.child.exitCode).toBeNull();
    running.child.kill('SIGTERM');
    await expect(running.ended).resolves.toBe(0);
    // After one signal, the client would have had ten seconds, and the log would say that it was cut off.
    expect(running.stderr).not.toMatch(/"cut":[1-9]/);
    client.leave();
  });

  // Other tests in this file end servers by SIGTERM and SIGINT.
  itInDepth(
    'listening on :: prints a claim link that begins with http://[::1], names PUBLIC_URL, logs no answers with ACCESS_LOG=off, and ends on SIGHUP without waiting for clients that keep their connections open',
    async () => {
      await publishRows(dataDir, '2026-11.1');
      const PORT = await freePort();
      const running = start({ HOST: '::', PORT, ACCESS_LOG: 'off' }, '--invite');
      await running.url();
      while (!/\/claim\/\w+\n/.test(running.stdout)) await sleep(10);
      const [, link = ''] = /^(http:.+\/claim\/\w+)$/m.exec(running.stdout) ?? [];
      expect(link).toContain(`http://[::1]:${PORT}/claim/`);
      expect((await patientFetch(link)).status).toBe(200);
      expect((await patientFetch(`http://[::1]:${PORT}/v1/catalog`, await withKey())).status).toBe(200);

      // Python's http.client does the same: neither side closes after an answer, and the client never will.
      const request = 'GET /v1/catalog HTTP/1.1\r\nHost: x\r\n';
      const clients = ['', request, `${request}\r\n`].map((bytes) => {
        const answered = aLatch();
        const after = (socket: net.Socket) => socket.once('data', answered.open);
        const ended = talk(`http://127.0.0.1:${PORT}`, [bytes], { staysOpen: true, after });
        return { answered, ended };
      });
      await clients.at(-1)?.answered.opened;
      running.child.kill('SIGHUP');
      await expect(running.ended).resolves.toBe(0);
      await Promise.all(clients.map(({ ended }) => ended));

      const lines = running.stderr
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      // On a busy machine Redis may be later than the gate's deadline, which is logged.
      const warnings = lines
        .filter(({ level, msg }) => level >= 40 && !msg.startsWith('requests cannot be checked'))
        .map(({ msg }) => msg);
      expect(warnings).toEqual([expect.stringMatching(/^PUBLIC_URL is not set: .+ begin with http/)]);
      const messages = lines.map(({ msg }) => msg);
      // Connections that the server waits for are cut off after ten seconds. The last line would say that.
      expect(messages).toEqual(
        expect.arrayContaining(['ending: 0 unfinished connections are waited for', 'ended']),
      );
      expect(messages).toContain('serving this snapshot');
      expect(messages).not.toContain('answered');
    },
  );

  itInDepth('goes on when its disk is full of its log, and ends with 0', async () => {
    await publishRows(dataDir, '2026-11.1');
    const PORT = await freePort();
    const command = `exec "${process.execPath}" dist/src/start.js 2>/dev/full`;
    const env = { ...process.env, NODE_OPTIONS: '', UV_THREADPOOL_SIZE: '16', DATA_DIR: dataDir, PORT };
    const child = spawn('sh', ['-c', command], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const key = await withKey();
    for (let i = 0; i < 5; i++) {
      expect((await patientFetch(`http://127.0.0.1:${PORT}/v1/catalog`, key)).status).toBe(200);
      await sleep(150);
    }
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  // test/log/bufferedLines.test.ts tests the same with a small program.
  itInDepth('ends in time when nobody reads its log', async () => {
    await publishRows(dataDir, '2026-11.1');
    const running = start({ PORT: await freePort() });
    const url = await running.url();
    running.child.stderr?.pause();
    // These requests cause more lines than a pipe takes. Each line has some 300 bytes.
    const requests = 'GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1200);
    const last = 'GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    await talk(url, [requests, last], { timeoutMs: 60_000 });
    const exited = once(running.child, 'exit');
    running.child.kill('SIGTERM');
    // A process that waits for its log would never end.
    expect(await exited).toEqual([0, null]);
    running.child.stderr?.resume();
  });

  // test/access/cli.test.ts tests the same for a command.
  itInDepth('says what to type, for each platform, where no redis-server is installed', async () => {
    const running = start({ PATH: '/nonexistent', LOG_LEVEL: 'silent' });
    await expect(running.ended).resolves.toBe(2);
    expect([running.stdout, running.stderr]).toEqual([
      '',
      [
        'Neither redis-server nor valkey-server is installed. Install one, or use another Redis:',
        '  Debian, Ubuntu   apt-get install redis-server',
        '  macOS            brew install redis',
        '  Alpine           apk add valkey',
        '  any              REDIS_URL=redis://…',
        '',
      ].join('\n'),
    ]);
  });

  itInDepth('listens on a name, and prints a claim link alone on its line when asked for one', async () => {
    await publishRows(dataDir, '2026-11.1');
    const settings = { HOST: 'localhost', LOG_LEVEL: 'silent', PUBLIC_URL: 'https://data.example/api/' };
    const running = start({ PORT: await freePort(), ...settings }, '--invite');
    const url = await running.url();
    expect(url).toContain('//localhost:');
    expect((await fetch(`${url}/v1/catalog`)).status).toBe(401);
    expect((await patientFetch(`${url}/v1/catalog`, await withKey())).status).toBe(200);
    while (!running.stdout.includes('/claim/')) await sleep(10);
    expect(running.stdout).toMatch(/^https:\/\/data\.example\/api\/claim\/[0-9A-Za-z]{43}$/m);
  });
});
