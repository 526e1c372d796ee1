// Decides whether a connection stays open after a request to upgrade. The server answers such a request in HTTP/1.1.

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Whether Node's parser may lose bytes after this request, so that its connection must close after the answer.
 *
 * After the head of a request to upgrade, the parser drops the rest of the bytes that arrived in the same read. It
 * parses bytes of later reads. So the connection can stay open if the read ends with the head. This is always so for
 * Java's HttpClient, which asks for an upgrade with each request, and sends the next one after the answer.
 *
 * Call this function while the `request` event is emitted. Only then does the parser still have the bytes of the read.
 */
export function mayLoseBytesAfter({ headers, socket }: IncomingMessage): boolean {
  if (headers.upgrade === undefined) return false;
  // The parser drops the bytes after a body when the body ends. That is after this call, so they cannot be checked here.
  if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0) return true;
  const bytes = (socket as ParsingSocket).parser?.getCurrentBuffer?.();
  return bytes === undefined || !endsWithHead(bytes.toString('latin1'));
}

/** A socket with its HTTP parser, which Node's types lack. */
type ParsingSocket = Socket & { readonly parser?: { getCurrentBuffer?(): Buffer | undefined } | null };

/**
 * Whether the bytes of one read end with the head of the request. Bytes that begin with a line break may end a head that
 * an earlier read began, so an empty line in them may belong to a later request.
 */
function endsWithHead(bytes: string): boolean {
  const emptyLine = /\n\r?\n/.exec(bytes);
  return (
    emptyLine !== null && !/^[\r\n]/.test(bytes) && emptyLine.index + emptyLine[0].length === bytes.length
  );
}
