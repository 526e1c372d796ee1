// Answers to what never became a request: too large, too slow, no HTTP. In JSON like every error, then it closes.

import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError } from '../../errors.ts';
import { headersOf, JSON_TYPE, NO_STORE } from './headers.ts';

/** The refusal for what node's parser reports by `code`. */
export const refusalFor = (code: string | undefined): ApiError =>
  REFUSALS[code ?? ''] ?? malformed('it is not valid HTTP');

export const malformed = (why: string): ApiError => new ApiError(400, `Malformed request: ${why}`);

const REFUSALS: Readonly<Record<string, ApiError>> = {
  HPE_HEADER_OVERFLOW: new ApiError(431, 'Request line and headers are larger than 64 KiB together'),
  ERR_HTTP_REQUEST_TIMEOUT: new ApiError(408, 'The request took too long to arrive'),
};

/** Writes the answer on the bare connection and closes it. */
export function refuse(socket: Duplex, error: ApiError): void {
  const body = Buffer.from(JSON.stringify(error));
  const headers = [
    ...headersOf(randomUUID()),
    ...NO_STORE,
    ...JSON_TYPE,
    ...['Content-Length', String(body.length), 'Date', new Date().toUTCString(), 'Connection', 'close'],
  ];
  const lines = headers.map((text, i) => (i % 2 === 0 ? `${text}: ` : `${text}\r\n`));
  const head = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n`;
  socket.end(Buffer.concat([Buffer.from(head), body]));
  // What the client still sends is read for a moment.
  socket.resume();
  setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
}

const FAREWELL_MS = 1000;
