// The pool of open snapshots. Concurrent requests for a snapshot share its load. Loads run one after another.

import { unavailable } from '../errors.ts';
import { snapshotDirectory } from './dataDirectory.ts';
import { createLoadQueue } from './loadQueue.ts';
import type { AnyManifest } from './manifest.ts';
import { estimateMemoryBytes } from './memoryEstimate.ts';
import {
  createOpenSnapshots,
  type Lease,
  type OpenSnapshot,
  type OpenSnapshots,
  type OpenSnapshotsOptions,
} from './openSnapshots.ts';
import { readAnyManifest } from './readManifest.ts';
import { openSnapshot } from './snapshot.ts';

/** Opens, leases and closes snapshots. */
export interface SnapshotPool extends Pick<OpenSnapshots, 'closeIdle' | 'bytes'> {
  /** Leases a snapshot if it is open; otherwise null. */
  lease(signature: string): Lease | null;
  /** The manifest of a snapshot if it is open; otherwise null. */
  manifest(signature: string): AnyManifest | null;
  /** Whether the load of a snapshot is running or queued. */
  isLoading(signature: string): boolean;
  /**
   * Leases a snapshot. If it is not open, loads it first.
   *
   * @throws {NoRoom} when the limits on memory and on open snapshots leave no room for it now.
   * @throws {SnapshotRefused} when it must not be served.
   */
  open(id: string, signature: string, role: SnapshotRole): Promise<Lease>;
  /** Waits for loads that run or wait, then closes all snapshots. One in use is freed when its last lease is released. */
  close(): Promise<void>;
}

/** Why a snapshot is opened. */
export type SnapshotRole =
  /** The snapshot is current. It is loaded before all others, even if more than `maxOpen` are open then. */
  | { readonly kind: 'current' }
  /** A request names the snapshot. Snapshots with the lowest `rank` are loaded first. */
  | { readonly kind: 'older'; readonly rank: number };

export interface PoolOptions extends OpenSnapshotsOptions {
  readonly dataDir: string;
  /** How many connections to its engine each snapshot has. */
  readonly connections: number;
}

/** A pool that reads snapshots from `dataDir`. The limits are those of `OpenSnapshots`. */
export function createSnapshotPool({ dataDir, connections, ...limits }: PoolOptions): SnapshotPool {
  const snapshots = createOpenSnapshots(limits);
  const loading = new Map<string, Promise<OpenSnapshot>>();
  const queue = createLoadQueue(MAX_WAITING_LOADS);
  let isClosed = false;

  async function load(id: string, signature: string, role: SnapshotRole): Promise<OpenSnapshot> {
    const known = snapshots.get(signature);
    if (known) return known;
    if (isClosed) throw unavailable();
    const directory = snapshotDirectory(dataDir, id);
    const manifest = await readAnyManifest(directory);
    const bytes = estimateMemoryBytes(manifest);
    snapshots.makeRoom(id, bytes, role.kind === 'current');
    const loaded = snapshots.add(signature, await openSnapshot(directory, manifest, { connections }), bytes);
    if (isClosed) snapshots.closeAll();
    return loaded;
  }

  /** Loads a snapshot, or joins its load if that is queued or running. */
  async function loadOnce(id: string, signature: string, role: SnapshotRole): Promise<OpenSnapshot> {
    // The current snapshot does not join a load, because that load may still be waiting behind others. Its own load comes
    // first.
    const running = role.kind === 'current' ? undefined : loading.get(signature);
    if (running) return running;
    const rank = role.kind === 'current' ? Number.NEGATIVE_INFINITY : role.rank;
    const started = queue.run(() => load(id, signature, role), rank);
    loading.set(signature, started);
    try {
      return await started;
    } finally {
      if (loading.get(signature) === started) loading.delete(signature);
    }
  }

  return {
    lease: (signature) => snapshots.get(signature)?.lease() ?? null,
    manifest: (signature) => snapshots.get(signature)?.snapshot.manifest ?? null,
    isLoading: (signature) => loading.has(signature),
    async open(id, signature, role) {
      const { lease } = snapshots.get(signature) ?? (await loadOnce(id, signature, role));
      return lease();
    },
    closeIdle: snapshots.closeIdle,
    bytes: snapshots.bytes,
    async close() {
      isClosed = true;
      await queue.idle();
      snapshots.closeAll();
    },
  };
}

/** How many loads may wait. The clients of further loads would time out. */
const MAX_WAITING_LOADS = 16;
