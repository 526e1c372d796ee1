// The HTTP server around the app: limits requests, answers malformed ones in JSON, and drains connections when it ends.

import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import net, { type Socket } from 'node:net';
import type { Express } from 'express';
import { type ApiError, notFound } from '../../errors.ts';
import type { Observe, RequestAnswered } from '../../observations.ts';
import { MAX_HEAD_BYTES, requestRefusal } from './checkRequest.ts';
import { Connections, hangUp } from './connections.ts';
import { crossOriginHeadersOfRefusal } from './crossOrigin.ts';
import { answerHalfClosed } from './halfClosedConnections.ts';
import { type HeaderList, requestIdOf } from './headers.ts';
import { messageClassesOf } from './messageClasses.ts';
import { mayBeApiRequest, type ParseError, parserRefusal, refusalBytes } from './refuse.ts';
import { isApiRequest, loggedPath, originForm, routeOf } from './requestUrl.ts';
import { keyIdOf, snapshotIdOf } from './responseFacts.ts';
import { sendError } from './send.ts';
import { mayLoseBytesAfter } from './upgradeRequests.ts';

export interface HttpServer {
  /** The server, which does not listen yet. */
  readonly server: http.Server;
  /**
   * Accepts no new connections, and lets pending requests finish. At the deadline it cuts the connections that are
   * left.
   */
  drain(deadlineMs: number): Promise<void>;
  /** Cuts all connections at once, because the process ends. */
  cutAll(): void;
}

/** Gives the rate-limit headers of answers that no endpoint sends (ruling 23). */
export interface AddressLimits {
  showAddressLimits(request: IncomingMessage, response: ServerResponse): void;
  addressLimitHeaders(remoteAddress: string | undefined): HeaderList;
}

const HEADERS_MS = 15_000;
/** How long a client may take to send the whole request. */
const REQUEST_MS = 30_000;
/**
 * How often Node checks whether requests take too long. With its default of 30 s, slow clients would have up to three
 * times as long.
 */
const CHECK_MS = 5_000;
/** How long a connection may be silent. A request waits for less: at most 5 s for a snapshot, and 5 s for its rows. */
const SILENCE_MS = 60_000;
/**
 * How long an idle connection stays open. It is more than the usual minute of a proxy, so that the proxy closes it
 * first.
 */
export const IDLE_CONNECTION_MS = 65_000;
/**
 * How long the connection of a refused client stays open. The client may still be sending, and would lose its answer if
 * the connection closed at once.
 */
const REFUSED_LINGER_MS = 1000;

const OPTIONS = {
  maxHeaderSize: MAX_HEAD_BYTES,
  headersTimeout: HEADERS_MS,
  requestTimeout: REQUEST_MS,
  connectionsCheckingInterval: CHECK_MS,
  keepAliveTimeout: IDLE_CONNECTION_MS,
  // Node would answer a request without Host with an empty body. `requestRefusal` answers it in JSON.
  requireHostHeader: false,
} as const;

/** Makes the server around an app. It does not listen yet. */
export function createServer(app: Express, observe: Observe, limits: AddressLimits): HttpServer {
  const connections = new Connections();

  const track = answerTracker(connections, observe);
  const refuse = refuser(app, connections, observe, limits);

  function handle(request: IncomingMessage, response: ServerResponse): void {
    if (connections.isClosing(request.socket)) return;
    track(request, response);
    // The connection closes after this answer during a drain, and if the parser may lose the next request. The client
    // then repeats that request on a new connection.
    if (!server.listening || mayLoseBytesAfter(request)) response.shouldKeepAlive = false;
    const { url = '' } = request;
    const target = originForm(url);
    request.url = target ?? '';
    const refusal = target === null ? notFound() : requestRefusal(request);
    if (refusal === null) {
      app(request, response);
      return;
    }
    // The end of a malformed request is not certain. The connection closes, so that bytes after it are not read as
    // another request.
    if (refusal.status === 400 || refusal.status === 501) response.shouldKeepAlive = false;
    if (isApiRequest({ url })) limits.showAddressLimits(request, response);
    sendError(response, refusal);
  }

  const server = http.createServer({ ...messageClassesOf(app), ...OPTIONS }, handle);
  // 0 means no limit. With a limit, Node would silently drop the headers beyond it. The size of headers is limited
  // instead.
  server.maxHeadersCount = 0;
  server.setTimeout(SILENCE_MS, (socket) => connections.cut(socket));
  server.on('connection', (socket) => connections.add(socket));
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
      // The method `close` of http would cut answers that slow clients are still reading.
      const closed = new Promise<void>((resolve) => net.Server.prototype.close.call(server, () => resolve()));
      await connections.drain(deadlineMs, observe);
      await closed;
    },
    cutAll: () => connections.cutAll(),
  };
}

/** Makes a listener that records each answer as pending, and logs and counts it when it ends. */
function answerTracker(connections: Connections, observe: Observe): http.RequestListener {
  return (request, response) => {
    const { socket } = request;
    const startMs = performance.now();
    connections.addPending(socket, response);
    // `once`, because Node 26 emits `close` a second time for responses that were queued on a closed connection.
    response.once('close', () => {
      const bytes = connections.bytesSinceLastCall(socket);
      connections.removePending(socket, response);
      observe(observationOf(request, response, startMs, bytes));
    });
  };
}

/** Answers requests with the header `Expect`. For these, Node emits other events than `request`. */
function handleExpectations(server: http.Server, handle: http.RequestListener): void {
  // An unknown expectation may be ignored (RFC 9110 §10.1.1). Node would answer 417 without a body.
  server.on('checkExpectation', handle);
  // Only POST needs its body. Other requests get their final answer in place of 100, and the connection closes, because
  // the client may still send the body.
  server.on('checkContinue', (request, response) => {
    if (request.method === 'POST') response.writeContinue();
    else response.shouldKeepAlive = false;
    handle(request, response);
  });
}

interface RefusedBytes {
  readonly code: string;
  /** Whether the request may be for a path of the API. */
  readonly isApi: boolean;
  /** The bytes that Node read last. They may contain the header `Origin`, for the CORS headers of the refusal. */
  readonly received: string;
}

type Refuse = (socket: Socket, error: ApiError, refused: RefusedBytes) => void;

/** Returns a function that refuses bytes that are not a request, after all pending answers of the connection. */
function refuser(app: Express, connections: Connections, observe: Observe, limits: AddressLimits): Refuse {
  const apiHeaders = ({ remoteAddress }: Socket, received: string) => [
    ...limits.addressLimitHeaders(remoteAddress),
    ...crossOriginHeadersOfRefusal(app.response, received),
  ];
  return (socket, error, { code, isApi, received }) => {
    const close = () => {
      // The client may have left in the meantime.
      if (!socket.writable) return void socket.destroy();
      observe({ event: 'connection refused', status: error.status, code, address: socket.remoteAddress });
      socket.write(refusalBytes(error, app.response, isApi ? apiHeaders(socket, received) : []));
      hangUp(socket, REFUSED_LINGER_MS);
    };
    connections.closeAfterAnswers(socket, close, canAnswer);
  };
}

/** Refuses CONNECT, which asks for a tunnel. */
function handleConnect(server: http.Server, refuse: Refuse): void {
  server.on('connect', (_request, socket: Socket) => {
    // Node has removed its listeners, so incoming bytes are dropped here, and the connection is closed when it is
    // silent.
    socket.resume();
    socket.setTimeout(SILENCE_MS, () => socket.destroy());
    refuse(socket, notFound(), { code: 'CONNECT', isApi: false, received: '' });
  });
}

function handleBrokenRequests(server: http.Server, connections: Connections, refuse: Refuse): void {
  server.on('clientError', (error: ParseError, socket: Socket) => {
    // Node reports another error for each further byte on a broken connection. Only the first is answered.
    if (connections.isClosing(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const { code = '', rawPacket } = error;
    const isApi = mayBeApiRequest(error, socket.bytesRead);
    refuse(socket, parserRefusal(error), { code, isApi, received: rawPacket?.toString('latin1') ?? '' });
  });
}

/** Whether an answer can still come when no more of its request arrives. Handlers of POST wait for the whole body. */
const canAnswer = ({ req, headersSent }: ServerResponse): boolean =>
  req.complete || headersSent || req.method !== 'POST';

/**
 * The observation of an answer that has ended, for logs and metrics.
 *
 * @param startMs when its request arrived, by `performance.now()`.
 */
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
      // The query string is left out, because it shows what a client is interested in.
      path: loggedPath(request, route),
      address: clientAddressIn(request),
      keyId: keyIdOf(response),
      snapshot: snapshotIdOf(response),
    }),
  };
}

/**
 * The address of the client. Computing `ip` takes time, so it is used only behind a proxy. Only requests of Express
 * have it.
 */
const clientAddressIn = (request: IncomingMessage & { ip?: string | undefined }): string | undefined =>
  (request.headers['x-forwarded-for'] === undefined ? undefined : request.ip) ?? request.socket.remoteAddress;
