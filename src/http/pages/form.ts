// Reads submitted forms, and ties a form to the browser in which it was shown, for pages without a session.

import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { isSameSecret, isWellFormedSecret, mintSecret } from '../../access/secret.ts';
import { getOrInsert } from '../../basics/maps.ts';
import { ApiError } from '../../errors.ts';
import type { HeaderList } from '../server/headers.ts';
import { readBody } from '../server/readBody.ts';
import { cookieOf, setCookie } from './cookies.ts';
import { isHttps, isOwnOrigin } from './origin.ts';

/**
 * The most bytes of a form. The largest form has the labels of 50 people with 100 characters each, and a character
 * takes up to 12 bytes, such as `%F0%9F%8E%B0`.
 */
const MAX_BYTES = 64 * 1024;

/** The forms that were read. A body can be read only once, and the page for an error shows what was typed. */
const forms = new WeakMap<IncomingMessage, Promise<URLSearchParams>>();

/**
 * The fields of a form; none when the body is not a form.
 *
 * @throws {ApiError} 413 when the body is larger than 64 KiB.
 */
export const readForm = (request: IncomingMessage): Promise<URLSearchParams> =>
  getOrInsert(forms, request, () => readOnce(request));

async function readOnce(request: IncomingMessage): Promise<URLSearchParams> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') return new URLSearchParams();
  const body = await readBody(request, MAX_BYTES);
  if (body === null) throw new ApiError(413, 'The form is larger than 64 KiB');
  return new URLSearchParams(body.toString('utf8'));
}

/** The fields that a person types into, and the words before their text. Names stand alone, so that they can be copied. */
const TYPED: Readonly<Record<string, string>> = {
  label: '',
  people: '',
  name: '',
  note: '',
  perMinute: 'Requests in any minute: ',
  perDay: 'Requests in any 24 hours: ',
  ends: 'The key ends after days: ',
};

/** The texts that a person typed into a form, one a line. */
export const typedIn = (form: URLSearchParams): string =>
  Object.entries(TYPED)
    .flatMap(([field, words]) => {
      const text = form.get(field)?.trim() ?? '';
      return text === '' ? [] : words + text;
    })
    .join('\n')
    .replace(/\r\n?/g, '\n');

const COOKIE = 'nonce';

/** The nonce for a form, and the header that sets it as a cookie. A browser has one nonce for all its tabs. */
export function nonceFor(request: Request, publicUrl: string): { nonce: string; headers: HeaderList } {
  const nonce = nonceOf(request) ?? mintSecret();
  return { nonce, headers: setCookie({ name: COOKIE, value: nonce, isSecure: isHttps(request, publicUrl) }) };
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
  return cookie !== null && isWellFormedSecret(cookie) ? cookie : null;
}
