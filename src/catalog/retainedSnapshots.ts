// Leases retained snapshots. Opens a snapshot that is not open, within the limits of the caller.

import { createLruCache } from '../cache/lruCache.ts';
import { unavailable } from '../errors.ts';
import { snapshotDirectory } from './dataDirectory.ts';
import type { AnyManifest } from './manifest.ts';
import { createOpeningQuota } from './openingQuota.ts';
import type { Lease } from './openSnapshots.ts';
import { readAnyManifest } from './readManifest.ts';
import type { Refusals } from './refusals.ts';
import type { SnapshotPool } from './snapshotPool.ts';

/** A snapshot that need not be open. */
export interface RetainedSnapshot {
  readonly manifest: AnyManifest;
  /**
   * Leases the snapshot, and opens it if necessary; null when its files are damaged or gone.
   *
   * @param caller the caller for whom a snapshot may be opened. A caller may have a few snapshots opened per minute.
   *   Callers with fewer recent openings come first. When `caller` is null, no snapshot is opened: the result is null for a
   *   snapshot that is not open.
   * @throws {ApiError} 503 when the caller must wait, when there is no memory for the snapshot now, or when opening it
   *   takes too long. In the last case it is opened all the same, for the next request.
   */
  lease(caller: string | null): Promise<Lease | null>;
}

/** The snapshots of a data directory, which are opened when they are needed. */
export interface RetainedSnapshots {
  /** The manifest of a snapshot, open or not; null when the snapshot is gone or damaged. */
  manifest(id: string, signature: string): Promise<AnyManifest | null>;
  /** Leases a snapshot as `RetainedSnapshot.lease` does. Also null when its id now belongs to another snapshot. */
  lease(manifest: AnyManifest, signature: string, caller: string | null): Promise<Lease | null>;
  /** The memory of the cached manifests. */
  manifestsBytes(): number;
}

export interface RetainedOptions {
  readonly dataDir: string;
  readonly pool: SnapshotPool;
  readonly refusals: Refusals;
  /** How long a request waits for an older snapshot to be opened. */
  readonly openDeadlineMs?: number;
  /** How many older snapshots a caller may have opened per minute. */
  readonly openingsPerMinute?: number;
}

/**
 * The retained snapshots of `dataDir`. They are leased from `pool`. Manifests of snapshots that are not open are cached.
 */
export function createRetainedSnapshots({
  dataDir,
  pool,
  refusals,
  openDeadlineMs = 5000,
  openingsPerMinute = 10,
}: RetainedOptions): RetainedSnapshots {
  const quota = createOpeningQuota(openingsPerMinute);
  const manifests = createLruCache<AnyManifest>(MANIFESTS_CAPACITY_BYTES);

  async function lease(id: string, signature: string, caller: string | null): Promise<Lease | null> {
    const open = pool.lease(signature);
    if (open || caller === null) return open;
    const nowMs = performance.now();
    const rank = quota.used(caller, nowMs);
    // A caller that joins a running or queued load uses nothing of its quota.
    const waitSeconds = pool.isLoading(signature) ? 0 : quota.take(caller, nowMs);
    if (waitSeconds > 0) throw unavailable(waitSeconds);
    const opening = refusals.unlessRefused(id, signature, () =>
      pool.open(id, signature, { kind: 'older', rank }),
    );
    return leaseWithinDeadline(opening, openDeadlineMs);
  }

  return {
    async manifest(id, signature) {
      const known = pool.manifest(signature) ?? manifests.get(signature);
      if (known) return known;
      const directory = snapshotDirectory(dataDir, id);
      const manifest = await refusals.unlessRefused(id, signature, () => readAnyManifest(directory));
      if (manifest === null) return null;
      manifests.set(signature, manifest, BYTES_PER_CHARACTER * JSON.stringify(manifest).length);
      return manifest;
    },
    manifestsBytes: () => manifests.bytes,
    async lease({ id, fingerprint }, signature, caller) {
      const leased = await lease(id, signature, caller);
      if (leased === null || leased.snapshot.fingerprint === fingerprint) return leased;
      leased.release();
      return null;
    },
  };
}

/** The most memory of all cached manifests. */
export const MANIFESTS_CAPACITY_BYTES = 16 * 2 ** 20;

/** The measured memory of a parsed manifest per character of its text. */
const BYTES_PER_CHARACTER = 5;

/**
 * Waits for a lease until the deadline, then throws 503. A later lease is released at once, and the snapshot stays open.
 */
async function leaseWithinDeadline(
  opening: Promise<Lease | null>,
  deadlineMs: number,
): Promise<Lease | null> {
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
