// Answers to bytes that never became a request: too large, too slow, no HTTP. They are JSON, like every error.

import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { ApiError } from '../../errors.ts';
import { commonHeaders, type HeaderList, JSON_TYPE, NO_STORE } from './headers.ts';
import { isApiPath } from './url.ts';

/** What node's parser reports: `rawPacket` is the chunk in which it stopped, behind `bytesParsed` bytes. */
export interface ParseError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** The refusal for what node's parser reports by `code`. */
export const refusalFor = (code: string | undefined): ApiError =>
  REFUSALS[code ?? ''] ?? malformed('it is not valid HTTP');

export const malformed = (why: string): ApiError => new ApiError(400, `Malformed request: ${why}`);

export const tooLarge = (): ApiError =>
  new ApiError(431, 'Request line and headers are larger than 64 KiB together');

const REFUSALS: Readonly<Record<string, ApiError>> = {
  HPE_HEADER_OVERFLOW: tooLarge(),
  ERR_HTTP_REQUEST_TIMEOUT: new ApiError(408, 'The request took too long to arrive'),
};

/**
 * Whether the refused request is for a path under /v1, as far as that can be known. `bytesRead` counts all bytes of
 * the connection: when the request line arrived in an earlier chunk, it may have been.
 */
export function mayBeOfApi({ rawPacket, bytesParsed = 0 }: ParseError, bytesRead: number): boolean {
  const text = rawPacket?.toString('latin1') ?? '';
  const lines = [...text.matchAll(REQUEST_LINE)].filter(({ index }) => index <= bytesParsed);
  const target = lines.at(-1)?.[1];
  return target === undefined ? bytesRead > text.length : isApiPath(target);
}

/** At the start of a chunk, or behind the end of the request before it. */
const REQUEST_LINE = /(?:^|\r?\n\r?\n)[\r\n]*[A-Z]+ (?:https?:\/\/[^/?#\s]*)?([^\s]+)/g;

/** The whole answer, to be written on a bare connection; `prototype` is that of the server's responses. */
export function refusalBytes(error: ApiError, prototype: object, limits: HeaderList): Buffer {
  const body = Buffer.from(JSON.stringify(error));
  const headers = [
    ...commonHeaders(prototype, randomUUID()),
    ...NO_STORE,
    ...JSON_TYPE,
    ...limits,
    ...['Content-Length', String(body.length), 'Date', new Date().toUTCString(), 'Connection', 'close'],
  ];
  const lines = headers.map((text, i) => (i % 2 === 0 ? `${text}: ` : `${text}\r\n`));
  const head = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}
