// Ties a form to the browser that it was shown in, for pages without a session.

import type { Request } from 'express';
import { isSameSecret, isSecretForm, mintSecret } from '../../access/secret.ts';
import type { HeaderList } from '../server/headers.ts';
import { cookieOf, setCookie } from './cookies.ts';
import { readForm } from './form.ts';
import { isHttps, isOwnOrigin } from './origin.ts';

const COOKIE = 'nonce';

/** The nonce for a form, and the header that sets it as a cookie. All tabs of a browser have the same nonce. */
export function nonceFor(request: Request, publicUrl: string): { nonce: string; headers: HeaderList } {
  const nonce = nonceOf(request) ?? mintSecret();
  return { nonce, headers: setCookie({ name: COOKIE, value: nonce, secure: isHttps(request, publicUrl) }) };
}

/** Whether the form and the cookie carry the same nonce: no other site can read the cookie, or set it. */
export async function isFromOurButton(request: Request, publicUrl: string): Promise<boolean> {
  const nonce = nonceOf(request);
  if (nonce === null || !isOwnOrigin(request, publicUrl)) return false;
  return isSameSecret(nonce, (await readForm(request)).get('nonce') ?? '');
}

/** The nonce of this browser; null for one that has not opened a page with a form. */
export function nonceOf(request: Request): string | null {
  const cookie = cookieOf(request, COOKIE);
  return cookie !== null && isSecretForm(cookie) ? cookie : null;
}
