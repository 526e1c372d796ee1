// The API as an Express app: the guard, the three endpoints, and what becomes of errors.

import type { ServerResponse } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Log, Snapshots } from '../catalog/follow.ts';
import { notFound } from '../errors.ts';
import type { Selector } from '../query/select.ts';
import { keptAnswers } from './answer.ts';
import { catalog } from './catalog.ts';
import { requestIdOf } from './headers.ts';
import { financials, reference } from './rows.ts';
import { publicError, sendEmpty, sendError } from './send.ts';

export interface AppDeps {
  readonly snapshots: Snapshots;
  readonly selector: Selector;
  readonly log: Log;
  readonly settings: { readonly cacheMaxAgeSeconds: number };
  /** Who may pass: stands before every endpoint, behind the decision that there is one (ruling 1). */
  readonly guard?: RequestHandler;
  /** The pages for people: claiming a key, and the team's own. They never meet the guard. */
  readonly pages?: RequestHandler;
}

const METHODS = 'GET, HEAD, OPTIONS';

export function createApp({
  snapshots,
  selector,
  log,
  settings,
  guard = pass,
  pages = pass,
}: AppDeps): Express {
  const deps = { snapshots, selector, answers: keptAnswers(settings.cacheMaxAgeSeconds) };
  const endpoints = {
    '/v1/financials': financials(deps),
    '/v1/reference': reference(deps),
    '/v1/catalog': catalog(deps),
  };
  const app = express();
  app.disable('x-powered-by');
  // Paths are exact (ruling 2).
  app.enable('case sensitive routing');
  app.enable('strict routing');
  for (const [path, endpoint] of Object.entries(endpoints)) {
    app
      .route(path)
      .options((_, response) => sendEmpty(response, 204, ['Allow', METHODS]))
      .get(guard, endpoint);
  }
  app.use(pages);
  app.use(() => {
    throw notFound();
  });
  app.use(failed(log));
  return app;
}

const pass: RequestHandler = (_request, _response, next) => next();

/** Express knows an error handler by its four parameters. */
const failed =
  (log: Log): ErrorRequestHandler =>
  (error: unknown, _request, response: ServerResponse, _next) => {
    const told = publicError(error);
    if (told.status === 500) log.error({ requestId: requestIdOf(response), err: error }, 'failed');
    if (response.headersSent) response.destroy();
    else sendError(response, told);
  };
