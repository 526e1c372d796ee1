// Random numbers drawn by key rather than in sequence, so that a new row changes no other row.

const SEED = 'sample-1';
const encoder = new TextEncoder();

/** A draw from [0, 1) that depends only on its key. */
export function draw(...key: readonly (string | number)[]): number {
  return hash32([SEED, ...key].join('|')) / 2 ** 32;
}

/** A draw from [−1, 1) that depends only on its key. */
export const swing = (...key: readonly (string | number)[]): number => 2 * draw(...key) - 1;

/** FNV-1a over UTF-8, then the finalizer of MurmurHash3: keys that differ in one letter land far apart. */
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

/** The same for ASCII, whose codes are its bytes: five times as fast as encoding it. */
function hashOfCodes(text: string): number {
  let hash = FNV_BASIS;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  return hash;
}

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);
