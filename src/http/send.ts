// Writes answers: JSON bytes with their headers, and the one place where an error becomes a body.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../errors.ts';
import { type Headers, JSON_TYPE, NO_STORE } from './headers.ts';

/** Sends JSON; of a HEAD request node sends the headers alone. */
export function sendJson(response: ServerResponse, status: number, headers: Headers, body: Buffer): void {
  response.writeHead(status, { ...headers, 'Content-Type': JSON_TYPE, 'Content-Length': body.length });
  response.end(body);
}

/** Sends no body at all. */
export function sendEmpty(response: ServerResponse, status: number, headers: Headers): void {
  response.writeHead(status, { ...headers });
  response.end();
}

/** An error as the client sees it (contract §7): what is not expected stays in the log. */
export function sendError(response: ServerResponse, error: ApiError): void {
  const retry = error.status === 503 ? RETRY_SOON : {};
  sendJson(response, error.status, { ...NO_STORE, ...retry }, Buffer.from(JSON.stringify(error)));
}

/** The error that a client may see; anything but an ApiError is only `Unexpected server error` (ruling 18). */
export const publicError = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError(500, 'Unexpected server error');

const RETRY_SOON: Headers = { 'Retry-After': '1' };

/**
 * Whether the client has this answer already (RFC 9110 §13.1.2): lists, weak comparison and `*`.
 *
 * `etag` as it is sent.
 */
export function isNotModified(request: IncomingMessage, etag: string): boolean {
  const given = request.headers['if-none-match'];
  if (given === undefined) return false;
  if (given.trim() === '*') return true;
  const opaque = (tag: string) => tag.replace(/^W\//, '');
  return (given.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => opaque(tag) === opaque(etag));
}
