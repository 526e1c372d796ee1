// Follows a store: downloads its current snapshot, switches `current` to it, and fetches older ones that clients name.

import path from 'node:path';
import { snapshotIds } from '../catalog/dataDirectory.ts';
import type { SnapshotSource } from '../catalog/snapshotSource.ts';
import type { Observe } from '../observations.ts';
import { adopt, lacking } from './adopt.ts';
import { pullSnapshot, whileDownloading } from './copies.ts';
import { LockedError, lock } from './lock.ts';
import type { ObjectStore } from './objectStore.ts';
import { StoreFailed } from './s3Client.ts';
import { CURRENT, readSharedState, type SharedState, storedIds } from './sharedState.ts';

export interface StoreFollower extends SnapshotSource {
  /** Whether the last look at the store succeeded. */
  isUp(): boolean;
  /** Settles when the store was looked at for the first time. */
  readonly looked: Promise<void>;
  close(): Promise<void>;
}

export interface FollowStoreOptions {
  readonly dataDir: string;
  readonly store: ObjectStore;
  readonly observe: Observe;
  readonly pollMs: number;
}

/**
 * Looks at `current.json` every `pollMs`, with a conditional request. `currentSnapshot.ts` then follows the link `current`
 * as without a store. Of several processes with one data directory all look, and one downloads.
 */
export function followStore({ dataDir, store, observe, pollMs }: FollowStoreOptions): StoreFollower {
  let state: SharedState | null = null;
  /** The state that this data directory has taken up. */
  let adopted: SharedState | null = null;
  /** A state whose current snapshot could not be downloaded. */
  let failed: { readonly state: SharedState; readonly error: unknown; readonly untilMs: number } | null =
    null;
  let listed: { readonly ids: readonly string[]; readonly atMs: number } | null = null;
  let listing: Promise<readonly string[]> | null = null;
  let lastProblem: string | null = null;
  let isUp = false;
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Downloads run one after the other. */
  let downloads: Promise<unknown> = Promise.resolve();
  /** Snapshots that are being fetched, or could not be fetched a moment ago. */
  const wanted = new Set<string>();

  async function look(): Promise<void> {
    const read = await readSharedState(store, state?.etag);
    if (read !== 'unchanged' && read !== null) {
      state = read;
      listed = null;
    }
    if (listed === null) await list();
    if (state === null || state === adopted) return;
    const missing = await lacking(dataDir, state, store);
    if (missing !== null) {
      // Damaged objects are not downloaded again at every look.
      if (failed !== null && failed.state === state && performance.now() < failed.untilMs) throw failed.error;
      const isThere = await download(state.current).catch((error) => {
        const isPassing = error instanceof LockedError || (error instanceof StoreFailed && error.isCut);
        if (state !== null && !isPassing) failed = { state, error, untilMs: performance.now() + FAILED_MS };
        throw error;
      });
      if (!isThere)
        throw new StoreFailed(
          `${CURRENT} in the store at ${store.address} names ${state.current}, which the store lacks; ` +
            `\`ingest push ${state.current}\` from a machine that has the snapshot mends it`,
        );
      await withLock('ingest.lock', () => adopt(dataDir, missing));
    }
    adopted = state;
  }

  /** The lock is that of commands, which must not run at the same time. */
  async function withLock(file: string, act: () => Promise<void>): Promise<void> {
    const taken = await lock(path.join(dataDir, file));
    try {
      await act();
    } finally {
      taken.release();
    }
  }

  /** @returns false when the store lacks the snapshot. @throws {LockedError} while another process downloads. */
  async function download(id: string): Promise<boolean> {
    const before = downloads;
    const started = before
      .catch(() => {})
      .then(async () => {
        if ((await snapshotIds(dataDir)).includes(id)) return true;
        const begunMs = performance.now();
        const copied = await whileDownloading(dataDir, () => pullSnapshot(dataDir, id, store));
        if (copied?.status === 'pulled') {
          const durationMs = Math.round(performance.now() - begunMs);
          observe({ event: 'snapshot fetched', snapshot: id, bytes: copied.bytes, durationMs });
        }
        return copied !== null;
      });
    downloads = started;
    return started;
  }

  async function poll(): Promise<void> {
    try {
      await look();
      if (!isUp) observe({ event: 'store up', address: store.address });
      isUp = true;
      lastProblem = null;
    } catch (error) {
      // Another process of this data directory downloads, or a command runs: the next look finds it done.
      if (!(error instanceof LockedError)) report(error);
    }
    if (!isClosed)
      timer = setTimeout(() => {
        polling = poll();
      }, pollMs).unref();
  }

  /** Each problem is reported once, until the store works again. */
  function report(error: unknown): void {
    isUp = false;
    const reason = reasonOf(error, dataDir);
    if (reason === lastProblem) return;
    lastProblem = reason;
    observe({ event: 'store failed', reason });
  }

  /** The ids of the store, listed at most once every `pollMs`: clients may name ids that do not exist. */
  function list(): Promise<readonly string[]> {
    if (listed !== null && performance.now() < listed.atMs + pollMs) return Promise.resolve(listed.ids);
    listing ??= storedIds(store, state)
      .then((ids) => {
        listed = { ids, atMs: performance.now() };
        return ids;
      })
      .finally(() => {
        listing = null;
      });
    return listing;
  }

  function beginFetch(id: string): void {
    if (isClosed || wanted.has(id) || wanted.size >= MAX_WANTED) return;
    wanted.add(id);
    download(id).then(
      () => wanted.delete(id),
      (error) => {
        // Damaged objects are not downloaded again at every request.
        const pauseMs = error instanceof LockedError ? 0 : Math.max(pollMs, FAILED_MS);
        setTimeout(() => wanted.delete(id), pauseMs).unref();
        if (pauseMs > 0)
          observe({ event: 'snapshot not fetched', snapshot: id, reason: reasonOf(error, dataDir) });
      },
    );
  }

  const looked = poll();
  let polling = looked;
  return {
    isUp: () => isUp,
    looked,
    ids: () => listed?.ids ?? [],
    async fetch(id) {
      if (!(listed?.ids ?? []).includes(id)) {
        const ids = await list().catch(() => null);
        if (ids === null) return 'coming';
        if (!ids.includes(id)) return 'unknown';
      }
      beginFetch(id);
      return 'coming';
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await polling;
      await downloads.catch(() => {});
    },
  };
}

/** One line. The engine's messages, such as those of a lock's file, have several and no remedy. */
function reasonOf(error: unknown, dataDir: string): string {
  const { message, code } = error as NodeJS.ErrnoException;
  const text = String(message ?? error).replace(/\s*\n\s*/g, ' ');
  if (error instanceof StoreFailed) return text;
  const isForbidden =
    ['EACCES', 'EPERM', 'EROFS'].includes(code ?? '') || /permission denied|read-only/i.test(text);
  return `the snapshot store cannot be followed (${text}); ${isForbidden ? `let the server write to ${dataDir}` : `see that ${dataDir} has room and can be written`}`;
}

/** How many snapshots are fetched or waited for at the same time. */
const MAX_WANTED = 4;

/** How long a snapshot that could not be fetched is not tried again. */
const FAILED_MS = 30_000;
