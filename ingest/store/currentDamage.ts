// Says why a month cannot be compared with the current snapshot, so that nothing is published past the guards in silence.

import path from 'node:path';
import { currentId, snapshotDirectory, snapshotIds } from '../../src/catalog/dataDirectory.ts';
import { history } from '../../src/catalog/history.ts';
import { fileSha256, readAnyManifest, SnapshotRefused, verifyFiles } from '../../src/catalog/verifyFiles.ts';
import { MANIFEST } from './publish.ts';

/** The rule by which such a month is refused; accepted like a guard's. */
export const CURRENT_DAMAGED = 'current-damaged';

/**
 * What is wrong with the current snapshot, without reading its rows; null when it is whole, or when there is no snapshot
 * at all.
 *
 * Damaged are: a link that is gone or leads nowhere, a manifest that is missing, cut, another snapshot's or changed after
 * it was published, and a file that is not what the manifest says.
 */
export async function currentDamage(dataDir: string): Promise<string | null> {
  const id = await currentId(dataDir);
  const there = await snapshotIds(dataDir);
  if (id === null)
    return there.length === 0
      ? null
      : `no snapshot is current, though there are snapshots (${there.join(', ')})`;
  if (!there.includes(id)) return `current names ${id}, which is not there`;
  const directory = snapshotDirectory(dataDir, id);
  try {
    await verifyFiles(directory, await readAnyManifest(directory));
  } catch (error) {
    if (!(error instanceof SnapshotRefused)) throw error;
    return `the current snapshot ${id} is damaged: ${error.file ?? 'it'} ${error.problem}`;
  }
  const published = (await history(dataDir)).findLast((one) => one.event === 'published' && one.id === id);
  const isChanged =
    published?.manifest !== undefined &&
    published.manifest !== (await fileSha256(path.join(directory, MANIFEST)));
  return isChanged
    ? `the current snapshot ${id} is damaged: ${MANIFEST} was changed after it was published`
    : null;
}
