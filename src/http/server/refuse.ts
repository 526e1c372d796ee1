// Makes the JSON errors for bytes that node could not parse as a request: too large, too slow, or no HTTP.

import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { ApiError, notFound } from '../../errors.ts';
import { commonHeaders, type HeaderList, helpLinks, JSON_TYPE, NO_STORE } from './headers.ts';
import { isApiRequest } from './requestUrl.ts';

/** An error of node's HTTP parser, which stopped after `bytesParsed` bytes of the chunk `rawPacket`. */
export interface ParseError extends NodeJS.ErrnoException {
  readonly reason?: string;
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** The error with which to answer a parser error. */
export function parserRefusal(error: ParseError): ApiError {
  const { code = '', reason = '' } = error;
  const line = requestLineOf(error);
  // Node's parser refuses methods that it does not know. HTTP allows any method, and ruling 2 answers 404.
  const isOfMethod = code === 'HPE_INVALID_METHOD' || reason.startsWith('Invalid method');
  if (isOfMethod && line?.isRefused === true) return notFound('method');
  if (code === 'HPE_INVALID_URL' && line !== null && !isPathOrUrl(line.target)) return NO_SLASH;
  if (code === 'HPE_INVALID_CONSTANT' && line?.holdsSpace === true) return SPACE;
  return REFUSALS[code] ?? malformedRequest('it is not valid HTTP');
}

/**
 * The 400 for bytes that are no valid request.
 *
 * @param why what is wrong and what to send instead.
 */
export const malformedRequest = (why: string): ApiError =>
  new ApiError(400, `Malformed request: ${why}`, { help: ['malformed-request'] });

/** The 431 for a head with too many bytes. */
export const headTooLarge = (): ApiError =>
  new ApiError(
    431,
    'Request line and headers are larger than 64 KiB together: name fewer values, or ask in several requests',
  );

const SPACE = malformedRequest('its address holds a space; write it as %20');

const NO_SLASH = malformedRequest('its address must begin with a slash, as /v1/catalog does');

const REFUSALS: Readonly<Record<string, ApiError>> = {
  HPE_INVALID_URL: malformedRequest(
    'its address holds a character that must be percent-encoded, as %C3%A9 stands for é',
  ),
  HPE_HEADER_OVERFLOW: headTooLarge(),
  ERR_HTTP_REQUEST_TIMEOUT: new ApiError(408, 'The request took too long to arrive: send it again'),
};

/**
 * Whether the refused request may be for a path under /v1. If its request line arrived in an earlier chunk, the path is
 * unknown and the result is true.
 *
 * @param bytesRead the number of all bytes that the connection has received.
 */
export function mayBeApiRequest(error: ParseError, bytesRead: number): boolean {
  const line = requestLineOf(error);
  // A text with another target may be a piece of a header, whose request line arrived earlier.
  if (line !== null && isPathOrUrl(line.target)) return isApiRequest({ url: line.target });
  return bytesRead > (error.rawPacket?.length ?? 0);
}

const isPathOrUrl = (target: string): boolean => /^(?:\/|https?:\/\/)/i.test(target);

interface RequestLine {
  readonly target: string;
  /** Whether the parser refused this line although it is well formed. */
  readonly isRefused: boolean;
  /** Whether the address probably has a space in it: the line ends in a version that does not follow `target`. */
  readonly holdsSpace: boolean;
}

/** The last request line that the parser has reached; null when the chunk does not contain it. */
function requestLineOf({ rawPacket, bytesParsed = 0 }: ParseError): RequestLine | null {
  const text = rawPacket?.toString('latin1') ?? '';
  const lines = [...text.matchAll(REQUEST_LINE)].filter(({ index }) => {
    const start = startOfBreak(text, index);
    return start !== null && start <= bytesParsed;
  });
  const last = lines.at(-1);
  const [line = '', target, version] = last ?? [];
  if (last === undefined || target === undefined) return null;
  const whole = text.slice(last.index, text.indexOf('\n', last.index)).trimEnd();
  return {
    target,
    isRefused: version !== undefined && bytesParsed < last.index + line.length,
    holdsSpace: version === undefined && / HTTP\/1\.\d$/.test(whole),
  };
}

/**
 * Matches a request line without the line breaks before it, because matching many line breaks would take seconds. Its
 * first word is a method, known or not (RFC 9110 §9.1).
 */
const REQUEST_LINE = /(?<![^\n])[\w!#$%&'*+.^`|~-]+ ([^\s]+)( HTTP\/1\.\d\r?\n)?/g;

/**
 * The position of the first of the line breaks directly before `end`, where a request line begins. Null when the line is
 * neither at the start of the chunk nor after an empty line, so that it can be no request line.
 */
function startOfBreak(text: string, end: number): number | null {
  let [start, breaks] = [end, 0];
  for (; start > 0 && (text[start - 1] === '\n' || text[start - 1] === '\r'); start--)
    if (text[start - 1] === '\n') breaks++;
  return start === 0 || breaks >= 2 ? start : null;
}

/**
 * The complete answer as bytes, which are written to the socket directly.
 *
 * @param prototype the prototype of the server's responses.
 */
export function refusalBytes(error: ApiError, prototype: object, limits: HeaderList): Buffer {
  const body = Buffer.from(JSON.stringify(error));
  const headers = [
    ...commonHeaders(prototype),
    ...['X-Request-Id', randomUUID()],
    ...NO_STORE,
    ...JSON_TYPE,
    ...helpLinks(error, prototype),
    ...limits,
    ...['Content-Length', String(body.length), 'Date', new Date().toUTCString(), 'Connection', 'close'],
  ];
  const lines = headers.map((text, i) => (i % 2 === 0 ? `${text}: ` : `${text}\r\n`));
  const head = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}
