// Words the errors about a snapshot that does not exist.

/** Says that a snapshot does not exist, and which ones do. */
export const unknownSnapshot = (id: string, known: readonly string[]): string =>
  `no snapshot ${id}; ${existingSnapshots(known)}`;

/** The clause of a message that says which snapshots exist. */
export const existingSnapshots = (known: readonly string[]): string =>
  known.length === 0 ? 'none is published yet' : `there are: ${known.join(', ')}`;
