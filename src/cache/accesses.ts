// Defines the counts of a cache's reads. Each cache counts them itself, because a wrapper around reads would cost more.

/** How many reads found their entry, and how many did not. */
export interface Accesses {
  readonly hits: number;
  readonly misses: number;
}

/** The counts of a cache that does nothing. */
export const NO_ACCESSES: Accesses = { hits: 0, misses: 0 };
