// Detects that a client disconnects before it has received its answer.

import type { Response } from 'express';

/** A signal that aborts when the client leaves before it has received the whole answer. */
export function disconnectSignalOf(response: Response): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed) controller.abort();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
