// The commands `push`, `pull` and `list --store`: copies of snapshots in SNAPSHOT_STORE.

import { currentId, isSnapshotId, snapshotIds } from '../../src/catalog/dataDirectory.ts';
import type { Outcome } from '../../src/commandLine.ts';
import { readConfig } from '../../src/config.ts';
import { UsageError } from '../../src/usageError.ts';
import { type Copied, pullSnapshot, pushSnapshot, storedSnapshots } from '../store/copies.ts';
import { type ObjectStore, openStore } from '../store/objectStore.ts';
import { exclusively } from './exclusive.ts';

export async function push(asked: string | undefined): Promise<Outcome> {
  const { dataDir } = readConfig(process.env);
  const store = configuredStore();
  const id = asked ?? (await currentId(dataDir));
  if (id === null) throw new UsageError('there is no current snapshot; name one');
  if (!(await snapshotIds(dataDir)).includes(id))
    throw new UsageError(
      `no snapshot ${id}; there are: ${(await snapshotIds(dataDir)).join(', ') || 'none'}`,
    );
  return outcomeOf(await pushSnapshot(dataDir, id, store));
}

export async function pull(id: string): Promise<Outcome> {
  const { dataDir } = readConfig(process.env);
  if (!isSnapshotId(id)) throw new UsageError(`${id} is no snapshot; write its id, such as 2026-11.1`);
  const store = configuredStore();
  return outcomeOf(
    await exclusively(dataDir, 'interrupted; nothing was pulled', () => pullSnapshot(dataDir, id, store)),
  );
}

export async function listStored(): Promise<Outcome> {
  const ids = await storedSnapshots(configuredStore());
  return {
    json: { snapshots: ids },
    text: ids.map((id) => `${id}\n`).join('') || 'the store has no snapshot\n',
  };
}

/** @throws {UsageError} without SNAPSHOT_STORE. */
function configuredStore(): ObjectStore {
  const { snapshotStore } = readConfig(process.env);
  if (snapshotStore === null) throw new UsageError('SNAPSHOT_STORE is not set; set it to s3://bucket/prefix');
  return openStore(snapshotStore, process.env);
}

function outcomeOf(copied: Copied): Outcome {
  const { snapshot, status, files, bytes } = copied;
  const size = `${files} files, ${(bytes / 1e6).toFixed(1)} MB`;
  return {
    json: copied,
    text: status === 'unchanged' ? `${snapshot} is there already\n` : `${snapshot} ${status}: ${size}\n`,
  };
}
