// The HTTP server around the app: limits on what comes in, and answers to what is no HTTP at all.

import http from 'node:http';
import type { Express } from 'express';

/** Request line and headers together (ruling 3). */
const MAX_HEADER_BYTES = 64 * 1024;

export function createServer(app: Express): http.Server {
  return http.createServer({ maxHeaderSize: MAX_HEADER_BYTES }, app);
}
