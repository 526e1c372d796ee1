// Checks the head of a request before the app sees it: its size, its Host header, the framing of its body and its path.

import type { IncomingMessage } from 'node:http';
import { ApiError, notFound } from '../../errors.ts';
import { headTooLarge, malformedRequest } from './refuse.ts';
import { rawPath } from './requestUrl.ts';

/** The most bytes of the request line and the headers together (ruling 3). */
export const MAX_HEAD_BYTES = 64 * 1024;

/** The error for a request that must not reach the app; null for any other request. */
export function requestRefusal(request: IncomingMessage): ApiError | null {
  const { hosts, bytes } = headOf(request);
  const { host, 'transfer-encoding': coding } = request.headers;
  if (bytes > MAX_HEAD_BYTES) return headTooLarge();
  // Node's parser also accepts HTTP/0.9 and HTTP/2.0, and the answer would be in HTTP/1.1.
  if (request.httpVersionMajor !== 1)
    return malformedRequest(`HTTP/${request.httpVersion} is not supported; use HTTP/1.1`);
  if (hosts > 1) return malformedRequest('there is more than one Host header; send one');
  if (hosts === 0 && request.httpVersion === '1.1')
    return malformedRequest('the Host header is missing; send one');
  if (host !== undefined && !isHost(host))
    return malformedRequest(
      'the Host header is not a host; send a name or an address, with a port if it needs one',
    );
  // If the last coding is not `chunked`, Node's parser sees no body, and reads the body as the next request (RFC 9112
  // §6.3).
  if (coding !== undefined && !ENDS_CHUNKED.test(coding))
    return malformedRequest(
      'the end of its body is unknown; end Transfer-Encoding with chunked, or send none',
    );
  // Node's parser removes only the chunks, so the app would read a compressed body as it is (RFC 9112 §6.1).
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return codingNotSupported();
  // A request never has a fragment. Express would drop it and answer.
  if (rawPath(request).includes('#')) return notFound();
  return null;
}

const codingNotSupported = (): ApiError =>
  new ApiError(
    501,
    'The Transfer-Encoding is not supported: send the body in chunks alone, or with its length',
  );

/** Whether a Host header is a host, with or without a port (RFC 9110 §7.2). */
function isHost(text: string): boolean {
  const match = HOST.exec(text);
  return match !== null && Number(match[1] ?? 0) <= 65_535;
}

const HOST =
  /^(?:(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+|\[[\da-f:.]+\]|\[v[\da-f]+\.[\w.~!$&'()*+,;=:-]+\])(?::(\d*))?$/i;
const ENDS_CHUNKED = /(?:^|,)[ \t]*chunked$/i;

/**
 * The number of Host headers, and the size of the whole head.
 *
 * Node keeps only the first Host header in `headers`. Its own limit on the size does not count the bytes between names
 * and values, so a head with many short lines could be four times as large.
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
