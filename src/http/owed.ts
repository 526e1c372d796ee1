// Counts the answers still owed on each connection, so that a farewell comes after them.

import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export interface Owed {
  add(socket: Duplex, response: ServerResponse): void;
  /** Acts once, as soon as nothing is owed; a second farewell on a connection is ignored. */
  afterwards(socket: Duplex, farewell: () => void): void;
}

export function owedAnswers(): Owed {
  const counts = new WeakMap<Duplex, number>();
  const farewells = new WeakMap<Duplex, () => void>();
  const count = (socket: Duplex) => counts.get(socket) ?? 0;
  return {
    add(socket, response) {
      counts.set(socket, count(socket) + 1);
      response.once('close', () => {
        counts.set(socket, count(socket) - 1);
        if (count(socket) === 0) farewells.get(socket)?.();
      });
    },
    afterwards(socket, farewell) {
      // Node reports every further byte on a broken connection.
      if (farewells.has(socket)) return;
      farewells.set(socket, farewell);
      if (count(socket) === 0) farewell();
    },
  };
}
