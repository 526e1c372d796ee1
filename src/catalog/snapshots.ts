// All snapshots of a data directory, for the server: the current one, and older ones that clients name.

import { unavailable } from '../errors.ts';
import type { Observe } from '../observations.ts';
import { snapshotAsOf } from './asOf.ts';
import { CurrentSnapshot, type CurrentSnapshotOptions } from './currentSnapshot.ts';
import { isSnapshotId, snapshotIds } from './dataDirectory.ts';
import type { Lease } from './openSnapshots.ts';
import { startPolling } from './polling.ts';
import { publicationTimes } from './publications.ts';
import { createRefusals, type RefusalOptions } from './refusals.ts';
import {
  createRetainedSnapshots,
  type RetainedOptions,
  type RetainedSnapshot,
  type RetainedSnapshots,
} from './retainedSnapshots.ts';
import { createSnapshotList, type SnapshotList } from './snapshotList.ts';
import { createSnapshotPool, type PoolOptions } from './snapshotPool.ts';
import { manifestSignatureOf } from './snapshotSignature.ts';

/** The snapshots that the server can answer from. */
export interface Snapshots {
  /** Leases the current snapshot; null when none is loaded yet. */
  current(): Lease | null;
  /** The current snapshot without a lease; null when none is loaded yet. */
  currentWithoutLease(): RetainedSnapshot | null;
  /**
   * The retained snapshot with an id, open or not; null when it is not retained, or is damaged.
   *
   * @throws {ApiError} 503 while the snapshot is fetched from the store, or while the folder of the snapshots is away.
   */
  find(id: string): Promise<RetainedSnapshot | null>;
  /**
   * The id of the snapshot that a text names: an id, a month or a day (`asOf.ts`); null when it names none. The
   * snapshot with that id need not exist.
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
  /** When a snapshot was published, in ISO 8601, even if it was pruned since; null when the history does not have it. */
  publishedAt(id: string): Promise<string | null>;
  /**
   * When the current snapshot was published, in ISO 8601. Null when there is none, when the history does not have it,
   * or when reading the history takes more than 30 ms.
   */
  currentPublishedAt(): Promise<string | null>;
  /** Whether the served snapshot is the one that `current` names, rather than an earlier one. */
  isUpToDate(): boolean;
  /** The estimated memory of all open snapshots together. */
  openBytes(): number;
  /** The memory of the cached manifests of snapshots that are not open. */
  manifestsBytes(): number;
  /** Settles when the first snapshot is loaded. */
  readonly loaded: Promise<void>;
  /** Settles when the first poll has read `current`, even if there was no snapshot. */
  readonly firstPoll: Promise<void>;
  /** Stops following, and closes every snapshot when its last lease is released. */
  close(): Promise<void>;
}

/** A place from which snapshots can be fetched, such as a store that several servers share. */
export interface SnapshotSource {
  /** The ids of the snapshots that the place had at the last poll. */
  ids(): readonly string[];
  /**
   * Begins to fetch a snapshot, which appears in the data directory later.
   *
   * @returns `unknown` when the place does not have the snapshot. `coming` when it does, and also when the place does not
   * answer, because it may have the snapshot.
   */
  fetch(id: string): Promise<'coming' | 'unknown'>;
}

export interface FollowOptions
  extends RefusalOptions,
    Omit<PoolOptions, 'maxOpen'>,
    Pick<RetainedOptions, 'openDeadlineMs' | 'openingsPerMinute'>,
    Pick<CurrentSnapshotOptions, 'slowReadMs'> {
  /** The source of snapshots that are not in the data directory. */
  readonly source?: SnapshotSource;
  readonly pollMs?: number;
  /** How long a snapshot that is no longer current stays open unused. */
  readonly idleMs?: number;
  /** How many snapshots may be open at the same time, including the current one. */
  readonly maxOpen?: number;
  readonly now?: () => Date;
}

/** The source of a server without a store: all its snapshots are on this machine. */
const NO_SOURCE: SnapshotSource = { ids: () => [], fetch: async () => 'unknown' };

/** Polls the link `current`. Loads the snapshot that it names, and serves it until another one is loaded. */
export function followSnapshots(options: FollowOptions): Snapshots {
  const { dataDir, observe, source = NO_SOURCE, pollMs = 500, idleMs = 45_000 } = options;
  const { now: clock = () => new Date() } = options;
  const pool = createSnapshotPool({ ...options, maxOpen: options.maxOpen ?? 5 });
  const refusals = createRefusals(options);
  const retained = createRetainedSnapshots({ ...options, pool, refusals });
  const current = new CurrentSnapshot({ ...options, pool, refusals, retained });
  const places: SnapshotPlaces = { dataDir, source, current, retained };
  const listSnapshots = createSnapshotList({
    dataDir,
    currentSignature: (id) => current.signature(id),
    readManifest: retained.manifest,
  });
  const followOrObserve = observeFailures(() => current.follow(), observe);
  const polling = startPolling(async () => {
    await followOrObserve();
    pool.closeIdle(idleMs);
  }, pollMs);
  return {
    current: () => current.lease(),
    currentWithoutLease: () => current.withoutLease(),
    find: (id) => findSnapshot(places, id),
    async asOf(text) {
      const id = current.id();
      if (id === null) return null;
      const ids = () => retainedIds(places, source.ids());
      return snapshotAsOf(text, { dataDir, current: id, now: clock(), ids });
    },
    async list() {
      await retainedIds(places);
      return listSnapshots();
    },
    publishedAt: async (id) => (await publicationTimes(dataDir)).get(id) ?? null,
    currentPublishedAt: () => current.publishedAt(),
    isUpToDate: () => current.isUpToDate(),
    openBytes: pool.bytes,
    manifestsBytes: retained.manifestsBytes,
    loaded: current.loaded,
    firstPoll: polling.firstPoll,
    async close() {
      await polling.stop();
      current.close();
      await pool.close();
    },
  };
}

/** Returns a function that calls `follow` and reports its errors. The same error is reported only once. */
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

/** The places where a snapshot may be. */
interface SnapshotPlaces {
  readonly dataDir: string;
  readonly source: SnapshotSource;
  readonly current: CurrentSnapshot;
  readonly retained: RetainedSnapshots;
}

async function findSnapshot(places: SnapshotPlaces, id: string): Promise<RetainedSnapshot | null> {
  if (!isSnapshotId(id)) return null;
  const { dataDir, source, current, retained } = places;
  // The signature of the current snapshot is known, so the disk is not read for it.
  const signature = current.signature(id) ?? (await manifestSignatureOf(dataDir, id));
  if (signature === null && (await source.fetch(id)) === 'coming') throw unavailable(FETCH_SECONDS);
  const manifest = signature === null ? null : await retained.manifest(id, signature);
  if (signature === null || manifest === null) {
    await retainedIds(places);
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
 * The ids of all snapshots in the data directory, and those `elsewhere`.
 *
 * @throws {ApiError} 503 when there are none although one is served. A prune always leaves some, so the folder must be
 *   away, for example together with its disk.
 */
async function retainedIds(
  { dataDir, current }: SnapshotPlaces,
  elsewhere: readonly string[] = [],
): Promise<readonly string[]> {
  const ids = [...(await snapshotIds(dataDir)), ...elsewhere];
  if (ids.length === 0 && current.id() !== null) throw unavailable();
  return ids;
}

/** `Retry-After` while a snapshot is being fetched. */
const FETCH_SECONDS = 2;
