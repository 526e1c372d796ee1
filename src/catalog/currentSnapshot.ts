// Follows `current`: which snapshot answers now, and the older ones that begun walks still need.

import { readlink } from 'node:fs/promises';
import path from 'node:path';
import { unavailable } from '../errors.ts';
import type { Snapshot } from './snapshot.ts';
import { type Lease, NoRoom, openedSnapshots, signatureOf } from './snapshotPool.ts';
import { SnapshotRefused } from './verifyFiles.ts';

export interface Snapshots {
  /** The one that answers now, held until released; null when none could be loaded yet. */
  current(): Lease | null;
  /**
   * A snapshot by its id, opened if need be; null when it is not retained, or damaged.
   *
   * @throws {ApiError} 503 when there is no room for it now, or when opening it takes too long; it goes on then.
   */
  retained(id: string): Promise<Lease | null>;
  /** Settles when the first snapshot answers. */
  readonly loaded: Promise<void>;
  /** Settles when `current` has been looked at for the first time, whatever came of it. */
  readonly looked: Promise<void>;
  /** Stops following and frees every snapshot as its holders leave. */
  close(): Promise<void>;
}

/** Where it is said what becomes of snapshots. */
export interface Log {
  info(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export interface FollowOptions {
  readonly dataDir: string;
  /** For all open snapshots together. */
  readonly maxBytes: number;
  /** Per snapshot. */
  readonly connections: number;
  readonly log: Log;
  readonly pollMs?: number;
  /** How long a request waits for an older snapshot to be opened. */
  readonly openMs?: number;
  /** How long an older snapshot stays open unused. */
  readonly idleMs?: number;
  /** Snapshots open at once before no older one is opened any more. */
  readonly mostOpen?: number;
}

export function followSnapshots(options: FollowOptions): Snapshots {
  const { dataDir, log, pollMs = 500, openMs = 5000, idleMs = 120_000, mostOpen = 5 } = options;
  const opened = openedSnapshots(options);
  /** By signature: a refusal is said once, and a damaged snapshot is not read again. */
  const refused = new Map<string, SnapshotRefused>();
  let now: { readonly signature: string; readonly lease: Lease } | null = null;
  let announce = () => {};
  const loaded = new Promise<void>((resolve) => {
    announce = resolve;
  });
  /** What `current` named when it was last looked at. */
  let seen: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  /** Null when it is refused for good. */
  async function open(id: string, signature: string, most?: number): Promise<Lease | null> {
    const before = refused.get(signature);
    if (before && !(before instanceof NoRoom)) return null;
    try {
      return await opened.open(id, signature, most);
    } catch (cause) {
      if (!(cause instanceof SnapshotRefused)) throw cause;
      // Removed while it was being opened: nothing is wrong with it, it is no more.
      if (signature !== without(id) && (await signatureOf(dataDir, id)) === null) return null;
      if (!before) log.error({ snapshot: id }, cause.message);
      refused.set(signature, cause);
      if (cause instanceof NoRoom) throw unavailable();
      return null;
    }
  }

  async function look(): Promise<void> {
    const id = await currentId(dataDir);
    // Gone for a moment, or for good: what was served goes on being served.
    if (id === null) return;
    const signature = (await signatureOf(dataDir, id)) ?? without(id);
    // Whoever points `current` elsewhere and back wants it tried again.
    if (signature !== seen) refused.delete(signature);
    seen = signature;
    if (signature === now?.signature) return;
    const lease = await open(id, signature).catch(() => null);
    if (!lease) return;
    now?.lease.release();
    now = { signature, lease };
    announce();
    log.info({ snapshot: id }, 'serving this snapshot');
  }

  async function poll(): Promise<void> {
    try {
      await look();
    } catch (cause) {
      log.error({ err: cause }, 'cannot follow the current snapshot');
    }
    opened.closeIdle(idleMs);
    if (!closed) {
      timer = setTimeout(() => {
        polling = poll();
      }, pollMs).unref();
    }
  }

  const looked = poll();
  let polling = looked;
  return {
    current: () => now && held(now.lease.snapshot),
    async retained(id) {
      if (now?.lease.snapshot.id === id) return held(now.lease.snapshot);
      const signature = SNAPSHOT_ID.test(id) ? await signatureOf(dataDir, id) : null;
      return signature === null ? null : inTime(open(id, signature, mostOpen), openMs);
    },
    loaded,
    looked,
    async close() {
      closed = true;
      clearTimeout(timer);
      await polling;
      now?.lease.release();
      now = null;
      await opened.close();
    },
  };
}

/** What comes too late is given back at once, and stays open for whoever asks again. */
async function inTime(opening: Promise<Lease | null>, deadlineMs: number): Promise<Lease | null> {
  let late = false;
  const kept = opening.then((lease) => {
    if (late) lease?.release();
    return lease;
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      late = true;
      reject(unavailable());
    }, deadlineMs);
  });
  return Promise.race([kept, deadline]).finally(() => clearTimeout(timer));
}

/** A directory's name and nothing else: cursors carry it, and anybody can write one. */
const SNAPSHOT_ID = /^\d{4}-\d{2}\.[1-9]\d*$/;

/** Stands for the signature of a snapshot that has no manifest. */
const without = (id: string) => `${id} without a manifest`;

const held = (snapshot: Snapshot): Lease => ({ snapshot, release: snapshot.hold() });

/** The id `current` names, or null when there is no such link. */
async function currentId(dataDir: string): Promise<string | null> {
  try {
    return path.basename(await readlink(path.join(dataDir, 'current')));
  } catch {
    return null;
  }
}
