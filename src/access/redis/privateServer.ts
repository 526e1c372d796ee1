// Runs the private Redis server of a data directory: the first process starts it, others share it, the last one stops it.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Redis } from 'ioredis';
import { sha256 } from '../../basics/sha256.ts';
import type { Observe } from '../../observations.ts';
import { makeFolders } from '../../system/makeFolders.ts';
import { expectReadable, type FilesBeforeStart, filesBeforeStart, lossAtStart } from './appendOnlyFiles.ts';
import { otherOwnerRemedy } from './redisReason.ts';
import { logOf, reasonIn } from './serverLog.ts';
import { ANNOUNCEMENT_BYTES, isListening, withStartLock } from './startLock.ts';
import { type StartTries, startTries } from './startTries.ts';
import { watchAppendOnlyFiles } from './watchAppendOnlyFiles.ts';

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

/** Keeps a Redis server for a data directory running until `close`. It shares a running server, or else starts one. */
export class PrivateServer {
  readonly client: Redis;
  /** Rejects with RedisMissing when no redis-server is installed. Otherwise it never settles. */
  readonly failed: Promise<never>;
  readonly #files: ServerFiles;
  readonly #tries: StartTries;
  readonly #observe: Observe;
  readonly #closing = new AbortController();
  /** The server, if this process has started it. */
  #child: ChildProcess | null = null;
  #starting: Promise<void> | null = null;
  /** Settles when a loss of data at the last start has been reported. */
  #reported: Promise<void> = Promise.resolve();
  #closed: Promise<void> | null = null;

  constructor(dataDir: string, connect: (socket: string) => Redis, observe: Observe) {
    this.#files = filesOf(dataDir);
    this.client = connect(this.#files.socket);
    this.#observe = observe;
    const { promise, reject } = rejectable();
    this.failed = promise;
    this.#tries = startTries({
      start: () => this.#startIfNone(),
      signal: this.#closing.signal,
      onFailure(error) {
        if (error instanceof RedisMissing) reject(error);
      },
      observe,
    });
    this.client.on('close', this.#keepRunning);
    this.client.on('ready', this.#tries.recordSuccess);
    process.on('exit', this.#endChild);
    void watchAppendOnlyFiles(this.#files.folder, this.client, observe, this.#closing.signal);
    void this.#keepRunning().then(() => {
      if (!this.#closing.signal.aborted) this.client.connect().catch(() => {});
    });
  }

  /** Starts the server if none runs. Called at the beginning, and whenever the connection is lost. */
  readonly #keepRunning = (): Promise<void> => {
    this.#starting ??= this.#tries.untilStarted().finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  };

  async #startIfNone(): Promise<void> {
    const { base, folder, socket } = this.#files;
    const { signal } = this.#closing;
    const startIfNone = async () => {
      if (signal.aborted || (await isListening(socket))) return;
      const before = await filesBeforeStart(folder, logOf(folder));
      // The child is stored before the server listens, so that this process stops the server even if it ends before that.
      const started = await start(folder, socket, signal, (child) => {
        this.#child = child;
      });
      void this.#reportEnd(started, before);
    };
    try {
      if (!(await isListening(socket))) await withStartLock(base, startIfNone, signal);
    } catch (error) {
      const { message } = error as Error;
      throw message.startsWith('connect EACCES')
        ? new Error(message + otherOwnerRemedy(message, folder))
        : error;
    }
  }

  /**
   * Reports the data that a server has lost at its start, and a server that opened its socket and ended before it answered,
   * because its data is damaged.
   */
  async #reportEnd(started: ChildProcess, before: FilesBeforeStart): Promise<void> {
    let hasAnswered = false;
    const answer = () => {
      hasAnswered = true;
      this.#reported = this.#reportLoss(before);
    };
    // The client may have connected again before this method was called.
    if (this.client.status === 'ready') answer();
    else this.client.once('ready', answer);
    if (!hasEnded(started)) await once(started, 'exit').catch(() => {});
    this.client.off('ready', answer);
    if (!hasAnswered) this.#tries.recordFailure(await notStarted(started, this.#files.folder));
  }

  async #reportLoss(before: FilesBeforeStart): Promise<void> {
    const { folder } = this.#files;
    const reason = await lossAtStart(folder, logOf(folder), before);
    if (reason !== null) this.#observe({ event: 'redis lost data', reason });
  }

  /**
   * Stops the server that this process has started. Called however this process ends, except by SIGKILL. After SIGKILL the
   * server still runs, and the next process shares it.
   */
  readonly #endChild = (): void => void this.#child?.kill('SIGTERM');

  readonly close = (): Promise<void> => {
    this.#closed ??= this.#closeOnce();
    return this.#closed;
  };

  async #closeOnce(): Promise<void> {
    this.#closing.abort();
    this.client.off('close', this.#keepRunning);
    process.off('exit', this.#endChild);
    await this.#starting;
    await this.#reported;
    await stop(this.client, this.#child, this.#files.socket);
  }
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

interface ServerFiles {
  readonly folder: string;
  /** The path with which the names of the server's sockets begin. */
  readonly base: string;
  readonly socket: string;
}

function filesOf(dataDir: string): ServerFiles {
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
  const base = socketBaseOf(real);
  return { folder: real, base, socket: `${base}.sock` };
}

/**
 * The path with which the sockets begin. It is in the folder itself, or in a temporary folder if it would be too long
 * there.
 */
function socketBaseOf(folder: string): string {
  const base = path.join(folder, 'redis');
  if (Buffer.byteLength(base) + ANNOUNCEMENT_BYTES <= MAX_SOCKET_PATH_BYTES) return base;
  return path.join(ownTemporary(), sha256(folder, 'hex').slice(0, 16));
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

/** Starts the server, and waits until it listens. `began` gets its process at once. */
async function start(
  folder: string,
  socket: string,
  signal: AbortSignal,
  began: (child: ChildProcess) => void,
): Promise<ChildProcess> {
  const program = await installedProgram(signal);
  await expectReadable(folder, program);
  const child = spawned(program.name, [
    ...['--port', '0', '--unixsocket', socket, '--unixsocketperm', '700', '--dir', folder],
    ...['--appendonly', 'yes', '--save', '', '--maxmemory-policy', 'noeviction', '--databases', '1'],
    ...['--daemonize', 'no', '--logfile', logOf(folder), '--loglevel', 'warning'],
  ]);
  began(child);
  await once(child, 'spawn');
  const deadlineMs = performance.now() + START_MS;
  while (!(await isListening(socket))) {
    if (hasEnded(child) || performance.now() > deadlineMs) {
      child.kill('SIGKILL');
      throw await notStarted(child, folder);
    }
    await sleep(5);
  }
  return child;
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

const notStarted = async ({ spawnfile }: ChildProcess, folder: string): Promise<Error> =>
  new Error(`${spawnfile} did not start${await reasonIn(logOf(folder))}`);

/** The program of the server that is installed, and its version. */
async function installedProgram(
  signal: AbortSignal,
): Promise<{ readonly name: string; readonly version: string }> {
  for (const name of PROGRAMS) {
    const printed = await promisify(execFile)(name, ['--version'], { signal, timeout: START_MS }).catch(
      (error: NodeJS.ErrnoException & { readonly killed?: boolean }) => {
        if (error.killed) throw new Error(`${name} --version does not end`);
        if (error.code !== 'ENOENT') throw error;
        return null;
      },
    );
    if (printed !== null) return { name, version: /\bv=(\S+)/.exec(printed.stdout)?.[1] ?? '' };
  }
  throw new RedisMissing(INSTALL);
}

function spawned(program: string, args: readonly string[]): ChildProcess {
  // The server gets a process group of its own. So Ctrl-C reaches only our process, which then stops the server itself.
  const child = spawn(program, args, { detached: true, stdio: 'ignore' });
  child.on('error', () => {});
  child.unref();
  return child;
}

/**
 * How many other processes use the server. A process removes its own name before it counts. So when several processes leave
 * at the same time, the last one counts none and stops the server.
 */
async function countOthers(client: Redis): Promise<number> {
  await client.client('SETNAME', '');
  return String(await client.client('LIST')).split(` name=${CLIENT_NAME} `).length - 1;
}

/** The name of the connections of processes that need the server. A connection that only probes it has no name. */
export const CLIENT_NAME = 'data-api';

const STOP_MS = 3000;

/** Disconnects, and stops the server when no other process is connected. */
async function stop(client: Redis, child: ChildProcess | null, socket: string): Promise<void> {
  const others = await countOthers(client).catch(() => null);
  if (others === null) child?.kill('SIGTERM');
  else if (others === 0) client.shutdown().catch(() => {});
  // Commands already written still reach the server.
  client.disconnect();
  if (others !== null && others > 0) return;
  const deadlineMs = performance.now() + STOP_MS;
  while (await isListening(socket).catch(() => false)) {
    if (performance.now() > deadlineMs) return void child?.kill('SIGKILL');
    await sleep(5);
  }
}
