// Words the errors about a snapshot that does not exist.

/** Says that a snapshot does not exist, and which do. */
export const unknownSnapshot = (id: string, known: readonly string[]): string =>
  `no snapshot ${id}; ${existingSnapshots(known)}`;

/** Which snapshots exist, as a clause. */
export const existingSnapshots = (known: readonly string[]): string =>
  known.length === 0 ? 'none is published yet' : `there are: ${known.join(', ')}`;
