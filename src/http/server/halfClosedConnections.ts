// Answers clients that end their side of the connection after the request, and detects those that are gone.

import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Makes the server answer on a connection whose client has ended its side after the request, as `nc -N` does. Otherwise
 * node would close the connection before the answer.
 */
export function answerHalfClosed(server: Server): void {
  // Node's types lack this property.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('connection', (socket) => {
    socket.once('end', () => probeAfter(socket, FIRST_PROBE_MS));
  });
}

/** When the first probe is sent. Most answers are complete by then. */
const FIRST_PROBE_MS = 100;

/** A socket with the response that owns it. The responses to later requests of the connection wait behind that one. */
type AnsweringSocket = Socket & { readonly _httpMessage?: ServerResponse | null };

/**
 * Sends probes until the answer begins, and doubles the delay each time. A probe is `102 Processing`.
 *
 * A client that has only ended its side ignores a probe (RFC 9110 §15.2). If the client has closed the connection, its
 * system replies with a reset. The next write then fails, node closes the response, and the query stops. Without
 * probes, the two clients could not be told apart. HTTP/1.0 has no such status, so there a query runs to its end or
 * deadline.
 */
function probeAfter(socket: AnsweringSocket, delayMs: number): void {
  const timer = setTimeout(() => {
    const response = socket._httpMessage;
    if (!response || response.headersSent || socket.destroyed) return;
    if (response.req.httpVersionMinor >= 1) response.writeProcessing();
    probeAfter(socket, 2 * delayMs);
  }, delayMs);
  socket.once('close', () => clearTimeout(timer));
}
