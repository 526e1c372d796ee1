// Detects that a client disconnects before it has received its answer.

import type { ServerResponse } from 'node:http';

/** A signal that aborts when the client leaves before it has received the whole answer. */
export function disconnectSignalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed) controller.abort();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
