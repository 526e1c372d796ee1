import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { aDataDir, aRow, publishRows } from './support/snapshot.ts';

/** The server as a process of its own, as `npm start` runs it, the build aside. */
interface Running {
  readonly child: ChildProcess;
  stdout: string;
  stderr: string;
  readonly ended: Promise<number | null>;
}

let dataDir: string;
let remove: () => Promise<void>;
let started: Running[];
beforeEach(async () => {
  ({ dataDir, remove } = await aDataDir());
  started = [];
});
afterEach(async () => {
  for (const { child, ended } of started) {
    child.kill('SIGKILL');
    await ended;
  }
  await remove();
});

function start(settings: Record<string, string>): Running {
  const environment = {
    ...process.env,
    NODE_OPTIONS: '',
    DATA_DIR: dataDir,
    UV_THREADPOOL_SIZE: '16',
    ...settings,
  };
  const child = spawn(process.execPath, [path.resolve('dist/src/main.js')], { env: environment });
  const running: Running = {
    child,
    stdout: '',
    stderr: '',
    ended: once(child, 'close').then(([code]) => code as number | null),
  };
  child.stdout?.on('data', (chunk) => {
    running.stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    running.stderr += chunk;
  });
  started.push(running);
  return running;
}

async function freePort(): Promise<string> {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return String(port);
}

async function listening(running: Running): Promise<string> {
  for (let turns = 0; turns < 1000; turns++) {
    const [, url] = /^Listening on (http:\S+)$/m.exec(running.stdout) ?? [];
    if (url) return url;
    if (running.child.exitCode !== null) throw new Error(`it ended: ${running.stderr}`);
    await sleep(10);
  }
  throw new Error(`it does not listen: ${running.stdout} ${running.stderr}`);
}

const someRows = Array.from({ length: 1000 }, (_, i) => aRow('ggr', { year: 1000 + i }));

/** A client that asks for many large pages and does not read; `read` reads them all. */
async function lazyClient(url: string) {
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.pause();
  const request = 'GET /v1/financials?metric=ggr&limit=1000 HTTP/1.1\r\nHost: x\r\n\r\n';
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

describe('the server as a process', () => {
  it('prints where it listens once its snapshot answers, and ends with 0 on SIGTERM', async () => {
    await publishRows(dataDir, '2026-11.1');
    const running = start({ PORT: await freePort() });
    const url = await listening(running);
    const response = await fetch(`${url}/v1/catalog`);
    expect([response.status, response.headers.get('x-snapshot')]).toEqual([200, '2026-11.1']);
    running.child.kill('SIGTERM');
    await expect(running.ended).resolves.toBe(0);
    expect(running.stdout).toBe(`Listening on ${url}\n`);
    for (const line of running.stderr.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg');
  });

  it('listens after 2 s without a snapshot, answers 503, and serves the first one published', async () => {
    const running = start({ PORT: await freePort() });
    const startMs = performance.now();
    const url = await listening(running);
    expect(performance.now() - startMs).toBeGreaterThan(1900);
    expect((await fetch(`${url}/v1/catalog`)).status).toBe(503);
    await publishRows(dataDir, '2026-11.1');
    const publishedMs = performance.now();
    while ((await fetch(`${url}/v1/catalog`)).status !== 200) {
      expect(performance.now() - publishedMs).toBeLessThan(2000);
      await sleep(20);
    }
    running.child.kill('SIGINT');
    await expect(running.ended).resolves.toBe(0);
  });

  it('answers to the end what already runs when SIGTERM comes', async () => {
    await publishRows(dataDir, '2026-11.1', { ggr: someRows });
    const running = start({ PORT: await freePort() });
    const url = await listening(running);
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
    const client = await lazyClient(await listening(running));
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
    ...['0.0.0.0', '::', '192.0.2.1', '128.0.0.1', 'example.org'].map(
      (host) =>
        [
          { HOST: host },
          `HOST: "${host}" is not a loopback address, and there is no access control yet; use 127.0.0.1, ::1 or localhost\n`,
        ] as const,
    ),
  ])('ends with 2 and one line on stderr for %j', async (settings, line) => {
    const running = start(settings);
    await expect(running.ended).resolves.toBe(2);
    expect([running.stdout, running.stderr]).toEqual(['', line]);
  });

  it('says which port is in use', async () => {
    await publishRows(dataDir, '2026-11.1');
    const port = await freePort();
    await listening(start({ PORT: port }));
    const second = start({ PORT: port, LOG_LEVEL: 'silent' });
    await expect(second.ended).resolves.toBe(2);
    expect(second.stderr).toBe(
      `PORT: ${port} on 127.0.0.1 is in use; stop what uses it, or choose another port\n`,
    );
  });

  it.each(['127.0.0.2', 'localhost'])('listens on %s', async (host) => {
    await publishRows(dataDir, '2026-11.1');
    const url = await listening(start({ PORT: await freePort(), HOST: host, LOG_LEVEL: 'silent' }));
    expect(url).toContain(`//${host}:`);
    expect((await fetch(`${url}/v1/catalog`)).status).toBe(200);
  });

  it('leaves nothing behind in the data directory', async () => {
    await publishRows(dataDir, '2026-11.1');
    const before = (await readdir(dataDir, { recursive: true })).sort();
    const running = start({ PORT: await freePort() });
    await fetch(`${await listening(running)}/v1/financials?metric=ggr&country=Malta`);
    running.child.kill('SIGTERM');
    await running.ended;
    expect((await readdir(dataDir, { recursive: true })).sort()).toEqual(before);
  });
});
