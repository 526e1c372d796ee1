// Writes answers: bytes with their headers, and the one place where an error becomes a body.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../../errors.ts';
import { commonHeaders, type HeaderList, JSON_TYPE, NO_STORE, requestIdOf } from './headers.ts';
import { limitsOf, setLimits } from './limitHeaders.ts';

/** A body with the headers that describe it. */
export interface Ready {
  readonly headers: HeaderList;
  readonly body: Buffer;
}

export const readyJson = (headers: HeaderList, body: Buffer): Ready => ({
  headers: JSON_TYPE.concat('Content-Length', String(body.length), headers),
  body,
});

/** Sends a body that is ready; for HEAD, node sends the headers alone. */
export function sendReady(response: ServerResponse, status: number, { headers, body }: Ready): void {
  sendHead(response, status, headers);
  response.end(body);
}

/** Sends an answer without a body. */
export function sendEmpty(response: ServerResponse, status: number, headers: HeaderList): void {
  sendHead(response, status, headers);
  response.end();
}

/** Sends an error as the client may see it (contract §7). */
export function sendError(response: ServerResponse, error: ApiError): void {
  const { status, retryAfterSeconds } = error;
  const retry = retryAfterSeconds === undefined ? [] : ['Retry-After', String(retryAfterSeconds)];
  // The limits stand on every answer but 503 (ruling 23).
  if (status === 503) setLimits(response, []);
  const body = Buffer.from(JSON.stringify(error));
  sendReady(response, status, readyJson([...NO_STORE, ...retry], body));
}

/** The error that a client may see: a fault is only `Unexpected server error`, its cause stays in the log (ruling 18). */
export const publicError = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError(500, 'Unexpected server error');

/**
 * Whether the client has this answer already, by `If-None-Match`: lists, weak comparison and `*` (RFC 9110 §13.1.2).
 *
 * `etag` is written as in the header.
 */
export function isNotModified(request: IncomingMessage, etag: string): boolean {
  const given = request.headers['if-none-match'];
  if (given === undefined) return false;
  if (given === etag || given.trim() === '*') return true;
  const opaque = (tag: string) => tag.replace(/^W\//, '');
  return (given.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => opaque(tag) === opaque(etag));
}

/** Sends the head alone; the body follows in pieces. */
export function sendHead(response: ServerResponse, status: number, headers: HeaderList): void {
  response.writeHead(
    status,
    commonHeaders(response, requestIdOf(response)).concat(headers, limitsOf(response)),
  );
}
