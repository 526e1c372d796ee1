// Tracks the open connections and their pending answers, so that a drain first sends all answers.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Observe } from '../../observations.ts';

interface Connection {
  /** The responses that have not closed yet. */
  readonly pending: Set<ServerResponse>;
  /** The function that `closeAfterAnswers` was given; null before that call. */
  close: (() => void) | null;
  mayCome: (response: ServerResponse) => boolean;
}

const ALL_MAY_COME: Connection['mayCome'] = () => true;

/** How long a client may go on sending, or leave its side of the connection open, after its last answer. */
const LINGER_MS = 250;

/**
 * The open connections of one server. `server.ts` calls `add` for each, and `addPending` and `removePending` for each
 * request.
 */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  // The counts are not part of `#open`, because an interrupted answer closes after its connection was removed from there.
  readonly #bytesCounted = new WeakMap<Socket, number>();
  /** Is called when no connection is open any more, and then ends the drain; null while there is no drain. */
  #onDrained: (() => void) | null = null;

  /** Tracks a new socket, and ignores its errors, which would otherwise end the process. */
  add(socket: Socket): void {
    this.#open.set(socket, { pending: new Set(), close: null, mayCome: ALL_MAY_COME });
    // Reading the address makes Node cache it. Otherwise the address could not be read after the connection has closed.
    void socket.remoteAddress;
    // Node's own error listener is not enough: Node removes it before it emits `connect`.
    socket.on('error', () => {});
    socket.once('close', () => this.#forget(socket));
  }

  /** Records that an answer is pending, until `removePending` is called. */
  addPending(socket: Socket, response: ServerResponse): void {
    this.#open.get(socket)?.pending.add(response);
  }

  /** Must be called when a response has closed, whether it was sent or not. */
  removePending(socket: Socket, response: ServerResponse): void {
    const connection = this.#open.get(socket);
    if (connection?.pending.delete(response)) closeIfAnswered(connection);
  }

  /**
   * How many bytes were written to the connection since the last call. Called at the end of each answer, it gives the
   * size of that answer, because the answers of a connection end in order.
   */
  bytesSinceLastCall(socket: Socket): number {
    const { bytesWritten } = socket;
    const bytes = bytesWritten - (this.#bytesCounted.get(socket) ?? 0);
    this.#bytesCounted.set(socket, bytesWritten);
    return bytes;
  }

  /**
   * Calls `close` when no pending answer of the connection can still come. Only the first call for a connection counts.
   *
   * @param mayCome whether a pending answer can still come. When it is left out, all of them can.
   */
  closeAfterAnswers(socket: Socket, close: () => void, mayCome = ALL_MAY_COME): void {
    const connection = this.#open.get(socket);
    if (!connection || connection.close !== null) return;
    connection.close = close;
    connection.mayCome = mayCome;
    closeIfAnswered(connection);
  }

  /** Whether `closeAfterAnswers` was called for the connection, or it has closed. Its further requests are not answered. */
  isClosing(socket: Socket): boolean {
    return this.#open.get(socket)?.close !== null;
  }

  /** Ends a connection at once. No client can mistake an interrupted answer for a complete one. */
  cut(socket: Socket): void {
    cut(socket, this.#open.get(socket));
  }

  cutAll(): void {
    for (const [socket, connection] of this.#open) cut(socket, connection);
  }

  /**
   * Closes all connections: idle ones at once, those with a half-sent request after `LINGER_MS`, and all others after
   * their last answer. Cuts those that are still open at the deadline. Settles when no connection is open.
   */
  async drain(deadlineMs: number, observe: Observe): Promise<void> {
    const open = this.#open;
    const startMs = performance.now();
    const ended = new Promise<void>((resolve) => {
      this.#onDrained = resolve;
    });
    const idle = idleSockets(open);
    for (const socket of idle) socket.destroy();
    observe({ event: 'drain begun', closed: idle.length, waitsFor: open.size - idle.length });
    for (const socket of open.keys()) this.closeAfterAnswers(socket, () => hangUp(socket));
    if (open.size === 0) this.#onDrained?.();
    const cut = await waitThenCut(open, ended, { deadlineMs, observe });
    observe({ event: 'drain ended', durationMs: Math.round(performance.now() - startMs), cut });
  }

  #forget(socket: Socket): void {
    const pending = this.#open.get(socket)?.pending ?? [];
    this.#open.delete(socket);
    // Node emits `close` only for the response that owns the socket, not for those that are queued behind it.
    for (const response of pending) {
      if (response.socket !== null) continue;
      response.destroyed = true;
      response.emit('close');
    }
    if (this.#open.size === 0) this.#onDrained?.();
  }
}

/** Closes the connection if `closeAfterAnswers` was called and no pending answer can still come. */
function closeIfAnswered(connection: Connection): void {
  const { pending, close, mayCome } = connection;
  if (close === null || [...pending].some(mayCome)) return;
  // A pending answer that could not come may still end. It must not call `close` a second time.
  connection.close = () => {};
  close();
}

/** The sockets of connections that wait for no answer and are not closing. */
const idleSockets = (open: ReadonlyMap<Socket, Connection>): Socket[] =>
  [...open].flatMap(([socket, { pending, close }]) => (pending.size === 0 && close === null ? [socket] : []));

/**
 * Waits until no connection is open. Cuts those with a half-sent request after `LINGER_MS`, and all others at the
 * deadline; returns how many of the others it has cut.
 */
async function waitThenCut(
  open: ReadonlyMap<Socket, Connection>,
  ended: Promise<void>,
  { deadlineMs, observe }: { readonly deadlineMs: number; readonly observe: Observe },
): Promise<number> {
  let cutCount = 0;
  const halfSentTimer = setTimeout(() => cutHalfSent(open), LINGER_MS);
  const reportTimer = setInterval(() => observe({ event: 'drain waits', ...stateOf(open) }), 1000);
  const deadline = setTimeout(() => {
    cutCount = open.size;
    for (const [socket, connection] of open) cut(socket, connection);
  }, deadlineMs);
  await ended;
  clearTimeout(halfSentTimer);
  clearInterval(reportTimer);
  clearTimeout(deadline);
  return cutCount;
}

/** Ends our side of a connection, and destroys it after `lingerMs`, because many clients never close their side. */
export function hangUp(socket: Socket, lingerMs: number = LINGER_MS): void {
  socket.end();
  // The remaining bytes are read, because closing a connection with unread bytes resets it. The client would lose its
  // answer.
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}

/** Cuts the connections whose request body is still incomplete. */
function cutHalfSent(open: ReadonlyMap<Socket, Connection>): void {
  for (const [socket, connection] of open) {
    const { pending } = connection;
    const isHalfSent = [...pending].some(({ req, writableEnded }) => !req.complete && !writableEnded);
    if (isHalfSent) cut(socket, connection);
  }
}

/**
 * Ends a connection at once. In the middle of an answer, it resets the connection. After a mere close, an HTTP/1.0
 * client would mistake a part of a file of unknown length for the whole file.
 */
function cut(socket: Socket, connection: Connection | undefined): void {
  const isUnderWay = [...(connection?.pending ?? [])].some(
    ({ headersSent, writableFinished }) => headersSent && !writableFinished,
  );
  if (isUnderWay) socket.resetAndDestroy();
  else socket.destroy();
}

/**
 * `unanswered` is the number of connections with an answer that is not written completely. `unread` is the number of
 * connections whose answers are written, but not yet read by the client.
 */
function stateOf(open: ReadonlyMap<Socket, Connection>): { unanswered: number; unread: number } {
  const unread = [...open.values()].filter(({ pending }) =>
    [...pending].every(({ writableEnded }) => writableEnded),
  ).length;
  return { unanswered: open.size - unread, unread };
}
