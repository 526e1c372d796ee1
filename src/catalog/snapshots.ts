// All snapshots of a data directory, for the server: the current one, and older ones that clients name.

import { unavailable } from '../errors.ts';
import type { Observe } from '../observations.ts';
import { startPolling } from '../polling.ts';
import { snapshotAsOf } from './asOf.ts';
import { type CurrentSnapshot, createCurrentSnapshot } from './currentSnapshot.ts';
import { isSnapshotId, snapshotIds } from './dataDirectory.ts';
import type { Lease } from './openSnapshots.ts';
import { publicationTimes } from './publications.ts';
import { createRefusals } from './refusals.ts';
import {
  createRetainedSnapshots,
  type RetainedSnapshot,
  type RetainedSnapshots,
} from './retainedSnapshots.ts';
import { createSnapshotList, type SnapshotList } from './snapshotList.ts';
import { createSnapshotPool } from './snapshotPool.ts';
import { signatureOf } from './snapshotSignature.ts';
import { NO_SOURCE, type SnapshotSource } from './snapshotSource.ts';

export interface Snapshots {
  /** Leases the current snapshot; null when none could be loaded yet. */
  current(): Lease | null;
  /** The same snapshot, not leased yet. */
  retainedCurrent(): RetainedSnapshot | null;
  /**
   * A retained snapshot by its id, whether it is open or not; null when it is not retained or is damaged.
   *
   * @throws {ApiError} 503 while the snapshot is fetched from the store, or while the folder of the snapshots is away.
   */
  find(id: string): Promise<RetainedSnapshot | null>;
  /**
   * The id of the snapshot that a text names: an id, a month or a day (`asOf.ts`); null when it names none. The snapshot
   * may not be retained.
   *
   * @throws {ApiError} 503 while the folder of the snapshots is away.
   */
  asOf(text: string): Promise<string | null>;
  /**
   * The snapshots that exist.
   *
   * @throws {ApiError} 503 while the folder of the snapshots is away.
   */
  list(): Promise<SnapshotList>;
  /** When a snapshot was published, retained or not, in ISO 8601; null when the history lacks it. */
  publishedAt(id: string): Promise<string | null>;
  /**
   * When the current snapshot was published, in ISO 8601; null without one, or when the history lacks it. Null as well
   * where reading the history takes more than 30 ms.
   */
  currentPublishedAt(): Promise<string | null>;
  /** The memory of all open snapshots together, as estimated. */
  openBytes(): number;
  /** The memory of the cached manifests of snapshots that are not open. */
  manifestsBytes(): number;
  /** Settles when the first snapshot is loaded. */
  readonly loaded: Promise<void>;
  /** Settles when `current` has been read for the first time, whether or not there was a snapshot. */
  readonly firstLook: Promise<void>;
  /** Stops following, and closes every snapshot when its last lease is released. */
  close(): Promise<void>;
}

export interface FollowOptions {
  readonly dataDir: string;
  /** For all open snapshots together. */
  readonly maxBytes: number;
  /** Per snapshot. */
  readonly connections: number;
  readonly observe: Observe;
  /** Where snapshots that are not here may be fetched from. */
  readonly source?: SnapshotSource;
  readonly pollMs?: number;
  /** How long a request waits for an older snapshot to be opened. */
  readonly openMs?: number;
  /** How long a snapshot that is no longer current stays open unused. */
  readonly idleMs?: number;
  /**
   * How long a refused snapshot with unchanged files is not read again. After that it is, because the first reading may
   * have failed.
   */
  readonly refusedMs?: number;
  /** Snapshots open at once, the current one included. */
  readonly maxOpen?: number;
  /** How long a read of the history may take before it is observed. */
  readonly hangsMs?: number;
  /** Older snapshots that one caller may have opened a minute. */
  readonly openingsPerMinute?: number;
  readonly now?: () => Date;
}

/** Polls `current`, loads the snapshot that it names, and serves it until the next one is loaded. */
export function followSnapshots(options: FollowOptions): Snapshots {
  const { dataDir, observe, source = NO_SOURCE, pollMs = 500, idleMs = 45_000 } = options;
  const { now: clock = () => new Date() } = options;
  const pool = createSnapshotPool({ ...options, maxOpen: options.maxOpen ?? 5 });
  const refusals = createRefusals(options);
  const retained = createRetainedSnapshots({ ...options, pool, refusals });
  const current = createCurrentSnapshot({ ...options, pool, refusals, retained });
  const places: Places = { dataDir, source, current, retained };
  const listed = createSnapshotList({
    dataDir,
    currentSignature: current.signature,
    readManifest: retained.manifest,
  });
  const followOrObserve = observeFailures(current.follow, observe);
  const polling = startPolling(async () => {
    await followOrObserve();
    pool.closeIdle(idleMs);
  }, pollMs);
  return {
    current: current.lease,
    retainedCurrent: current.retained,
    find: (id) => findSnapshot(places, id),
    async asOf(text) {
      const id = current.id();
      if (id === null) return null;
      const ids = () => retainedIds(places, source.ids());
      return snapshotAsOf(text, { dataDir, current: id, now: clock(), ids });
    },
    async list() {
      await retainedIds(places);
      return listed();
    },
    publishedAt: async (id) => (await publicationTimes(dataDir)).get(id) ?? null,
    currentPublishedAt: current.publishedAt,
    openBytes: () => pool.openBytes(),
    manifestsBytes: () => retained.manifestsBytes(),
    loaded: current.loaded,
    firstLook: polling.first,
    async close() {
      await polling.stop();
      current.close();
      await pool.close();
    },
  };
}

/** Returns a function that observes what `follow` throws: once, not at every poll. */
function observeFailures(follow: () => Promise<void>, observe: Observe): () => Promise<void> {
  let lastFailure: string | null = null;
  return async () => {
    try {
      await follow();
      lastFailure = null;
    } catch (cause) {
      if (String(cause) !== lastFailure) observe({ event: 'snapshots cannot be followed', error: cause });
      lastFailure = String(cause);
    }
  };
}

/** Where a snapshot may be. */
interface Places {
  readonly dataDir: string;
  readonly source: SnapshotSource;
  readonly current: CurrentSnapshot;
  readonly retained: RetainedSnapshots;
}

async function findSnapshot(places: Places, id: string): Promise<RetainedSnapshot | null> {
  const { dataDir, source, current, retained } = places;
  // The signature of the current snapshot needs no access to the disk.
  const signature = current.signature(id) ?? (isSnapshotId(id) ? await signatureOf(dataDir, id) : null);
  if (signature === null && isSnapshotId(id) && (await source.fetch(id)) === 'coming')
    throw unavailable(FETCH_SECONDS);
  const manifest = signature === null ? null : await retained.manifest(id, signature);
  if (signature === null || manifest === null) {
    if (isSnapshotId(id)) await retainedIds(places);
    return null;
  }
  return {
    manifest,
    async lease(caller) {
      const lease = await retained.lease(manifest, signature, caller);
      if (lease === null && caller !== null) await retainedIds(places);
      return lease;
    },
  };
}

/**
 * The ids of all snapshots that are here, and of those `elsewhere`.
 *
 * @throws {ApiError} 503 when there are none although one is served. A prune leaves some, so the folder is away, such as
 * with its disk, and what it holds is not gone.
 */
async function retainedIds(
  { dataDir, current }: Places,
  elsewhere: readonly string[] = [],
): Promise<readonly string[]> {
  const ids = [...(await snapshotIds(dataDir)), ...elsewhere];
  if (ids.length === 0 && current.id() !== null) throw unavailable();
  return ids;
}

/** `Retry-After` while a snapshot is being fetched. */
const FETCH_SECONDS = 2;
