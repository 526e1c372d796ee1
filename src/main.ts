// Starts the server: settings, snapshots, engine, app; says where it listens; ends when asked to.

import './threads.ts';
import type { Server } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { followSnapshots, type Snapshots } from './catalog/follow.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { createApp } from './http/app.ts';
import { createServer, type HttpServer } from './http/server.ts';
import { createSelector, SELECTOR_DEFAULTS } from './query/select.ts';
import { threadsAdvice } from './threads.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  expectLoopback(config.host);
  // Many lines in one write: a write of its own for each costs a tenth of a request.
  const lines = pino.destination({
    dest: process.stderr.fd,
    sync: false,
    minLength: 4096,
    periodicFlush: 100,
  });
  const log = pino({ level: config.logLevel }, lines);
  process.once('exit', () => lines.flushSync());
  const advice = threadsAdvice();
  if (advice) log.warn(advice);
  const { dataDir, snapshotMemoryBytes: maxBytes } = config;
  const connections = SELECTOR_DEFAULTS.running;
  const snapshots = followSnapshots({ dataDir, maxBytes, connections, log });
  const app = createApp({ snapshots, selector: createSelector(), log, settings: config });
  const http = createServer(app, log);
  endOnSignals(http);
  if (!(await loadedInTime(snapshots)))
    log.warn({ dataDir }, 'no snapshot to serve yet: answering 503 until one is published');
  await listen(http.server, config);
  http.server.on('error', (err) => log.error({ err }, 'a connection could not be taken'));
  process.stdout.write(`Listening on ${addressOf(config)}\n`);
}

/** How long a missing snapshot is waited for before the server listens without one. */
const WAIT_MS = 2000;

/** How long a running request may take when the server is asked to end. */
const DRAIN_MS = 10_000;

const USAGE = 2;

/** Nobody asks for a key yet, so nobody but this machine may ask for data. */
function expectLoopback(host: string): void {
  const loopback = new BlockList();
  loopback.addSubnet('127.0.0.0', 8);
  loopback.addAddress('::1', 'ipv6');
  const family = isIP(host) === 6 ? 'ipv6' : 'ipv4';
  if (host === 'localhost' || (isIP(host) !== 0 && loopback.check(host, family))) return;
  throw new ConfigError(
    `HOST: ${JSON.stringify(host)} is not a loopback address, and there is no access control yet; ` +
      'use 127.0.0.1, ::1 or localhost',
  );
}

/** A snapshot that is being loaded is waited for, however long it takes. */
function loadedInTime(snapshots: Snapshots): Promise<boolean> {
  const inTime = snapshots.loaded.then(() => true);
  const late = sleep(WAIT_MS).then(() => snapshots.looked);
  return Promise.race([inTime, late.then(() => false)]);
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

const addressOf = ({ host, port }: Config) => `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;

/** The first signal lets running requests end, the second does not. */
function endOnSignals(http: HttpServer): void {
  let ending = false;
  const end = () => {
    if (ending) process.exit(0);
    ending = true;
    void http.drain(DRAIN_MS).finally(() => process.exit(0));
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

main().catch((error: unknown) => {
  const isExpected = error instanceof ConfigError;
  process.stderr.write(`${isExpected ? error.message : (error as Error)?.stack}\n`);
  process.exit(isExpected ? USAGE : 1);
});
