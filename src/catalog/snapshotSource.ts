// Snapshots that are not on this machine but in a store that several servers share.

/** A place that snapshots can be fetched from. */
export interface SnapshotSource {
  /** The ids of the snapshots that are there, as of the last look. */
  ids(): readonly string[];
  /**
   * Begins to fetch a snapshot. It appears in the data directory.
   *
   * @returns `unknown` when the place does not have it. `coming` also while the place does not answer: it may have it.
   */
  fetch(id: string): Promise<'coming' | 'unknown'>;
}

/** The source of a server without a store: all its snapshots are on this machine. */
export const NO_SOURCE: SnapshotSource = { ids: () => [], fetch: async () => 'unknown' };
