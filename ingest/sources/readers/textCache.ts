// Turns bytes into strings, and caches short ones, because most cells of a table hold the same few texts.

import { isUtf8 } from 'node:buffer';

// A constant of the module is fast in tests, too. Jest proxies globals, so each use of `Math` would be a slow lookup.
const { imul } = Math;

const SLOTS = 4096;
const LONGEST_BYTES = 64;

/** Decodes bytes. A short text that occurs again comes from the cache. */
export class TextCache {
  readonly #slots: string[] = new Array(SLOTS).fill('');

  /**
   * The text of these bytes; undefined when they are not valid UTF-8.
   *
   * @param known The hash of the bytes, when the caller has it.
   */
  get(bytes: Buffer, start: number, end: number, known?: number): string | undefined {
    const length = end - start;
    if (length > LONGEST_BYTES) return decoded(bytes, start, end);
    const hash = known ?? hashOf(bytes, start, end);
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    const cached = this.#slots[slot] as string;
    if (cached.length === length && isSame(cached, bytes, start)) return cached;
    const text = decoded(bytes, start, end);
    // Only ASCII texts, which have as many characters as bytes, are cached: `isSame` compares bytes with characters.
    if (text !== undefined && text.length === length) this.#slots[slot] = text;
    return text;
  }
}

/** The hash of bytes that end with `byte`. `hash` is the hash of the bytes before it; 0 at the beginning. */
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
