// Reserves ids in a store that several publishers share, and swaps its state, so that only one of two publishers succeeds.

import { randomUUID } from 'node:crypto';
import os from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import type { HistoryEntry } from '../../src/catalog/readHistory.ts';
import { LockedError } from '../../src/store/lock.ts';
import type { ObjectStore } from '../../src/store/objectStore.ts';
import { repeatWhenCut, StoreFailed } from '../../src/store/s3Client.ts';
import {
  readSharedState,
  reservationName,
  SHARED_STATE_OBJECT,
  type SharedState,
  swapSharedState,
} from '../../src/store/sharedState.ts';
import { removeStoredSnapshot } from '../../src/store/snapshotCopies.ts';

/** Somebody else published or rolled back first (exit code 6). */
class OvertakenError extends LockedError {}

/**
 * Reserves an id for this publication, and returns the name of the reservation.
 *
 * @throws {OvertakenError} when somebody else has the id.
 * @throws {StoreFailed} when the store ignores the conditions of writes, because two publishers could then both win.
 */
export async function reserve(id: string, store: ObjectStore): Promise<string> {
  const name = reservationName(id);
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
export class UnknownOutcome extends StoreFailed {}

/** Replaces the state of the store, and checks that this happened. */
export async function swapState(
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
  throw failure ?? new StoreFailed(`the store at ${store.address} refused ${SHARED_STATE_OBJECT}; run again`);
}

/** @throws {OvertakenError} when the state changed since the command began. */
export const expectUnchanged = async (store: ObjectStore, before: SharedState | null): Promise<void> =>
  expectSame(store, before, await readSharedState(store));

function expectSame(store: ObjectStore, before: SharedState | null, now: SharedState | null): void {
  if (now === null || now.etag === before?.etag) return;
  const last = now.history.at(-1);
  throw new OvertakenError(
    `somebody else was first: ${last?.id ?? now.current} was ${last?.event ?? 'made current'} at ${last?.at ?? 'the same time'} ` +
      `in the store at ${store.address}; nothing was changed here or there; run again to compare with it`,
  );
}

/** Removes what a failed publication has pushed. The reservation is the last, so that nobody uses the id too early. */
export async function removePushed(
  reservation: string,
  created: ReadonlySet<string>,
  store: ObjectStore,
): Promise<void> {
  for (const name of [...created].reverse()) await store.remove(name);
  await store.remove(reservation);
}

/** Removes the leftovers of killed publications. The state lists their ids as abandoned, so that nobody uses them again. */
export async function removeLeftovers(
  reservedIds: readonly string[],
  unpublishedIds: readonly string[],
  store: ObjectStore,
): Promise<void> {
  for (const id of unpublishedIds) await removeStoredSnapshot(id, store);
  for (const id of reservedIds) await store.remove(reservationName(id));
}
