// Computes the SHA-256 of short texts and bytes. Node's one-shot function takes a third of the time of a hash object.

import crypto, { type BinaryToTextEncoding, createHash } from 'node:crypto';

/** The SHA-256 of bytes or of a text in UTF-8, written in `encoding`. */
export const sha256 = (data: string | Buffer, encoding: BinaryToTextEncoding): string =>
  // Node has `crypto.hash` from 20.12 on.
  crypto.hash ? crypto.hash('sha256', data, encoding) : createHash('sha256').update(data).digest(encoding);
