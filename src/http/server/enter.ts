// What every request passes on its way in and out: the refusal of improper ones, and the observation of its answer.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ApiError, notFound } from '../../errors.ts';
import type { RequestAnswered } from '../../observations.ts';
import { requestIdOf } from './headers.ts';
import { malformed, tooLarge } from './refuse.ts';
import { loggedPath, rawPath } from './url.ts';

/** Request line and headers together (ruling 3). */
export const MAX_HEAD_BYTES = 64 * 1024;

/** Why a request may not reach the app; null when it may. */
export function refusalOf(request: IncomingMessage): ApiError | null {
  const { hosts, bytes } = headOf(request);
  if (bytes > MAX_HEAD_BYTES) return tooLarge();
  if (hosts > 1) return malformed('there is more than one Host header');
  if (hosts === 0 && request.httpVersion === '1.1') return malformed('the Host header is missing');
  // A fragment never belongs in a request; Express would cut it off and answer.
  if (rawPath(request).includes('#')) return notFound();
  return null;
}

/** Which request was answered how; `startMs` is the monotonic time of its arrival. */
export function answered(
  request: IncomingMessage,
  response: ServerResponse,
  startMs: number,
): RequestAnswered {
  return {
    event: 'request answered',
    requestId: requestIdOf(response),
    method: request.method,
    // Never the query string: what people ask for is theirs.
    path: loggedPath(request),
    status: response.statusCode,
    durationMs: Math.round((performance.now() - startMs) * 1000) / 1000,
    isCutShort: !response.writableFinished,
  };
}

/**
 * The number of Host headers, of which node shows only the first, and the size of the whole head: node counts names and
 * values without what stands between them, so that its own limit lets a head of many short lines be four times as large.
 */
function headOf({ method = '', url = '', rawHeaders }: IncomingMessage): { hosts: number; bytes: number } {
  let hosts = 0;
  let bytes = method.length + url.length + ' HTTP/1.1\r\n\r\n '.length;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    bytes += name.length + (rawHeaders[i + 1]?.length ?? 0) + ': \r\n'.length;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return { hosts, bytes };
}
