// Sends answers with their headers, and turns errors into answers.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, unavailable } from '../../errors.ts';
import { systemCode } from '../../system/systemError.ts';
import { crossOriginHeaders } from './crossOrigin.ts';
import {
  commonHeaders,
  type HeaderList,
  helpLinks,
  JSON_TYPE,
  NO_STORE,
  requestIdOf,
  transportHeaders,
} from './headers.ts';
import { rateLimitHeadersOf, setRateLimitHeaders } from './responseFacts.ts';

/** A body with the headers that describe it. */
export interface Content {
  readonly headers: HeaderList;
  readonly body: Buffer;
}

/** A JSON body with its type, its length and these further headers. */
export const jsonContent = (headers: HeaderList, body: Buffer): Content => ({
  headers: JSON_TYPE.concat('Content-Length', String(body.length), headers),
  body,
});

/** Sends a complete body; for HEAD, node sends only the headers. */
export function sendContent(response: ServerResponse, status: number, { headers, body }: Content): void {
  sendHead(response, status, headers);
  response.end(body);
}

/** Sends an answer without a body. */
export function sendEmpty(response: ServerResponse, status: number, headers: HeaderList): void {
  sendHead(response, status, headers);
  response.end();
}

/**
 * Sends a page, a file of a page, or `/openapi.json`, without the rate limits and caching of answers of the API. For HEAD,
 * node sends only the headers.
 *
 * @param body the body; null for a 304.
 */
export function sendPageContent(
  response: ServerResponse,
  status: number,
  headers: HeaderList,
  body: Buffer | null,
): void {
  const length = body === null ? [] : ['Content-Length', String(body.length)];
  const common = ['X-Request-Id', requestIdOf(response), ...transportHeaders(response)];
  response.writeHead(status, [...common, ...headers, ...length]);
  response.end(body);
}

/** Sends an error in its public form (contract §7), with these further headers. */
export function sendError(response: ServerResponse, error: ApiError, headers: HeaderList = []): void {
  const { status, retryAfterSeconds, preferenceApplied } = error;
  const specific = [...headers];
  if (retryAfterSeconds !== undefined) specific.push('Retry-After', String(retryAfterSeconds));
  if (preferenceApplied !== undefined) specific.push('Preference-Applied', preferenceApplied);
  // Every answer but 503 has the rate-limit headers (ruling 23).
  if (status === 503) setRateLimitHeaders(response, []);
  const body = Buffer.from(JSON.stringify(error));
  sendContent(response, status, jsonContent([...NO_STORE, ...specific, ...helpLinks(error, response)], body));
}

/**
 * The public form of an error. For a fault, the client sees `Unexpected server error`, and the log has the cause
 * (ruling 18). For an error of the system about files, the client sees 503, because its request can succeed later.
 */
export function publicError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return isSystemError(error) ? unavailable() : new ApiError(500, 'Unexpected server error');
}

/**
 * Whether an error says that a file or folder cannot be used now. For example, no descriptor is left, the disk is full,
 * rights are missing, or something else is in the place of the file. An error of Node has a code for this. An error of
 * DuckDB has the words of the operating system in its message.
 */
function isSystemError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { message, cause } = error;
  const code = systemCode(error);
  // Without the temporary folder, no folder can be made in it.
  const hasNoTemporaryFolder = code === 'ENOENT' && 'syscall' in error && error.syscall === 'mkdtemp';
  return SYSTEM_CODES.has(code) || hasNoTemporaryFolder || SYSTEM_WORDS.test(message) || isSystemError(cause);
}

const SYSTEM_CODES: ReadonlySet<string> = new Set([
  ...['EMFILE', 'ENFILE', 'ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'ESTALE', 'EACCES', 'EPERM', 'EBADMSG'],
  ...['ENOTDIR', 'EISDIR', 'ELOOP'],
  // A thread could not be started, because it needs descriptors as well.
  'ERR_WORKER_INIT_FAILED',
]);
const SYSTEM_WORDS =
  /Too many open files|No space left on device|Disk quota exceeded|Read-only file system|Input\/output error/;

/**
 * Whether `If-None-Match` names this ETag, in a list, by weak comparison or as `*` (RFC 9110 §13.1.2).
 *
 * @param etag the ETag as it is written in the header.
 */
export function isNotModified(request: IncomingMessage, etag: string): boolean {
  const header = request.headers['if-none-match'];
  if (header === undefined) return false;
  if (header === etag || matchesAnyEtag(request)) return true;
  const opaque = (tag: string) => tag.replace(/^W\//, '');
  return etagsOf(header).some((tag) => opaque(tag) === opaque(etag));
}

/** Whether `If-None-Match` is `*`. It matches every answer that is not an error. */
export const matchesAnyEtag = (request: IncomingMessage): boolean =>
  request.headers['if-none-match']?.trim() === '*';

/**
 * Whether `If-Match` names only other ETags, by strong comparison; `*` names all of them (RFC 9110 §13.1.1).
 *
 * @param etag a strong ETag as it is written in the header.
 */
export function isPreconditionFailed(request: IncomingMessage, etag: string): boolean {
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return false;
  return !etagsOf(header).includes(etag);
}

/**
 * The ETags in a header that lists ETags; none if the header contains anything else, so that it never matches by
 * accident.
 */
const etagsOf = (header: string): readonly string[] =>
  LIST_OF_ETAGS.test(header) ? (header.match(ETAG) ?? []) : [];

const LIST_OF_ETAGS = /^(?:[ \t]*(?:(?:W\/)?"[^"]*"[ \t]*)?(?:,|$))+$/;
const ETAG = /(?:W\/)?"[^"]*"/g;

/** Sends the head. The caller sends the body. */
export function sendHead(response: ServerResponse, status: number, headers: HeaderList): void {
  response.writeHead(status, [
    ...commonHeaders(response),
    'X-Request-Id',
    requestIdOf(response),
    ...headers,
    ...rateLimitHeadersOf(response),
    ...crossOriginHeaders(response),
  ]);
}
