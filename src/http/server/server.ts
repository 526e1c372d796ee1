// The HTTP server around the app: limits requests, answers malformed ones in JSON, and drains connections at the end.

import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import net, { type Socket } from 'node:net';
import type { Express } from 'express';
import { type ApiError, notFound } from '../../errors.ts';
import type { Observe, RequestAnswered } from '../../observations.ts';
import { MAX_HEAD_BYTES, refusalOf } from './checkRequest.ts';
import { type Connections, hangUp, openConnections } from './connections.ts';
import { crossOriginHeadersOfRefusal } from './crossOrigin.ts';
import { answerHalfClosed } from './halfClosed.ts';
import { type HeaderList, requestIdOf } from './headers.ts';
import { messagesOf } from './messages.ts';
import { mayBeOfApi, type ParseError, parserRefusal, refusalBytes } from './refuse.ts';
import { keyIdOf, snapshotIdOf } from './responseFacts.ts';
import { sendError } from './send.ts';
import { isOfApi, loggedPath, originForm, routeOf } from './url.ts';

export interface HttpServer {
  /** Not listening yet. */
  readonly server: http.Server;
  /** Accepts no new connection, lets running requests finish, and cuts those that have not finished at the deadline. */
  drain(deadlineMs: number): Promise<void>;
  /** Cuts all connections at once, because the process ends. */
  cutAll(): void;
}

/** Rate-limit headers for answers that no endpoint sends (ruling 23). */
export interface AddressLimits {
  showAddressLimits(request: IncomingMessage, response: ServerResponse): void;
  addressLimitHeaders(remoteAddress: string | undefined): HeaderList;
}

/** Timeouts for slow and silent clients. An answer itself takes 5 s at most. */
const HEADERS_MS = 15_000;
const REQUEST_MS = 30_000;
const SILENCE_MS = 60_000;
/** Longer than the usual minute of a proxy, so that the proxy closes an idle connection first. */
const KEEP_ALIVE_MS = 65_000;
/** A refused client may still be sending. It would lose its answer if the connection closed at once. */
const REFUSED_LINGER_MS = 1000;

const OPTIONS = {
  maxHeaderSize: MAX_HEAD_BYTES,
  headersTimeout: HEADERS_MS,
  requestTimeout: REQUEST_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  // Node would refuse without a body; `refusalOf` refuses in JSON.
  requireHostHeader: false,
} as const;

export function createServer(app: Express, observe: Observe, limits: AddressLimits): HttpServer {
  const connections = openConnections();

  function track(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const startMs = performance.now();
    connections.expect(socket, response);
    // Once: Node 26 closes the responses queued on a closed connection, too.
    response.once('close', () => {
      const bytes = connections.bytesSinceLastCall(socket);
      connections.answered(socket, response);
      observe(observationOf(request, response, startMs, bytes));
    });
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    if (connections.isClosing(request.socket)) return;
    track(request, response);
    // A draining server closes the connection after the answer. So must the answer to an upgrade request: Node's parser
    // drops everything after it, and a second request would get no answer.
    if (!server.listening || request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    const { url = '' } = request;
    const target = originForm(url);
    request.url = target ?? '';
    const refusal = target === null ? notFound() : refusalOf(request);
    if (refusal === null) {
      app(request, response);
      return;
    }
    // Where a malformed request ends is not certain, so the bytes after it are not read as another one.
    if (refusal.status === 400) response.shouldKeepAlive = false;
    if (isOfApi({ url })) limits.showAddressLimits(request, response);
    sendError(response, refusal);
  }

  /** Answers bytes that are no request, after the answers that the connection still waits for. */
  function refuse(socket: Socket, error: ApiError, { code, isApi, received }: Refused): void {
    const close = () => {
      // The client has left in the meantime.
      if (!socket.writable) return void socket.destroy();
      observe({ event: 'connection refused', status: error.status, code });
      const headers = isApi
        ? [
            ...limits.addressLimitHeaders(socket.remoteAddress),
            ...crossOriginHeadersOfRefusal(app.response, received),
          ]
        : [];
      socket.write(refusalBytes(error, app.response, headers));
      hangUp(socket, REFUSED_LINGER_MS);
    };
    connections.closeAfterAnswers(socket, close, canAnswer);
  }

  const server = http.createServer({ ...messagesOf(app), ...OPTIONS }, handle);
  // Headers are limited in bytes. Node's limit on their number would silently drop the rest.
  server.maxHeadersCount = 0;
  server.setTimeout(SILENCE_MS, connections.cut);
  server.on('connection', connections.add);
  answerHalfClosed(server);
  server.on('error', (error) => {
    if (server.listening) observe({ event: 'connection not accepted', error });
  });
  handleExpectations(server, handle);
  handleConnect(server, refuse);
  handleBrokenRequests(server, connections, refuse);

  return {
    server,
    async drain(deadlineMs) {
      // http's own close would cut answers that a slow client is still reading.
      const closed = new Promise<void>((resolve) => net.Server.prototype.close.call(server, () => resolve()));
      await connections.drain(deadlineMs, observe);
      await closed;
    },
    cutAll: connections.cutAll,
  };
}

/** Answers requests with an `Expect` header, which Node keeps from the usual handler. */
function handleExpectations(server: http.Server, handle: http.RequestListener): void {
  // An expectation may be ignored (RFC 9110 §10.1.1). Node would answer 417 without a body.
  server.on('checkExpectation', handle);
  // Only forms need their body. Other requests get their final answer instead of 100, and the connection closes because
  // the client may still send the body.
  server.on('checkContinue', (request, response) => {
    if (request.method === 'POST') response.writeContinue();
    else response.shouldKeepAlive = false;
    handle(request, response);
  });
}

interface Refused {
  readonly code: string;
  /** Whether the request may be one of the API. */
  readonly isApi: boolean;
  /** The last bytes that were received of the request. */
  readonly received: string;
}

type Refuse = (socket: Socket, error: ApiError, refused: Refused) => void;

/** Refuses CONNECT, which asks for a tunnel. */
function handleConnect(server: http.Server, refuse: Refuse): void {
  server.on('connect', (_request, socket: Socket) => {
    // Node has removed its listeners: drop incoming bytes, and close the connection when it is silent.
    socket.resume();
    socket.setTimeout(SILENCE_MS, () => socket.destroy());
    refuse(socket, notFound(), { code: 'CONNECT', isApi: false, received: '' });
  });
}

/** Refuses bytes that Node's parser does not take for a request. */
function handleBrokenRequests(server: http.Server, connections: Connections, refuse: Refuse): void {
  server.on('clientError', (error: ParseError, socket: Socket) => {
    // Node reports an error for every further byte on a broken connection.
    if (connections.isClosing(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const { code = '', rawPacket } = error;
    const isApi = mayBeOfApi(error, socket.bytesRead);
    refuse(socket, parserRefusal(code), { code, isApi, received: rawPacket?.toString('latin1') ?? '' });
  });
}

/** Whether an answer can come although no more of its request will. Handlers of POST read the body first. */
const canAnswer = ({ req, headersSent }: ServerResponse): boolean =>
  req.complete || headersSent || req.method !== 'POST';

/** The observation of one answer; `startMs` is the monotonic time at which its request arrived. */
function observationOf(
  request: IncomingMessage & { ip?: string | undefined },
  response: ServerResponse,
  startMs: number,
  bytes: number,
): RequestAnswered {
  const route = routeOf(request);
  return {
    event: 'request answered',
    route,
    status: response.statusCode,
    durationMs: performance.now() - startMs,
    bytes,
    isCutShort: !response.writableFinished,
    details: () => ({
      requestId: requestIdOf(response),
      method: request.method,
      // Without the query string, which shows what a client is interested in.
      path: loggedPath(request, route),
      address: addressIn(request),
      keyId: keyIdOf(response),
      snapshot: snapshotIdOf(response),
    }),
  };
}

/** The client's address. Express gives `ip`, and takes a while for it, only to requests that reached the app. */
const addressIn = (request: IncomingMessage & { ip?: string | undefined }): string | undefined =>
  (request.headers['x-forwarded-for'] === undefined ? undefined : request.ip) ?? request.socket.remoteAddress;
