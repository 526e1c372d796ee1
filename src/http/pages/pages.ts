// Handles all pages for people: finds the route, counts the visit, and answers errors with pages.

import type { Request, RequestHandler, Response } from 'express';
import { type AugmentedRequest, type RateLimitInfo, rateLimit } from 'express-rate-limit';
import { keyIndexOf } from '../../access/keys/keyIndex.ts';
import type { RedisClient } from '../../access/redis/connection.ts';
import { withinDeadline } from '../../access/redis/replyDeadline.ts';
import { visitStore } from '../../access/visits.ts';
import { type ApiError, notFound, tooManyRequests } from '../../errors.ts';
import type { Observe } from '../../observations.ts';
import { clientAddressOf } from '../middleware/addressWindows.ts';
import { requestIdOf } from '../server/headers.ts';
import { rawPath } from '../server/requestUrl.ts';
import { publicError, sendEmpty } from '../server/send.ts';
import { adminRoutes } from './admin/adminRoutes.ts';
import { claimRoutes } from './claim.ts';
import { asApiError, type PagesSettings, pageDepsOf } from './deps.ts';
import { readForm, typedIn } from './form.ts';
import { oidcRoutes } from './oidc/oidcRoutes.ts';
import { isOwnOrigin } from './origin.ts';
import { type Handler, type Reply, type Route, sendPage } from './reply.ts';
import { signinRoutes } from './signin.ts';
import { refusal } from './templates/message.ts';

export interface PagesOptions {
  readonly redis: RedisClient;
  readonly observe: Observe;
  readonly settings: PagesSettings;
  /** A monotonic clock. */
  readonly nowMs?: () => number;
}

/** Makes the handler of all paths under `/claim` and `/admin`. It passes other requests on. */
export function createPages({ redis, observe, settings, nowMs }: PagesOptions): RequestHandler {
  const count = visitCounter(redis);
  const { warm, ...index } = keyIndexOf(redis, nowMs && { nowMs });
  const deps = pageDepsOf(redis, index, settings, observe);
  const routes = [...claimRoutes(deps), ...signinRoutes(deps), ...oidcRoutes(deps), ...adminRoutes(deps)];
  return async (request, response, next) => {
    const path = rawPath(request);
    if (!/^\/(?:claim|admin)(?:\/|$)/.test(path)) return next();
    // The keys are read in advance, because most visits to the team's page lead to the list of keys.
    if (path.startsWith('/admin')) warm();
    try {
      const { route, params } = findRoute(routes, path);
      if (request.method === 'OPTIONS') return sendEmpty(response, 204, ['Allow', methodsOf(route)]);
      const handler = handlerFor(route, request.method);
      await withinDeadline(count(request, response), FIRST_ANSWER_MS, (error) => asApiError(error, observe));
      sendPage(response, await handler(request, ...params));
    } catch (error) {
      // If the client has left, nobody would read an answer.
      if (request.errored || response.destroyed) return;
      // Programs get a 404 as JSON, as on every other path (ruling 18). Browsers get a page.
      const shown = publicError(error);
      if (shown.status === 404 && !takesHtml(request)) return next(shown);
      if (shown !== error) observe({ event: 'request failed', requestId: requestIdOf(response), error });
      sendPage(response, await errorPage(shown, request, settings.publicUrl));
    }
  };
}

/** The page for an error. It has the texts of a form of our own pages, so that nobody must type them again. */
async function errorPage(
  { status, retryAfterSeconds }: ApiError,
  request: Request,
  publicUrl: string,
): Promise<Reply> {
  const isForm = request.method === 'POST';
  const isOwn = isForm && isOwnOrigin(request, publicUrl);
  const typed = isOwn ? await readForm(request).then(typedIn, () => '') : '';
  return {
    status,
    page: refusal({ status, retryAfterSeconds: retryAfterSeconds ?? 1, isForm, typed }),
    headers: retryAfterSeconds === undefined ? [] : ['Retry-After', String(retryAfterSeconds)],
  };
}

function findRoute(routes: readonly Route[], path: string): { route: Route; params: string[] } {
  for (const route of routes) {
    const match = route.path.exec(path);
    if (match) return { route, params: match.slice(1) };
  }
  throw notFound();
}

/** The handler of a route for a method. HEAD has the handler of GET. Node does not send the body then. */
function handlerFor({ GET, POST }: Route, method: string): Handler {
  const handler = { GET, HEAD: GET, POST }[method];
  if (!handler) throw notFound();
  return handler;
}

const methodsOf = ({ GET, POST }: Route) =>
  [...(GET ? ['GET', 'HEAD'] : []), ...(POST ? ['POST'] : []), 'OPTIONS'].join(', ');

const takesHtml = ({ headers }: Request) => /\btext\/html\b/i.test(headers.accept ?? '');

/**
 * How many visits an address may make in a minute. It is enough for an office behind one address. It need not prevent
 * guesses of tokens, because tokens have 256 random bits.
 */
const VISITS = { limit: 600, windowMs: 60_000 };

/** Limits visits per client address, counted on all servers together. */
function visitCounter(redis: RedisClient): (request: Request, response: Response) => Promise<void> {
  const limiter = rateLimit({
    ...VISITS,
    store: visitStore(redis),
    standardHeaders: false,
    legacyHeaders: false,
    keyGenerator: clientAddressOf,
    handler: (request, _response, next) => {
      const { resetTime } = (request as AugmentedRequest).rateLimit as RateLimitInfo;
      const shutMs = (resetTime?.getTime() ?? 0) - Date.now();
      next(tooManyRequests(Math.max(1, Math.ceil(shutMs / 1000))));
    },
  });
  return (request, response) =>
    new Promise((resolve, reject) => {
      void limiter(request, response, (error?: unknown) => (error ? reject(error) : resolve()));
    });
}

/**
 * How long Redis may take for the first command. After this time, Redis counts as away (ruling 25: 503 within 300 ms).
 */
const FIRST_ANSWER_MS = 200;
