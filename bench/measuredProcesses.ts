// Starts the measured programs as processes, and runs the load generator against them.

import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { keysOf } from '../src/access/keys/keys.ts';
import { openRedis } from '../src/access/redis/connection.ts';
import { freePort } from './benchPort.ts';
import { HERE } from './harness.ts';
import type { LoadJob, LoadResult } from './loadGenerator.ts';

export interface Running {
  /** The port, and the headers with the key. */
  readonly to: { readonly port: number; readonly headers: string };
  /** The milliseconds from the start of the process to its line `Listening`. */
  readonly startedMs: number;
  /** The resident memory at present. */
  memoryBytes(): number;
  /** The CPU time of all threads of the process since its start. */
  cpuSeconds(): number;
  stop(): Promise<void>;
}

/** Starts our server on a data directory as `npm start` does. `settings` are added to those of the environment. */
export async function startOurs(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const server = await start('../src/start.js', (port) => ({
    args: [],
    // Keys are checked and their requests counted as usual, but the limits are never reached.
    env: {
      DATA_DIR: dataDir,
      PORT: String(port),
      RATE_LIMIT_PER_MINUTE: MANY,
      RATE_LIMIT_PER_DAY: MANY,
      ...settings,
    },
  }));
  return { ...server, to: { ...server.to, headers: `x-api-key: ${await keyOf(dataDir)}\r\n` } };
}

const MANY = '1000000000';

/** Issues a key in the private Redis of the server. */
export async function keyOf(dataDir: string): Promise<string> {
  const redis = openRedis({ address: null, dataDir });
  await redis.untilAnswered(10_000);
  const { key } = await keysOf(redis.client).issue({ label: 'bench', by: 'bench' });
  await redis.close();
  return key;
}

/** Starts a reference that serves `file`. For `keysetServer.js`, `file` is the folder with the socket of its database. */
export const startReference = (
  script: 'quickServer.js' | 'bareExpress.js' | 'stockLimiters.js' | 'keysetServer.js',
  file: string,
  ...args: readonly string[]
): Promise<Running> => start(script, (port) => ({ args: [file, String(port), ...args], env: {} }));

/** The load generator. One process runs all jobs, so that only the first job waits for its compilation. */
let generator: ChildProcess | undefined;

/** Runs a job of the load generator. Throws when an answer was wrong. */
export async function loadOf(job: LoadJob): Promise<LoadResult> {
  generator ??= fork(path.join(HERE, 'loadGenerator.js'));
  generator.ref();
  generator.channel?.ref();
  generator.send(job);
  const [result] = (await once(generator, 'message')) as [LoadResult & { error?: string }];
  generator.unref();
  generator.channel?.unref();
  if (result.error !== undefined) throw new Error(result.error);
  return result;
}

/** Linux counts CPU time in hundredths of a second. */
const CLOCK_TICKS = 100;

/** Waits until the server has ended its warm-up. */
export async function ready({ to }: Running): Promise<void> {
  while ((await fetch(`http://127.0.0.1:${to.port}/readyz`)).status !== 200) await sleep(20);
}

/** The started programs that still run. They are ended with this process, even after an error. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGTERM');
});

async function start(
  script: string,
  options: (port: number) => { args: readonly string[]; env: Record<string, string> },
): Promise<Running> {
  const port = Number(await freePort());
  const { args, env } = options(port);
  const startMs = performance.now();
  const child = spawn(process.execPath, [path.join(HERE, script), ...args], {
    env: { ...process.env, UV_THREADPOOL_SIZE: '16', ...env },
    // The log is written, as in production, and nobody reads it.
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  await listening(child);
  return {
    to: { port, headers: '' },
    startedMs: performance.now() - startMs,
    memoryBytes: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024,
    cpuSeconds() {
      const [user, system] =
        readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11) ?? [];
      return (Number(user) + Number(system)) / CLOCK_TICKS;
    },
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

function listening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (text) => String(text).includes('Listening') && resolve());
    child.once('exit', (code) => reject(new Error(`ended with ${code} before it listened`)));
  });
}
