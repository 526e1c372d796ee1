// Reads and writes the pages' cookies.

import type { IncomingMessage } from 'node:http';

/** The value of a cookie; `null` without one. Of several of that name, the first. */
export function cookieOf(request: IncomingMessage, name: string): string | null {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
}

export interface Cookie {
  readonly name: string;
  /** Letters, digits, `-` and `_`. */
  readonly value: string;
  /** For https alone. */
  readonly secure: boolean;
  /** Without it the cookie ends with the browser; 0 removes it. */
  readonly maxAgeSeconds?: number;
}

/**
 * As a `Set-Cookie` header, for every path: a proxy may serve us below one of its own. No script sees it, and no form of another site sends it; a link from elsewhere, such
 * as one in a mail, does.
 */
export function setCookie({ name, value, secure, maxAgeSeconds }: Cookie): readonly string[] {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  const text = `${name}=${value}; Path=/${age}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return ['Set-Cookie', text];
}
