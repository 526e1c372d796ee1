// Writes answers: bytes with their headers, and the one place where an error becomes a body.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../../errors.ts';
import { type HeaderList, headersOf, JSON_TYPE, NO_STORE, requestIdOf } from './headers.ts';
import { limitsOf, setLimits } from './limitHeaders.ts';

/** A body with the headers that say what it is. */
export interface Ready {
  readonly headers: HeaderList;
  readonly body: Buffer;
}

export const readyJson = (headers: HeaderList, body: Buffer): Ready => ({
  headers: JSON_TYPE.concat('Content-Length', String(body.length), headers),
  body,
});

/** Sends what is ready; of a HEAD request node sends the headers alone. */
export function sendReady(response: ServerResponse, status: number, { headers, body }: Ready): void {
  writeHead(response, status, headers);
  response.end(body);
}

/** Sends no body at all. */
export function sendEmpty(response: ServerResponse, status: number, headers: HeaderList): void {
  writeHead(response, status, headers);
  response.end();
}

/** An error as the client sees it (contract §7): what is not expected stays in the log. */
export function sendError(response: ServerResponse, error: ApiError): void {
  const { status, retryAfterSeconds } = error;
  const retry = retryAfterSeconds === undefined ? [] : ['Retry-After', String(retryAfterSeconds)];
  // What was counted for an answer that could not be given says nothing (ruling 23).
  if (status === 503) setLimits(response, []);
  const body = Buffer.from(JSON.stringify(error));
  sendReady(response, status, readyJson([...NO_STORE, ...retry], body));
}

/** The error that a client may see; anything but an ApiError is only `Unexpected server error` (ruling 18). */
export const publicError = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError(500, 'Unexpected server error');

/**
 * Whether the client has this answer already (RFC 9110 §13.1.2): lists, weak comparison and `*`.
 *
 * `etag` as it is sent.
 */
export function isNotModified(request: IncomingMessage, etag: string): boolean {
  const given = request.headers['if-none-match'];
  if (given === undefined) return false;
  if (given === etag || given.trim() === '*') return true;
  const opaque = (tag: string) => tag.replace(/^W\//, '');
  return (given.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => opaque(tag) === opaque(etag));
}

function writeHead(response: ServerResponse, status: number, headers: HeaderList): void {
  response.writeHead(status, headersOf(requestIdOf(response)).concat(headers, limitsOf(response)));
}
