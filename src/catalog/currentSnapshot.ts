// Follows the link `current`: provides the current snapshot, and older ones that clients name.

import { unavailable } from '../errors.ts';
import type { Observe } from '../observations.ts';
import { snapshotAsOf } from './asOf.ts';
import { currentId, isSnapshotId, snapshotDirectory } from './dataDirectory.ts';
import type { AnyManifest } from './manifest.ts';
import { createOpeningQuota } from './openingQuota.ts';
import { type Publication, publications } from './publications.ts';
import type { Snapshot } from './snapshot.ts';
import {
  createSnapshotPool,
  filesSignatureOf,
  type Lease,
  NoRoom,
  type Role,
  signatureOf,
} from './snapshotPool.ts';
import { readAnyManifest, SnapshotRefused } from './verifyFiles.ts';

export interface Snapshots {
  /** Leases the current snapshot; null when none could be loaded yet. */
  current(): Lease | null;
  /** The same snapshot, not leased yet. */
  retainedCurrent(): RetainedSnapshot | null;
  /** A retained snapshot by its id, whether it is open or not; null when it is not retained or is damaged. */
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
  /** Settles when the first snapshot is loaded. */
  readonly loaded: Promise<void>;
  /** Settles when `current` has been read for the first time, whether or not there was a snapshot. */
  readonly looked: Promise<void>;
  /** Stops following, and closes every snapshot when its last lease is released. */
  close(): Promise<void>;
}

/** A snapshot that may not be open yet. */
export interface RetainedSnapshot {
  readonly manifest: AnyManifest;
  /**
   * Leases the snapshot, and opens it if necessary; null when its files are damaged or gone.
   *
   * @param caller each caller may have a few snapshots opened a minute, and callers with fewer recent ones come first.
   * Null opens nothing: a snapshot that is not open gives null.
   * @throws {ApiError} 503 when the caller must wait, when there is no memory for the snapshot now, or when opening it
   * takes too long. It goes on opening then.
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
  /** How long a refused snapshot with unchanged files is not read again. It is retried then: reading itself may have failed. */
  readonly refusedMs?: number;
  /** Snapshots open at once, the current one included. */
  readonly maxOpen?: number;
  /** Older snapshots that one caller may have opened a minute. */
  readonly openingsPerMinute?: number;
  readonly now?: () => Date;
}

export function followSnapshots(options: FollowOptions): Snapshots {
  const { dataDir, observe, pollMs = 500, openMs = 5000, idleMs = 45_000, refusedMs = 60_000 } = options;
  const { maxOpen = 5, openingsPerMinute = 10, now: clock = () => new Date() } = options;
  const pool = createSnapshotPool({ ...options, maxOpen });
  const quota = createOpeningQuota(openingsPerMinute);
  /** By signature. A refusal is reported once, and a damaged snapshot is not read again at every request. */
  const refusals = new Map<string, Refusal>();
  /** By signature, for snapshots that are not open. */
  const manifests = new Map<string, AnyManifest>();
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

  /** Runs a step that reads a snapshot. Null when the snapshot is gone, or is refused and has not changed since. */
  async function unlessRefused<Value>(
    id: string,
    signature: string,
    step: () => Promise<Value>,
  ): Promise<Value | null> {
    const before = refusals.get(signature);
    // Looked at as the step begins: a file that is repaired during it counts as changed.
    const looking = filesSignatureOf(dataDir, id);
    if (before && stands(before, await looking, refusedMs)) return null;
    try {
      return await step();
    } catch (cause) {
      if (!(cause instanceof SnapshotRefused)) throw cause;
      // It was removed while it was read, so it is gone rather than damaged.
      if (signature !== missing(id) && (await signatureOf(dataDir, id)) === null) return null;
      const files = await looking;
      if (before?.files !== files)
        observe({ event: 'snapshot refused', snapshot: id, reason: cause.message });
      refusals.set(signature, { cause, files, atMs: performance.now() });
      if (cause instanceof NoRoom) throw unavailable();
      return null;
    }
  }

  const open = (id: string, signature: string, role: Role) =>
    unlessRefused(id, signature, () => pool.open(id, signature, role));

  async function look(): Promise<void> {
    const id = await currentId(dataDir);
    // Without the link, the last snapshot goes on being served.
    if (id === null) return;
    const signature = (await signatureOf(dataDir, id)) ?? missing(id);
    // Pointing `current` elsewhere and back makes a refused snapshot be tried again.
    if (signature !== lastSignature) refusals.delete(signature);
    lastSignature = signature;
    if (signature === now?.signature) return;
    const lease = await open(id, signature, { kind: 'current' }).catch(() => null);
    if (!lease) return;
    now?.lease.release();
    now = {
      signature,
      lease,
      retained: retainedOf(lease.snapshot, signature),
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

  /** While it is current it is open; a moment later it may have to be opened again. */
  const retainedOf = (snapshot: Snapshot, signature: string): RetainedSnapshot => ({
    manifest: snapshot.manifest,
    lease: async (caller) =>
      now?.lease.snapshot === snapshot ? leaseOf(snapshot) : leaseSame(snapshot.manifest, signature, caller),
  });

  /** Null when the snapshot is not retained. The current one needs no access to the disk. */
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

  /** Null when another snapshot took the id after the manifest was read. */
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
    // Joining a load that is running or queued is free.
    const waitSeconds = pool.isLoading(signature) ? 0 : quota.take(caller, nowMs);
    if (waitSeconds > 0) throw unavailable(waitSeconds);
    return inTime(open(id, signature, { kind: 'older', urgency }), openMs);
  }

  const looked = poll();
  let polling = looked;
  return {
    current: () => now && leaseOf(now.lease.snapshot),
    retainedCurrent: () => now?.retained ?? null,
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
    currentPublishedAt: () => now?.publishedAt() ?? Promise.resolve(null),
    openBytes: () => pool.openBytes(),
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

/** Manifests of snapshots that are not open, cached for checking cursors. */
const MAX_MANIFESTS = 64;

interface Refusal {
  readonly cause: SnapshotRefused;
  /** The files that were refused. */
  readonly files: string;
  readonly atMs: number;
}

/** Whether a refusal still holds without trying again. Room for a snapshot may come at any time. */
const stands = ({ cause, files, atMs }: Refusal, filesNow: string, refusedMs: number): boolean =>
  !(cause instanceof NoRoom) && files === filesNow && performance.now() < atMs + refusedMs;

/** The signature of a snapshot without a manifest. */
const missing = (id: string) => `${id} without a manifest`;

const leaseOf = (snapshot: Snapshot): Lease => ({ snapshot, release: snapshot.acquire() });

/** A lease after the deadline is released at once. The snapshot stays open for the next request. */
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
