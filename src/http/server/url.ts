// The target of a request line, taken apart by hand: URL parsers normalise it, and paths are exact (ruling 2).

import type { IncomingMessage } from 'node:http';

/**
 * A request's target as path and query; null when it is neither. A proxy may name the host before it (RFC 9112
 * §3.2.2).
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

/** Whether a target begins with the path /v1; a fragment, which is refused, may end it. */
export const isApiPath = (target: string): boolean => /^\/v1(?![^/?#])/.test(target);

/**
 * The path as it may be logged: without the token of a claim or sign-in link, in whatever way the link was written
 * (ruling 26).
 */
export const loggedPath = (request: IncomingMessage): string =>
  rawPath(request)
    .replace(/(claim|signin)[^A-Za-z].*/is, '$1/…')
    .replace(/[0-9A-Za-z_-]{30,}/g, '…')
    .slice(0, 200);

/** The part behind the first `?`, undecoded; '' without one. */
export const rawQuery = ({ url = '' }: IncomingMessage): string => url.slice(queryStart(url) + 1);

function queryStart(url: string): number {
  const start = url.indexOf('?');
  return start < 0 ? url.length : start;
}
