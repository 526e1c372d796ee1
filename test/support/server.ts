// Starts a real server for tests: `const server = await startServer({ rows: { ggr: [aRow('ggr')] } })`.

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RequestHandler } from 'express';
import { CACHES, type Caches } from '../../src/cache/caches.ts';
import { type FollowOptions, followSnapshots, type Snapshots } from '../../src/catalog/snapshots.ts';
import type { ExportOptions } from '../../src/http/api/export/export.ts';
import type { ReadUsage } from '../../src/http/api/usage.ts';
import { createApp } from '../../src/http/app.ts';
import { type Authenticator, admitEverybody } from '../../src/http/middleware/authenticator.ts';
import type { Readiness } from '../../src/http/probes.ts';
import type { AllowedOrigins } from '../../src/http/server/crossOrigin.ts';
import { createServer } from '../../src/http/server/server.ts';
import { type LogWriter, logTo } from '../../src/log/log.ts';
import type { Observe } from '../../src/observations.ts';
import { createSelector, SELECTOR_DEFAULTS, type Selector } from '../../src/query/selection/selector.ts';
import type { Yielding } from '../../src/query/yielding.ts';
import { LONG_DEADLINE_MS, withLongDeadlines } from './longDeadlines.ts';
import { aDataDir, publishRows, type Rows } from './snapshot.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; `undefined` when the body is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of a body.
  readonly json: any;
}

export interface TestServer {
  readonly server: Server;
  /** Ends the server as a signal does. */
  drain(deadlineMs: number): Promise<void>;
  readonly snapshots: Snapshots;
  /** The address, without a slash at the end. */
  readonly url: string;
  readonly dataDir: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  close(): Promise<void>;
}

export interface StartOptions {
  /** The rows that are published as 2026-11.1. Datasets left out get one default row. Ignored when `dataDir` is given. */
  readonly rows?: Rows;
  /** A data directory, which the test removes. */
  readonly dataDir?: string;
  /** The snapshots of another server, which closes them. Sharing them makes the start faster. */
  readonly snapshots?: Snapshots;
  /** The port of a server that replaces another one; any free port when left out. */
  readonly port?: number;
  readonly settings?: {
    readonly cacheMaxAgeSeconds?: number;
    readonly trustProxyHops?: number;
    readonly corsOrigins?: AllowedOrigins;
    readonly publicUrl?: string;
  };
  readonly log?: LogWriter;
  /** Receives every observation, besides the log. */
  readonly observe?: Observe;
  readonly follow?: Partial<FollowOptions>;
  readonly selector?: Selector;
  readonly caches?: Caches;
  readonly exports?: ExportOptions;
  readonly yielding?: Yielding;
  readonly authenticator?: Authenticator;
  readonly readUsage?: ReadUsage;
  readonly pages?: readonly RequestHandler[];
  readonly readiness?: Readiness;
}

const silent: LogWriter = { info() {}, warn() {}, error() {} };

/** Starts a server in this process. Without `dataDir` and `snapshots`, it makes a data directory, which `close` removes. */
export async function startServer(options: StartOptions = {}): Promise<TestServer> {
  const { log = silent, settings, follow, pages } = options;
  const caches = withLongDeadlines(options.caches ?? CACHES);
  const { selector = createSelector(SELECTOR_DEFAULTS, caches, options.observe) } = options;
  const authenticator = options.authenticator ?? admitEverybody;
  const write = logTo(log);
  const observe: Observe = (observation) => {
    options.observe?.(observation);
    write(observation);
  };
  const isShared = options.snapshots !== undefined;
  const made = options.dataDir === undefined && !isShared ? await aDataDir() : null;
  const dataDir = options.dataDir ?? made?.dataDir ?? '';
  if (made) await publishRows(dataDir, '2026-11.1', options.rows);
  const snapshots =
    options.snapshots ??
    followSnapshots({
      dataDir,
      maxBytes: 2 ** 31,
      connections: SELECTOR_DEFAULTS.permits,
      observe,
      pollMs: 100,
      openDeadlineMs: LONG_DEADLINE_MS,
      ...follow,
    });
  await snapshots.firstPoll;
  const app = createApp({
    snapshots,
    selector,
    observe,
    settings: { cacheMaxAgeSeconds: 3600, publicUrl: 'http://127.0.0.1:3000', ...settings },
    caches,
    ...(options.exports && { exports: options.exports }),
    ...(options.yielding && { yielding: options.yielding }),
    authenticator,
    ...(options.readUsage && { readUsage: options.readUsage }),
    ...(pages && { pages }),
    ...(options.readiness && { readiness: options.readiness }),
  });
  const { server, drain } = createServer(app, observe, authenticator);
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    server,
    drain,
    snapshots,
    url,
    dataDir,
    async get(path, headers = {}) {
      const response = await fetch(url + path, { headers });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, json: jsonOf(text) };
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      if (!isShared) await snapshots.close();
      await made?.remove();
    },
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
