// Answers bytes that node could not parse as a request: too large, too slow, or no HTTP. The answers are JSON errors.

import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { ApiError } from '../../errors.ts';
import { commonHeaders, type HeaderList, helpLinks, JSON_TYPE, NO_STORE } from './headers.ts';
import { isApiPath } from './url.ts';

/** An error of node's parser. It stopped after `bytesParsed` bytes of the chunk `rawPacket`. */
export interface ParseError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** The error that answers a parser error with this `code`. */
export const parserRefusal = (code: string | undefined): ApiError =>
  REFUSALS[code ?? ''] ?? malformed('it is not valid HTTP');

export const malformed = (why: string): ApiError =>
  new ApiError(400, `Malformed request: ${why}`, { help: ['malformed-request'] });

export const tooLarge = (): ApiError =>
  new ApiError(
    431,
    'Request line and headers are larger than 64 KiB together: name fewer values, or ask in several requests',
  );

const REFUSALS: Readonly<Record<string, ApiError>> = {
  HPE_INVALID_URL: malformed(
    'its address holds a character that must be percent-encoded, as %C3%A9 stands for é',
  ),
  HPE_HEADER_OVERFLOW: tooLarge(),
  ERR_HTTP_REQUEST_TIMEOUT: new ApiError(408, 'The request took too long to arrive: send it again'),
};

/**
 * Whether the refused request may be for a path under /v1. `bytesRead` counts all bytes of the connection. When the
 * request line arrived in an earlier chunk, its path is not known and the answer is true.
 */
export function mayBeOfApi({ rawPacket, bytesParsed = 0 }: ParseError, bytesRead: number): boolean {
  const text = rawPacket?.toString('latin1') ?? '';
  const lines = [...text.matchAll(REQUEST_LINE)].filter(({ index }) => {
    const start = startOfBreak(text, index);
    return start !== null && start <= bytesParsed;
  });
  const target = lines.at(-1)?.[1];
  return target === undefined ? bytesRead > text.length : isApiPath(target);
}

/** A request line without the line ends before it: a pattern that includes them takes seconds where there are many. */
const REQUEST_LINE = /(?<![^\n])[A-Z]+ (?:https?:\/\/[^/?#\s]*)?([^\s]+)/g;

/** Where the line ends before a request line begin: at the start of a chunk, or after an empty line; null elsewhere. */
function startOfBreak(text: string, end: number): number | null {
  let [start, lineEnds] = [end, 0];
  for (; start > 0 && (text[start - 1] === '\n' || text[start - 1] === '\r'); start--)
    if (text[start - 1] === '\n') lineEnds++;
  return start === 0 || lineEnds >= 2 ? start : null;
}

/** The complete answer, for writing to a socket. `prototype` is the prototype of the server's responses. */
export function refusalBytes(error: ApiError, prototype: object, limits: HeaderList): Buffer {
  const body = Buffer.from(JSON.stringify(error));
  const headers = [
    ...commonHeaders(prototype),
    ...['X-Request-Id', randomUUID()],
    ...NO_STORE,
    ...JSON_TYPE,
    ...helpLinks(error),
    ...limits,
    ...['Content-Length', String(body.length), 'Date', new Date().toUTCString(), 'Connection', 'close'],
  ];
  const lines = headers.map((text, i) => (i % 2 === 0 ? `${text}: ` : `${text}\r\n`));
  const head = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}
