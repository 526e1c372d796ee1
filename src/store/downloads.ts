// Downloads snapshots from a store into the data directory, one after the other.

import { snapshotIds } from '../catalog/dataDirectory.ts';
import type { Observe } from '../observations.ts';
import { LockedError } from './lock.ts';
import type { ObjectStore } from './objectStore.ts';
import { pullSnapshot, withDownloadLock } from './snapshotCopies.ts';
import { failureReason } from './storeHealth.ts';

export type Downloads = ReturnType<typeof createDownloads>;

export interface DownloadsOptions {
  readonly dataDir: string;
  readonly store: ObjectStore;
  readonly observe: Observe;
  /**
   * How long after a failure a download may begin again. Without this pause, damaged objects would be downloaded at every
   * request.
   */
  readonly pauseMs: number;
}

/** Downloads from `store` into `dataDir`. Reports each snapshot that it fetched or could not fetch. */
export function createDownloads({ dataDir, store, observe, pauseMs }: DownloadsOptions) {
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  /** The snapshots that are being downloaded in the background, or whose download failed less than `pauseMs` ago. */
  const startedIds = new Set<string>();
  /** How many downloads in the background are running or waiting for their turn. */
  let backgroundCount = 0;

  function download(id: string): Promise<boolean> {
    const started = last.catch(() => {}).then(() => downloadNow(id));
    last = started;
    return started;
  }

  async function downloadNow(id: string): Promise<boolean> {
    if ((await snapshotIds(dataDir)).includes(id)) return true;
    const startMs = performance.now();
    const copied = await withDownloadLock(dataDir, () => pullSnapshot(dataDir, id, store));
    if (copied?.status === 'pulled') {
      const durationMs = Math.round(performance.now() - startMs);
      observe({ event: 'snapshot fetched', snapshot: id, bytes: copied.bytes, durationMs });
    }
    return copied !== null;
  }

  async function downloadInBackground(id: string): Promise<void> {
    startedIds.add(id);
    backgroundCount += 1;
    try {
      await download(id);
      startedIds.delete(id);
    } catch (error) {
      const isLocked = error instanceof LockedError;
      setTimeout(() => startedIds.delete(id), isLocked ? 0 : pauseMs).unref();
      if (isLocked) return;
      observe({ event: 'snapshot not fetched', snapshot: id, reason: failureReason(error, dataDir) });
    } finally {
      backgroundCount -= 1;
    }
  }

  return {
    /**
     * Downloads a snapshot, unless the data directory has it.
     *
     * @returns false when the store does not have the snapshot.
     * @throws {LockedError} while another process downloads into the same data directory.
     */
    download,
    /**
     * Begins to download a snapshot in the background, unless that is under way or failed less than `pauseMs` ago. A
     * failure is observed.
     */
    startInBackground(id: string): void {
      if (!isClosed && !startedIds.has(id) && backgroundCount < MAX_IN_BACKGROUND)
        void downloadInBackground(id);
    },
    /** Lets no further download begin in the background, and waits for all that have begun. */
    async close(): Promise<void> {
      isClosed = true;
      await last.catch(() => {});
    },
  };
}

/** The most downloads in the background that may run or wait at the same time. */
const MAX_IN_BACKGROUND = 4;
