// The texts of errors about a snapshot that does not exist.

/** The message that a snapshot does not exist, with a list of those that do. */
export const unknownSnapshot = (id: string, known: readonly string[]): string =>
  `no snapshot ${id}; ${existingSnapshots(known)}`;

/** The list of the snapshots that exist, as a clause of a message. */
export const existingSnapshots = (known: readonly string[]): string =>
  known.length === 0 ? 'none is published yet' : `there are: ${known.join(', ')}`;
