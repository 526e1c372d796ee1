// Counts of reads. Each cache counts its own, because a wrapper that counts would take longer than the count of a cached page.

/** How often a cache had what was read, and how often it had not. */
export interface Accesses {
  readonly hits: number;
  readonly misses: number;
}

/** The counts of a cache that does nothing. */
export const NO_ACCESSES: Accesses = { hits: 0, misses: 0 };
