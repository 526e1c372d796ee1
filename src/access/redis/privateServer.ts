// The private Redis server of a data directory: the first process starts it, others share it, the last one stops it.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { makeFolders } from '../../makeFolders.ts';
import type { Observe } from '../../observations.ts';
import { sha256 } from '../../sha256.ts';
import { expectManifest } from './appendOnlyFiles.ts';
import { ANNOUNCEMENT_BYTES, isListening, withStartLock } from './startLock.ts';
import { startTries } from './startTries.ts';

export interface PrivateRedis {
  readonly client: Redis;
  /** Rejects with RedisMissing when no redis-server is installed. Otherwise it never settles. */
  readonly failed: Promise<never>;
  close(): Promise<void>;
}

/** No private Redis server can run here. The message says what to do. */
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

/** The names of the server's program, in the order in which they are tried. */
const PROGRAMS = ['redis-server', 'valkey-server'];

/** Keeps a Redis server for `dataDir` running until `close`. It shares a running server, or else starts one. */
export function runPrivateServer(
  dataDir: string,
  connect: (socket: string) => Redis,
  observe: Observe,
): PrivateRedis {
  const { folder, base } = filesOf(dataDir);
  const socket = `${base}.sock`;
  const client = connect(socket);
  let child: ChildProcess | null = null;
  const closing = new AbortController();
  let closed: Promise<void> | null = null;

  async function startIfNone(): Promise<void> {
    if (await isListening(socket)) return;
    await withStartLock(base, async () => {
      if (closing.signal.aborted || (await isListening(socket))) return;
      child = await start(folder, socket);
      void reportEnd(child);
    });
  }

  /** Reports a server that opened its socket and ended before it answered, because its data is damaged. */
  async function reportEnd(started: ChildProcess): Promise<void> {
    let hasAnswered = false;
    const answer = () => {
      hasAnswered = true;
    };
    client.once('ready', answer);
    if (!hasEnded(started)) await once(started, 'exit').catch(() => {});
    client.off('ready', answer);
    if (!hasAnswered) tries.fail(await notStarted(started, folder));
  }

  let starting: Promise<void> | null = null;
  const { promise: failed, reject: fail } = rejectable();
  const tries = startTries({
    start: startIfNone,
    signal: closing.signal,
    onFailure(error) {
      if (error instanceof RedisMissing) fail(error);
    },
    observe,
  });
  // Runs now, and whenever the connection is lost.
  const startAgain = () => {
    starting ??= tries.untilStarted().finally(() => {
      starting = null;
    });
    return starting;
  };
  client.on('close', startAgain);
  client.on('ready', tries.succeed);
  // Runs however this process ends, except by SIGKILL. After that, the next process shares the server, which still
  // runs.
  const end = () => child?.kill('SIGTERM');
  process.on('exit', end);
  void startAgain().then(() => {
    if (!closing.signal.aborted) client.connect().catch(() => {});
  });

  async function closeOnce(): Promise<void> {
    closing.abort();
    client.off('close', startAgain);
    process.off('exit', end);
    await starting;
    await stop(client, child, socket);
  }
  return {
    client,
    failed,
    close() {
      closed ??= closeOnce();
      return closed;
    },
  };
}

/** A promise with the function that rejects it. A rejection that nobody awaits does not end the process. */
function rejectable(): { promise: Promise<never>; reject: (error: Error) => void } {
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<never>((_, rejectPromise) => {
    reject = rejectPromise;
  });
  promise.catch(() => {});
  return { promise, reject };
}

/** The longest path of a socket. Systems allow less than 104 or 108 bytes. */
const MAX_SOCKET_PATH_BYTES = 103;

/** The folder of the server's files, and the path with which the names of all its sockets begin. */
function filesOf(dataDir: string): { folder: string; base: string } {
  const folder = path.join(dataDir, 'redis');
  try {
    makeFolders(folder, 0o700);
  } catch (error) {
    throw new RedisMissing(
      `DATA_DIR: no private Redis can be kept there (${(error as Error).message}); choose a folder that can be written, or set REDIS_URL`,
    );
  }
  // Links are resolved, so that processes with different names for the same folder use the same sockets.
  const real = realpathSync(folder);
  const base = path.join(real, 'redis');
  if (Buffer.byteLength(base) + ANNOUNCEMENT_BYTES <= MAX_SOCKET_PATH_BYTES) return { folder: real, base };
  return {
    folder: real,
    base: path.join(ownTemporary(), sha256(real, 'hex').slice(0, 16)),
  };
}

/** A folder with a short path, for sockets. Anybody may create folders in /tmp, so it must be this user's own. */
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

/** How long the server may take to open its socket. Loading its data comes later and does not count. */
const START_MS = 10_000;

/** The beginning of a line of Redis's log. It is removed, so that the same failure always has the same message. */
const PROCESS_AND_TIME = /^\d+:\w \d+ \w+ \d+ [\d:.]+ \S /;

async function start(folder: string, socket: string): Promise<ChildProcess> {
  await expectManifest(folder);
  const child = await spawned([
    ...['--port', '0', '--unixsocket', socket, '--unixsocketperm', '700', '--dir', folder],
    ...['--appendonly', 'yes', '--save', '', '--maxmemory-policy', 'noeviction', '--databases', '1'],
    ...['--daemonize', 'no', '--logfile', logOf(folder), '--loglevel', 'warning'],
  ]);
  const deadline = performance.now() + START_MS;
  while (!(await isListening(socket))) {
    if (hasEnded(child) || performance.now() > deadline) {
      child.kill('SIGKILL');
      throw await notStarted(child, folder);
    }
    await sleep(5);
  }
  return child;
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

const logOf = (folder: string): string => path.join(folder, 'redis.log');

const notStarted = async ({ spawnfile }: ChildProcess, folder: string): Promise<Error> =>
  new Error(`${spawnfile} did not start${await reasonIn(logOf(folder))}`);

/** The last line of Redis's log, or the reason why the log cannot be read. */
async function reasonIn(logFile: string): Promise<string> {
  try {
    const lastLine = (await readFile(logFile, 'utf8')).trim().split('\n').at(-1);
    return `: ${lastLine?.replace(PROCESS_AND_TIME, '') || 'its log is empty'} (${logFile})`;
  } catch (error) {
    return `, and its log ${logFile} cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
}

async function spawned(args: readonly string[]): Promise<ChildProcess> {
  for (const program of PROGRAMS) {
    // The server gets a process group of its own. So Ctrl-C reaches only our process, which then stops the server
    // itself.
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

/**
 * How many other processes use the server. A process removes its own name before it counts: when several processes
 * leave at the same time, the last one counts none.
 */
async function countOthers(client: Redis): Promise<number> {
  await client.client('SETNAME', '');
  return String(await client.client('LIST')).split(` name=${CLIENT_NAME} `).length - 1;
}

/** The name of the connections of processes that need the server. A connection that only probes it has no name. */
export const CLIENT_NAME = 'data-api';

/** How long the server may take to stop. */
const STOP_MS = 3000;

/** Disconnects, and stops the server when no other process is connected. */
async function stop(client: Redis, child: ChildProcess | null, socket: string): Promise<void> {
  const others = await countOthers(client).catch(() => null);
  if (others === null) child?.kill('SIGTERM');
  else if (others === 0) client.shutdown().catch(() => {});
  // Commands already written still reach the server.
  client.disconnect();
  if (others !== null && others > 0) return;
  const deadline = performance.now() + STOP_MS;
  while (await isListening(socket).catch(() => false)) {
    if (performance.now() > deadline) return void child?.kill('SIGKILL');
    await sleep(5);
  }
}
