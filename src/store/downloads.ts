// Downloads snapshots from a store into the data directory, one after the other.

import { snapshotIds } from '../catalog/dataDirectory.ts';
import type { Observe } from '../observations.ts';
import { pullSnapshot, whileDownloading } from './copies.ts';
import { LockedError } from './lock.ts';
import type { ObjectStore } from './objectStore.ts';
import { failureReason } from './storeHealth.ts';

export interface Downloads {
  /**
   * Downloads a snapshot unless it is here.
   *
   * @returns false when the store lacks the snapshot.
   * @throws {LockedError} while another process downloads into the same data directory.
   */
  download(id: string): Promise<boolean>;
  /** Downloads in the background, unless it is under way or failed a moment ago. A failure is observed. */
  begin(id: string): void;
  /** Begins no further download in the background, and waits for those that are under way. */
  close(): Promise<void>;
}

export interface DownloadsOptions {
  readonly dataDir: string;
  readonly store: ObjectStore;
  readonly observe: Observe;
  /** How long a failed download is not begun again, so that damaged objects are not downloaded at every request. */
  readonly pauseMs: number;
}

export function createDownloads({ dataDir, store, observe, pauseMs }: DownloadsOptions): Downloads {
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  /** Snapshots that are downloaded in the background, or could not be downloaded a moment ago. */
  const begun = new Set<string>();
  /** The number of those that are being downloaded, or wait for their turn. */
  let inBackground = 0;

  function download(id: string): Promise<boolean> {
    const started = last.catch(() => {}).then(() => downloadNow(id));
    last = started;
    return started;
  }

  async function downloadNow(id: string): Promise<boolean> {
    if ((await snapshotIds(dataDir)).includes(id)) return true;
    const begunMs = performance.now();
    const copied = await whileDownloading(dataDir, () => pullSnapshot(dataDir, id, store));
    if (copied?.status === 'pulled') {
      const durationMs = Math.round(performance.now() - begunMs);
      observe({ event: 'snapshot fetched', snapshot: id, bytes: copied.bytes, durationMs });
    }
    return copied !== null;
  }

  async function downloadInBackground(id: string): Promise<void> {
    begun.add(id);
    inBackground += 1;
    try {
      await download(id);
      begun.delete(id);
    } catch (error) {
      const isLocked = error instanceof LockedError;
      setTimeout(() => begun.delete(id), isLocked ? 0 : pauseMs).unref();
      if (isLocked) return;
      observe({ event: 'snapshot not fetched', snapshot: id, reason: failureReason(error, dataDir) });
    } finally {
      inBackground -= 1;
    }
  }

  return {
    download,
    begin(id) {
      if (!isClosed && !begun.has(id) && inBackground < MAX_IN_BACKGROUND) void downloadInBackground(id);
    },
    async close() {
      isClosed = true;
      await last.catch(() => {});
    },
  };
}

/** How many snapshots are downloaded in the background, or wait for their turn, at the same time. */
const MAX_IN_BACKGROUND = 4;
