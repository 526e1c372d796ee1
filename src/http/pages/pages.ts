// Handles all pages for people: finds the route, counts the visit, and answers errors with pages.

import type { Request, RequestHandler, Response } from 'express';
import { type AugmentedRequest, type RateLimitInfo, rateLimit } from 'express-rate-limit';
import { readAudit } from '../../access/audit.ts';
import { inviteIndexOf } from '../../access/invites/inviteIndex.ts';
import { invitesOf } from '../../access/invites/invites.ts';
import { type KeyIndex, keyIndexOf } from '../../access/keys/keyIndex.ts';
import { keysOf } from '../../access/keys/keys.ts';
import { formsOf } from '../../access/people/idempotentForms.ts';
import { oidcFlowsOf } from '../../access/people/oidcFlows.ts';
import { changeRole, peopleIn, type Role } from '../../access/people/people.ts';
import { sessionsOf } from '../../access/people/sessions.ts';
import type { RedisClient } from '../../access/redis/connection.ts';
import { withinDeadline } from '../../access/redis/deadline.ts';
import { redisReason } from '../../access/redis/reason.ts';
import { visitStore } from '../../access/visits.ts';
import { ApiError, notFound, tooManyRequests, unavailable } from '../../errors.ts';
import type { Observe } from '../../observations.ts';
import { addressOf } from '../middleware/addressWindows.ts';
import { requestIdOf } from '../server/headers.ts';
import { publicError, sendEmpty } from '../server/send.ts';
import { rawPath } from '../server/url.ts';
import { adminRoutes } from './admin/routes.ts';
import type { AuditPart } from './admin/visit.ts';
import { claimRoutes } from './claim.ts';
import { oidcRoutes } from './oidc/routes.ts';
import { type Handler, type Reply, type Route, sendPage } from './reply.ts';
import type { PagesSettings } from './settings.ts';
import { signinRoutes } from './signin.ts';
import { refusal } from './templates/message.ts';

export interface PagesDeps {
  readonly redis: RedisClient;
  readonly observe: Observe;
  readonly settings: PagesSettings;
  /** A monotonic clock. */
  readonly nowMs?: () => number;
}

/** Makes the handler of all paths under `/claim` and `/admin`. It passes other requests on. */
export function createPages({ redis, observe, settings, nowMs }: PagesDeps): RequestHandler {
  const count = visitCounter(redis);
  const { warm, ...index } = keyIndexOf(redis, nowMs && { nowMs });
  const routes = routesOf({ redis, observe, settings, index });
  return async (request, response, next) => {
    const path = rawPath(request);
    if (!/^\/(?:claim|admin)(?:\/|$)/.test(path)) return next();
    // The keys are read in advance, because most visits to the team's page lead to the list of keys.
    if (path.startsWith('/admin')) warm();
    try {
      const { route, params } = findRoute(routes, path);
      if (request.method === 'OPTIONS') return sendEmpty(response, 204, ['Allow', methodsOf(route)]);
      const handler = handlerFor(route, request.method);
      await withinDeadline(count(request, response), FIRST_ANSWER_MS, (error) => awayOr(error, observe));
      sendPage(response, await handler(request, ...params));
    } catch (error) {
      // If the client has left, nobody would read an answer.
      if (request.errored || response.destroyed) return;
      // Programs get a 404 as JSON, as on every other path (ruling 18). Browsers get a page.
      const shown = publicError(error);
      if (shown.status === 404 && !takesHtml(request)) return next(shown);
      if (shown !== error) observe({ event: 'request failed', requestId: requestIdOf(response), error });
      sendPage(response, errorPage(shown, request));
    }
  };
}

/** The routes of all pages. When Redis fails, they throw 503. */
function routesOf({ redis, observe, settings, index }: RouteDeps): readonly Route[] {
  const people = {
    list: () => peopleIn(redis),
    changeRole: (change: { name: string; role: Role; by: string }) => changeRole(redis, change),
  };
  const deps = {
    settings,
    observe,
    oidc: settings.oidc ?? null,
    flows: with503(oidcFlowsOf(redis), observe),
    keys: with503(keysOf(redis), observe),
    index: with503(index, observe),
    people: with503(people, observe),
    invites: with503(invitesOf(redis), observe),
    inviteIndex: with503(inviteIndexOf(redis), observe),
    sessions: with503(sessionsOf(redis), observe),
    forms: with503(formsOf(redis), observe),
    audit: with503({ read: (part: AuditPart) => readAudit(redis, part) }, observe),
  };
  return [...claimRoutes(deps), ...signinRoutes(deps), ...oidcRoutes(deps), ...adminRoutes(deps)];
}

interface RouteDeps extends Omit<PagesDeps, 'nowMs'> {
  readonly index: Pick<KeyIndex, 'list'>;
}

const errorPage = ({ status, retryAfterSeconds }: ApiError, { method }: Request): Reply => ({
  status,
  page: refusal(status, retryAfterSeconds ?? 1, method === 'POST'),
  headers: retryAfterSeconds === undefined ? [] : ['Retry-After', String(retryAfterSeconds)],
});

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
    keyGenerator: addressOf,
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

/** Wraps asynchronous functions, so that they throw 503 when Redis fails. */
function with503<Functions extends object>(functions: Functions, observe: Observe): Functions {
  return Object.fromEntries(
    Object.entries(functions).map(([name, run]) => [
      name,
      (...values: unknown[]) =>
        run(...values).catch((error: unknown) => {
          throw awayOr(error, observe);
        }),
    ]),
  ) as Functions;
}

/** The error if it is an ApiError. Any other error is observed, and becomes a 503. */
function awayOr(error: unknown, observe: Observe): ApiError {
  if (error instanceof ApiError) return error;
  // Only the message is reported, because the error of a failed command also contains the command's arguments.
  observe({ event: 'redis failed a page', reason: redisReason(error as Error) });
  return unavailable();
}
