// A pool of open snapshots: each is loaded once, memory and number are limited, and unused ones are closed.

import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { unavailable } from '../errors.ts';
import { MANIFEST_FILE, snapshotDirectory } from './dataDirectory.ts';
import { createLoadQueue } from './loadQueue.ts';
import type { AnyManifest } from './manifest.ts';
import { estimateBytes } from './memoryEstimate.ts';
import { openSnapshot, type Snapshot } from './snapshot.ts';
import { readAnyManifest, SnapshotRefused } from './verifyFiles.ts';

/** A snapshot that stays open until `release` is called. */
export interface Lease {
  readonly snapshot: Snapshot;
  release(): void;
}

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
  open(id: string, signature: string, role: Role): Promise<Lease>;
  /** Closes snapshots that were not used for that long, and the least recently used ones beyond `maxOpen`. */
  closeIdle(idleMs: number): void;
  /** The estimated memory of all open snapshots. */
  openBytes(): number;
  /** Closes everything. A snapshot in use is freed when its last lease is released. */
  close(): Promise<void>;
}

/** Why a snapshot is opened. */
export type Role =
  /** It answers requests that name no snapshot: opened before all others, even beyond `maxOpen`. */
  | { readonly kind: 'current' }
  /** A request names it. The lowest `urgency` is loaded first. */
  | { readonly kind: 'older'; readonly urgency: number };

/** A temporary refusal: the snapshot would fit after others are closed, or with a higher limit. */
export class NoRoom extends SnapshotRefused {}

/**
 * Distinguishes a snapshot from another one that got the same id after a prune; null when the snapshot does not exist.
 * It consists of the manifest's file status, which is cheap to read.
 */
export async function signatureOf(dataDir: string, id: string): Promise<string | null> {
  try {
    const manifest = path.join(snapshotDirectory(dataDir, id), MANIFEST_FILE);
    const { ino, size, mtimeNs } = await stat(manifest, { bigint: true });
    return `${id} ${ino} ${size} ${mtimeNs}`;
  } catch {
    return null;
  }
}

/** Changes when any file of a snapshot is written, replaced or made readable; the same while there is no folder. */
export async function filesSignatureOf(dataDir: string, id: string): Promise<string> {
  const directory = snapshotDirectory(dataDir, id);
  const names = await readdir(directory).catch(() => []);
  const files = names.sort().map(async (name) => {
    const status = await stat(path.join(directory, name), { bigint: true }).catch(() => null);
    return status === null
      ? name
      : `${name} ${status.ino} ${status.size} ${status.mtimeNs} ${status.ctimeNs}`;
  });
  return (await Promise.all(files)).join('\n');
}

export interface PoolOptions {
  readonly dataDir: string;
  /** For all open snapshots together. */
  readonly maxBytes: number;
  /** Snapshots open at once; more only while all of them are in use. */
  readonly maxOpen: number;
  /** Per snapshot. */
  readonly connections: number;
}

export function createSnapshotPool({ dataDir, maxBytes, maxOpen, connections }: PoolOptions): SnapshotPool {
  const entries = new Map<string, Entry>();
  const loading = new Map<string, Promise<Entry>>();
  const queue = createLoadQueue(MAX_WAITING_LOADS);
  let isClosed = false;

  async function load(id: string, signature: string, role: Role): Promise<Entry> {
    const known = entries.get(signature);
    if (known) return known;
    if (isClosed) throw unavailable();
    const directory = snapshotDirectory(dataDir, id);
    const manifest = await readAnyManifest(directory);
    const bytes = estimateBytes(manifest);
    makeRoom(id, bytes, role);
    const snapshot = await openSnapshot(directory, manifest, { connections });
    const entry = { signature, bytes, snapshot, usedMs: performance.now() };
    entries.set(signature, entry);
    if (isClosed) close(entry);
    return entry;
  }

  const openBytes = () => [...entries.values()].reduce((sum, entry) => sum + entry.bytes, 0);

  /** Closes unused snapshots, the least recently used first, until one more fits. */
  function makeRoom(id: string, bytes: number, { kind }: Role): void {
    const fitsMemory = () => openBytes() + bytes <= maxBytes;
    const fitsNumber = () => entries.size < maxOpen;
    for (const entry of idle()) {
      if (fitsMemory() && fitsNumber()) return;
      close(entry);
    }
    if (fitsMemory() && (fitsNumber() || kind === 'current')) return;
    throw noRoom(id, bytes, maxBytes, openBytes(), entries.size);
  }

  const idle = () =>
    [...entries.values()].filter(({ snapshot }) => !snapshot.inUse()).sort((a, b) => a.usedMs - b.usedMs);

  function close(entry: Entry): void {
    entries.delete(entry.signature);
    entry.snapshot.close();
  }

  function lease(signature: string): Lease | null {
    const entry = entries.get(signature);
    return entry ? leaseOf(entry) : null;
  }

  return {
    lease,
    manifest: (signature) => entries.get(signature)?.snapshot.manifest ?? null,
    isLoading: (signature) => loading.has(signature),
    async open(id, signature, role) {
      const known = lease(signature);
      if (known) return known;
      const urgency = role.kind === 'current' ? Number.NEGATIVE_INFINITY : role.urgency;
      // The current snapshot does not join a load that may still wait with less urgency.
      const running = role.kind === 'current' ? undefined : loading.get(signature);
      if (running) return leaseOf(await running);
      const started = queue.run(() => load(id, signature, role), urgency);
      loading.set(signature, started);
      const end = () => {
        if (loading.get(signature) === started) loading.delete(signature);
      };
      started.then(end, end);
      return leaseOf(await started);
    },
    closeIdle(idleMs) {
      const before = performance.now() - idleMs;
      for (const entry of idle()) {
        if (entry.usedMs <= before || entries.size > maxOpen) close(entry);
      }
    },
    openBytes,
    async close() {
      isClosed = true;
      await queue.idle();
      for (const entry of entries.values()) close(entry);
    },
  };
}

/** No client waits for more loads than these. */
const MAX_WAITING_LOADS = 16;

interface Entry {
  readonly signature: string;
  readonly bytes: number;
  readonly snapshot: Snapshot;
  usedMs: number;
}

function leaseOf(entry: Entry): Lease {
  const release = entry.snapshot.acquire();
  entry.usedMs = performance.now();
  return {
    snapshot: entry.snapshot,
    release() {
      entry.usedMs = performance.now();
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
