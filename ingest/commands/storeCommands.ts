// The commands `push`, `pull` and `list --store`: copies of snapshots in SNAPSHOT_STORE.

import { currentId, isSnapshotId, snapshotDirectory, snapshotIds } from '../../src/catalog/dataDirectory.ts';
import { readConfig } from '../../src/config/config.ts';
import { ObjectStore } from '../../src/store/objectStore.ts';
import { StoreFailed } from '../../src/store/s3Client.ts';
import { readSharedState, storedIds } from '../../src/store/sharedState.ts';
import {
  type CopyOutcome,
  hasWholeSnapshot,
  pullSnapshot,
  pushSnapshot,
  withDownloadLock,
} from '../../src/store/snapshotCopies.ts';
import type { Outcome } from '../../src/terminal/commandLine.ts';
import { UsageError } from '../../src/terminal/usageError.ts';
import { counted } from '../messages/numbers.ts';
import { unknownSnapshot } from '../messages/unknownSnapshot.ts';
import { initialiseSharedState } from '../store/sharedStore.ts';
import { runExclusively } from './exclusiveCommand.ts';

/**
 * Copies a snapshot to the store. If the store has no current snapshot yet, the current one of this machine becomes current
 * there.
 *
 * @param requestedId The id as it was typed; undefined for the current snapshot.
 * @throws {UsageError} when SNAPSHOT_STORE is not set, and when DATA_DIR does not have the snapshot.
 */
export async function push(requestedId: string | undefined): Promise<Outcome> {
  const { dataDir } = readConfig(process.env);
  const store = configuredStore();
  const id = requestedId ?? (await currentId(dataDir));
  if (id === null) throw new UsageError('there is no current snapshot; name one');
  const known = await snapshotIds(dataDir);
  if (!known.includes(id)) throw new UsageError(unknownSnapshot(id, known), { listsAll: true });
  const copied = await pushSnapshot(snapshotDirectory(dataDir, id), store);
  const becameCurrent = id === (await currentId(dataDir)) && (await initialiseSharedState(dataDir, store));
  return copyOutcome(copied, becameCurrent ? '; it is current in the store now' : '');
}

/**
 * Copies a snapshot from the store into DATA_DIR. It does not become current.
 *
 * @throws {UsageError} when SNAPSHOT_STORE is not set, and for a text that is no id.
 * @throws {StoreFailed} when the store does not have the snapshot.
 */
export async function pull(id: string): Promise<Outcome> {
  const { dataDir } = readConfig(process.env);
  if (!isSnapshotId(id))
    throw new UsageError(`${id} is not the id of a snapshot; write one such as 2026-11.1`);
  const store = configuredStore();
  return copyOutcome(
    await runExclusively(dataDir, 'interrupted; nothing was pulled', (commit) =>
      withDownloadLock(dataDir, async () => {
        const copied = await pullSnapshot(dataDir, id, store, commit);
        if (copied !== null) return copied;
        throw new StoreFailed(`the store has no snapshot ${id}: \`ingest list --store\` shows those it has`);
      }),
    ),
  );
}

/** Lists the snapshots of the store, without those that were copied in part. */
export async function listStored(): Promise<Outcome> {
  const store = configuredStore();
  const state = await readSharedState(store);
  const complete: string[] = [];
  for (const id of await storedIds(store, state)) if (await hasWholeSnapshot(id, store)) complete.push(id);
  const current = state?.current ?? null;
  const lines = complete.map((id) => `${id}${id === current ? '  current' : ''}\n`);
  return {
    json: { current, snapshots: complete },
    text: lines.join('') || 'the store has no snapshot\n',
  };
}

/**
 * The store that SNAPSHOT_STORE names.
 *
 * @throws {UsageError} when SNAPSHOT_STORE is not set.
 */
function configuredStore(): ObjectStore {
  const { snapshotStore } = readConfig(process.env);
  if (snapshotStore === null) throw new UsageError('SNAPSHOT_STORE is not set; set it to s3://bucket/prefix');
  return new ObjectStore(snapshotStore, process.env);
}

function copyOutcome(copied: CopyOutcome, note = ''): Outcome {
  const { snapshot, status, files, bytes } = copied;
  const size = `${counted(files, 'file')}, ${(bytes / 1e6).toFixed(1)} MB`;
  const done = status === 'unchanged' ? 'is there already' : `${status}: ${size}`;
  return { json: copied, text: `${snapshot} ${done}${note}\n` };
}
