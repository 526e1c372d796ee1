// The error about a snapshot that this machine does not have: with a store, it names the command that fetches the snapshot.

import { readConfig } from '../../src/config/config.ts';
import { UsageError } from '../../src/terminal/usageError.ts';
import { unknownSnapshot } from '../messages/unknownSnapshot.ts';

/** Whether `SNAPSHOT_STORE` is set. Other machines may then have published snapshots that this one lacks. */
export const hasStore = (): boolean => readConfig(process.env).snapshotStore !== null;

/** The error about an unknown id. Its message lists `known`, the ids of the snapshots of this machine. */
export const missingSnapshotError = (id: string, known: readonly string[]): UsageError =>
  new UsageError(
    `${unknownSnapshot(id, known)}${hasStore() ? `; if the store has it, \`ingest pull ${id}\` fetches it` : ''}`,
    { listsAll: true },
  );
