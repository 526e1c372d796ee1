// Publishes and rolls back through a store that several publishers share: the store decides, then this machine follows.

import { randomUUID } from 'node:crypto';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { currentId, snapshotDirectory, snapshotIds } from '../../src/catalog/dataDirectory.ts';
import { type HistoryEntry, history } from '../../src/catalog/history.ts';
import { adoptState, missingState } from '../../src/store/adoptState.ts';
import { pullSnapshot, pushSnapshot, removeStored, whileDownloading } from '../../src/store/copies.ts';
import { LockedError } from '../../src/store/lock.ts';
import type { ObjectStore } from '../../src/store/objectStore.ts';
import { repeatWhenCut, StoreFailed } from '../../src/store/s3Client.ts';
import {
  CURRENT,
  idOfReservation,
  isPartMessage,
  lacksCurrentMessage,
  RESERVED,
  readSharedState,
  reservationOf,
  type SharedState,
  storedIds,
  swapSharedState,
} from '../../src/store/sharedState.ts';

/** Somebody else published or rolled back first (exit code 6). */
class OvertakenError extends LockedError {}

/** The shared store as a command found it at its beginning. The data directory has the same current snapshot and history. */
export interface SharedStore {
  /** All ids that must not be used again: those of stored snapshots, and those that somebody has reserved. */
  readonly usedIds: readonly string[];
  readonly storedIds: readonly string[];
  /** Downloads a snapshot from the store, unless it is here already. */
  fetch(id: string): Promise<void>;
  /**
   * Pushes the snapshot in `directory`, then makes it current in the store.
   *
   * @param commit Called right before the snapshot becomes current.
   * @throws {OvertakenError} when somebody else was first. Nothing of the snapshot stays in the store then.
   * @throws {StoreFailed} when the store does not answer.
   */
  publish(entry: HistoryEntry, directory: string, commit: () => void): Promise<void>;
  /** Makes a snapshot of this machine current in the store. Throws the same errors as `publish`. */
  rollBack(entry: HistoryEntry, commit: () => void): Promise<void>;
}

/**
 * Downloads the snapshot that is current in the store, unless it is here, and takes over the store's history. A month is then
 * compared with that snapshot. The caller must have the lock of the data directory, and must have called `recover`.
 *
 * @throws {StoreFailed} when the store does not answer, or the history of the data directory differs from that of the store.
 */
export async function joinStore(dataDir: string, store: ObjectStore): Promise<SharedStore> {
  const state = await readSharedState(store);
  const stored = await storedIds(store, state);
  const missing = state && (await missingState(dataDir, state, store));
  if (missing !== null) {
    await download(dataDir, missing.current, store, lacksCurrentMessage);
    await adoptState(dataDir, missing);
  }
  return new JoinedStore(dataDir, store, {
    state,
    storedIds: stored,
    reserved: (await store.names(RESERVED)).map(idOfReservation),
    entries: state?.history ?? (await sharedEntries(dataDir)),
  });
}

/** The content of the store when a command began. */
interface FoundState {
  /** The state of the store; null when nobody has published to it. */
  readonly state: SharedState | null;
  readonly storedIds: readonly string[];
  /** The ids that publications have reserved. */
  readonly reserved: readonly string[];
  readonly entries: readonly HistoryEntry[];
}

class JoinedStore implements SharedStore {
  readonly #dataDir: string;
  readonly #store: ObjectStore;
  readonly #found: FoundState;
  /**
   * The ids of publications that are running elsewhere or were killed. Once this publication succeeds, none of them can: they have
   * read an older state, and the store refuses to replace the new one.
   */
  readonly #doomed: readonly string[];

  constructor(dataDir: string, store: ObjectStore, found: FoundState) {
    this.#dataDir = dataDir;
    this.#store = store;
    this.#found = found;
    const published = new Set(found.state?.history.map(({ id }) => id));
    this.#doomed = found.reserved.filter((id) => !published.has(id));
  }

  get storedIds(): readonly string[] {
    return this.#found.storedIds;
  }

  get usedIds(): readonly string[] {
    return [...this.storedIds, ...this.#found.reserved, ...this.#abandoned];
  }

  fetch(id: string): Promise<void> {
    return download(this.#dataDir, id, this.#store, isPartMessage);
  }

  async publish(entry: HistoryEntry, directory: string, commit: () => void): Promise<void> {
    const store = this.#store;
    const reservation = await reserve(entry.id, store);
    const created = new Set<string>();
    try {
      // Somebody may have published this id and released the reservation meanwhile. The state would then have changed.
      await expectState(store, this.#found.state);
      await pushSnapshot(directory, store, created);
      commit();
      await this.#swap(entry, this.#doomed);
    } catch (error) {
      // When the store did not answer, the swap may have happened, so the pushed snapshot must stay.
      if (!(error instanceof UnknownOutcome)) await withdraw(reservation, created, store).catch(() => {});
      throw error;
    }
    await store.remove(reservation).catch(() => {});
    await removeLeftovers(this.#found.reserved, this.#doomed, store).catch(() => {});
  }

  async rollBack(entry: HistoryEntry, commit: () => void): Promise<void> {
    await pushSnapshot(snapshotDirectory(this.#dataDir, entry.id), this.#store);
    commit();
    await this.#swap(entry, []);
  }

  get #abandoned(): readonly string[] {
    return this.#found.state?.abandoned ?? [];
  }

  /** Makes the snapshot of an entry current in the store, and adds ids to the abandoned ones. */
  #swap(entry: HistoryEntry, alsoAbandoned: readonly string[]): Promise<void> {
    return swap(this.#store, this.#found.state, entry, {
      current: entry.id,
      history: [...this.#found.entries, entry],
      abandoned: [...new Set([...this.#abandoned, ...alsoAbandoned])],
    });
  }
}

/** Writes the state of this data directory into a store that has none. False when the store has one, or nothing is current here. */
export async function beginSharedState(dataDir: string, store: ObjectStore): Promise<boolean> {
  const current = await currentId(dataDir);
  if (current === null || (await readSharedState(store)) !== null) return false;
  return swapSharedState(store, null, {
    current,
    history: await sharedEntries(dataDir),
    abandoned: [],
  });
}

/** The store has switched to a snapshot, but this machine could not switch as well. */
export class NotTakenUpError extends Error {
  /** The command that switches this machine as well. It names the id, because `rollback` without an id would go back once more. */
  readonly remedy: string;
  readonly code: string | undefined;

  constructor(id: string, done: string, cause: NodeJS.ErrnoException) {
    super(`${id} is ${done} in the store, and this machine could not take it up (${cause.message})`, {
      cause,
    });
    this.remedy = `\`ingest rollback ${id}\` takes it up here`;
    this.code = cause.code;
  }
}

/** Replaces the error of a switch on this machine by a {@link NotTakenUpError}, because the store has switched already. */
export const notTakenUp =
  (id: string, done: string) =>
  (error: NodeJS.ErrnoException): never => {
    throw new NotTakenUpError(id, done, error);
  };

/** How long a command waits for a server that is downloading into the same data directory. */
const DOWNLOAD_WAIT_MS = 60_000;

/** @param messageOf The message of the error when the store lacks the snapshot. */
async function download(
  dataDir: string,
  id: string,
  store: ObjectStore,
  messageOf: (id: string, store: ObjectStore) => string,
): Promise<void> {
  if ((await snapshotIds(dataDir)).includes(id)) return;
  const untilMs = performance.now() + DOWNLOAD_WAIT_MS;
  for (;;) {
    try {
      const copied = await whileDownloading(dataDir, () => pullSnapshot(dataDir, id, store));
      if (copied !== null) return;
      throw new StoreFailed(messageOf(id, store));
    } catch (error) {
      if (!(error instanceof LockedError) || performance.now() > untilMs) throw error;
      await sleep(200);
    }
  }
}

/**
 * Reserves an id for this publication, and returns the name of the reservation.
 *
 * @throws {OvertakenError} when somebody else has the id.
 * @throws {StoreFailed} when the store ignores the conditions of writes, because two publishers could then both win.
 */
async function reserve(id: string, store: ObjectStore): Promise<string> {
  const name = reservationOf(id);
  const content = Buffer.from(
    JSON.stringify({ by: os.hostname(), token: randomUUID(), at: new Date().toISOString() }),
  );
  // If the answer to the first write was lost, its repetition is refused although the reservation is ours.
  const isOurs =
    (await repeatWhenCut(() => store.write(name, content, 'new'))) ||
    (await store.get(name))?.equals(content) === true;
  if (!isOurs)
    throw new OvertakenError(
      `somebody else is publishing ${id} to the store at ${store.address}; nothing was published here; wait for it to end and run again`,
    );
  const isIgnored =
    (await store.write(name, content, 'new')) || (await store.write(name, content, { etag: '"0"' }));
  if (!isIgnored) return name;
  await store.remove(name);
  throw new StoreFailed(
    `the store at ${store.address} ignores If-Match and If-None-Match, so two publishers could both win; use a store that honours conditional writes`,
  );
}

/** The store stopped answering during the swap. Nobody knows whether the swap happened. */
class UnknownOutcome extends StoreFailed {}

/** Replaces the state of the store, and checks that this happened. */
async function swap(
  store: ObjectStore,
  before: SharedState | null,
  entry: HistoryEntry,
  next: Omit<SharedState, 'etag'>,
): Promise<void> {
  let failure: unknown = null;
  try {
    if (await swapSharedState(store, before, next)) return;
  } catch (error) {
    failure = error;
  }
  // After a broken connection, the write may have happened although its repetition was refused. The new history shows it.
  const now = await readSharedState(store).catch(() => {
    throw new UnknownOutcome(
      `the store at ${store.address} stopped answering while ${entry.id} became current there, so whether it did is unknown; ` +
        'nothing changed here; `ingest list --store` says, and running again takes it up',
    );
  });
  if (now?.history.some((one) => isDeepStrictEqual(one, entry)) === true) return;
  expectSame(store, before, now);
  throw failure ?? new StoreFailed(`the store at ${store.address} refused ${CURRENT}; run again`);
}

const expectState = async (store: ObjectStore, before: SharedState | null): Promise<void> =>
  expectSame(store, before, await readSharedState(store));

/** @throws {OvertakenError} when the state changed since the command began. */
function expectSame(store: ObjectStore, before: SharedState | null, now: SharedState | null): void {
  if (now === null || now.etag === before?.etag) return;
  const last = now.history.at(-1);
  throw new OvertakenError(
    `somebody else was first: ${last?.id ?? now.current} was ${last?.event ?? 'made current'} at ${last?.at ?? 'the same time'} ` +
      `in the store at ${store.address}; nothing was changed here or there; run again to compare with it`,
  );
}

/** The history of a data directory without the entries of pruning, because these concern only this machine. */
const sharedEntries = async (dataDir: string): Promise<HistoryEntry[]> =>
  (await history(dataDir)).filter(({ event }) => event !== 'pruned');

/** Removes what a failed publication has pushed. The reservation is the last, so that nobody uses the id too early. */
async function withdraw(
  reservation: string,
  created: ReadonlySet<string>,
  store: ObjectStore,
): Promise<void> {
  for (const name of [...created].reverse()) await store.remove(name);
  await store.remove(reservation);
}

/** Removes the leftovers of killed publications. The state lists their ids as abandoned, so that nobody uses them again. */
async function removeLeftovers(
  reserved: readonly string[],
  doomed: readonly string[],
  store: ObjectStore,
): Promise<void> {
  for (const id of doomed) await removeStored(id, store);
  for (const id of reserved) await store.remove(reservationOf(id));
}
