// A storm of connections that are cut, reset or stalled in every phase, or send rubbish, beside correct clients.

import { readdirSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { Random } from '../ingest/mutants/random.ts';
import { freePort } from '../support/freePort.ts';
import { retryUnavailable } from '../support/retryUnavailable.ts';
import { aKeyOf, childrenOf, spawnServer } from '../support/serverProcess.ts';
import { aDataDir, aRow, publishRows } from '../support/snapshot.ts';

/** Starts a server, runs a storm against it, and expects right answers in time and no open descriptors afterwards. */
export async function withstandStorm(PROCESSES: string, connections: number, seed: number): Promise<void> {
  const { dataDir, remove } = await aDataDir();
  await publishRows(dataDir, '2026-11.1', {
    ggr: Array.from({ length: 1000 }, (_, i) => aRow('ggr', { year: 1000 + i })),
  });
  const MANY = '1000000000';
  const server = spawnServer({
    DATA_DIR: dataDir,
    PORT: await freePort(),
    PROCESSES,
    RATE_LIMIT_PER_MINUTE: MANY,
    RATE_LIMIT_PER_DAY: MANY,
  });
  try {
    const url = await server.url();
    const key = await aKeyOf(dataDir);
    const serving = () => (PROCESSES === '1' ? [server.child.pid ?? 0] : childrenOf(server.child.pid));
    // A first storm opens all files that a process opens only once. Otherwise they would count as leaked descriptors.
    await storm({ url, key, connections: 100, seed: 0 });
    await sleep(1500);
    const pids = serving();
    const before = descriptorsOf(pids);
    const seen = await storm({ url, key, connections, seed });
    const { answers, wrong, slowestMs, strange, seconds, unavailable } = seen;
    process.stderr.write(
      `${connections} connections in ${seconds.toFixed(1)} s beside ${answers} answers, the slowest in ${slowestMs.toFixed(0)} ms\n`,
    );
    expect({ wrong, strange }).toEqual({ wrong: [], strange: [] });
    expect(unavailable).toBe(0);
    expect(slowestMs).toBeLessThan(1000);
    expect(serving()).toEqual(pids);
    expect(server.child.exitCode).toBeNull();
    expect(server.stderr).not.toMatch(/unhandled|uncaught|MaxListeners|"msg":"failed"|died/i);
    const deadlineMs = performance.now() + 10_000;
    while (descriptorsOf(pids) > before && performance.now() < deadlineMs) await sleep(50);
    expect(descriptorsOf(pids)).toBeLessThanOrEqual(before);
  } finally {
    server.child.kill('SIGTERM');
    const code = await server.ended;
    await remove();
    expect(code).toBe(0);
  }
}

interface StormOptions {
  readonly url: string;
  /** A valid key, without a limit that the storm could reach. */
  readonly key: string;
  readonly connections: number;
  readonly seed: number;
}

interface StormResult {
  /** The number of answers to correct clients. */
  readonly answers: number;
  /** Answers to these clients with other bytes than expected, and errors of their connections. */
  readonly wrong: readonly string[];
  /** The number of their answers that were 503. */
  readonly unavailable: number;
  /** The time of the slowest of their answers, without the time for which this process was busy. */
  readonly slowestMs: number;
  /** The beginnings of texts that the storm's connections received and that no server would send. */
  readonly strange: readonly string[];
  readonly seconds: number;
}

const AT_ONCE = 64;
const SOME_ANSWERS = 12;

/** Runs a storm. Resolves when all its connections have ended and the correct clients have some answers. */
async function storm({ url, key, connections, seed }: StormOptions): Promise<StormResult> {
  const startMs = performance.now();
  const behaving = await behave(url, key);
  const strange: string[] = [];
  let next = 0;
  const client = async () => {
    while (next < connections || behaving.isAwaited()) {
      const random = new Random(seed * 1_000_003 + next++);
      const text = await misbehave(Number(new URL(url).port), bytesOf(random, key), random);
      if (!isOurs(text)) strange.push(text.slice(0, 200));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  const seen = await behaving.stop();
  return { ...seen, strange, seconds: (performance.now() - startMs) / 1000 };
}

/** The number of open file descriptors of processes. */
const descriptorsOf = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + readdirSync(`/proc/${pid}/fd`).length, 0);

const PATHS = ['/v1/catalog', '/v1/financials?metric=ggr&limit=1000', '/v1/financials?metric=ggr&limit=3'];

/** Starts four correct clients, which keep their connections and compare each answer with the first one. */
async function behave(url: string, key: string) {
  const headers = { 'x-api-key': key };
  const ask = (path: string, agent: http.Agent) =>
    new Promise<string>((resolve, reject) => {
      const request = http.get(url + path, { headers, agent, timeout: 20_000 }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve(`${response.statusCode} ${Buffer.concat(chunks)}`));
        response.on('error', reject);
      });
      request.on('timeout', () => request.destroy(new Error('no answer in 20 s')));
      request.on('error', reject);
    });
  const first = new http.Agent({ keepAlive: true });
  const expected = new Map<string, string>();
  for (const path of PATHS) {
    const { text } = await retryUnavailable(async () => {
      const text = await ask(path, first);
      return { status: Number(text.slice(0, 3)), text };
    });
    expected.set(path, text);
  }
  first.destroy();

  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const seen = { answers: 0, wrong: [] as string[], unavailable: 0, slowestMs: 0 };
  let stopped = false;
  const client = async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = 0; !stopped; i++) {
      const path = PATHS[i % PATHS.length] ?? '';
      const startMs = performance.now();
      const text = await ask(path, agent).catch(String);
      const tookMs = performance.now() - startMs - delay.max / 1e6;
      seen.slowestMs = Math.max(seen.slowestMs, tookMs);
      if (text === expected.get(path) && text.startsWith('200 ')) seen.answers += 1;
      else if (text.startsWith('503 ')) seen.unavailable += 1;
      else seen.wrong.push(`${path}: ${text.slice(0, 200)}`);
      await sleep(25);
    }
    agent.destroy();
  };
  const clients = Array.from({ length: 4 }, client);
  return {
    isAwaited: () => seen.answers < SOME_ANSWERS && seen.wrong.length === 0,
    async stop() {
      stopped = true;
      await Promise.all(clients);
      delay.disable();
      return seen;
    },
  };
}

/** The bytes that one connection of the storm sends. */
function bytesOf(random: Random, key: string): string {
  const head = (line: string, ...more: string[]) =>
    `${[line, 'Host: x', ...(random.chance(0.5) ? [`x-api-key: ${key}`] : []), ...more].join('\r\n')}\r\n\r\n`;
  const get = () => head(`GET ${random.pick(PATHS)} HTTP/1.1`);
  const rubbish = () =>
    Array.from({ length: 1 + random.below(300) }, () => String.fromCharCode(random.below(256))).join('');
  const one = (): string =>
    random.pick([
      get,
      get,
      () => head('CONNECT a:1 HTTP/1.1'),
      () => `${head('CONNECT a:1 HTTP/1.1')}${rubbish()}`,
      () => head(`GET ${random.pick(PATHS)} HTTP/1.1`, 'Connection: Upgrade', 'Upgrade: websocket'),
      () => head('GET /v1/catalog HTTP/1.1', 'Expect: 100-continue', 'Content-Length: 10'),
      () => head('GET /v1/catalog HTTP/1.1', 'Expect: wonders'),
      () => `${head('POST /claim/x HTTP/1.1', 'Content-Length: 100')}a=${'b'.repeat(random.below(150))}`,
      () =>
        `${head('POST /admin HTTP/1.1', 'Transfer-Encoding: chunked')}${random.pick(['5\r\nabcde\r\n0\r\n\r\n', '5\r\nab', 'zz\r\n', 'ffffffff\r\n'])}`,
      () => head(`GET /v1/catalog?${'x'.repeat(random.below(80_000))} HTTP/1.1`),
      () => head('GET /v1/catalog HTTP/1.1', ...Array.from({ length: random.below(3000) }, () => 'a: b')),
      () => head('GET /v1/catalog HTTP/1.1', 'no colon'),
      () => head('OPTIONS * HTTP/1.1'),
      () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      rubbish,
    ])();
  const all = Array.from(
    {
      length: random.weighted([
        [3, 1],
        [2, 2],
        [1, 6],
      ] as const),
    },
    one,
  ).join('');
  return random.chance(0.3) ? all.slice(0, random.below(all.length)) : all;
}

/** Sends the bytes in random pieces, and ends the connection in a random way. Returns the text that the server sent. */
async function misbehave(port: number, bytes: string, random: Random): Promise<string> {
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: random.chance(0.5) });
  let text = '';
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const pause = (most: number) => sleep(random.below(most));
  if (random.chance(0.3)) socket.pause();
  else socket.on('data', (chunk) => (text += chunk.toString('latin1')));
  const cuts = Array.from({ length: random.below(3) }, () => random.below(bytes.length + 1)).sort(
    (a, b) => a - b,
  );
  for (const [i, cut] of [...cuts, bytes.length].entries()) {
    socket.write(bytes.slice(cuts[i - 1] ?? 0, cut), 'latin1');
    if (random.chance(0.5)) await pause(20);
  }
  await random.pick([
    () => void socket.resetAndDestroy(),
    () => void socket.destroy(),
    async () => {
      await pause(30);
      socket.resetAndDestroy();
    },
    async () => {
      socket.end();
      await pause(60);
    },
    async () => {
      await pause(60);
      socket.write('rubbish behind it\r\n\r\n');
      await pause(20);
    },
    () => pause(200),
  ])();
  // The rest of an answer is not awaited.
  if (random.chance(0.5)) socket.resetAndDestroy();
  else socket.destroy();
  // A reset waits until all bytes are written, and the server may never read them. When the server closes first, Node emits
  // no event.
  const timer = setTimeout(() => socket.destroy(), 100);
  await Promise.race([closed, sleep(300)]);
  clearTimeout(timer);
  // A socket without a closing event would keep this process alive.
  socket.unref();
  return text;
}

/** Whether a text begins like an answer of the server, or is too short to decide. */
function isOurs(text: string): boolean {
  const begin = text.slice(0, 12);
  return /^HTTP\/1\.1 (?:100|2\d\d|304|4\d\d|503)$/.test(begin) || 'HTTP/1.1 '.startsWith(begin.slice(0, 9));
}
