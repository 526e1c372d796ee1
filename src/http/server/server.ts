// The HTTP server around the app: limits on what arrives, JSON for what is no request, and an orderly end.

import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import net, { type Socket } from 'node:net';
import type { Express } from 'express';
import { type ApiError, notFound } from '../../errors.ts';
import type { Observe } from '../../observations.ts';
import { hangUp, openConnections } from './connections.ts';
import { answered, MAX_HEAD_BYTES, refusalOf } from './enter.ts';
import type { HeaderList } from './headers.ts';
import { messagesOf } from './messages.ts';
import { mayBeOfApi, type ParseError, refusalBytes, refusalFor } from './refuse.ts';
import { sendError } from './send.ts';
import { isOfApi, originForm } from './url.ts';

export interface HttpServer {
  /** It does not listen yet. */
  readonly server: http.Server;
  /** Takes no new connection and lets running requests end; what has not ended at the deadline is cut. */
  drain(deadlineMs: number): Promise<void>;
}

/** The rate-limit headers of answers that no endpoint gives (ruling 23). */
export interface AddressLimits {
  showAddressWindow(request: IncomingMessage, response: ServerResponse): void;
  addressWindowOf(remoteAddress: string | undefined): HeaderList;
}

/** Slow and silent clients hold no connection for ever; an answer itself takes 5 s at most. */
const HEADERS_MS = 15_000;
const REQUEST_MS = 30_000;
const SILENCE_MS = 60_000;
/** Longer than the usual minute of a proxy: the proxy closes first, never in the middle of a request. */
const KEEP_ALIVE_MS = 65_000;
/** A refused client may still be sending; to close on it would cost it the answer. */
const REFUSED_LINGER_MS = 1000;

export function createServer(app: Express, observe: Observe, limits: AddressLimits): HttpServer {
  const connections = openConnections();

  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (connections.isClosing(socket)) return;
    const startMs = performance.now();
    connections.expect(socket, response);
    response.on('close', () => {
      connections.answered(socket, response);
      observe(answered(request, response, startMs));
    });
    // Node's parser drops what follows a request to upgrade, so no second request can be promised an answer.
    if (!server.listening || request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    const { url = '' } = request;
    const target = originForm(url);
    request.url = target ?? '';
    const refusal = target === null ? notFound() : refusalOf(request);
    if (refusal === null) return app(request, response);
    if (isOfApi({ url })) limits.showAddressWindow(request, response);
    sendError(response, refusal);
  };

  const refuse = (socket: Socket, error: ApiError, code: string, isApi: boolean) =>
    connections.closeAfterAnswers(socket, () => {
      // A client that has left meanwhile is told nothing.
      if (!socket.writable) return void socket.destroy();
      observe({ event: 'connection refused', status: error.status, code });
      socket.write(
        refusalBytes(error, app.response, isApi ? limits.addressWindowOf(socket.remoteAddress) : []),
      );
      hangUp(socket, REFUSED_LINGER_MS);
    });

  const server = http.createServer(
    {
      ...messagesOf(app),
      maxHeaderSize: MAX_HEAD_BYTES,
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Node would refuse without a body; `refusalOf` does so in JSON.
      requireHostHeader: false,
    },
    handle,
  );
  // The headers are bounded in bytes; beyond a number of lines node would drop the rest silently.
  server.maxHeadersCount = 0;
  server.setTimeout(SILENCE_MS);
  server.on('connection', connections.add);
  // An expectation may be ignored (RFC 9110 §10.1.1); node would answer 417 without a body.
  server.on('checkExpectation', handle);
  // Only forms have a body that is wanted. The final answer instead of 100 says so, and the connection closes because
  // the client may or may not send the body.
  server.on('checkContinue', (request, response) => {
    if (request.method === 'POST') response.writeContinue();
    else response.shouldKeepAlive = false;
    handle(request, response);
  });
  server.on('connect', (_request, socket: Socket) => {
    // Node has taken its listeners off: bytes are dropped and silence ends the connection here.
    socket.resume();
    socket.setTimeout(SILENCE_MS, () => socket.destroy());
    refuse(socket, notFound(), 'CONNECT', false);
  });
  server.on('clientError', (error: ParseError, socket: Socket) => {
    // Node reports every further byte on a broken connection.
    if (connections.isClosing(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    refuse(socket, refusalFor(error.code), error.code ?? '', mayBeOfApi(error, socket.bytesRead));
  });
  server.on('error', (error) => {
    if (server.listening) observe({ event: 'connection not accepted', error });
  });

  return {
    server,
    async drain(deadlineMs) {
      // Not http's own close: it cuts answers that a slow client is still reading.
      const closed = new Promise<void>((resolve) => net.Server.prototype.close.call(server, () => resolve()));
      await connections.drain(deadlineMs, observe);
      await closed;
    },
  };
}
