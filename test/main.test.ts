import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openRedis } from '../src/access/redis/connection.ts';
import { aKeyOf, freePort, type ServerProcess, spawnServer } from './support/process.ts';
import { aDataDir, aRow, publishRows } from './support/snapshot.ts';

let dataDir: string;
let remove: () => Promise<void>;
let started: ServerProcess[];
beforeEach(async () => {
  ({ dataDir, remove } = await aDataDir());
  started = [];
});
afterEach(async () => {
  for (const { child, ended } of started) {
    child.kill('SIGKILL');
    await ended;
  }
  await endPrivateRedis();
  await remove();
});

function start(settings: Record<string, string>, ...args: string[]): ServerProcess {
  const running = spawnServer({ DATA_DIR: dataDir, ...settings }, ...args);
  started.push(running);
  return running;
}

/** A killed server leaves its Redis running: whoever comes last ends it. */
async function endPrivateRedis(): Promise<void> {
  if (!existsSync(path.join(dataDir, 'redis', 'redis.sock'))) return;
  const redis = openRedis({ address: null, dataDir });
  await redis.answers(5000);
  await redis.close();
}

const someRows = Array.from({ length: 1000 }, (_, i) => aRow('ggr', { year: 1000 + i }));

/** A client that asks for many large pages and does not read; `read` reads them all. */
async function lazyClient(url: string) {
  const key = await aKeyOf(dataDir);
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.pause();
  const request = `GET /v1/financials?metric=ggr&limit=1000 HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\n\r\n`;
  socket.write(request.repeat(40));
  await sleep(300);
  return {
    async read(): Promise<string> {
      let text = '';
      for await (const chunk of socket) text += chunk;
      return text;
    },
    leave: () => socket.destroy(),
  };
}

/** What a request with a key of the server's own Redis sends. */
const withKey = async () => ({ headers: { 'x-api-key': await aKeyOf(dataDir) } });

describe('the server as a process', () => {
  it('prints where it listens once snapshot and Redis answer, and ends with 0 on SIGTERM', async () => {
    await publishRows(dataDir, '2026-11.1');
    const running = start({ PORT: await freePort() });
    const url = await running.url();
    const response = await fetch(`${url}/v1/catalog`, await withKey());
    expect([response.status, response.headers.get('x-snapshot')]).toEqual([200, '2026-11.1']);
    running.child.kill('SIGTERM');
    await expect(running.ended).resolves.toBe(0);
    expect(running.stdout).toBe(`Listening on ${url}\n`);
    for (const line of running.stderr.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg');
  });

  it('listens after 2 s without a snapshot, answers 503, and serves the first one published', async () => {
    const running = start({ PORT: await freePort() });
    const startMs = performance.now();
    const url = await running.url();
    expect(performance.now() - startMs).toBeGreaterThan(1900);
    const key = await withKey();
    expect((await fetch(`${url}/v1/catalog`, key)).status).toBe(503);
    await publishRows(dataDir, '2026-11.1');
    const publishedMs = performance.now();
    while ((await fetch(`${url}/v1/catalog`, key)).status !== 200) {
      expect(performance.now() - publishedMs).toBeLessThan(2000);
      await sleep(50);
    }
    running.child.kill('SIGINT');
    await expect(running.ended).resolves.toBe(0);
  });

  it('prints a claim link alone on its line when asked for one', async () => {
    await publishRows(dataDir, '2026-11.1');
    const running = start({ PORT: await freePort(), PUBLIC_URL: 'https://data.example/api/' }, '--invite');
    await running.url();
    while (!running.stdout.includes('/claim/')) await sleep(10);
    expect(running.stdout).toMatch(/^https:\/\/data\.example\/api\/claim\/[0-9A-Za-z]{43}$/m);
  });

  it('answers to the end what already runs when SIGTERM comes', async () => {
    await publishRows(dataDir, '2026-11.1', { ggr: someRows });
    const running = start({ PORT: await freePort() });
    const url = await running.url();
    const client = await lazyClient(url);
    running.child.kill('SIGTERM');
    await sleep(300);
    expect(running.child.exitCode).toBeNull();
    await expect(fetch(`${url}/v1/catalog`)).rejects.toThrow();
    const text = await client.read();
    const begun = text.match(/HTTP\/1\.1 200 OK/g);
    expect(begun?.length).toBeGreaterThan(0);
    expect(text.match(/"pagination":\{"cursor":null,"has_more":false\}\}/g)).toHaveLength(begun?.length ?? 0);
    await expect(running.ended).resolves.toBe(0);
  });

  it('ends at once on a second signal', async () => {
    await publishRows(dataDir, '2026-11.1', { ggr: someRows });
    const running = start({ PORT: await freePort() });
    const client = await lazyClient(await running.url());
    running.child.kill('SIGTERM');
    await sleep(200);
    expect(running.child.exitCode).toBeNull();
    const startMs = performance.now();
    running.child.kill('SIGTERM');
    await expect(running.ended).resolves.toBe(0);
    expect(performance.now() - startMs).toBeLessThan(2000);
    client.leave();
  });

  it.each([
    [{ PORT: 'http' }, 'PORT: "http" is not a port; use a whole number from 1 to 65535\n'],
    [
      { PUBLIC_URL: 'localhost' },
      'PUBLIC_URL: "localhost" is not an address for links; use http:// or https:// with a host, and no query\n',
    ],
  ])('ends with 2 and one line on stderr for %j', async (settings, line) => {
    const running = start(settings);
    await expect(running.ended).resolves.toBe(2);
    expect([running.stdout, running.stderr]).toEqual(['', line]);
  });

  it('says what to type, for each platform, where no redis-server is installed', async () => {
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

  it('says which port is in use', async () => {
    await publishRows(dataDir, '2026-11.1');
    const port = await freePort();
    const first = start({ PORT: port });
    const url = await first.url();
    const second = start({ PORT: port, LOG_LEVEL: 'silent' });
    await expect(second.ended).resolves.toBe(2);
    expect(second.stderr).toBe(
      `PORT: ${port} on 127.0.0.1 is in use; stop what uses it, or choose another port\n`,
    );
    // It shared the first one's Redis, and left it alone.
    expect((await fetch(`${url}/v1/catalog`, await withKey())).status).toBe(200);
  });

  it.each(['127.0.0.2', '0.0.0.0', 'localhost'])('listens on %s', async (host) => {
    await publishRows(dataDir, '2026-11.1');
    const running = start({ PORT: await freePort(), HOST: host, LOG_LEVEL: 'silent' });
    const url = await running.url();
    expect(url).toContain(`//${host}:`);
    expect((await fetch(`${url}/v1/catalog`)).status).toBe(401);
    expect((await fetch(`${url}/v1/catalog`, await withKey())).status).toBe(200);
  });

  it('leaves nothing behind in the data directory but what Redis keeps', async () => {
    await publishRows(dataDir, '2026-11.1');
    const left = async () =>
      (await readdir(dataDir, { recursive: true })).filter(
        (name) => !/^redis(\/appendonlydir.*|\/redis\.log)?$/.test(name),
      );
    const before = (await left()).sort();
    const running = start({ PORT: await freePort() });
    await fetch(`${await running.url()}/v1/financials?metric=ggr&country=Malta`, await withKey());
    running.child.kill('SIGTERM');
    await running.ended;
    expect((await left()).sort()).toEqual(before);
  });
});
