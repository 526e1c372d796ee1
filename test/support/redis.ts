// Real Redis for tests: `await openDatabase()` on the server of the run, or `await startRedis()` for a new server.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type OpenRedis, openRedis, type RedisClient } from '../../src/access/redis/connection.ts';
import { parseRedisAddress } from '../../src/access/redis/redisAddress.ts';
import { isListening } from '../../src/access/redis/startLock.ts';
import { removeFolder } from './removeFolder.ts';
import { service } from './services.ts';

/** A database of the Redis server that all test files of a run share. */
export interface TestDatabase {
  /** A connected client, like that of the server. */
  readonly client: RedisClient;
  /** The value for REDIS_URL. */
  readonly url: string;
  /** Opens another connection, which the test closes. */
  connect(): OpenRedis;
  /** Removes all keys. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

/** A Redis server of the test's own, for tests that pause, stop or configure it. */
export interface TestRedis extends TestDatabase {
  pause(): void;
  resume(): void;
  /** Ends the server at once, as `kill -9` does. */
  kill(): Promise<void>;
  /** Starts it again after `kill`, on the same socket and with its append-only file. */
  start(): Promise<void>;
}

/** Opens a database that no other caller gets. */
export async function openDatabase(): Promise<TestDatabase> {
  const { url } = await service('redis');
  const address = parseRedisAddress(url) ?? null;
  const connect = () => openRedis({ address, dataDir: '' });
  const { client, untilAnswered, close } = connect();
  await untilAnswered(60_000);
  return {
    client,
    url,
    connect,
    async empty() {
      await client.flushdb();
    },
    close,
  };
}

/** The answer of `redisProgram` for all test files of a worker, because asking takes a process. */
const worker = globalThis as { testRedisProgram?: string };

/** redis-server or valkey-server, whichever is installed. */
export function redisProgram(): string {
  const isInstalled = (program: string) => spawnSync(program, ['--version']).status === 0;
  worker.testRedisProgram ??= ['redis-server', 'valkey-server'].find(isInstalled) ?? 'redis-server';
  return worker.testRedisProgram;
}

/** Starts a redis-server for one test. `args` are added to its command line. */
export async function startRedis(...args: readonly string[]): Promise<TestRedis> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'redis-'));
  const socket = path.join(folder, 'redis.sock');
  const url = `unix://${socket}`;
  const address = parseRedisAddress(url) ?? null;
  const connect = () => openRedis({ address, dataDir: folder });
  let child = await spawnRedis(socket, folder, args);
  const opened = connect();
  await opened.untilAnswered(60_000);
  return {
    client: opened.client,
    url,
    connect,
    async empty() {
      await opened.client.flushall();
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    kill: () => killed(child),
    async start() {
      child = await spawnRedis(socket, folder, args);
    },
    async close() {
      await opened.close();
      await killed(child);
      await removeFolder(folder);
    },
  };
}

async function spawnRedis(socket: string, folder: string, args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(
    redisProgram(),
    [
      ...['--port', '0', '--unixsocket', socket, '--dir', folder, '--save', '', '--appendonly', 'yes'],
      // With `everysec`, a busy disk delays writing. A kill would then lose acknowledged writes.
      ...['--appendfsync', 'no', '--loglevel', 'warning', ...args],
    ],
    { stdio: 'ignore' },
  );
  await once(child, 'spawn');
  while (!(await isListening(socket))) {
    if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
    await sleep(2);
  }
  return child;
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
