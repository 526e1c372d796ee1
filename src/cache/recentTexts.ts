// Recognises texts that it has seen recently. It stores only their hashes, because most texts come only once.

export interface RecentTexts {
  /**
   * Whether the text was seen recently. The answer may be wrong in rare cases, so only speed may depend on it.
   */
  isRepeated(text: string): boolean;
}

/** The number of hashes that are stored. It must be a power of two. */
const HASHES = 2 ** 13;

/** Remembers one hash in each of `HASHES` slots. The hash of a later text with the same slot replaces it. */
export function createRecentTexts(): RecentTexts {
  const hashes = new Int32Array(HASHES);
  return {
    isRepeated(text) {
      const hash = hashOf(text);
      const slot = hash & (HASHES - 1);
      const isKnown = hashes[slot] === hash;
      hashes[slot] = hash;
      return isKnown;
    },
  };
}

/** The stand-in that does nothing: recognises nothing. */
export const noRecentTexts = (): RecentTexts => ({ isRepeated: () => false });

/** The FNV-1a hash of a text, in 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}
