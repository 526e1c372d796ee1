// Defines the counts of a cache's reads. Each cache counts its own reads, because a wrapper around each read would cost more than
// the counting.

/** How many reads found their entry, and how many did not. */
export interface Accesses {
  readonly hits: number;
  readonly misses: number;
}

/** The counts of a cache that does nothing. */
export const NO_ACCESSES: Accesses = { hits: 0, misses: 0 };
