// Says that this machine does not have a snapshot, and how to fetch it where there is a store.

import { readConfig } from '../../src/config.ts';
import { UsageError } from '../../src/terminal/usageError.ts';
import { unknownSnapshot } from '../messages/unknownSnapshot.ts';

/** Whether `SNAPSHOT_STORE` is set, so that other machines may have published what this one does not have. */
export const hasStore = (): boolean => readConfig(process.env).snapshotStore !== null;

/** The error about a snapshot that is not among those of this machine. */
export const missingSnapshot = (id: string, known: readonly string[]): UsageError =>
  new UsageError(
    `${unknownSnapshot(id, known)}${hasStore() ? `; if the store has it, \`ingest pull ${id}\` fetches it` : ''}`,
  );
