// Follows the link `current`: provides the current snapshot, and older ones that clients name.

import { unavailable } from '../errors.ts';
import type { Observe } from '../observations.ts';
import { snapshotAsOf } from './asOf.ts';
import { currentId, isSnapshotId } from './dataDirectory.ts';
import { type Publication, publications } from './publications.ts';
import { createRefusals, missing } from './refusals.ts';
import { createRetainedSnapshots, type RetainedSnapshot } from './retainedSnapshots.ts';
import type { Snapshot } from './snapshot.ts';
import { createSnapshotPool, type Lease, signatureOf } from './snapshotPool.ts';
import { NO_SOURCE, type SnapshotSource } from './snapshotSource.ts';

export interface Snapshots {
  /** Leases the current snapshot; null when none could be loaded yet. */
  current(): Lease | null;
  /** The same snapshot, not leased yet. */
  retainedCurrent(): RetainedSnapshot | null;
  /**
   * A retained snapshot by its id, whether it is open or not; null when it is not retained or is damaged.
   *
   * @throws {ApiError} 503 while the snapshot is fetched from the store.
   */
  find(id: string): Promise<RetainedSnapshot | null>;
  /**
   * The id of the snapshot that a text names: an id, a month or a day (`asOf.ts`); null when it names none. The snapshot
   * may not be retained.
   */
  asOf(text: string): Promise<string | null>;
  /** The snapshots that exist, newest publication first. */
  publications(): Promise<readonly Publication[]>;
  /** When the current snapshot was published, in ISO 8601; null without one, or when the history lacks it. */
  currentPublishedAt(): Promise<string | null>;
  /** The memory of all open snapshots together, as estimated. */
  openBytes(): number;
  /** The memory of the cached manifests of snapshots that are not open. */
  manifestsBytes(): number;
  /** Settles when the first snapshot is loaded. */
  readonly loaded: Promise<void>;
  /** Settles when `current` has been read for the first time, whether or not there was a snapshot. */
  readonly looked: Promise<void>;
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
  /** How long a refused snapshot with unchanged files is not read again. It is retried then: reading itself may have failed. */
  readonly refusedMs?: number;
  /** Snapshots open at once, the current one included. */
  readonly maxOpen?: number;
  /** Older snapshots that one caller may have opened a minute. */
  readonly openingsPerMinute?: number;
  readonly now?: () => Date;
}

/** Polls `current`, loads the snapshot that it names, and serves it until the next one is loaded. */
export function followSnapshots(options: FollowOptions): Snapshots {
  const { dataDir, observe, pollMs = 500, idleMs = 45_000, now: clock = () => new Date() } = options;
  const { source = NO_SOURCE } = options;
  const pool = createSnapshotPool({ ...options, maxOpen: options.maxOpen ?? 5 });
  const refusals = createRefusals(options);
  const retained = createRetainedSnapshots({ ...options, pool, refusals });
  let now: Current | null = null;
  let announce = () => {};
  const loaded = new Promise<void>((resolve) => {
    announce = resolve;
  });
  /** The signature of the snapshot that `current` named at the last poll. */
  let lastSignature: string | null = null;
  let lastFailure: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  async function look(): Promise<void> {
    const id = await currentId(dataDir);
    // Without the link, the last snapshot goes on being served.
    if (id === null) return;
    const signature = (await signatureOf(dataDir, id)) ?? missing(id);
    // Pointing `current` elsewhere and back makes a refused snapshot be tried again.
    if (signature !== lastSignature) refusals.forget(signature);
    lastSignature = signature;
    if (signature === now?.signature) return;
    const lease = await refusals
      .unlessRefused(id, signature, () => pool.open(id, signature, { kind: 'current' }))
      .catch(() => null);
    if (!lease) return;
    now?.lease.release();
    now = {
      signature,
      lease,
      retained: retainedCurrent(lease.snapshot, signature),
      publishedAt: publishedAtOnce(dataDir, id),
    };
    announce();
    observe({ event: 'snapshot served', snapshot: id });
  }

  async function poll(): Promise<void> {
    try {
      await look();
      lastFailure = null;
    } catch (cause) {
      // Reported once, not at every poll.
      if (String(cause) !== lastFailure) observe({ event: 'snapshots cannot be followed', error: cause });
      lastFailure = String(cause);
    }
    pool.closeIdle(idleMs);
    if (!isClosed) {
      timer = setTimeout(() => {
        polling = poll();
      }, pollMs).unref();
    }
  }

  /** While the snapshot is current it is open; a moment later it may have to be opened again. */
  const retainedCurrent = (snapshot: Snapshot, signature: string): RetainedSnapshot => ({
    manifest: snapshot.manifest,
    lease: async (caller) =>
      now?.lease.snapshot === snapshot
        ? leaseOf(snapshot)
        : retained.lease(snapshot.manifest, signature, caller),
  });

  /** Null when the snapshot is not retained. The current one needs no access to the disk. */
  async function signatureNow(id: string): Promise<string | null> {
    if (now?.lease.snapshot.id === id) return now.signature;
    return isSnapshotId(id) ? signatureOf(dataDir, id) : null;
  }

  const looked = poll();
  let polling = looked;
  return {
    current: () => now && leaseOf(now.lease.snapshot),
    retainedCurrent: () => now?.retained ?? null,
    async find(id) {
      const signature = await signatureNow(id);
      if (signature === null && isSnapshotId(id) && (await source.fetch(id)) === 'coming')
        throw unavailable(FETCH_SECONDS);
      const manifest = signature === null ? null : await retained.manifest(id, signature);
      if (signature === null || manifest === null) return null;
      return { manifest, lease: (caller) => retained.lease(manifest, signature, caller) };
    },
    async asOf(text) {
      return now && snapshotAsOf(dataDir, text, now.lease.snapshot.id, clock(), source.ids());
    },
    publications: () => publications(dataDir),
    currentPublishedAt: () => now?.publishedAt() ?? Promise.resolve(null),
    openBytes: () => pool.openBytes(),
    manifestsBytes: () => retained.manifestsBytes(),
    loaded,
    looked,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await polling;
      now?.lease.release();
      now = null;
      await pool.close();
    },
  };
}

/** What clients are told to wait for a snapshot that is being fetched. */
const FETCH_SECONDS = 2;

interface Current {
  readonly signature: string;
  readonly lease: Lease;
  readonly retained: RetainedSnapshot;
  publishedAt(): Promise<string | null>;
}

/** Reads the history at the first call only. A failure counts as unknown, and is tried again. */
function publishedAtOnce(dataDir: string, id: string): () => Promise<string | null> {
  let known: string | null = null;
  return async () => {
    const all = known === null ? await publications(dataDir).catch(() => []) : [];
    known ??= all.find((publication) => publication.id === id)?.publishedAt ?? null;
    return known;
  };
}

const leaseOf = (snapshot: Snapshot): Lease => ({ snapshot, release: snapshot.acquire() });
