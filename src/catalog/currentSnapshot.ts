// Follows `current`: which snapshot answers now, and the older ones that clients still name.

import { unavailable } from '../errors.ts';
import type { Observe } from '../observations.ts';
import { snapshotAsOf } from './asOf.ts';
import { currentId, isSnapshotId, snapshotDirectory } from './dataDirectory.ts';
import type { AnyManifest } from './manifest.ts';
import { createOpeningQuota } from './openingQuota.ts';
import { type Publication, publications } from './publications.ts';
import type { Snapshot } from './snapshot.ts';
import { createSnapshotPool, type Lease, NoRoom, type Role, signatureOf } from './snapshotPool.ts';
import { readAnyManifest, SnapshotRefused } from './verifyFiles.ts';

export interface Snapshots {
  /** Leases the snapshot that answers now; null when none could be loaded yet. */
  current(): Lease | null;
  /** A retained snapshot by its id, whether it is open or not; null when it is not retained, or damaged. */
  find(id: string): Promise<RetainedSnapshot | null>;
  /**
   * The id of the snapshot that a text names: an id, a month or a day (`asOf.ts`); null when it names none. That
   * snapshot may not be retained.
   */
  asOf(text: string): Promise<string | null>;
  /** The snapshots that exist, newest publication first. */
  publications(): Promise<readonly Publication[]>;
  /** Settles when the first snapshot answers. */
  readonly loaded: Promise<void>;
  /** Settles when `current` has been looked at for the first time, whatever was found. */
  readonly looked: Promise<void>;
  /** Stops following. Every snapshot is freed by its last holder. */
  close(): Promise<void>;
}

/** What is known of a snapshot before it is opened. */
export interface RetainedSnapshot {
  readonly manifest: AnyManifest;
  /**
   * Leases the snapshot, opening it if need be; null when its files are damaged or gone.
   *
   * @param caller for whom it may be opened: each caller may have a few opened a minute, and callers with fewer recent
   * ones come first. Null opens nothing: what is not open gives null.
   * @throws {ApiError} 503 when the caller must wait, when there is no room for it now, or when opening it takes too
   * long; opening goes on then.
   */
  lease(caller: string | null): Promise<Lease | null>;
}

export interface FollowOptions {
  readonly dataDir: string;
  /** For all open snapshots together. */
  readonly maxBytes: number;
  /** Per snapshot. */
  readonly connections: number;
  readonly observe: Observe;
  readonly pollMs?: number;
  /** How long a request waits for an older snapshot to be opened. */
  readonly openMs?: number;
  /** How long a snapshot that is no longer current stays open unused. */
  readonly idleMs?: number;
  /** Snapshots open at once, the current one included. */
  readonly maxOpen?: number;
  /** Older snapshots that one caller may have opened a minute. */
  readonly openingsPerMinute?: number;
  readonly now?: () => Date;
}

export function followSnapshots(options: FollowOptions): Snapshots {
  const { dataDir, observe, pollMs = 500, openMs = 5000, idleMs = 45_000 } = options;
  const { maxOpen = 5, openingsPerMinute = 10, now: clock = () => new Date() } = options;
  const pool = createSnapshotPool({ ...options, maxOpen });
  const quota = createOpeningQuota(openingsPerMinute);
  /** By signature: a refusal is logged once, and a damaged snapshot is not read again. */
  const refused = new Map<string, SnapshotRefused>();
  /** By signature, of snapshots that are not open. */
  const manifests = new Map<string, AnyManifest>();
  let now: { readonly signature: string; readonly lease: Lease } | null = null;
  let announce = () => {};
  const loaded = new Promise<void>((resolve) => {
    announce = resolve;
  });
  /** What `current` named when it was last looked at. */
  let lastSignature: string | null = null;
  let lastFailure: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  /** Runs a step that reads a snapshot. Null when it is refused for good, or gone. */
  async function unlessRefused<Value>(
    id: string,
    signature: string,
    step: () => Promise<Value>,
  ): Promise<Value | null> {
    const before = refused.get(signature);
    if (before && !(before instanceof NoRoom)) return null;
    try {
      return await step();
    } catch (cause) {
      if (!(cause instanceof SnapshotRefused)) throw cause;
      // Removed while it was being read: nothing is wrong with it, it no longer exists.
      if (signature !== missing(id) && (await signatureOf(dataDir, id)) === null) return null;
      if (!before) observe({ event: 'snapshot refused', snapshot: id, reason: cause.message });
      refused.set(signature, cause);
      if (cause instanceof NoRoom) throw unavailable();
      return null;
    }
  }

  const open = (id: string, signature: string, role: Role) =>
    unlessRefused(id, signature, () => pool.open(id, signature, role));

  async function look(): Promise<void> {
    const id = await currentId(dataDir);
    // Gone for a moment, or for good: the snapshot served until now goes on being served.
    if (id === null) return;
    const signature = (await signatureOf(dataDir, id)) ?? missing(id);
    // Whoever points `current` elsewhere and back wants a refused snapshot to be tried again.
    if (signature !== lastSignature) refused.delete(signature);
    lastSignature = signature;
    if (signature === now?.signature) return;
    const lease = await open(id, signature, { kind: 'current' }).catch(() => null);
    if (!lease) return;
    now?.lease.release();
    now = { signature, lease };
    announce();
    observe({ event: 'snapshot served', snapshot: id });
  }

  async function poll(): Promise<void> {
    try {
      await look();
      lastFailure = null;
    } catch (cause) {
      // Once, not at every poll.
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

  /** Null when the snapshot is not retained. The current one is known without looking. */
  async function signatureNow(id: string): Promise<string | null> {
    if (now?.lease.snapshot.id === id) return now.signature;
    return isSnapshotId(id) ? signatureOf(dataDir, id) : null;
  }

  async function manifestOf(id: string, signature: string): Promise<AnyManifest | null> {
    const known = manifests.get(signature);
    if (known) return known;
    const manifest = await unlessRefused(id, signature, () =>
      readAnyManifest(snapshotDirectory(dataDir, id)),
    );
    if (manifest === null) return null;
    manifests.set(signature, manifest);
    const [oldest] = manifests.keys();
    if (oldest !== undefined && manifests.size > MAX_MANIFESTS) manifests.delete(oldest);
    return manifest;
  }

  /** Null when another snapshot has taken the id between looking at the manifest and opening. */
  async function leaseSame(
    { id, fingerprint }: AnyManifest,
    signature: string,
    caller: string | null,
  ): Promise<Lease | null> {
    const lease = await leaseFor(caller, id, signature);
    if (lease === null || lease.snapshot.fingerprint === fingerprint) return lease;
    lease.release();
    return null;
  }

  async function leaseFor(caller: string | null, id: string, signature: string): Promise<Lease | null> {
    const known = pool.lease(signature);
    if (known || caller === null) return known;
    const nowMs = performance.now();
    const urgency = quota.used(caller, nowMs);
    // Joining a load that others have asked for is free.
    const waitSeconds = pool.isLoading(signature) ? 0 : quota.take(caller, nowMs);
    if (waitSeconds > 0) throw unavailable(waitSeconds);
    return inTime(open(id, signature, { kind: 'older', urgency }), openMs);
  }

  const looked = poll();
  let polling = looked;
  return {
    current: () => now && leaseOf(now.lease.snapshot),
    async find(id) {
      const signature = await signatureNow(id);
      if (signature === null) return null;
      const manifest = pool.manifest(signature) ?? (await manifestOf(id, signature));
      return manifest && { manifest, lease: (caller) => leaseSame(manifest, signature, caller) };
    },
    async asOf(text) {
      return now && snapshotAsOf(dataDir, text, now.lease.snapshot.id, clock());
    },
    publications: () => publications(dataDir),
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

/** Manifests of snapshots that are not open, kept to check cursors. */
const MAX_MANIFESTS = 64;

/** Stands for the signature of a snapshot that has no manifest. */
const missing = (id: string) => `${id} without a manifest`;

const leaseOf = (snapshot: Snapshot): Lease => ({ snapshot, release: snapshot.hold() });

/** A lease that comes too late is released at once; the snapshot stays open for whoever asks again. */
async function inTime(opening: Promise<Lease | null>, deadlineMs: number): Promise<Lease | null> {
  let isLate = false;
  const opened = opening.then((lease) => {
    if (isLate) lease?.release();
    return lease;
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      reject(unavailable());
    }, deadlineMs);
  });
  return Promise.race([opened, deadline]).finally(() => clearTimeout(timer));
}
