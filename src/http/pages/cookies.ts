// Reads and writes the pages' cookies.

import type { IncomingMessage } from 'node:http';

/** The value of a cookie, the first of several with that name; `null` when there is none. */
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
  /** Browsers send it over https only. */
  readonly secure: boolean;
  /** Left out, the cookie ends with the browser; 0 removes it. */
  readonly maxAgeSeconds?: number;
}

/**
 * The `Set-Cookie` header. Its path is `/`, since a proxy may serve us below a path of its own. Scripts cannot read the
 * cookie, and forms of other sites do not send it; links from elsewhere, such as from a mail, do.
 */
export function setCookie({ name, value, secure, maxAgeSeconds }: Cookie): readonly string[] {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  const text = `${name}=${value}; Path=/${age}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return ['Set-Cookie', text];
}
