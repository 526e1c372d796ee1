// The API as an Express app: the guard, the three endpoints, and what becomes of errors.

import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { CACHES, type Caches } from '../cache/caches.ts';
import type { Log, Snapshots } from '../catalog/currentSnapshot.ts';
import { notFound } from '../errors.ts';
import type { Selector } from '../query/select.ts';
import { catalog } from './api/catalog.ts';
import { createRoad } from './api/handler.ts';
import { financials, reference } from './api/rows.ts';
import type { Guard } from './middleware/authenticate.ts';
import { requestIdOf } from './server/headers.ts';
import { publicError, sendEmpty, sendError } from './server/send.ts';
import { isOfApi } from './server/url.ts';

export interface AppDeps {
  readonly snapshots: Snapshots;
  readonly selector: Selector;
  readonly log: Log;
  /** What makes answers fast. Tests replace it: answers stay the same. */
  readonly caches?: Caches;
  readonly settings: { readonly cacheMaxAgeSeconds: number; readonly trustProxyHops?: number };
  /** Who may pass: stands before every endpoint, behind the decision that there is one (ruling 1). */
  readonly guard?: Guard;
  /** The pages for people: claiming a key, and the team's own. They never meet the guard. */
  readonly pages?: RequestHandler;
}

const METHODS = 'GET, HEAD, OPTIONS';

export function createApp({
  snapshots,
  selector,
  log,
  caches = CACHES,
  settings,
  guard = OPEN,
  pages = pass,
}: AppDeps): Express {
  const { cacheMaxAgeSeconds } = settings;
  const road = createRoad({ snapshots, selector, cacheMaxAgeSeconds, caches });
  const endpoints = {
    '/v1/financials': road(financials),
    '/v1/reference': road(reference),
    '/v1/catalog': road(catalog),
  };
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', settings.trustProxyHops ?? 0);
  // Paths are exact (ruling 2).
  app.enable('case sensitive routing');
  app.enable('strict routing');
  for (const [path, endpoint] of Object.entries(endpoints)) {
    app
      .route(path)
      .options((request, response) => {
        guard.show(request, response);
        sendEmpty(response, 204, ['Allow', METHODS]);
      })
      .get(guard.admit, endpoint);
  }
  app.use(pages);
  app.use(() => {
    throw notFound();
  });
  app.use(failed(log, guard));
  return app;
}

const pass: RequestHandler = (_request, _response, next) => next();

const OPEN: Guard = { admit: pass, show() {} };

/** Express knows an error handler by its four parameters. */
const failed =
  (log: Log, guard: Guard): ErrorRequestHandler =>
  (error: unknown, request, response, _next) => {
    const told = publicError(error);
    if (told.status !== 503 && isOfApi(request)) guard.show(request, response);
    if (told.status === 500) log.error({ requestId: requestIdOf(response), err: error }, 'failed');
    if (response.headersSent) response.destroy();
    else sendError(response, told);
  };
