// Starts three servers behind HAProxy with deploy/haproxy/haproxy.cfg: `await startProxiedServers({ dataDir, redisUrl })`.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { keysOf } from '../../src/access/keys/keys.ts';
import type { RedisClient } from '../../src/access/redis/connection.ts';
import { freePort } from '../support/freePort.ts';
import { removeFolder } from '../support/removeFolder.ts';
import { type ServerProcess, spawnServer } from '../support/serverProcess.ts';
import type { Load } from '../support/steadyLoad.ts';

export interface ProxiedServers {
  /** The proxy's address. */
  readonly url: string;
  /** The address of each server. */
  readonly servers: readonly string[];
  /**
   * Restarts one server; resolves when it is ready.
   *
   * @param folder The folder of the built program; this checkout when left out.
   */
  restart(server: string, folder?: string): Promise<void>;
  /** Sends a request through the proxy; returns its status. */
  ask(key: string): Promise<number>;
  /**
   * How often servers logged that Redis was too slow to check requests. They then answer 503, as happens on a busy machine.
   */
  tooSlow(): number;
  close(): Promise<void>;
}

interface Terms {
  /** One data directory for all servers, or one for each. */
  readonly dataDir: string | readonly string[];
  readonly redisUrl: string;
  /** The folder of the built program; this checkout when left out. */
  readonly folder?: string;
  /** More settings of every server. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Programs that are needed and not installed. */
export const missingPrograms = (): string[] =>
  ['haproxy', 'redis-server'].filter((program) => spawnSync(program, ['-v']).status !== 0);

/** Starts the servers and the proxy. Resolves when all servers are ready. */
export async function startProxiedServers({
  dataDir,
  redisUrl,
  folder,
  settings = {},
}: Terms): Promise<ProxiedServers> {
  const ports = [await freePort(), await freePort(), await freePort()];
  const start = (port: string, program?: string): ServerProcess => {
    const own = typeof dataDir === 'string' ? dataDir : (dataDir[ports.indexOf(port)] ?? '');
    const needed = { PORT: port, DATA_DIR: own, REDIS_URL: redisUrl, TRUST_PROXY_HOPS: '1' };
    const quiet = { ACCESS_LOG: 'off', SNAPSHOT_MEMORY_MB: '256', PROGRAM: program ?? '' };
    return spawnServer({ ...settings, ...needed, ...quiet });
  };
  const running = new Map(ports.map((port) => [urlOf(port), start(port, folder)]));
  await Promise.all(ports.map((port) => ready(urlOf(port))));
  const proxy = await startProxy(ports);
  const started = [...running.values()];
  const stop = async (server: string) => {
    running.get(server)?.child.kill('SIGTERM');
    return await running.get(server)?.ended;
  };
  return {
    url: proxy.url,
    servers: ports.map(urlOf),
    async restart(server, program) {
      const code = await stop(server);
      if (code !== 0) throw new Error(`a server ended with ${code}: ${running.get(server)?.stderr}`);
      const next = start(new URL(server).port, program);
      running.set(server, next);
      started.push(next);
      await ready(server);
    },
    ask: (key) => statusOf(`${proxy.url}/v1/catalog`, key),
    tooSlow: () => started.flatMap(({ stderr }) => stderr.match(TOO_SLOW) ?? []).length,
    async close() {
      await Promise.all([...running.keys()].map(stop));
      await proxy.close();
    },
  };
}

/** Matches the line of the log about a slow Redis. A server logs at most one a second. */
const TOO_SLOW = /no answer in time"/g;

/** Asks on a connection of its own: the proxy may close an idle one just as it is used again. */
const statusOf = (url: string, key: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const options = { agent: false, headers: { 'x-api-key': key } };
    http
      .get(url, options, (response) => {
        response.resume().on('error', reject);
        response.on('end', () => resolve(response.statusCode ?? 0));
      })
      .on('error', reject);
  });

const urlOf = (port: string) => `http://127.0.0.1:${port}`;

async function ready(server: string): Promise<void> {
  const isReady = () =>
    fetch(`${server}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  for (let turns = 0; !(await isReady()); turns++) {
    if (turns > 600) throw new Error('a server does not become ready within a minute');
    await sleep(100);
  }
}

/** Starts HAProxy with deploy/haproxy/haproxy.cfg, in which the addresses are those of the test. */
async function startProxy(ports: readonly string[]) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'haproxy-'));
  const port = await freePort();
  let text = (await readFile('deploy/haproxy/haproxy.cfg', 'utf8')).replace(
    '127.0.0.1:8080',
    `127.0.0.1:${port}`,
  );
  for (const [i, server] of ports.entries())
    text = text.replace(`127.0.0.1:300${i + 1}`, `127.0.0.1:${server}`);
  const file = path.join(folder, 'haproxy.cfg');
  await writeFile(file, text);
  const child = spawn('haproxy', ['-f', file, '-db'], { stdio: 'ignore' });
  const url = urlOf(port);
  for (let turns = 0; ; turns++) {
    const { status } = await fetch(`${url}/v1/catalog`).catch(() => ({ status: 0 }));
    if (status === 401) break;
    if (turns > 200) throw new Error('the proxy does not answer');
    await sleep(50);
  }
  return {
    url,
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await removeFolder(folder);
    },
  };
}

/** A key with limits of its own. */
export async function issueKey(client: RedisClient, perMinute: number) {
  const keys = keysOf(client);
  const issued = await keys.issue({ label: 'test', by: 'test' });
  await keys.changeLimits(issued.id, { perMinute, perDay: 1_000_000_000 }, 'test');
  return issued;
}

/**
 * The failures of requests that a busy machine does not explain. If a server logged that Redis was too slow, answers of
 * servers with 503 are excused, up to one in a hundred.
 */
export function failuresOf(load: Load, site: ProxiedServers): string[] {
  const isExcused = (reason: string) => site.tooSlow() > 0 && reason.startsWith('503 of the server: ');
  const excused = [...load.reasons].filter(([reason]) => isExcused(reason));
  const count = excused.reduce((sum, [, times]) => sum + times, 0);
  const failures = [...load.reasons.keys()].filter((reason) => !isExcused(reason));
  return count > load.asked / 100 ? [...failures, `${count} × 503 of ${load.asked}`] : failures;
}

/** The figures of a load as one line. */
export const figuresOf = (load: Load): string =>
  JSON.stringify({
    asked: load.asked,
    statuses: Object.fromEntries(load.statuses),
    failedMs: load.firstFailureMs === null ? 0 : Math.round((load.lastFailureMs ?? 0) - load.firstFailureMs),
    slowestFailureMs: Math.round(load.slowestFailureMs),
    reasons: Object.fromEntries(load.reasons),
  });
