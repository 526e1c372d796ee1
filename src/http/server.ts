// The HTTP server around the app: limits on what comes in, and JSON even for what is no request.

import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { Log } from '../catalog/follow.ts';
import { notFound } from '../errors.ts';
import { owedAnswers } from './owed.ts';
import { refusalFor, refuse } from './refuse.ts';
import { originForm } from './url.ts';

/** Request line and headers together (ruling 3). */
const MAX_HEADER_BYTES = 64 * 1024;

/** Slow and silent clients do not hold a connection for ever; an answer itself takes 5 s at most. */
const HEADERS_MS = 15_000;
const REQUEST_MS = 30_000;
const SILENCE_MS = 60_000;
/** Longer than the usual minute of a proxy: it is the proxy that closes, never amid a request. */
const KEEP_ALIVE_MS = 65_000;

/** A server around `app` that does not listen yet. */
export function createServer(app: http.RequestListener, log: Log): http.Server {
  const owed = owedAnswers();
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    owed.add(request.socket, response);
    request.url = originForm(request.url ?? '');
    // A server that is closing takes no further request on this connection.
    if (!server.listening) response.setHeader('Connection', 'close');
    app(request, response);
  };
  const server = http.createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Node would refuse without a body; the app does so in JSON.
      requireHostHeader: false,
    },
    handle,
  );
  server.setTimeout(SILENCE_MS);
  // An expectation may be ignored (RFC 9110 §10.1.1); node would answer 417 without a body.
  server.on('checkExpectation', handle);
  server.on('connect', (_request, socket) => refuse(socket, notFound()));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    owed.afterwards(socket, () => {
      const refusal = refusalFor(error.code);
      log.info({ status: refusal.status, code: error.code }, 'refused');
      refuse(socket, refusal);
    });
  });
  return server;
}

/** Takes no more connections and lets running requests end; after the deadline they are cut. */
export async function drain(server: http.Server, deadlineMs: number): Promise<void> {
  const ended = new Promise((resolve) => server.close(resolve));
  // A connection that is kept alive becomes idle when its answer has left.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
  await ended;
  clearInterval(idle);
  clearTimeout(deadline);
}
