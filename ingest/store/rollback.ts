// Makes an earlier snapshot current again, and records this in the history. No snapshot is removed.

import { currentId } from '../../src/catalog/dataDirectory.ts';
import type { ObjectStore } from '../../src/store/objectStore.ts';
import { switchCurrent } from '../../src/store/switchCurrent.ts';
import { operatorName } from '../../src/terminal/operatorName.ts';
import { UsageError } from '../../src/terminal/usageError.ts';
import { unknownSnapshot } from '../messages/unknownSnapshot.ts';
import { runRecordedStep } from './historyWriter.ts';
import { throwLocalSwitchError } from './localSwitchError.ts';
import { publicationOrder } from './publicationOrder.ts';
import { recover } from './publish.ts';
import { joinStore } from './sharedStore.ts';
import { type Damage, verify } from './verify.ts';

export interface RollbackResult {
  readonly status: 'rolled-back' | 'unchanged' | 'damaged';
  /** The snapshot that is current now. If `status` is `damaged`, the one that was refused. */
  readonly snapshot: string;
  /** The snapshot that was current when the rollback began; null when there was none. */
  readonly from: string | null;
  /** Why the snapshot was refused; empty if it was not. */
  readonly damages: readonly Damage[];
}

export interface RollbackOptions {
  /** The time of the rollback, for the history. */
  readonly at: Date;
  /**
   * Is called right before the snapshot becomes current, in the store or here. Nothing may interrupt the rollback
   * afterwards. When it throws, nothing is changed.
   */
  readonly commit?: () => void;
  /** The store that several publishers share; null without one. */
  readonly store?: ObjectStore | null;
}

/**
 * Switches `current` to the snapshot `requestedId`. Without an id, it switches to the one published just before the current
 * one. A damaged snapshot is refused. A snapshot that only the store has is downloaded. The store is switched before this
 * machine.
 *
 * @throws {UsageError} when there is no such snapshot, or none before the current one.
 * @throws {OvertakenError} when somebody else changed the store meanwhile. Nothing is changed then.
 */
export async function rollback(
  dataDir: string,
  requestedId: string | undefined,
  { at, commit = () => {}, store = null }: RollbackOptions,
): Promise<RollbackResult> {
  await recover(dataDir);
  const shared = store && (await joinStore(dataDir, store));
  const from = await currentId(dataDir);
  const snapshot = await rollbackTarget(dataDir, requestedId, from, shared?.storedIds ?? []);
  if (snapshot === from) return { status: 'unchanged', snapshot, from, damages: [] };
  await shared?.download(snapshot);
  const damages = await verify(dataDir, snapshot);
  if (damages.length > 0) return { status: 'damaged', snapshot, from, damages };
  const entry = {
    event: 'rolled-back',
    id: snapshot,
    by: operatorName(),
    at: at.toISOString(),
    ...(from !== null && { from }),
  };
  const switchHere = () => runRecordedStep(dataDir, entry, () => switchCurrent(dataDir, snapshot));
  if (shared === null) {
    commit();
    await switchHere();
  } else {
    await shared.rollBack(entry, commit);
    await switchHere().catch(throwLocalSwitchError(snapshot, 'current'));
  }
  return { status: 'rolled-back', snapshot, from, damages };
}

async function rollbackTarget(
  dataDir: string,
  requestedId: string | undefined,
  current: string | null,
  stored: readonly string[],
): Promise<string> {
  const { retained, previousOf } = await publicationOrder(dataDir, stored);
  const retainedIds = retained.join(', ') || 'none';
  if (requestedId !== undefined) {
    if (retained.includes(requestedId)) return requestedId;
    throw new UsageError(unknownSnapshot(requestedId, retained), { listsAll: true });
  }
  if (current === null)
    throw new UsageError(`there is no current snapshot to go back from; name one of: ${retainedIds}`);
  const previous = previousOf(current);
  if (previous === null)
    throw new UsageError(`there is no snapshot from before ${current}; name one of: ${retainedIds}`);
  return previous;
}
