// Turns XML of any encoding into UTF-8 as it streams in.

import { TextDecoder } from 'node:util';
import type { Place } from '../../../messages/place.ts';
import { damagedXml } from './damage.ts';

/**
 * The pieces as UTF-8. Their encoding is that of the byte order mark or of the first characters, or else the one in the XML
 * declaration.
 *
 * @throws {UnreadableError} when the encoding is unknown, or the bytes are not valid in an encoding other than UTF-8.
 */
export async function* asUtf8(pieces: AsyncIterable<Buffer>, place: Place): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | null | undefined;
  for await (const piece of pieces) {
    const isFirst = decoder === undefined;
    if (decoder === undefined) decoder = decoderFor(piece, place);
    if (decoder) yield reencoded(piece, decoder, place);
    else yield isFirst && piece.subarray(0, MARK.length).equals(MARK) ? piece.subarray(MARK.length) : piece;
  }
}

const MARK = Buffer.from('\ufeff');

function reencoded(piece: Buffer, decoder: TextDecoder, place: Place): Buffer {
  try {
    return Buffer.from(decoder.decode(piece, { stream: true }));
  } catch {
    throw damagedXml(place, `it is not valid ${decoder.encoding}`);
  }
}

/** The decoder for the encoding of a part; null for UTF-8, which needs none. */
function decoderFor(head: Buffer, place: Place): TextDecoder | null {
  if (head[0] === 0xff || head[1] === 0) return new TextDecoder('utf-16le', { fatal: true });
  if (head[0] === 0xfe || head[0] === 0) return new TextDecoder('utf-16be', { fatal: true });
  const declared = /^<\?xml[^>]*\sencoding\s*=\s*["']([^"']*)/.exec(head.toString('latin1', 0, 200))?.[1];
  // Some programs declare UTF-16 and write UTF-8. In UTF-16, this code could not have read the declaration byte by byte.
  if (declared === undefined || /^utf-?(8|16)$/i.test(declared)) return null;
  try {
    return new TextDecoder(declared, { fatal: true });
  } catch {
    throw damagedXml(place, `its encoding "${declared}" is not known`);
  }
}
