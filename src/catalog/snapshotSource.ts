// The interface of a place from which snapshots can be fetched, such as a store that several servers share.

export interface SnapshotSource {
  /** The ids of the snapshots that the place had at the last poll. */
  ids(): readonly string[];
  /**
   * Begins to fetch a snapshot, which appears in the data directory later.
   *
   * @returns `unknown` when the place does not have the snapshot. `coming` when it does, and also when the place does not
   * answer, because it may have the snapshot.
   */
  fetch(id: string): Promise<'coming' | 'unknown'>;
}

/** The source of a server without a store: all its snapshots are on this machine. */
export const NO_SOURCE: SnapshotSource = { ids: () => [], fetch: async () => 'unknown' };
