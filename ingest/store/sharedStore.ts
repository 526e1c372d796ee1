// Publishes and rolls back through a store that several publishers share: the store decides, then this machine follows.

import { currentId, snapshotDirectory, snapshotIds } from '../../src/catalog/dataDirectory.ts';
import { type HistoryEntry, readHistory } from '../../src/catalog/readHistory.ts';
import { adoptState, missingState } from '../../src/store/adoptState.ts';
import { retryWhileLocked } from '../../src/store/lock.ts';
import type { ObjectStore } from '../../src/store/objectStore.ts';
import { StoreFailed } from '../../src/store/s3Client.ts';
import {
  idOfReservation,
  lacksCurrentMessage,
  partialSnapshotMessage,
  RESERVATIONS_FOLDER,
  readSharedState,
  type SharedState,
  storedIds,
  swapSharedState,
} from '../../src/store/sharedState.ts';
import { pullSnapshot, pushSnapshot, withDownloadLock } from '../../src/store/snapshotCopies.ts';
import {
  expectUnchanged,
  removeLeftovers,
  removePushed,
  reserve,
  swapState,
  UnknownOutcome,
} from './storeSwap.ts';

/**
 * Downloads the snapshot that is current in the store, unless it is here, and takes over the store's history. A month is
 * then compared with that snapshot. The caller must have the lock of the data directory, and must have called `recover`.
 *
 * @throws {StoreFailed} when the store does not answer, or the history of the data directory differs from that of the
 * store.
 */
export async function joinStore(dataDir: string, store: ObjectStore): Promise<SharedStore> {
  const state = await readSharedState(store);
  const stored = await storedIds(store, state);
  const missing = state && (await missingState(dataDir, state, store));
  if (missing !== null) {
    await download(dataDir, missing.current, store, lacksCurrentMessage);
    await adoptState(dataDir, missing);
  } else if (state !== null) {
    // The link may name the snapshot although its folder is gone. Where the store lacks it as well, only a rollback helps.
    await download(dataDir, state.current, store, lacksCurrentMessage).catch(throwUnlessOfStore);
  }
  return new SharedStore(dataDir, store, {
    state,
    storedIds: stored,
    reservedIds: (await store.names(RESERVATIONS_FOLDER)).map(idOfReservation),
    history: state?.history ?? (await sharedEntries(dataDir)),
  });
}

/** The content of the store when a command began. */
interface StoreAtStart {
  /** The state of the store; null when nobody has published to it. */
  readonly state: SharedState | null;
  readonly storedIds: readonly string[];
  /** The ids that publications have reserved. */
  readonly reservedIds: readonly string[];
  readonly history: readonly HistoryEntry[];
}

/**
 * The shared store as a command found it at its beginning. The data directory has the same current snapshot and history.
 */
export class SharedStore {
  readonly #dataDir: string;
  readonly #store: ObjectStore;
  readonly #atStart: StoreAtStart;
  /**
   * The ids of publications that are running elsewhere or were killed. Once this publication succeeds, none of them can:
   * they have read an older state, and the store refuses to replace the new one.
   */
  readonly #unpublishedIds: readonly string[];

  constructor(dataDir: string, store: ObjectStore, found: StoreAtStart) {
    this.#dataDir = dataDir;
    this.#store = store;
    this.#atStart = found;
    const published = new Set(found.state?.history.map(({ id }) => id));
    this.#unpublishedIds = found.reservedIds.filter((id) => !published.has(id));
  }

  get storedIds(): readonly string[] {
    return this.#atStart.storedIds;
  }

  /** All ids that must not be used again: those of stored snapshots, and those that somebody has reserved. */
  get usedIds(): readonly string[] {
    return [...this.storedIds, ...this.#atStart.reservedIds, ...this.#abandoned];
  }

  /** Downloads a snapshot from the store, unless it is here already. */
  download(id: string): Promise<void> {
    return download(this.#dataDir, id, this.#store, partialSnapshotMessage);
  }

  /**
   * Pushes the snapshot in `directory`, then makes it current in the store.
   *
   * @param commit Called right before the snapshot becomes current.
   * @throws {OvertakenError} when somebody else was first. Nothing of the snapshot stays in the store then.
   * @throws {StoreFailed} when the store does not answer.
   */
  async publish(entry: HistoryEntry, directory: string, commit: () => void): Promise<void> {
    const store = this.#store;
    const reservation = await reserve(entry.id, store);
    const created = new Set<string>();
    try {
      // Somebody may have published this id and released the reservation meanwhile. The state would then have changed.
      await expectUnchanged(store, this.#atStart.state);
      await pushSnapshot(directory, store, created);
      commit();
      await this.#swap(entry, this.#unpublishedIds);
    } catch (error) {
      // When the store did not answer, the swap may have happened, so the pushed snapshot must stay.
      if (!(error instanceof UnknownOutcome)) await removePushed(reservation, created, store).catch(() => {});
      throw error;
    }
    await store.remove(reservation).catch(() => {});
    await removeLeftovers(this.#atStart.reservedIds, this.#unpublishedIds, store).catch(() => {});
  }

  /** Makes a snapshot of this machine current in the store. Throws the same errors as `publish`. */
  async rollBack(entry: HistoryEntry, commit: () => void): Promise<void> {
    await pushSnapshot(snapshotDirectory(this.#dataDir, entry.id), this.#store);
    commit();
    await this.#swap(entry, []);
  }

  get #abandoned(): readonly string[] {
    return this.#atStart.state?.abandoned ?? [];
  }

  /** Makes the snapshot of an entry current in the store, and adds ids to the abandoned ones. */
  #swap(entry: HistoryEntry, newlyAbandonedIds: readonly string[]): Promise<void> {
    return swapState(this.#store, this.#atStart.state, entry, {
      current: entry.id,
      history: [...this.#atStart.history, entry],
      abandoned: [...new Set([...this.#abandoned, ...newlyAbandonedIds])],
    });
  }
}

/**
 * Writes the state of this data directory into a store that has none. False when the store has one, or nothing is current
 * here.
 */
export async function initialiseSharedState(dataDir: string, store: ObjectStore): Promise<boolean> {
  const current = await currentId(dataDir);
  if (current === null || (await readSharedState(store)) !== null) return false;
  return swapSharedState(store, null, {
    current,
    history: await sharedEntries(dataDir),
    abandoned: [],
  });
}

/** How long a command waits for a server that is downloading into the same data directory. */
const DOWNLOAD_WAIT_MS = 60_000;

function throwUnlessOfStore(error: unknown): void {
  if (!(error instanceof StoreFailed)) throw error;
}

/** @param messageOf The message of the error when the store lacks the snapshot. */
async function download(
  dataDir: string,
  id: string,
  store: ObjectStore,
  messageOf: (id: string, store: ObjectStore) => string,
): Promise<void> {
  if ((await snapshotIds(dataDir)).includes(id)) return;
  const pull = () => withDownloadLock(dataDir, () => pullSnapshot(dataDir, id, store));
  const copied = await retryWhileLocked(pull, { waitMs: DOWNLOAD_WAIT_MS, pauseMs: 200 });
  if (copied === null) throw new StoreFailed(messageOf(id, store));
}

/** The history of a data directory without the entries of pruning, because these concern only this machine. */
const sharedEntries = async (dataDir: string): Promise<HistoryEntry[]> =>
  (await readHistory(dataDir)).filter(({ event }) => event !== 'pruned');
