// Reads the body of a submitted form.

import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../errors.ts';
import { readBody } from '../server/readBody.ts';

/**
 * The most bytes of a form. The largest form has the labels of 50 people with 100 characters each, and a character
 * takes up to 12 bytes, such as `%F0%9F%8E%B0`.
 */
const MAX_BYTES = 64 * 1024;

/**
 * The fields of a form; none when the body is not a form.
 *
 * @throws {ApiError} 413 when the body is larger than 64 KiB.
 */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') return new URLSearchParams();
  const body = await readBody(request, MAX_BYTES);
  if (body === null) throw new ApiError(413, 'The form is larger than 64 KiB');
  return new URLSearchParams(body.toString('utf8'));
}
