// The API as an Express app: what every request passes, the three endpoints, and what becomes of errors.

import type { ServerResponse } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Log, Snapshots } from '../catalog/follow.ts';
import { notFound } from '../errors.ts';
import type { Selector } from '../query/select.ts';
import { keptAnswers } from './answer.ts';
import { catalog } from './catalog.ts';
import { requestIdOf } from './headers.ts';
import { malformed } from './refuse.ts';
import { financials, reference } from './rows.ts';
import { publicError, sendEmpty, sendError } from './send.ts';
import { rawPath } from './url.ts';

export interface AppDeps {
  readonly snapshots: Snapshots;
  readonly selector: Selector;
  readonly log: Log;
  readonly settings: { readonly cacheMaxAgeSeconds: number };
  /** Who may pass: stands before every endpoint, behind the decision that there is one (ruling 1). */
  readonly guard?: RequestHandler;
}

const METHODS = 'GET, HEAD, OPTIONS';

export function createApp({ snapshots, selector, log, settings, guard = pass }: AppDeps): Express {
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
  app.use(begin(log));
  for (const [path, endpoint] of Object.entries(endpoints)) {
    app
      .route(path)
      .options((_, response) => sendEmpty(response, 204, ['Allow', METHODS]))
      .get(guard, endpoint);
  }
  app.use(() => {
    throw notFound();
  });
  app.use(failed(log));
  return app;
}

const pass: RequestHandler = (_request, _response, next) => next();

/** Logs every answer when it has left, and refuses what is no request of ours. */
const begin =
  (log: Log): RequestHandler =>
  (request, response, next) => {
    const startMs = performance.now();
    response.once('close', () => {
      // Never a query string: what people ask for is theirs.
      const path = rawPath(request).slice(0, 200);
      const durationMs = Math.round((performance.now() - startMs) * 1000) / 1000;
      const { method } = request;
      const left = response.writableFinished ? {} : { left: true };
      const requestId = requestIdOf(response);
      log.info({ requestId, method, path, status: response.statusCode, durationMs, ...left }, 'answered');
    });
    const hosts = hostsIn(request.rawHeaders);
    if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) {
      throw malformed(hosts === 0 ? 'the Host header is missing' : 'there is more than one Host header');
    }
    // A fragment never belongs in a request; Express would cut it off and answer.
    if (rawPath(request).includes('#')) throw notFound();
    next();
  };

/** How many Host headers there are: of several, node shows the first alone. */
function hostsIn(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

/** Express knows an error handler by its four parameters. */
const failed =
  (log: Log): ErrorRequestHandler =>
  (error: unknown, _request, response: ServerResponse, _next) => {
    const told = publicError(error);
    if (told.status === 500) log.error({ requestId: requestIdOf(response), err: error }, 'failed');
    if (response.headersSent) response.destroy();
    else sendError(response, told);
  };
