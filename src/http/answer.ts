// Answers that may be kept: with an ETag known before the answer itself, so that 304 costs next to nothing.

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Snapshot } from '../catalog/snapshot.ts';
import { isNotModified, sendEmpty, sendJson } from './send.ts';

/** A change to how answers are written must change their ETags: count it up then. */
const RENDERING = 1;

export interface Answer {
  readonly snapshot: Snapshot;
  readonly maxAgeSeconds: number;
  /** Everything but the snapshot that the body depends on. */
  readonly question: unknown;
  readonly body: () => Buffer | Promise<Buffer>;
}

/** 200 with the body, or 304 without having made it (ruling 19). The question must be known to be a valid one. */
export async function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { snapshot, maxAgeSeconds, question, body }: Answer,
): Promise<void> {
  const headers = {
    ETag: etagOf(snapshot, question),
    'Cache-Control': `private, max-age=${maxAgeSeconds}`,
    'X-Snapshot': snapshot.id,
  };
  if (isNotModified(request, headers.ETag)) return sendEmpty(response, 304, headers);
  sendJson(response, 200, headers, await body());
}

/** The same on every server with that snapshot. Weak: a proxy may compress what it marks. */
function etagOf({ id, fingerprint }: Snapshot, question: unknown): string {
  const text = JSON.stringify([RENDERING, id, fingerprint, question]);
  return `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}
