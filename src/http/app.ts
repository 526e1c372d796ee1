// The service as an Express app: all routes in order, and the one place where errors are answered.

import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { CACHES, type Caches } from '../cache/caches.ts';
import { DATASET_NAMES } from '../catalog/datasets.ts';
import type { Snapshots } from '../catalog/snapshots.ts';
import { type HelpTopic, notFound } from '../errors.ts';
import type { Observe } from '../observations.ts';
import { createComputations } from '../query/computations/computations.ts';
import type { RunJob } from '../query/computations/jobs.ts';
import type { Selector } from '../query/selection/selector.ts';
import { createYielding, type Yielding } from '../query/yielding.ts';
import { catalog } from './api/catalog.ts';
import { changes } from './api/changes.ts';
import { datasetEntry, datasets } from './api/datasets.ts';
import { explain } from './api/explain.ts';
import { createExports, type ExportOptions } from './api/export/export.ts';
import { EXPORT_FORMATS } from './api/export/exportFormats.ts';
import { createHandlers } from './api/handler.ts';
import { financials, reference } from './api/rows.ts';
import { snapshotList } from './api/snapshots.ts';
import { totals } from './api/totals.ts';
import { type ReadUsage, usage } from './api/usage.ts';
import { values } from './api/values.ts';
import { docsRoutes } from './docs/docsRoutes.ts';
import { MCP_METHODS, mcp, mcpWithoutStream } from './mcp/mcp.ts';
import type { Authenticator } from './middleware/authenticator.ts';
import { healthz, type Readiness, readyz } from './probes.ts';
import { type AllowedOrigins, declareOrigins } from './server/crossOrigin.ts';
import { basePathIn, declarePublicUrl, requestIdOf } from './server/headers.ts';
import { isApiRequest, rawPath } from './server/requestUrl.ts';
import { publicError, sendEmpty, sendError } from './server/send.ts';

export interface AppDeps extends EndpointDeps {
  /**
   * The endpoints of another app, whose caches and compiled code this app then shares. When they are left out, this app
   * makes its own.
   */
  readonly endpoints?: Endpoints;
  /**
   * Another app, whose classes of requests and responses this app then uses. V8 compiles code for each class, so
   * compiled code serves both apps.
   */
  readonly classesOf?: Express;
  /**
   * Admits or refuses requests of known paths. Unknown paths get 404 without it (ruling 1). `admitEverybody` is for a
   * server without keys.
   */
  readonly authenticator: Authenticator;
  /** The handlers of the pages for people, which need no key. */
  readonly pages?: readonly RequestHandler[];
  /**
   * The state of Redis, the warm-up and the store, for `/readyz`. When it is left out, Redis counts as up and the server
   * as warm.
   */
  readonly readiness?: Readiness;
}

export interface EndpointDeps {
  readonly snapshots: Snapshots;
  readonly selector: Selector;
  readonly observe: Observe;
  /** The caches that make answers fast. A test replaces them by stand-ins that do nothing, and compares the answers. */
  readonly caches?: Caches;
  /** How many exports may run, and how fast their clients must read. */
  readonly exports?: ExportOptions;
  readonly yielding?: Yielding;
  /** Runs long computations, for example in threads. When it is left out, they run on the event loop. */
  readonly runJob?: RunJob;
  readonly settings: AppSettings;
  /** Reads the usage of a key; left out for a server without keys. */
  readonly readUsage?: ReadUsage;
}

/** The handlers of GET requests, by path. They do not check keys. */
export type Endpoints = Readonly<Record<string, RequestHandler>>;

interface AppSettings {
  readonly cacheMaxAgeSeconds: number;
  readonly trustProxyHops?: number;
  /** The origins whose scripts may ask the API; none when left out. */
  readonly corsOrigins?: AllowedOrigins;
  /**
   * The beginning of addresses in answers, without a slash at the end. With https, answers have
   * `Strict-Transport-Security`.
   */
  readonly publicUrl: string;
}

const METHODS = 'GET, HEAD, OPTIONS';

/** Makes the handlers of all endpoints. Each call makes caches of its own. */
export function createEndpoints({
  snapshots,
  selector,
  observe,
  caches = CACHES,
  exports,
  yielding = createYielding(),
  runJob,
  settings,
  readUsage,
}: EndpointDeps): Endpoints {
  const { cacheMaxAgeSeconds } = settings;
  const common = { snapshots, cacheMaxAgeSeconds, caches, yielding };
  const computations = createComputations(caches, runJob);
  const basePath = basePathIn(settings.publicUrl);
  const handlerOf = createHandlers({ ...common, selector, computations, basePath });
  const exportOf = createExports({ ...common, observe, options: exports });
  return {
    '/v1/financials': handlerOf(financials),
    '/v1/reference': handlerOf(reference),
    '/v1/catalog': handlerOf(catalog),
    '/v1/explain': handlerOf(explain(settings.publicUrl)),
    '/v1/values': handlerOf(values),
    '/v1/totals': handlerOf(totals),
    '/v1/changes': handlerOf(changes),
    '/v1/snapshots': handlerOf(snapshotList(snapshots)),
    '/v1/usage': usage(snapshots, readUsage),
    '/v1/datasets': handlerOf(datasets(basePath)),
    ...Object.fromEntries(
      DATASET_NAMES.map((name) => [`/v1/datasets/${name}`, handlerOf(datasetEntry(name, basePath))]),
    ),
    ...Object.fromEntries(
      DATASET_NAMES.flatMap((name) =>
        EXPORT_FORMATS.map((format) => [`/v1/export/${name}.${format}`, exportOf(name, format)]),
      ),
    ),
  };
}

/** Makes the app. Requests pass its routes in the order of this function. */
export function createApp(deps: AppDeps): Express {
  const { snapshots, observe, settings, authenticator, pages = [], readiness } = deps;
  const { endpoints = createEndpoints(deps) } = deps;
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', settings.trustProxyHops ?? 0);
  if (deps.classesOf === undefined) {
    declarePublicUrl(app.response, settings.publicUrl);
    declareOrigins(app.response, settings.corsOrigins ?? null);
  } else {
    app.request = deps.classesOf.request;
    app.response = deps.classesOf.response;
  }
  // Paths are exact (ruling 2).
  app.enable('case sensitive routing');
  app.enable('strict routing');
  // Express tries routes in their order, so those that are requested most come first.
  for (const [path, endpoint] of Object.entries(endpoints)) {
    app
      .route(path)
      .options((request, response) => {
        authenticator.showAddressLimits(request, response);
        sendEmpty(response, 204, ['Allow', METHODS]);
      })
      .get(authenticator.admit, endpoint);
  }
  const openRoutes = {
    '/healthz': healthz,
    '/readyz': readyz(snapshots, readiness),
    ...docsRoutes(settings.publicUrl),
  };
  for (const [path, handler] of Object.entries(openRoutes)) {
    app
      .route(path)
      .options((_request, response) => sendEmpty(response, 204, ['Allow', METHODS]))
      .get(handler);
  }
  app
    .route('/mcp')
    .options((_request, response) => sendEmpty(response, 204, ['Allow', MCP_METHODS]))
    .get(mcpWithoutStream)
    .delete(mcpWithoutStream)
    .post(...mcp({ authenticator, endpoints, observe }));
  for (const handler of pages) app.use(handler);
  app.use((request) => {
    throw notFound(topicOfPath(rawPath(request), Object.keys(endpoints)));
  });
  app.use(errorHandler(observe, authenticator));
  return app;
}

/** The help topic for a request that has no endpoint: what is wrong with its path or method. */
function topicOfPath(path: string, known: readonly string[]): HelpTopic {
  if (known.includes(path)) return 'method';
  const spelled = path
    .toLowerCase()
    .replace(/\/{2,}/g, '/')
    .replace(/(.)\/$/, '$1');
  if (known.includes(spelled)) return 'path-spelling';
  if (known.includes(`/v1${spelled}`)) return 'path-without-version';
  return /^\/v1\/(?:datasets|export)\/./.test(spelled) ? 'unknown-name' : 'unknown-path';
}

/** Express recognises an error handler by its four parameters. */
const errorHandler =
  (observe: Observe, authenticator: Authenticator): ErrorRequestHandler =>
  (error: unknown, request, response, _next) => {
    const shown = publicError(error);
    if (shown.status !== 503 && isApiRequest(request)) authenticator.showAddressLimits(request, response);
    if (shown !== error) observe({ event: 'request failed', requestId: requestIdOf(response), error });
    if (response.headersSent) response.destroy();
    else sendError(response, shown);
  };
