// Tells when a client leaves before it has its answer.

import type { Response } from 'express';

/** Aborts when the client leaves before it has the whole answer. */
export function leavingOf(response: Response): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed) controller.abort();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
