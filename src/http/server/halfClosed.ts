// Answers clients that end their side of the connection after the request, and notices those that are gone.

import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Makes the server answer a connection whose client has sent everything and ended its side (`nc -N`, for instance).
 * Without it, node closes the connection before the answer.
 */
export function answerHalfClosed(server: Server): void {
  // Node's http server has this switch, and its types lack it.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('connection', (socket) => {
    socket.once('end', () => probeAfter(socket, FIRST_PROBE_MS));
  });
}

/** Most answers are complete within this time and need no probe. */
const FIRST_PROBE_MS = 100;

/** The response that owns the socket. Responses to later requests of the connection wait behind it. */
type Answering = Socket & { readonly _httpMessage?: ServerResponse | null };

/**
 * Writes `102 Processing` until the answer begins, and doubles the delay each time.
 *
 * A client that only ended its side skips it (RFC 9110 §15.2). The system of a client that has closed the connection
 * replies with a reset, which makes the next write fail; node then closes the response, and its query stops. Without the
 * probe, both clients look the same. HTTP/1.0 has no such status: there a query runs to its end or its deadline.
 */
function probeAfter(socket: Answering, delayMs: number): void {
  const timer = setTimeout(() => {
    const response = socket._httpMessage;
    if (!response || response.headersSent || socket.destroyed) return;
    if (response.req.httpVersionMinor >= 1) response.writeProcessing();
    probeAfter(socket, 2 * delayMs);
  }, delayMs);
  socket.once('close', () => clearTimeout(timer));
}
