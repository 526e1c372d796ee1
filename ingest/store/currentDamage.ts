// Finds damage of the current snapshot. A month cannot be compared with a damaged snapshot, so no guard would examine it.

import { currentId, MANIFEST_FILE, snapshotDirectory, snapshotIds } from '../../src/catalog/dataDirectory.ts';
import { readAnyManifest } from '../../src/catalog/readManifest.ts';
import { SnapshotRefused, throwIfReaderFault } from '../../src/catalog/snapshotRefused.ts';
import { verifyFiles } from '../../src/catalog/verifyFiles.ts';
import { isManifestChanged } from './verify.ts';

/** The rule that refuses a month when the current snapshot is damaged. People can accept it like the rule of a guard. */
export const CURRENT_DAMAGED = 'current-damaged';

/**
 * The damage of the current snapshot as text; null when there is none, or when there are no snapshots. Rows are not read.
 *
 * The snapshot is damaged in these cases:
 * - The link `current` is missing or names no snapshot.
 * - The manifest is missing, truncated, that of another snapshot, or changed after publication.
 * - A file differs from the manifest.
 *
 * @throws {Error} the error of the system when the user may not read a file, or when too many files are open.
 */
export async function currentDamage(dataDir: string): Promise<string | null> {
  const id = await currentId(dataDir);
  const retained = await snapshotIds(dataDir);
  if (id === null)
    return retained.length === 0
      ? null
      : `no snapshot is current, though there are snapshots (${retained.join(', ')})`;
  if (!retained.includes(id)) return `current names ${id}, which is not there`;
  const directory = snapshotDirectory(dataDir, id);
  try {
    await verifyFiles(directory, await readAnyManifest(directory));
  } catch (error) {
    if (!(error instanceof SnapshotRefused)) throw error;
    throwIfReaderFault(error);
    return `the current snapshot ${id} is damaged: ${error.file ?? 'it'} ${error.problem}`;
  }
  return (await isManifestChanged(dataDir, id))
    ? `the current snapshot ${id} is damaged: ${MANIFEST_FILE} was changed after it was published`
    : null;
}
