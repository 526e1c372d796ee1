// Splits the target of a request line. A URL parser would normalise paths, but paths are exact (ruling 2).

import type { IncomingMessage } from 'node:http';

/**
 * The path and the query of a request's target, without the scheme and host that a proxy may put before them
 * (RFC 9112 §3.2.2). Null when the target has another form.
 */
export function originForm(target: string): string | null {
  if (target.startsWith('/')) return target;
  const [, rest] = ABSOLUTE_FORM.exec(target) ?? [];
  if (rest === undefined) return null;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

const ABSOLUTE_FORM = /^https?:\/\/(?:[\w.~%-]+|\[[\da-f:.]+\])(?::\d*)?((?:[/?].*)?)$/is;

/** The path of a request as it was sent: the part of the target before the first `?`. */
export const rawPath = ({ url = '' }: IncomingMessage): string => url.slice(0, queryStart(url));

/** Whether the path of a request is under /v1, so that its answers have the rate-limit headers (ruling 23). */
export const isApiRequest = ({ url = '' }: Pick<IncomingMessage, 'url'>): boolean =>
  isApiPath(url.replace(/^https?:\/\/[^/?#]*/i, ''));

/** Whether a target begins with the path /v1. A fragment may follow. `requestRefusal` refuses it. */
export const isApiPath = (target: string): boolean => /^\/v1(?![^/?#])/.test(target);

/**
 * The path for the log. It does not contain the token of a claim or sign-in link, however the link was spelled
 * (ruling 26).
 *
 * @param route the route of the request. A path that equals its route contains no token.
 */
export function loggedPath(request: IncomingMessage, route: string): string {
  const path = rawPath(request);
  if (path === route) return path;
  return path
    .replace(/(claim|signin)[^A-Za-z].*/is, '$1/…')
    .replace(/(?:[0-9A-Za-z_-]|%[0-9A-Fa-f]{2}){30,}/g, '…')
    .slice(0, 200);
}

/**
 * The route under which metrics count a request: one of the paths in `app.ts`, `pages` or `none`. All unknown paths are
 * `none`, so that metrics have only a few routes.
 */
export function routeOf(request: IncomingMessage & { route?: { readonly path?: unknown } }): string {
  const path = request.route?.path;
  if (typeof path === 'string') return path;
  return /^\/(?:claim|admin)(?![^/?])/.test(request.url ?? '') ? 'pages' : 'none';
}

/** The query of a request as it was sent: the part of the target after the first `?`, or an empty text. */
export const rawQuery = ({ url = '' }: IncomingMessage): string => url.slice(queryStart(url) + 1);

function queryStart(url: string): number {
  const start = url.indexOf('?');
  return start < 0 ? url.length : start;
}
