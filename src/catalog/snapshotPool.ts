// The snapshots that are open: each loaded once, all within one memory limit, closed when nobody uses them.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import { estimateBytes } from './memoryEstimate.ts';
import { openSnapshot, type Snapshot } from './snapshot.ts';
import { readManifest, SnapshotRefused } from './verifyFiles.ts';

/** A snapshot that stays open until `release` is called. */
export interface Lease {
  readonly snapshot: Snapshot;
  release(): void;
}

export interface OpenedSnapshots {
  /**
   * Leases a snapshot, loading it first unless it is open. `signature` tells it from another one of that id.
   *
   * @throws {NoRoom} when the memory limit, or `mostOpen` snapshots in use, leave no room for it now.
   * @throws {SnapshotRefused} when it must not be served.
   */
  open(id: string, signature: string, mostOpen?: number): Promise<Lease>;
  /** Closes what nobody has used for that long. */
  closeIdle(idleMs: number): void;
  /** Closes everything: what is held is freed when its holders leave. */
  close(): Promise<void>;
}

/** Refused for now: it would fit once others are closed, or with a higher limit. */
export class NoRoom extends SnapshotRefused {}

/**
 * What tells a snapshot from another that was given the same id after a prune; null when there is none.
 * Made from its manifest's place on disk, so that looking costs next to nothing.
 */
export async function signatureOf(dataDir: string, id: string): Promise<string | null> {
  try {
    const { ino, size, mtimeNs } = await stat(path.join(directoryOf(dataDir, id), 'manifest.json'), {
      bigint: true,
    });
    return `${id} ${ino} ${size} ${mtimeNs}`;
  } catch {
    return null;
  }
}

export function openedSnapshots(options: {
  readonly dataDir: string;
  /** For all of them together. */
  readonly maxBytes: number;
  /** Per snapshot. */
  readonly connections: number;
}): OpenedSnapshots {
  const { dataDir, maxBytes, connections } = options;
  const opened = new Map<string, Opened>();
  let last: Promise<unknown> = Promise.resolve();

  async function load(id: string, signature: string, mostOpen: number): Promise<Lease> {
    const known = opened.get(signature);
    if (known) return lease(known);
    const directory = directoryOf(dataDir, id);
    const manifest = await readManifest(directory);
    const bytes = estimateBytes(manifest);
    makeRoom(id, bytes, mostOpen);
    const snapshot = await openSnapshot(directory, manifest, { connections });
    const one = { signature, bytes, snapshot, usedMs: 0 };
    opened.set(signature, one);
    return lease(one);
  }

  /** Closes what nobody uses, longest unused first, until one more fits. */
  function makeRoom(id: string, bytes: number, mostOpen: number): void {
    const taken = () => [...opened.values()].reduce((sum, one) => sum + one.bytes, 0);
    const fits = () => opened.size < mostOpen && taken() + bytes <= maxBytes;
    for (const one of idle()) {
      if (fits()) return;
      close(one);
    }
    if (!fits()) throw noRoom(id, bytes, maxBytes, taken(), opened.size);
  }

  const idle = () =>
    [...opened.values()].filter((one) => !one.snapshot.inUse()).sort((a, b) => a.usedMs - b.usedMs);

  function close(one: Opened): void {
    opened.delete(one.signature);
    one.snapshot.close();
  }

  return {
    open(id, signature, mostOpen = Number.POSITIVE_INFINITY) {
      const known = opened.get(signature);
      if (known) return Promise.resolve(lease(known));
      // One after the other: what one takes is known before the next asks for room.
      const loading = last.then(() => load(id, signature, mostOpen));
      last = loading.catch(() => {});
      return loading;
    },
    closeIdle(idleMs) {
      const before = performance.now() - idleMs;
      for (const one of idle()) if (one.usedMs <= before) close(one);
    },
    async close() {
      await last;
      for (const one of opened.values()) close(one);
    },
  };
}

interface Opened {
  readonly signature: string;
  readonly bytes: number;
  readonly snapshot: Snapshot;
  usedMs: number;
}

function lease(one: Opened): Lease {
  const release = one.snapshot.hold();
  one.usedMs = performance.now();
  return {
    snapshot: one.snapshot,
    release() {
      one.usedMs = performance.now();
      release();
    },
  };
}

function noRoom(id: string, bytes: number, maxBytes: number, takenBytes: number, open: number): NoRoom {
  const megabytes = (n: number) => `${Math.ceil(n / 2 ** 20)} MB`;
  return new NoRoom(
    id,
    `needs about ${megabytes(bytes)} of memory; ${megabytes(maxBytes)} are allowed in all, of which ` +
      `${open} open snapshots take ${megabytes(takenBytes)}`,
    `set SNAPSHOT_MEMORY_MB to at least ${Math.ceil((bytes + takenBytes) / 2 ** 20)}`,
  );
}

const directoryOf = (dataDir: string, id: string) => path.join(dataDir, 'snapshots', id);
