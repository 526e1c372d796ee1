// The private redis-server of a data directory: started when there is none, shared when there is, stopped by the last.

import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Log } from '../../catalog/currentSnapshot.ts';
import { ANNOUNCEMENT_BYTES, alone, isListening } from './startLock.ts';

export interface PrivateRedis {
  readonly client: Redis;
  /** Rejects with RedisMissing when there is nothing to start; never settles otherwise. */
  readonly failed: Promise<never>;
  close(): Promise<void>;
}

/** There can be no private Redis here; the message says what to do. */
export class RedisMissing extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RedisMissing';
  }
}

const INSTALL = `Neither redis-server nor valkey-server is installed. Install one, or use another Redis:
  Debian, Ubuntu   apt-get install redis-server
  macOS            brew install redis
  Alpine           apk add valkey
  any              REDIS_URL=redis://…`;

/** In the order they are looked for on the PATH. */
const PROGRAMS = ['redis-server', 'valkey-server'];

/** Keeps a Redis running on `dataDir` for as long as this process wants one. */
export function keepPrivateRedis(
  dataDir: string,
  connect: (socket: string) => Redis,
  log: Log,
): PrivateRedis {
  const { folder, base } = placesOf(dataDir);
  const socket = `${base}.sock`;
  const client = connect(socket);
  let child: ChildProcess | null = null;
  let closing = false;
  let closed: Promise<void> | null = null;
  let fail: (error: Error) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => {});

  async function startIfNone(): Promise<void> {
    if (await isListening(socket)) return;
    await alone(base, async () => {
      if (closing || (await isListening(socket))) return;
      child = await start(folder, socket);
    });
  }

  /** At the start, and whenever the connection is lost. */
  let keeping: Promise<void> | null = null;
  const keep = () => {
    keeping ??= (async () => {
      let told = '';
      while (!closing) {
        try {
          return await startIfNone();
        } catch (error) {
          if (error instanceof RedisMissing) fail(error);
          const { message } = error as Error;
          if (message !== told) log.error({ reason: message }, 'the private Redis cannot be started');
          told = message;
        }
        await sleep(500);
      }
    })().finally(() => {
      keeping = null;
    });
    return keeping;
  };
  client.on('close', keep);
  // However this process ends, but by kill -9: after that the next one finds Redis running.
  const end = () => child?.kill('SIGTERM');
  process.on('exit', end);
  void keep().then(() => {
    if (!closing) client.connect().catch(() => {});
  });

  return {
    client,
    failed,
    close() {
      closed ??= (async () => {
        closing = true;
        client.off('close', keep);
        process.off('exit', end);
        await keeping;
        await stop(client, child, socket);
      })();
      return closed;
    },
  };
}

/** A socket's path has to be shorter than 104 bytes on some systems, 108 on others. */
const MOST_SOCKET_BYTES = 103;

/** Where its files lie, and what the names of its sockets begin with. */
function placesOf(dataDir: string): { folder: string; base: string } {
  const folder = path.join(dataDir, 'redis');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new RedisMissing(
      `DATA_DIR: no private Redis can be kept there (${(error as Error).message}); choose a folder that can be written, or set REDIS_URL`,
    );
  }
  // The same folder by another name has the same sockets.
  const real = realpathSync(folder);
  const base = path.join(real, 'redis');
  if (Buffer.byteLength(base) + ANNOUNCEMENT_BYTES <= MOST_SOCKET_BYTES) return { folder: real, base };
  return {
    folder: real,
    base: path.join(ownTemporary(), createHash('sha256').update(real).digest('hex').slice(0, 16)),
  };
}

/** A folder with a short name that is this user's alone: others may write beside it. */
function ownTemporary(): string {
  const user = process.getuid?.() ?? 0;
  const folder = `/tmp/data-api-${user}`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== user || (found.mode & 0o077) !== 0) {
    throw new RedisMissing(
      `${folder} is not this user's own folder (mode 700): remove it, or choose a shorter DATA_DIR`,
    );
  }
  return folder;
}

/** How long it may take until the socket is there; data is loaded after that. */
const START_MS = 10_000;

async function start(folder: string, socket: string): Promise<ChildProcess> {
  const logFile = path.join(folder, 'redis.log');
  const child = await spawned([
    ...['--port', '0', '--unixsocket', socket, '--unixsocketperm', '700', '--dir', folder],
    ...['--appendonly', 'yes', '--save', '', '--maxmemory-policy', 'noeviction', '--databases', '1'],
    ...['--daemonize', 'no', '--logfile', logFile, '--loglevel', 'warning'],
  ]);
  const deadline = performance.now() + START_MS;
  while (!(await isListening(socket))) {
    if (child.exitCode !== null || child.signalCode !== null || performance.now() > deadline) {
      child.kill('SIGKILL');
      const lines = (await readFile(logFile, 'utf8').catch(() => '')).trim().split('\n');
      throw new Error(`${child.spawnfile} did not start: ${lines.at(-1)} (${logFile})`);
    }
    await sleep(5);
  }
  return child;
}

async function spawned(args: readonly string[]): Promise<ChildProcess> {
  for (const program of PROGRAMS) {
    // A group of its own: Ctrl-C is for the server, which ends its Redis when the last answer has left.
    const child = spawn(program, args, { detached: true, stdio: 'ignore' });
    const found = await once(child, 'spawn').then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        return false;
      },
    );
    if (!found) continue;
    child.on('error', () => {});
    child.unref();
    return child;
  }
  throw new RedisMissing(INSTALL);
}

/** Of those who leave at the same time each has taken its name off before it counts, so that one is the last. */
async function othersThan(client: Redis): Promise<number> {
  await client.client('SETNAME', '');
  return String(await client.client('LIST')).split(` name=${CLIENT_NAME} `).length - 1;
}

/** By which those who want Redis kept are told from those who only look whether it is there. */
export const CLIENT_NAME = 'data-api';

/** How long Redis may take to end. */
const STOP_MS = 3000;

/** Whoever is connected keeps it: the last one ends it. */
async function stop(client: Redis, child: ChildProcess | null, socket: string): Promise<void> {
  const others = await othersThan(client).catch(() => null);
  if (others === null) child?.kill('SIGTERM');
  else if (others === 0) client.shutdown().catch(() => {});
  // What was written still leaves.
  client.disconnect();
  if (others !== null && others > 0) return;
  const deadline = performance.now() + STOP_MS;
  while (await isListening(socket).catch(() => false)) {
    if (performance.now() > deadline) return void child?.kill('SIGKILL');
    await sleep(5);
  }
}
