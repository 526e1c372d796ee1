// Recognises texts that it has seen recently, by a table of their hashes: most texts come only once, and are not worth storing.

export interface Repeats {
  /**
   * Whether the text was seen recently. It may be wrong in either direction, though rarely, so only speed may depend on
   * it.
   */
  isRepeated(text: string): boolean;
}

/** The number of hashes, a power of two. */
const HASHES = 2 ** 13;

export function createRepeats(): Repeats {
  const hashes = new Int32Array(HASHES);
  return {
    isRepeated(text) {
      const hash = hashOf(text);
      const at = hash & (HASHES - 1);
      const isKnown = hashes[at] === hash;
      hashes[at] = hash;
      return isKnown;
    },
  };
}

/** Recognises nothing. */
export const noRepeats = (): Repeats => ({ isRepeated: () => false });

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}
