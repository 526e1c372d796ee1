// The request line's target, taken apart by hand: exact to the byte, where URL parsers tidy up.

import type { IncomingMessage } from 'node:http';

/**
 * A request's target as path and query: proxies may name the host before it (RFC 9112 §3.2.2). What is neither
 * becomes `/`, which is no endpoint; the router would give up on it in its own words.
 */
export function originForm(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : '/';
}

/** What stands before the first `?`. */
export const rawPath = ({ url = '' }: IncomingMessage): string => url.slice(0, queryStart(url));

/** Whether a path belongs to the API: its answers say what is left of a limit (ruling 23). */
export const isOfApi = ({ url = '' }: IncomingMessage): boolean => /^\/v1(?![^/?])/.test(url);

/**
 * The path as it may be logged: without the token of a claim or sign-in link, however the link was written
 * (ruling 26).
 */
export const loggedPath = (request: IncomingMessage): string =>
  rawPath(request)
    .replace(/(claim|signin)[^A-Za-z].*/is, '$1/…')
    .replace(/[0-9A-Za-z_-]{30,}/g, '…')
    .slice(0, 200);

/** What stands behind the first `?`, undecoded; '' without one. */
export const rawQuery = ({ url = '' }: IncomingMessage): string => url.slice(queryStart(url) + 1);

function queryStart(url: string): number {
  const start = url.indexOf('?');
  return start < 0 ? url.length : start;
}
