// Ties a form to the browser in which it was shown, for pages without a session.

import type { Request } from 'express';
import { isSameSecret, isSecretForm, mintSecret } from '../../access/secret.ts';
import type { HeaderList } from '../server/headers.ts';
import { cookieOf, setCookie } from './cookies.ts';
import { readForm } from './form.ts';
import { isHttps, isOwnOrigin } from './origin.ts';

const COOKIE = 'nonce';

/** The nonce for a form, and the header that sets it as a cookie. A browser has one nonce for all its tabs. */
export function nonceFor(request: Request, publicUrl: string): { nonce: string; headers: HeaderList } {
  const nonce = nonceOf(request) ?? mintSecret();
  return { nonce, headers: setCookie({ name: COOKIE, value: nonce, secure: isHttps(request, publicUrl) }) };
}

/**
 * Whether a form comes from our page: its origin is ours, and it has the nonce of the cookie. Other sites can neither
 * read nor set this cookie.
 */
export async function isFromOurButton(request: Request, publicUrl: string): Promise<boolean> {
  const nonce = nonceOf(request);
  if (nonce === null || !isOwnOrigin(request, publicUrl)) return false;
  return isSameSecret(nonce, (await readForm(request)).get('nonce') ?? '');
}

/** The nonce of a browser; null when the browser has not opened a page with a form. */
export function nonceOf(request: Request): string | null {
  const cookie = cookieOf(request, COOKIE);
  return cookie !== null && isSecretForm(cookie) ? cookie : null;
}
