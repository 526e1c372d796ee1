// Decides whether a connection stays open after a request to upgrade, which is answered in HTTP/1.1.

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Whether Node's parser may lose bytes after this request, so that its connection must close after the answer.
 *
 * The parser drops what arrived in one read with a request to upgrade and lies behind it, and parses everything that
 * arrives later. Java's HttpClient asks for an upgrade with each request, and waits for the answer before the next.
 * Must be called while the `request` event is emitted, because only then the bytes read are known.
 */
export function mayLoseBytesAfter({ headers, socket }: IncomingMessage): boolean {
  if (headers.upgrade === undefined) return false;
  // The bytes behind a body may be lost when the end of the body arrives, which is later.
  if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0) return true;
  const bytes = (socket as Parsing).parser?.getCurrentBuffer?.();
  return bytes === undefined || !endsWithHead(bytes.toString('latin1'));
}

/** Node's types lack its parser. */
type Parsing = Socket & { readonly parser?: { getCurrentBuffer?(): Buffer | undefined } | null };

/**
 * Whether the bytes of one read, in which the head of a request ended, end with that head. They also might begin with
 * the rest of its empty line; then the first empty line in them is not its own.
 */
function endsWithHead(bytes: string): boolean {
  const emptyLine = /\n\r?\n/.exec(bytes);
  return (
    emptyLine !== null && !/^[\r\n]/.test(bytes) && emptyLine.index + emptyLine[0].length === bytes.length
  );
}
