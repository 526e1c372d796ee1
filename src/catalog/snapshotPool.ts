// A pool of open snapshots. Requests for one snapshot share its load; loads run one after another, the lowest rank first.

import { unavailable } from '../errors.ts';
import { snapshotDirectory } from './dataDirectory.ts';
import { createLoadQueue } from './loadQueue.ts';
import type { AnyManifest } from './manifest.ts';
import { estimateBytes } from './memoryEstimate.ts';
import {
  createOpenSnapshots,
  type Lease,
  type OpenSnapshot,
  type OpenSnapshotsOptions,
} from './openSnapshots.ts';
import { readAnyManifest } from './readManifest.ts';
import { openSnapshot } from './snapshot.ts';

export interface SnapshotPool {
  /** Leases a snapshot if it is open; else null. */
  lease(signature: string): Lease | null;
  /** The manifest of a snapshot if it is open; else null. */
  manifest(signature: string): AnyManifest | null;
  /** Whether the snapshot is loading or in the queue for it. */
  isLoading(signature: string): boolean;
  /**
   * Leases a snapshot, and loads it first unless it is open. Several callers share one load.
   *
   * @throws {NoRoom} when the memory limit or the number of snapshots in use leave no room for it now.
   * @throws {SnapshotRefused} when it must not be served.
   */
  open(id: string, signature: string, role: SnapshotRole): Promise<Lease>;
  /** Closes snapshots that were not used for `idleMs`, and the least recently used ones beyond `maxOpen`. */
  closeIdle(idleMs: number): void;
  /** The estimated memory of all open snapshots. */
  openBytes(): number;
  /** Closes everything. A snapshot in use is freed when its last lease is released. */
  close(): Promise<void>;
}

/** Why a snapshot is opened. */
export type SnapshotRole =
  /** It answers requests that name no snapshot: opened before all others, even beyond `maxOpen`. */
  | { readonly kind: 'current' }
  /** A request names it. The lowest `rank` is loaded first. */
  | { readonly kind: 'older'; readonly rank: number };

export interface PoolOptions extends OpenSnapshotsOptions {
  readonly dataDir: string;
  /** Per snapshot. */
  readonly connections: number;
}

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
    const bytes = estimateBytes(manifest);
    snapshots.makeRoom(id, bytes, role.kind === 'current');
    const loaded = snapshots.add(signature, await openSnapshot(directory, manifest, { connections }), bytes);
    if (isClosed) snapshots.closeAll();
    return loaded;
  }

  /** Loads a snapshot, or joins a load of it that is queued or running. */
  async function loadOnce(id: string, signature: string, role: SnapshotRole): Promise<OpenSnapshot> {
    // The current snapshot never joins, because that load may still wait with a higher rank.
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
    openBytes: snapshots.bytes,
    async close() {
      isClosed = true;
      await queue.idle();
      snapshots.closeAll();
    },
  };
}

/** Loads that may wait. Clients would time out behind more of them. */
const MAX_WAITING_LOADS = 16;
