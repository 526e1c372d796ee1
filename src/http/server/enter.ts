// What every request passes on its way in and out: a line in the log, and the refusal of what is no proper request.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../../catalog/currentSnapshot.ts';
import { type ApiError, notFound } from '../../errors.ts';
import { requestIdOf } from './headers.ts';
import { malformed } from './refuse.ts';
import { loggedPath, rawPath } from './url.ts';

/** Why a request may not reach the app; null when it may. */
export function refusalOf(request: IncomingMessage): ApiError | null {
  const hosts = hostsIn(request.rawHeaders);
  if (hosts > 1) return malformed('there is more than one Host header');
  if (hosts === 0 && request.httpVersion === '1.1') return malformed('the Host header is missing');
  // A fragment never belongs in a request; Express would cut it off and answer.
  if (rawPath(request).includes('#')) return notFound();
  return null;
}

/** Says which request was answered how, once its answer has left. */
export function logAnswer(
  log: Log,
  request: IncomingMessage,
  response: ServerResponse,
  startMs: number,
): void {
  log.info(
    {
      requestId: requestIdOf(response),
      method: request.method,
      // Never a query string: what people ask for is theirs.
      path: loggedPath(request),
      status: response.statusCode,
      durationMs: Math.round((performance.now() - startMs) * 1000) / 1000,
      ...(!response.writableFinished && { left: true }),
    },
    'answered',
  );
}

/** How many Host headers there are: of several, node shows the first alone. */
function hostsIn(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}
