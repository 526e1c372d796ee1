// Starts the server: settings, Redis, snapshots, engine, app; says where it listens; ends when asked to.

import './threads.ts';
import cluster from 'node:cluster';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, pino } from 'pino';
import { createGate } from './access/gate.ts';
import { claimLink, INVITE_MS, invitesOf } from './access/invites.ts';
import { type OpenRedis, openRedis, RedisAway, RedisMissing } from './access/redis/connection.ts';
import { followSnapshots, type Log, type Snapshots } from './catalog/currentSnapshot.ts';
import { type Config, ConfigError, type LogLevel, listeningUrl, readConfig } from './config.ts';
import { createApp } from './http/app.ts';
import { createGuard } from './http/middleware/authenticate.ts';
import { createPages } from './http/pages/pages.ts';
import { createServer, type HttpServer } from './http/server/server.ts';
import { END, StartFailed, startProcesses } from './processes.ts';
import { createSelector, SELECTOR_DEFAULTS } from './query/select.ts';
import { threadsAdvice } from './threads.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = openLog(config.logLevel);
  if (config.processes === 1) {
    const redis = await serve(config, log);
    await announce(config, redis, log);
  } else if (cluster.isPrimary) {
    // Held here, for of processes that end together none is the last to leave it.
    const redis = openRedis({ address: config.redis, dataDir: config.dataDir });
    await startProcesses(config.processes, log, () => redis.close());
    await announce(config, redis, log);
  } else {
    await serve(config, log);
  }
}

function openLog(level: LogLevel): Logger {
  // Many lines in one write: a write of its own for each costs a tenth of a request.
  const lines = pino.destination({
    dest: process.stderr.fd,
    sync: false,
    minLength: 8192,
    periodicFlush: 100,
  });
  process.once('exit', () => lines.flushSync());
  return pino({ level }, lines);
}

/** Listens, or fails to; gives the Redis it holds. */
async function serve(config: Config, log: Logger): Promise<OpenRedis> {
  const advice = threadsAdvice();
  if (advice) log.warn(advice);
  const { dataDir } = config;
  const redis = openRedis({ address: config.redis, dataDir, log });
  const connections = SELECTOR_DEFAULTS.running;
  const maxBytes = Math.floor(config.snapshotMemoryBytes / config.processes);
  const snapshots = followSnapshots({ dataDir, maxBytes, connections, log });
  const guard = createGuard(createGate(redis.client, config.rateLimits, log));
  const pages = createPages({ redis: redis.client, log, settings: config });
  const app = createApp({ snapshots, selector: createSelector(), log, settings: config, guard, pages });
  const http = createServer(app, log);
  endOnSignals(http, redis);
  const [hasSnapshot, hasRedis] = await Promise.all([loadedInTime(snapshots), answersInTime(redis)]);
  if (!hasSnapshot) log.warn({ dataDir }, 'no snapshot to serve yet: answering 503 until one is published');
  if (!hasRedis) log.warn('Redis does not answer yet: answering 503 until it does');
  await listen(http.server, config);
  http.server.on('error', (err) => log.error({ err }, 'a connection could not be taken'));
  return redis;
}

/** Says where it listens, and a claim link where one was asked for. */
async function announce(config: Config, redis: OpenRedis, log: Log): Promise<void> {
  process.stdout.write(`Listening on ${listeningUrl(config.host, config.port)}\n`);
  if (process.argv.includes(INVITE)) await printInvite(redis, config.publicUrl, log);
}

/** The option by which `make start` asks for a claim link. */
const INVITE = '--invite';

/** How long a missing snapshot, or Redis, is waited for before the server listens without. */
const WAIT_MS = 2000;

/** How long a running request may take when the server is asked to end. */
const DRAIN_MS = 10_000;

const DAY_MS = 24 * 60 * 60 * 1000;

const USAGE = 2;

/** A snapshot that is being loaded is waited for, however long it takes. */
function loadedInTime(snapshots: Snapshots): Promise<boolean> {
  const inTime = snapshots.loaded.then(() => true);
  const late = sleep(WAIT_MS).then(() => snapshots.looked);
  return Promise.race([inTime, late.then(() => false)]);
}

async function answersInTime(redis: OpenRedis): Promise<boolean> {
  try {
    await redis.answers(WAIT_MS);
    return true;
  } catch (error) {
    if (error instanceof RedisAway) return false;
    throw error;
  }
}

/** A key for whoever started the server, as soon as Redis answers: the link stands alone on its line. */
async function printInvite(redis: OpenRedis, publicUrl: string, log: Log): Promise<void> {
  try {
    await redis.answers(DAY_MS);
    const terms = { label: 'make start', expiresMs: INVITE_MS, by: 'make start' };
    const { token } = await invitesOf(redis.client).create(terms);
    process.stdout.write(`Claim a key:\n${claimLink(publicUrl, token)}\n`);
  } catch (err) {
    log.error({ err }, 'no claim link could be made; npm run keys -- invite makes one');
  }
}

function listen(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const problem = LISTEN_PROBLEMS[error.code ?? ''];
      reject(problem ? new ConfigError(problem(port, host)) : error);
    });
    server.listen(port, host, () => resolve());
  });
}

const LISTEN_PROBLEMS: Readonly<Record<string, (port: number, host: string) => string>> = {
  EADDRINUSE: (port, host) => `PORT: ${port} on ${host} is in use; stop what uses it, or choose another port`,
  EACCES: (port) => `PORT: ${port} may not be used by this user; use one from 1024 to 65535`,
  EADDRNOTAVAIL: (_, host) => `HOST: "${host}" is no address of this machine; use 127.0.0.1`,
};

/** The first signal lets running requests end, the second does not. */
function endOnSignals(http: HttpServer, redis: OpenRedis): void {
  let ending = false;
  const begin = () => {
    if (ending) return;
    ending = true;
    void http
      .drain(DRAIN_MS)
      .then(() => redis.close())
      .finally(() => process.exit(0));
  };
  const end = () => {
    if (ending) process.exit(0);
    begin();
  };
  if (cluster.isWorker) process.on('message', (message) => message === END && begin());
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

main().catch((error: unknown) => {
  if (error instanceof StartFailed) process.exit(error.exitCode);
  const isExpected = error instanceof ConfigError || error instanceof RedisMissing;
  process.stderr.write(`${isExpected ? error.message : (error as Error)?.stack}\n`);
  process.exit(isExpected ? USAGE : 1);
});
