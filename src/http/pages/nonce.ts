// Ties a form to the browser it was shown in, for pages that nobody is signed in to.

import { timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { isSecretForm, mintSecret } from '../../access/secret.ts';
import type { HeaderList } from '../server/headers.ts';
import { cookieOf, setCookie } from './cookies.ts';
import { readForm } from './form.ts';
import { isHttps, isOwnOrigin } from './origin.ts';

const COOKIE = 'nonce';

/** What the form carries, and the header that gives the browser the same; a second tab is given the same again. */
export function nonceFor(request: Request, publicUrl: string): { nonce: string; headers: HeaderList } {
  const nonce = nonceOf(request) ?? mintSecret();
  return { nonce, headers: setCookie({ name: COOKIE, value: nonce, secure: isHttps(request, publicUrl) }) };
}

/** The nonce comes back twice: with the form, and in a cookie that no other site can send or read. */
export async function isFromOurButton(request: Request, publicUrl: string): Promise<boolean> {
  const nonce = nonceOf(request);
  if (nonce === null || !isOwnOrigin(request, publicUrl)) return false;
  return isSame(nonce, (await readForm(request)).get('nonce') ?? '');
}

function nonceOf(request: Request): string | null {
  const cookie = cookieOf(request, COOKIE);
  return cookie !== null && isSecretForm(cookie) ? cookie : null;
}

/** Without telling by the time taken how much of the two agrees. */
function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
