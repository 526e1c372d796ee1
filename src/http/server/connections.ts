// The open connections with the answers each still waits for: none is closed before it has them, except by a deadline.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Observe } from '../../observations.ts';

export interface Connections {
  /** From now on no event of the socket can end the process, whoever else listens to it. */
  add(socket: Socket): void;
  /** The connection waits for this answer until `answered`. */
  expect(socket: Socket, response: ServerResponse): void;
  /** The response has closed: it was flushed to the kernel, or never will be. */
  answered(socket: Socket, response: ServerResponse): void;
  /** Calls `close` once the connection waits for no answer; a second call for the same connection is ignored. */
  closeAfterAnswers(socket: Socket, close: () => void): void;
  /** Whether `closeAfterAnswers` was called: nothing that still arrives is answered. */
  isClosing(socket: Socket): boolean;
  /**
   * Closes idle and half-sent connections at once and the others behind their last answer; cuts those that are open
   * at the deadline. Settles when none is open.
   */
  drain(deadlineMs: number, observe: Observe): Promise<void>;
}

interface Connection {
  readonly awaited: Set<ServerResponse>;
  close: (() => void) | null;
}

/** How long a client may go on sending, or leave its end open, once it has its answer. */
const LINGER_MS = 250;

export function openConnections(): Connections {
  const open = new Map<Socket, Connection>();
  let drained: (() => void) | null = null;

  function closeAfterAnswers(socket: Socket, close: () => void): void {
    const connection = open.get(socket);
    if (!connection || connection.close !== null) return;
    connection.close = close;
    if (connection.awaited.size === 0) close();
  }

  function forget(socket: Socket): void {
    const awaited = open.get(socket)?.awaited ?? [];
    open.delete(socket);
    // Node closes only the response that has the socket: those queued behind it would never learn of it.
    for (const response of awaited) {
      if (response.socket !== null) continue;
      response.destroyed = true;
      response.emit('close');
    }
    if (open.size === 0) drained?.();
  }

  return {
    add(socket) {
      open.set(socket, { awaited: new Set(), close: null });
      // Node removes its own listener before it hands a socket to `connect`.
      socket.on('error', () => {});
      socket.once('close', () => forget(socket));
    },
    expect(socket, response) {
      open.get(socket)?.awaited.add(response);
    },
    answered(socket, response) {
      const connection = open.get(socket);
      if (!connection?.awaited.delete(response) || connection.awaited.size > 0) return;
      connection.close?.();
    },
    closeAfterAnswers,
    isClosing: (socket) => open.get(socket)?.close !== null,
    async drain(deadlineMs, observe) {
      const startMs = performance.now();
      const ended = new Promise<void>((resolve) => {
        drained = resolve;
      });
      const isIdle = ({ awaited, close }: Connection) => awaited.size === 0 && close === null;
      const idle = [...open].filter(([, connection]) => isIdle(connection));
      for (const [socket] of idle) socket.destroy();
      observe({ event: 'drain begun', closed: idle.length, waitsFor: open.size - idle.length });
      for (const socket of open.keys()) closeAfterAnswers(socket, () => hangUp(socket));
      if (open.size === 0) drained?.();

      const half = setTimeout(() => cutHalfSent(open), LINGER_MS);
      const waiting = setInterval(() => observe({ event: 'drain waits', ...stateOf(open) }), 1000);
      let cut = 0;
      const deadline = setTimeout(() => {
        cut = open.size;
        for (const socket of open.keys()) socket.destroy();
      }, deadlineMs);
      await ended;
      clearTimeout(half);
      clearInterval(waiting);
      clearTimeout(deadline);
      observe({ event: 'drain ended', durationMs: Math.round(performance.now() - startMs), cut });
    },
  };
}

/** Closes for good soon, whether or not the client closes its end: many leave it open. */
export function hangUp(socket: Socket, lingerMs: number = LINGER_MS): void {
  socket.end();
  // To close with unread bytes would reset the connection, and the client would lose its answer.
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}

/** A request whose body has not arrived by now is not waited for. */
function cutHalfSent(open: ReadonlyMap<Socket, Connection>): void {
  for (const [socket, { awaited }] of open) {
    const isHalfSent = [...awaited].some(({ req, writableEnded }) => !req.complete && !writableEnded);
    if (isHalfSent) socket.destroy();
  }
}

function stateOf(open: ReadonlyMap<Socket, Connection>): { unanswered: number; unread: number } {
  const unread = [...open.values()].filter(({ awaited }) =>
    [...awaited].every(({ writableEnded }) => writableEnded),
  ).length;
  return { unanswered: open.size - unread, unread };
}
