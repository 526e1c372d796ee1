// Reads the body of a submitted form.

import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../errors.ts';

/** Our largest form is a label and a few numbers. */
const MAX_BYTES = 16 * 1024;

/**
 * The fields; none when the body is no form.
 *
 * @throws {ApiError} 413 beyond 16 KiB.
 */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') return new URLSearchParams();
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The connection stays open: a client that is cut off while it sends does not read the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) {
      request.resume();
      throw new ApiError(413, 'The form is larger than 16 KiB');
    }
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
