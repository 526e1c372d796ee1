// The HTTP server around the app: limits on what comes in, JSON even for what is no request, and a clean end.

import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import net from 'node:net';
import type { Express } from 'express';
import type { Log } from '../../catalog/currentSnapshot.ts';
import { notFound } from '../../errors.ts';
import { openConnections } from './connections.ts';
import { logAnswer, refusalOf } from './enter.ts';
import { messagesOf } from './messages.ts';
import { refusalFor, refuse } from './refuse.ts';
import { sendError } from './send.ts';
import { originForm } from './url.ts';

export interface HttpServer {
  /** It does not listen yet. */
  readonly server: http.Server;
  /** Takes nothing new and lets running requests end; what has not ended after the deadline is cut. */
  drain(deadlineMs: number): Promise<void>;
}

/** Request line and headers together (ruling 3). */
const MAX_HEADER_BYTES = 64 * 1024;

/** Slow and silent clients do not hold a connection for ever; an answer itself takes 5 s at most. */
const HEADERS_MS = 15_000;
const REQUEST_MS = 30_000;
const SILENCE_MS = 60_000;
/** Longer than the usual minute of a proxy: it is the proxy that closes, never amid a request. */
const KEEP_ALIVE_MS = 65_000;

export function createServer(app: Express, log: Log): HttpServer {
  const connections = openConnections();
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const startMs = performance.now();
    const { socket } = request;
    connections.owe(socket);
    response.on('close', () => {
      connections.settle(socket);
      logAnswer(log, request, response, startMs);
    });
    request.url = originForm(request.url ?? '');
    if (!server.listening) response.setHeader('Connection', 'close');
    const refusal = refusalOf(request);
    if (refusal) sendError(response, refusal);
    else app(request, response);
  };
  const server = http.createServer(
    {
      ...messagesOf(app),
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Node would refuse without a body; the app does so in JSON.
      requireHostHeader: false,
    },
    handle,
  );
  // Bounded in bytes already; beyond a number of lines node would drop the rest without a word.
  server.maxHeadersCount = 0;
  server.setTimeout(SILENCE_MS);
  server.on('connection', connections.add);
  // An expectation may be ignored (RFC 9110 §10.1.1); node would answer 417 without a body.
  server.on('checkExpectation', handle);
  server.on('connect', (_request, socket) => refuse(socket, notFound()));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Node reports every further byte on a broken connection. They are read and dropped: to close on a client
    // that is still sending would cost it the answer.
    if (connections.isLeaving(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    connections.afterwards(socket, () => {
      const refusal = refusalFor(error.code);
      log.info({ status: refusal.status, code: error.code }, 'refused');
      refuse(socket, refusal);
    });
  });

  return {
    server,
    async drain(deadlineMs) {
      // Not http's own close: it cuts answers that a slow client is still reading.
      const ended = new Promise<void>((resolve) => net.Server.prototype.close.call(server, () => resolve()));
      connections.endAll();
      const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
      await ended;
      clearTimeout(deadline);
    },
  };
}
