// Follows a store: downloads its current snapshot, switches `current` to it, and fetches older ones that clients name.

import path from 'node:path';
import { snapshotIds } from '../catalog/dataDirectory.ts';
import { startPolling } from '../catalog/polling.ts';
import type { SnapshotSource } from '../catalog/snapshots.ts';
import type { Observe } from '../observations.ts';
import { adoptState, missingState } from './adoptState.ts';
import { createDownloads, type Downloads } from './downloads.ts';
import { INGEST_LOCK, LockedError, lock } from './lock.ts';
import type { ObjectStore } from './objectStore.ts';
import { StoreFailed } from './s3Client.ts';
import {
  lacksCurrentMessage,
  readSharedState,
  SHARED_STATE_OBJECT,
  type SharedState,
} from './sharedState.ts';
import { createStoreHealth } from './storeHealth.ts';
import { createStoreListing } from './storeListing.ts';

export interface StoreFollower extends SnapshotSource {
  /** Whether the last poll of the store succeeded. */
  isUp(): boolean;
  /** Settles when the first poll of the store has ended. */
  readonly firstPoll: Promise<void>;
  close(): Promise<void>;
}

export interface FollowStoreOptions {
  readonly dataDir: string;
  readonly store: ObjectStore;
  readonly observe: Observe;
  readonly pollMs: number;
}

/**
 * Polls `current.json` of the store every `pollMs` with a conditional request. When it has changed, downloads the
 * snapshot and switches the link `current`, which `currentSnapshot.ts` follows with or without a store. If several
 * processes share a data directory, each of them polls, and one of them downloads.
 */
export function followStore({ dataDir, store, observe, pollMs }: FollowStoreOptions): StoreFollower {
  const { address } = store;
  const health = createStoreHealth({ address, dataDir, observe });
  const listing = createStoreListing(store, pollMs);
  const downloads = createDownloads({ dataDir, store, observe, pauseMs: Math.max(pollMs, FAILED_MS) });
  const adopt = createAdopter(dataDir, store, downloads);
  /** The state of the store that was read last. */
  let state: SharedState | null = null;

  async function poll(): Promise<void> {
    const read = await readSharedState(store, state?.etag);
    if (read === null && state !== null) throw new StoreFailed(lostState(store));
    if (read !== 'unchanged' && read !== null) state = read;
    if (!listing.isOf(state)) await listing.list(state);
    if (state !== null) await adopt(state);
  }

  async function pollAndReport(): Promise<void> {
    try {
      await poll();
      health.recordSuccess();
    } catch (error) {
      // While another process downloads into this data directory, or a command runs, the poll counts neither as a
      // success nor as a failure. The next poll tries again.
      if (!(error instanceof LockedError)) health.recordFailure(error);
    }
  }

  const polling = startPolling(pollAndReport, pollMs);
  return {
    isUp: health.isUp,
    firstPoll: polling.firstPoll,
    ids: listing.ids,
    async fetch(id) {
      if (!listing.ids().includes(id)) {
        const ids = await listing.list(state).catch(() => null);
        if (ids === null) return 'coming';
        if (!ids.includes(id)) return 'unknown';
      }
      downloads.startInBackground(id);
      return 'coming';
    },
    async close() {
      await Promise.all([polling.stop(), downloads.close()]);
    },
  };
}

/**
 * Returns a function that brings the data directory to a state of the store. It does nothing if that state was the last
 * one that it adopted.
 */
function createAdopter(dataDir: string, store: ObjectStore, downloads: Downloads) {
  let adopted: SharedState | null = null;
  /** The last state whose current snapshot could not be downloaded, and until when no download begins; null without one. */
  let failed: { readonly state: SharedState; readonly error: unknown; readonly untilMs: number } | null =
    null;

  async function downloadCurrent(state: SharedState): Promise<void> {
    // Damaged objects must not be downloaded again at every poll.
    if (failed !== null && failed.state === state && performance.now() < failed.untilMs) throw failed.error;
    const isStored = await downloads.download(state.current).catch((error) => {
      const isPassing = error instanceof LockedError || (error instanceof StoreFailed && error.isCut);
      if (!isPassing) failed = { state, error, untilMs: performance.now() + FAILED_MS };
      throw error;
    });
    if (!isStored) throw new StoreFailed(lacksCurrentMessage(state.current, store));
  }

  return async (state: SharedState): Promise<void> => {
    if (state === adopted) return;
    const missing = await missingState(dataDir, state, store);
    // The link may name the snapshot although its folder is gone.
    await downloadCurrent(state);
    if (missing !== null) {
      // Commands take the same lock, so none of them runs at the same time.
      const { release } = await lock(path.join(dataDir, INGEST_LOCK));
      try {
        // During the download, a command may have changed the history.
        const left = await missingState(dataDir, state, store);
        // Before the lock, a command may have removed the snapshot, which the history here did not name yet. The next
        // poll downloads it again. Otherwise `current` would name a snapshot that is not there.
        if (left !== null && !(await snapshotIds(dataDir)).includes(left.current)) return;
        if (left !== null) await adoptState(dataDir, left);
      } finally {
        await release();
      }
    }
    adopted = state;
  };
}

const lostState = ({ address }: ObjectStore) =>
  `${SHARED_STATE_OBJECT} was there and is gone from the store at ${address}; \`ingest push\` from a machine with the whole history writes it anew`;

/** How long after a failure the download of a snapshot may begin again. */
const FAILED_MS = 30_000;
