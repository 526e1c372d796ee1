// Starts the server: settings, Redis, snapshots, app; says where it listens; ends when it is asked to.

import './threads.ts';
import cluster from 'node:cluster';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createGate } from './access/gate.ts';
import { claimLink, INVITE_MS, invitesOf } from './access/invites.ts';
import { type OpenRedis, openRedis, RedisAway, RedisMissing } from './access/redis/connection.ts';
import { followSnapshots, type Snapshots } from './catalog/currentSnapshot.ts';
import { type Config, ConfigError, listeningUrl, readConfig } from './config.ts';
import { createApp } from './http/app.ts';
import { createGuard } from './http/middleware/authenticate.ts';
import { createPages } from './http/pages/pages.ts';
import { createServer, type HttpServer } from './http/server/server.ts';
import { logTo, openLog } from './log.ts';
import type { Observe } from './observations.ts';
import { END, onSignal, StartFailed, startProcesses } from './processes.ts';
import { createSelector, SELECTOR_DEFAULTS } from './query/select.ts';
import { threadsAdvice } from './threads.ts';

async function main(): Promise<void> {
  // Whoever started the server may close their end of its output: that is no reason to end.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
  const config = readConfig(process.env);
  const log = openLog(config.logLevel);
  const observe = logTo(log);
  if (config.processes === 1) {
    const redis = await serve(config, log);
    await announce(config, redis, observe);
  } else if (cluster.isPrimary) {
    // The primary owns a Redis client: workers that exit together cannot know which of them is last.
    const redis = openRedis({ address: config.redis, dataDir: config.dataDir });
    await startProcesses(config.processes, observe, () => redis.close());
    await announce(config, redis, observe);
  } else {
    await serve(config, log);
  }
}

/** Listens; gives the Redis client of this process. */
async function serve(config: Config, log: Logger): Promise<OpenRedis> {
  const observe = logTo(log);
  const { dataDir } = config;
  const redis = openRedis({ address: config.redis, dataDir, log });
  const connections = SELECTOR_DEFAULTS.running;
  const maxBytes = Math.floor(config.snapshotMemoryBytes / config.processes);
  const snapshots = followSnapshots({ dataDir, maxBytes, connections, log });
  const guard = createGuard(createGate(redis.client, config.rateLimits, log), observe);
  const pages = createPages({ redis: redis.client, log, settings: config });
  const app = createApp({ snapshots, selector: createSelector(), observe, settings: config, guard, pages });
  const http = createServer(app, observe, guard);
  endWhenAsked(http, redis);
  const [hasSnapshot, hasRedis] = await Promise.all([loadedInTime(snapshots), answersInTime(redis)]);
  const advice = threadsAdvice();
  if (saysForAll() && advice !== null) observe({ event: 'few threads', advice });
  if (saysForAll() && !hasSnapshot) observe({ event: 'no snapshot', dataDir });
  if (saysForAll() && !hasRedis) observe({ event: 'redis awaited' });
  await listen(http.server, config);
  return redis;
}

/** Of several processes one says what all of them find. */
const saysForAll = (): boolean => cluster.isPrimary || cluster.worker?.id === 1;

/** Says where the server listens, and prints a claim link when it was asked for one. */
async function announce(config: Config, redis: OpenRedis, observe: Observe): Promise<void> {
  const { host, port, publicUrl } = config;
  process.stdout.write(`Listening on ${listeningUrl(host, port)}\n`);
  if (config.linksLeadHereOnly) observe({ event: 'links lead here only', publicUrl, host });
  if (process.argv.includes(INVITE)) await printInvite(redis, publicUrl, observe);
}

/** The option by which `make start` asks for a claim link. */
const INVITE = '--invite';

/** How long the start waits for a missing snapshot or for Redis. */
const WAIT_MS = 2000;

/** How long a running request may take when the server is asked to end. */
const DRAIN_MS = 10_000;

const DAY_MS = 24 * 60 * 60 * 1000;

const USAGE = 2;

/** Whether a snapshot answers. One that is being loaded is waited for, however long that takes. */
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

/** Prints a claim link for whoever started the server as soon as Redis answers, and the next step. */
async function printInvite(redis: OpenRedis, publicUrl: string, observe: Observe): Promise<void> {
  try {
    await redis.answers(DAY_MS);
    const terms = { label: 'make start', expiresMs: INVITE_MS, by: 'make start' };
    const { token } = await invitesOf(redis.client).create(terms);
    process.stdout.write(`Claim a key:\n${claimLink(publicUrl, token)}\n`);
    process.stdout.write(`Then ask: curl -H "x-api-key: YOUR_KEY" ${publicUrl}/v1/catalog\n`);
  } catch (error) {
    observe({ event: 'no claim link', error });
  }
}

function listen(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const problem = LISTEN_PROBLEMS[error.code ?? ''] ?? (isUnresolved(error) ? unresolved : null);
      reject(problem ? new ConfigError(problem(port, host)) : error);
    };
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      resolve();
    });
  });
}

const isUnresolved = ({ syscall }: NodeJS.ErrnoException): boolean => syscall === 'getaddrinfo';

const unresolved = (_port: number, host: string): string =>
  `HOST: "${host}" cannot be resolved to an address; use an address or a name of this machine, such as 127.0.0.1`;

const LISTEN_PROBLEMS: Readonly<Record<string, (port: number, host: string) => string>> = {
  EADDRINUSE: (port, host) => `PORT: ${port} on ${host} is in use; stop what uses it, or choose another port`,
  EACCES: (port) => `PORT: ${port} may not be used by this user; use one from 1024 to 65535`,
  EADDRNOTAVAIL: (_, host) => `HOST: "${host}" is no address of this machine; use 127.0.0.1`,
  EAFNOSUPPORT: (_, host) => `HOST: "${host}" is of a kind that this machine has not; use 127.0.0.1`,
  EINVAL: (_, host) =>
    `HOST: "${host}" cannot be listened on; a link-local address needs its zone, such as fe80::1%eth0`,
};

/** The first signal lets running requests end, a second one does not. */
function endWhenAsked(http: HttpServer, redis: OpenRedis): void {
  let ending = false;
  const begin = () => {
    if (ending) return;
    ending = true;
    void http
      .drain(DRAIN_MS)
      .then(() => redis.close())
      .finally(() => process.exit(0));
  };
  if (cluster.isWorker) process.on('message', (message) => message === END && begin());
  onSignal(() => (ending ? process.exit(0) : begin()));
}

main().catch((error: unknown) => {
  if (error instanceof StartFailed) process.exit(error.exitCode);
  const isExpected = error instanceof ConfigError || error instanceof RedisMissing;
  process.stderr.write(`${isExpected ? error.message : (error as Error)?.stack}\n`);
  process.exit(isExpected ? USAGE : 1);
});
