// Starts the built server as a process, as `npm start` does: `const server = spawnServer({ DATA_DIR, PORT })`.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach } from '@jest/globals';
import { keysOf } from '../../src/access/keys/keys.ts';
import { openRedis } from '../../src/access/redis/connection.ts';
import { aDataDir, type DataDir, publishRows } from './snapshot.ts';

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly stdout: string;
  readonly stderr: string;
  /** Resolves to the exit code. */
  readonly ended: Promise<number | null>;
  /** The address on which it listens, once it has printed it. */
  url(): Promise<string>;
}

/** The setting that skips the warm-up, which takes longer than a start. Most tests do not need it. */
export const WITHOUT_WARM_UP = { WARM_UP_SECONDS: '0' };

/**
 * Starts the server with these settings, in addition to those of the environment. The caller ends it. `PROGRAM` may name
 * the folder of another build.
 */
export function spawnServer(
  { PROGRAM: folder = '', ...settings }: Readonly<Record<string, string>>,
  ...args: readonly string[]
): ServerProcess {
  // The tests must not write to the Redis that the environment names.
  const { REDIS_URL: _, ...inherited } = process.env;
  const ours = { NODE_OPTIONS: '', UV_THREADPOOL_SIZE: '16', ...WITHOUT_WARM_UP };
  const environment = { ...inherited, ...ours, ...settings };
  const child = spawn(process.execPath, [path.resolve(folder, 'dist/src/start.js'), ...args], {
    env: environment,
  });
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    output.stderr += chunk;
  });
  return {
    child,
    get stdout() {
      return output.stdout;
    },
    get stderr() {
      return output.stderr;
    },
    ended: once(child, 'close').then(([code]) => code as number | null),
    async url() {
      for (let turns = 0; turns < 6000; turns++) {
        const [, url] = /^Listening on (http:\S+)$/m.exec(output.stdout) ?? [];
        if (url) return url;
        if (child.exitCode !== null) throw new Error(`it ended: ${output.stderr}`);
        await sleep(10);
      }
      throw new Error(`it does not listen: ${output.stdout} ${output.stderr}`);
    },
  };
}

/** Starts servers over one data directory for the tests of a file: `const { start } = serversOfTests()`. */
export function serversOfTests(): TestServers {
  let directory: DataDir;
  let started: ServerProcess[];
  beforeEach(async () => {
    directory = await aDataDir();
    await publishRows(directory.dataDir, '2026-11.1');
    started = [];
  });
  afterEach(async () => {
    for (const { child, ended } of started) {
      child.kill('SIGTERM');
      await ended;
    }
    await directory.remove();
  });
  return {
    get dataDir() {
      return directory.dataDir;
    },
    start(settings, ...args) {
      const running = spawnServer({ DATA_DIR: directory.dataDir, ...settings }, ...args);
      started.push(running);
      return running;
    },
  };
}

interface TestServers {
  /** A data directory with one snapshot, new for each test. */
  readonly dataDir: string;
  /** Starts a server that ends after the test. */
  start(settings: Readonly<Record<string, string>>, ...args: readonly string[]): ServerProcess;
}

/** Issues a key in the private Redis of a data directory, which it starts if necessary. Returns the text of the key. */
export async function aKeyOf(dataDir: string): Promise<string> {
  const redis = openRedis({ address: null, dataDir });
  await redis.untilAnswered(60_000);
  const { key } = await keysOf(redis.client).issue({ label: 'test', by: 'test' });
  await redis.close();
  return key;
}

/** Processes whose parent is `pid`, other than Redis. */
export function childrenOf(pid: number | undefined): number[] {
  const statOf = (one: string) => {
    try {
      return readFileSync(`/proc/${one}/stat`, 'utf8');
    } catch {
      return '';
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      const [, command = '', parent] = /\((.*)\) \S (\d+)/.exec(statOf(name)) ?? [];
      return Number(parent) === pid && !command.startsWith('redis');
    })
    .map(Number);
}
