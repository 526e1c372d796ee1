// Tracks the open connections and their pending answers, so that a drain closes no connection that waits for an answer.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Observe } from '../../observations.ts';

export interface Connections {
  /** Tracks a new socket, and handles its errors, so that none can end the process. */
  add(socket: Socket): void;
  /** Records a pending answer, until `answered` is called. */
  expect(socket: Socket, response: ServerResponse): void;
  /**
   * The bytes that were written to the connection since the last call. The answers of a connection end in order, so these
   * are the bytes of one answer.
   */
  bytesSinceLastCall(socket: Socket): number;
  /** The response has closed, whether or not it was sent. */
  answered(socket: Socket, response: ServerResponse): void;
  /**
   * Calls `close` once, when the connection has no pending answer that can still come. A second call for the same
   * connection is ignored.
   *
   * @param canCome whether a pending answer can still come; all can when left out.
   */
  closeAfterAnswers(socket: Socket, close: () => void, canCome?: (response: ServerResponse) => boolean): void;
  /** Ends a connection at once, in a way that no client takes for the end of a complete answer. */
  cut(socket: Socket): void;
  /** Ends all connections at once, as `cut` does. */
  cutAll(): void;
  /** Whether `closeAfterAnswers` was called. Later requests of the connection are not answered. */
  isClosing(socket: Socket): boolean;
  /**
   * Closes idle connections at once, connections with a half-sent request after `LINGER_MS`, and the others after their
   * last answer. Cuts those that are open at the deadline. Settles when none is open.
   */
  drain(deadlineMs: number, observe: Observe): Promise<void>;
}

interface Connection {
  readonly awaited: Set<ServerResponse>;
  close: (() => void) | null;
  canCome: (response: ServerResponse) => boolean;
}

const ALL_CAN_COME: Connection['canCome'] = () => true;

/** How long a client may go on sending, or leave its end open, after its last answer. */
const LINGER_MS = 250;

export function openConnections(): Connections {
  const open = new Map<Socket, Connection>();
  // A map of its own: an answer that is cut short closes after its connection was removed from `open`.
  const bytesCounted = new WeakMap<Socket, number>();
  let drained: (() => void) | null = null;

  function closeAfterAnswers(socket: Socket, close: () => void, canCome = ALL_CAN_COME): void {
    const connection = open.get(socket);
    if (!connection || connection.close !== null) return;
    connection.close = close;
    connection.canCome = canCome;
    closeIfAnswered(connection);
  }

  function closeIfAnswered(connection: Connection): void {
    const { awaited, close, canCome } = connection;
    if (close === null || [...awaited].some(canCome)) return;
    // An answer that was not waited for may still end, and `close` must not run twice.
    connection.close = () => {};
    close();
  }

  function forget(socket: Socket): void {
    const awaited = open.get(socket)?.awaited ?? [];
    open.delete(socket);
    // Node closes only the response that owns the socket. Responses queued behind it get no event.
    for (const response of awaited) {
      if (response.socket !== null) continue;
      response.destroyed = true;
      response.emit('close');
    }
    if (open.size === 0) drained?.();
  }

  return {
    add(socket) {
      open.set(socket, { awaited: new Set(), close: null, canCome: ALL_CAN_COME });
      // Node caches the address when it is read. Once the connection has closed, it could not be read any more.
      void socket.remoteAddress;
      // Node removes its own error listener before it emits `connect`.
      socket.on('error', () => {});
      socket.once('close', () => forget(socket));
    },
    expect(socket, response) {
      open.get(socket)?.awaited.add(response);
    },
    bytesSinceLastCall(socket) {
      const { bytesWritten } = socket;
      const bytes = bytesWritten - (bytesCounted.get(socket) ?? 0);
      bytesCounted.set(socket, bytesWritten);
      return bytes;
    },
    answered(socket, response) {
      const connection = open.get(socket);
      if (connection?.awaited.delete(response)) closeIfAnswered(connection);
    },
    closeAfterAnswers,
    cut: (socket) => cut(socket, open.get(socket)),
    cutAll() {
      for (const [socket, connection] of open) cut(socket, connection);
    },
    isClosing: (socket) => open.get(socket)?.close !== null,
    async drain(deadlineMs, observe) {
      const startMs = performance.now();
      const ended = new Promise<void>((resolve) => {
        drained = resolve;
      });
      const idle = idleSockets(open);
      for (const socket of idle) socket.destroy();
      observe({ event: 'drain begun', closed: idle.length, waitsFor: open.size - idle.length });
      for (const socket of open.keys()) closeAfterAnswers(socket, () => hangUp(socket));
      if (open.size === 0) drained?.();
      const cut = await cutOthers(open, ended, { deadlineMs, observe });
      observe({ event: 'drain ended', durationMs: Math.round(performance.now() - startMs), cut });
    },
  };
}

/** The sockets of connections that wait for no answer and are not closing. */
const idleSockets = (open: ReadonlyMap<Socket, Connection>): Socket[] =>
  [...open].flatMap(([socket, { awaited, close }]) => (awaited.size === 0 && close === null ? [socket] : []));

/**
 * Waits until no connection is open. Cuts half-sent requests on the way and all others at the deadline; returns the
 * number of the latter.
 */
async function cutOthers(
  open: ReadonlyMap<Socket, Connection>,
  ended: Promise<void>,
  { deadlineMs, observe }: { readonly deadlineMs: number; readonly observe: Observe },
): Promise<number> {
  let cutCount = 0;
  const half = setTimeout(() => cutHalfSent(open), LINGER_MS);
  const waiting = setInterval(() => observe({ event: 'drain waits', ...stateOf(open) }), 1000);
  const deadline = setTimeout(() => {
    cutCount = open.size;
    for (const [socket, connection] of open) cut(socket, connection);
  }, deadlineMs);
  await ended;
  clearTimeout(half);
  clearInterval(waiting);
  clearTimeout(deadline);
  return cutCount;
}

/** Ends the connection, and destroys it after `lingerMs`, because many clients never close their end. */
export function hangUp(socket: Socket, lingerMs: number = LINGER_MS): void {
  socket.end();
  // Closing with unread bytes would reset the connection, and the client would lose its answer.
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}

/** Destroys the connections whose request body is still incomplete. */
function cutHalfSent(open: ReadonlyMap<Socket, Connection>): void {
  for (const [socket, connection] of open) {
    const { awaited } = connection;
    const isHalfSent = [...awaited].some(({ req, writableEnded }) => !req.complete && !writableEnded);
    if (isHalfSent) cut(socket, connection);
  }
}

/**
 * Ends a connection at once. In the middle of an answer it is reset, because an HTTP/1.0 client takes a plain close for
 * the end of a file whose length is not stated.
 */
function cut(socket: Socket, connection: Connection | undefined): void {
  const isUnderWay = [...(connection?.awaited ?? [])].some(
    ({ headersSent, writableFinished }) => headersSent && !writableFinished,
  );
  if (isUnderWay) socket.resetAndDestroy();
  else socket.destroy();
}

function stateOf(open: ReadonlyMap<Socket, Connection>): { unanswered: number; unread: number } {
  const unread = [...open.values()].filter(({ awaited }) =>
    [...awaited].every(({ writableEnded }) => writableEnded),
  ).length;
  return { unanswered: open.size - unread, unread };
}
