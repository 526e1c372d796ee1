// Knows the open connections and the answers still owed on each, so that a farewell comes after them.

import type { Duplex } from 'node:stream';

export interface Connections {
  add(socket: Duplex): void;
  /** One more answer is owed on the connection. */
  owe(socket: Duplex): void;
  /** One of them has left, or never will. */
  settle(socket: Duplex): void;
  /** Acts once, as soon as nothing is owed on the connection; a second farewell is ignored. */
  afterwards(socket: Duplex, farewell: () => void): void;
  /** Whether a farewell was said, or will be. */
  isLeaving(socket: Duplex): boolean;
  /** Ends every connection when what is owed on it has left. */
  endAll(): void;
}

export function openConnections(): Connections {
  const open = new Set<Duplex>();
  const owed = new WeakMap<Duplex, number>();
  const farewells = new WeakMap<Duplex, () => void>();
  const count = (socket: Duplex) => owed.get(socket) ?? 0;

  function afterwards(socket: Duplex, farewell: () => void): void {
    if (farewells.has(socket)) return;
    farewells.set(socket, farewell);
    if (count(socket) === 0) farewell();
  }

  return {
    add(socket) {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    },
    owe(socket) {
      owed.set(socket, count(socket) + 1);
    },
    settle(socket) {
      owed.set(socket, count(socket) - 1);
      if (count(socket) === 0) farewells.get(socket)?.();
    },
    afterwards,
    isLeaving: (socket) => farewells.has(socket),
    endAll() {
      for (const socket of open) afterwards(socket, () => socket.end());
    },
  };
}
