// Turns bytes into strings and remembers short ones: the same few texts fill most cells of a table.

import { isUtf8 } from 'node:buffer';

const SLOTS = 4096;
const LONGEST_BYTES = 64;

export class TextCache {
  readonly #slots: string[] = new Array(SLOTS).fill('');

  /** The text of these bytes; `undefined` when they are not valid UTF-8. */
  get(bytes: Buffer, start: number, end: number): string | undefined {
    const length = end - start;
    if (length > LONGEST_BYTES) return decoded(bytes, start, end);
    let hash = length;
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0;
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    const known = this.#slots[slot] as string;
    if (known.length === length && isSame(known, bytes, start)) return known;
    const text = decoded(bytes, start, end);
    // As many characters as bytes: ASCII, which is what `isSame` compares.
    if (text !== undefined && text.length === length) this.#slots[slot] = text;
    return text;
  }
}

function isSame(text: string, bytes: Buffer, start: number): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== bytes[start + i]) return false;
  return true;
}

function decoded(bytes: Buffer, start: number, end: number): string | undefined {
  const text = bytes.toString('utf8', start, end);
  return text.includes('\ufffd') && !isUtf8(bytes.subarray(start, end)) ? undefined : text;
}
