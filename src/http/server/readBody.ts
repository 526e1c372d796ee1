// Reads the body of a request up to a limit.

import type { IncomingMessage } from 'node:http';
import { malformedRequest } from './refuse.ts';

/**
 * The whole body; null when it is longer than `maxBytes`.
 *
 * @throws {ApiError} 400 when the client leaves before it has sent everything.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // The connection stays open, because a client whose connection is closed while it sends cannot read the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    // If the body is incomplete, the client has left. This is not a fault of the server.
    throw request.complete ? cause : malformedRequest('its body ends too early; send all of it');
  }
  if (bytes <= maxBytes) return Buffer.concat(chunks);
  // Most clients send everything before they read the answer, so the rest is read and dropped. This must follow the
  // loop, because the loop's listener keeps the request paused.
  request.resume();
  return null;
}
