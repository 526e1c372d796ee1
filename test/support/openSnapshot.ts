// Opens real snapshots for tests: `const { snapshot, close } = await anOpenSnapshot({ ggr: [aRow('ggr')] })`.

import path from 'node:path';
import { readAnyManifest } from '../../src/catalog/readManifest.ts';
import { openSnapshot, type Snapshot } from '../../src/catalog/snapshot.ts';
import { aDataDir, publishRows, type Rows } from './snapshot.ts';

/** Loads a snapshot of a data directory, with eight connections as the server has. */
export async function openIn(dataDir: string, id: string): Promise<Snapshot> {
  const directory = path.join(dataDir, 'snapshots', id);
  return openSnapshot(directory, await readAnyManifest(directory), { connections: 8 });
}

/** Publishes rows in a new data directory, and loads the snapshot. `close` also removes the directory. */
export async function anOpenSnapshot(
  rows: Rows = {},
): Promise<{ snapshot: Snapshot; close: () => Promise<void> }> {
  const { dataDir, remove } = await aDataDir();
  await publishRows(dataDir, '2026-11.1', rows);
  const snapshot = await openIn(dataDir, '2026-11.1');
  return {
    snapshot,
    async close() {
      snapshot.close();
      await remove();
    },
  };
}
