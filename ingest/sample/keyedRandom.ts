// Draws random numbers by key and not in sequence, so that a new row does not change other rows.

const SEED = 'sample-1';
const encoder = new TextEncoder();

/** A random number from 0 up to, but not including, 1. It depends only on the key. */
export function draw(...key: readonly (string | number)[]): number {
  return hash32([SEED, ...key].join('|')) / 2 ** 32;
}

/** A random number from −1 up to, but not including, 1. It depends only on the key. */
export const swing = (...key: readonly (string | number)[]): number => 2 * draw(...key) - 1;

/**
 * FNV-1a over UTF-8, then the finalizer of MurmurHash3, so that keys that differ in one letter have very different hashes.
 */
function hash32(text: string): number {
  let hash = isAscii(text) ? hashOfCodes(text) : hashOfBytes(text);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  hash ^= hash >>> 16;
  return hash >>> 0;
}

const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

function hashOfBytes(text: string): number {
  let hash = FNV_BASIS;
  for (const byte of encoder.encode(text)) hash = Math.imul(hash ^ byte, FNV_PRIME);
  return hash;
}

/** FNV-1a of an ASCII text, whose character codes are its bytes. It is five times as fast as encoding the text first. */
function hashOfCodes(text: string): number {
  let hash = FNV_BASIS;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  return hash;
}

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);
