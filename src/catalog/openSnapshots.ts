// Holds the open snapshots: leases them, limits their memory and their number, and closes unused ones.

import type { Snapshot } from './snapshot.ts';
import { SnapshotRefused } from './snapshotRefused.ts';

/** A snapshot that stays open until `release` is called. */
export interface Lease {
  readonly snapshot: Snapshot;
  release(): void;
}

export interface OpenSnapshot {
  readonly snapshot: Snapshot;
  lease(): Lease;
}

/** The open snapshots of a process, by signature. */
export interface OpenSnapshots {
  get(signature: string): OpenSnapshot | undefined;
  /** Adds an open snapshot. `bytes` is its estimated memory. */
  add(signature: string, snapshot: Snapshot, bytes: number): OpenSnapshot;
  /**
   * Closes unused snapshots, the least recently used first, until the snapshot `id` fits. Closes none if it does not fit
   * even without all of them.
   *
   * @param bytes the estimated memory of that snapshot.
   * @param isCurrent whether it will be the current one, which `maxOpen` does not limit.
   * @throws {NoRoom} when it does not fit.
   */
  makeRoom(id: string, bytes: number, isCurrent: boolean): void;
  /** Closes snapshots that were not used for `idleMs`, and the least recently used ones beyond `maxOpen`. */
  closeIdle(idleMs: number): void;
  /** The estimated memory of all open snapshots. */
  bytes(): number;
  /** Closes all snapshots. One in use is freed when its last lease is released. */
  closeAll(): void;
}

export interface OpenSnapshotsOptions {
  /** The most memory of all open snapshots of this process together. */
  readonly maxBytes: number;
  /** How many processes share SNAPSHOT_MEMORY_MB, each with `maxBytes`; 1 when left out. */
  readonly processes?: number;
  /** How many snapshots may be open at the same time. The current one is opened even beyond this number. */
  readonly maxOpen: number;
}

/** There is no room for a snapshot now: with the open snapshots in use it would exceed `maxBytes` or `maxOpen`. */
export class NoRoom extends SnapshotRefused {}

/** Makes an empty set of open snapshots. `SnapshotPool` loads the snapshots and adds them. */
export function createOpenSnapshots({
  maxBytes,
  processes = 1,
  maxOpen,
}: OpenSnapshotsOptions): OpenSnapshots {
  const entries = new Map<string, Entry>();
  const where = processes === 1 ? 'in all' : `in each of ${processes} processes`;

  const openBytes = () => bytesOf([...entries.values()]);

  /** The snapshots without leases, the least recently used first. */
  const unused = () =>
    [...entries.values()].filter(({ snapshot }) => !snapshot.inUse()).sort((a, b) => a.usedMs - b.usedMs);

  function close(entry: Entry): void {
    entries.delete(entry.signature);
    entry.snapshot.close();
  }

  return {
    get: (signature) => entries.get(signature),
    add(signature, snapshot, bytes) {
      const entry = entryOf(signature, snapshot, bytes);
      entries.set(signature, entry);
      return entry;
    },
    makeRoom(id, bytes, isCurrent) {
      const idle = unused();
      const inUse = entries.size - idle.length;
      const bytesInUse = openBytes() - bytesOf(idle);
      // Nothing is closed for a snapshot that does not fit in any case.
      if (bytesInUse + bytes > maxBytes)
        throw new NoRoom(
          id,
          `needs about ${megabytes(bytes)} MB of memory; ${megabytes(maxBytes)} MB are allowed ${where}, of which ` +
            `${inUse} open snapshots take ${megabytes(bytesInUse)} MB`,
          `set SNAPSHOT_MEMORY_MB to at least ${processes * megabytes(bytes + bytesInUse)}`,
        );
      if (inUse >= maxOpen && !isCurrent) throw tooMany(id, maxOpen);
      for (const entry of idle) {
        if (openBytes() + bytes <= maxBytes && entries.size < maxOpen) return;
        close(entry);
      }
    },
    closeIdle(idleMs) {
      const before = performance.now() - idleMs;
      for (const entry of unused()) {
        if (entry.usedMs <= before || entries.size > maxOpen) close(entry);
      }
    },
    bytes: openBytes,
    closeAll() {
      for (const entry of entries.values()) close(entry);
    },
  };
}

interface Entry extends OpenSnapshot {
  readonly signature: string;
  readonly bytes: number;
  /** When the last lease began or ended, by `performance.now()`. */
  readonly usedMs: number;
}

function entryOf(signature: string, snapshot: Snapshot, bytes: number): Entry {
  let usedMs = performance.now();
  return {
    signature,
    snapshot,
    bytes,
    get usedMs() {
      return usedMs;
    },
    lease() {
      const release = snapshot.acquire();
      usedMs = performance.now();
      return {
        snapshot,
        release() {
          usedMs = performance.now();
          release();
        },
      };
    },
  };
}

const bytesOf = (entries: readonly Entry[]): number => entries.reduce((sum, { bytes }) => sum + bytes, 0);

const megabytes = (bytes: number): number => Math.ceil(bytes / 2 ** 20);

const tooMany = (id: string, maxOpen: number): NoRoom =>
  new NoRoom(
    id,
    `cannot be opened, because ${maxOpen} snapshots are open and in use`,
    'requests for it are answered when one of them is no longer used',
  );
