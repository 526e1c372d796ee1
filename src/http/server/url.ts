// Splits the target of a request line without a URL parser, which would normalise it: paths are exact (ruling 2).

import type { IncomingMessage } from 'node:http';

/**
 * The path and query of a request's target; null when the target has another form. A proxy may put scheme and host
 * before them (RFC 9112 §3.2.2).
 */
export function originForm(target: string): string | null {
  if (target.startsWith('/')) return target;
  const [, rest] = ABSOLUTE_FORM.exec(target) ?? [];
  return rest === undefined ? null : rest.startsWith('/') ? rest : `/${rest}`;
}

const ABSOLUTE_FORM = /^https?:\/\/(?:[\w.~%-]+|\[[\da-f:.]+\])(?::\d*)?((?:[/?].*)?)$/is;

/** The part before the first `?`. */
export const rawPath = ({ url = '' }: IncomingMessage): string => url.slice(0, queryStart(url));

/** Whether a request's path is under /v1: its answers carry the rate-limit headers (ruling 23). */
export const isOfApi = ({ url = '' }: Pick<IncomingMessage, 'url'>): boolean =>
  isApiPath(url.replace(/^https?:\/\/[^/?#]*/i, ''));

/** Whether a target begins with the path /v1. A fragment may follow; `refusalOf` refuses it. */
export const isApiPath = (target: string): boolean => /^\/v1(?![^/?#])/.test(target);

/**
 * The path for the log, without the token of a claim or sign-in link, however the link is spelled (ruling 26).
 *
 * @param route the request's route. A path that equals its route holds no token.
 */
export function loggedPath(request: IncomingMessage, route: string): string {
  const path = rawPath(request);
  if (path === route) return path;
  return path
    .replace(/(claim|signin)[^A-Za-z].*/is, '$1/…')
    .replace(/(?:[0-9A-Za-z_-]|%[0-9A-Fa-f]{2}){30,}/g, '…')
    .slice(0, 200);
}

/** The route of a request for metrics: a path of the table in `app.ts`, so that there are only a few. */
export function routeOf(request: IncomingMessage & { route?: { readonly path?: unknown } }): string {
  const path = request.route?.path;
  if (typeof path === 'string') return path;
  return /^\/(?:claim|admin)(?![^/?])/.test(request.url ?? '') ? 'pages' : 'none';
}

/** The undecoded part after the first `?`; '' without one. */
export const rawQuery = ({ url = '' }: IncomingMessage): string => url.slice(queryStart(url) + 1);

function queryStart(url: string): number {
  const start = url.indexOf('?');
  return start < 0 ? url.length : start;
}
