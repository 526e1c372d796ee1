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

/** What stands behind the first `?`, undecoded; '' without one. */
export const rawQuery = ({ url = '' }: IncomingMessage): string => url.slice(queryStart(url) + 1);

const queryStart = (url: string) => (url.includes('?') ? url.indexOf('?') : url.length);
