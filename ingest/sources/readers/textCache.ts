// Turns bytes into strings and remembers short ones: the same few texts fill most cells of a table.

import { isUtf8 } from 'node:buffer';

// A module constant: under Jest, where globals are proxied, looking `Math` up for every byte is slow.
const { imul } = Math;

const SLOTS = 4096;
const LONGEST_BYTES = 64;

export class TextCache {
  readonly #slots: string[] = new Array(SLOTS).fill('');

  /** The text of these bytes; `undefined` when they are not valid UTF-8. `known` is their hash where the caller has it. */
  get(bytes: Buffer, start: number, end: number, known?: number): string | undefined {
    const length = end - start;
    if (length > LONGEST_BYTES) return decoded(bytes, start, end);
    const hash = known ?? hashOf(bytes, start, end);
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    const there = this.#slots[slot] as string;
    if (there.length === length && isSame(there, bytes, start)) return there;
    const text = decoded(bytes, start, end);
    // As many characters as bytes: ASCII, which is what `isSame` compares.
    if (text !== undefined && text.length === length) this.#slots[slot] = text;
    return text;
  }
}

/** The hash of a sequence that ends with `byte`; `hash` is that of the bytes before it, 0 at the beginning. */
export const hashed = (hash: number, byte: number): number => (imul(hash, 31) + byte) | 0;

function hashOf(bytes: Buffer, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at++) hash = hashed(hash, bytes[at] as number);
  return hash;
}

function isSame(text: string, bytes: Buffer, start: number): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== bytes[start + i]) return false;
  return true;
}

function decoded(bytes: Buffer, start: number, end: number): string | undefined {
  const text = bytes.toString('utf8', start, end);
  return text.includes('\ufffd') && !isUtf8(bytes.subarray(start, end)) ? undefined : text;
}
