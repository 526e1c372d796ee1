// Reads and writes the cookies of the pages.

import type { IncomingMessage } from 'node:http';

/** The value of the first cookie with a name; null when there is none. */
export function cookieOf(request: IncomingMessage, name: string): string | null {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return null;
}

export interface Cookie {
  readonly name: string;
  /** The value, which has only letters, digits, `-` and `_`. */
  readonly value: string;
  readonly isSecure: boolean;
  /** How long browsers keep the cookie; 0 removes it. When left out, it is kept until the browser is closed. */
  readonly maxAgeSeconds?: number;
}

/**
 * The header `Set-Cookie`. The cookie's path is `/`, because a proxy may serve the pages below a path of its own.
 * Scripts cannot read the cookie. Browsers send it when a person follows a link from another site or a mail. They do
 * not send it with forms of other sites.
 */
export function setCookie({ name, value, isSecure, maxAgeSeconds }: Cookie): readonly string[] {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  const text = `${name}=${value}; Path=/${age}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return ['Set-Cookie', text];
}
