// Serves the snapshot that the link `current` names, until the next one is loaded.

import path from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Observe } from '../observations.ts';
import { currentId } from './dataDirectory.ts';
import type { Lease } from './openSnapshots.ts';
import { publicationTimes } from './publications.ts';
import { HISTORY_FILE } from './readHistory.ts';
import { type Refusals, signatureWithoutManifest } from './refusals.ts';
import type { RetainedSnapshot, RetainedSnapshots } from './retainedSnapshots.ts';
import type { Snapshot } from './snapshot.ts';
import type { SnapshotPool } from './snapshotPool.ts';
import { manifestSignatureOf } from './snapshotSignature.ts';

export interface CurrentSnapshotOptions {
  readonly dataDir: string;
  readonly observe: Observe;
  readonly pool: SnapshotPool;
  readonly refusals: Refusals;
  readonly retained: RetainedSnapshots;
  /** How long a read of the history may take before it is reported. */
  readonly slowReadMs?: number;
}

/** The snapshot that is served. Until one is loaded, the functions that describe it return null. */
export class CurrentSnapshot {
  readonly loaded: Promise<void>;
  readonly #options: CurrentSnapshotOptions;
  readonly #announceLoaded: () => void;
  #served: ServedSnapshot | null = null;
  /** The signature of the snapshot that the link named at the last poll. */
  #lastSignature: string | null = null;
  #pollsWithoutLink = 0;

  constructor(options: CurrentSnapshotOptions) {
    this.#options = options;
    let announce = () => {};
    this.loaded = new Promise<void>((resolve) => {
      announce = resolve;
    });
    this.#announceLoaded = announce;
  }

  lease(): Lease | null {
    return this.#served && leaseOf(this.#served.lease.snapshot);
  }

  /** The snapshot without a lease, for requests that may do without its rows. */
  withoutLease(): RetainedSnapshot | null {
    return this.#served?.retained ?? null;
  }

  id(): string | null {
    return this.#served?.lease.snapshot.id ?? null;
  }

  /** The signature of the snapshot; null when its id is not `id`. */
  signature(id: string): string | null {
    return this.#served?.lease.snapshot.id === id ? this.#served.signature : null;
  }

  /**
   * Whether the link named the served snapshot at the last poll. Otherwise the link is gone, or names a snapshot that was
   * refused or is still being loaded.
   */
  isUpToDate(): boolean {
    const isGone = this.#pollsWithoutLink >= POLLS_UNTIL_GONE;
    return this.#served !== null && this.#served.signature === this.#lastSignature && !isGone;
  }

  /**
   * When the snapshot was published, in ISO 8601; null when the history does not have it, or is still being read after
   * 30 ms.
   */
  async publishedAt(): Promise<string | null> {
    return this.#served?.publishedAt() ?? null;
  }

  /**
   * Reads the link, and loads the snapshot that it names, unless that snapshot is served already.
   *
   * @throws {Error} when the link is gone, or is not a link to a snapshot. The last snapshot goes on being served.
   */
  async follow(): Promise<void> {
    const { dataDir, pool, refusals } = this.#options;
    const id = await currentId(dataDir);
    if (id === null) return this.#missLink();
    this.#pollsWithoutLink = 0;
    const signature = (await manifestSignatureOf(dataDir, id)) ?? signatureWithoutManifest(id);
    // A refused snapshot is tried again when the link has led elsewhere in the meantime.
    if (signature !== this.#lastSignature) refusals.forget(signature);
    this.#lastSignature = signature;
    if (signature === this.#served?.signature) return;
    const open = () => pool.open(id, signature, { kind: 'current' });
    const lease = await refusals.unlessRefused(id, signature, open).catch(() => null);
    if (lease !== null) this.#serve(lease, signature);
  }

  close(): void {
    this.#served?.lease.release();
    this.#served = null;
  }

  /**
   * Counts a poll that finds no link `current`.
   *
   * @throws {Error} when so many polls have missed the link that it counts as removed.
   */
  #missLink(): void {
    this.#pollsWithoutLink += 1;
    if (this.#served === null || this.#pollsWithoutLink < POLLS_UNTIL_GONE) return;
    throw linkIsGone(this.#options.dataDir, this.#served.lease.snapshot.id);
  }

  #serve(lease: Lease, signature: string): void {
    const { dataDir, observe, slowReadMs = 5000 } = this.#options;
    const { snapshot } = lease;
    this.#served?.lease.release();
    this.#served = {
      signature,
      lease,
      retained: this.#retainedOf(snapshot, signature),
      publishedAt: cachedPublishedAt(snapshot.id, publicationTimesReader(dataDir, observe, slowReadMs)),
    };
    // The history is read now, so that the first probe has the time of publication.
    void this.#served.publishedAt();
    this.#announceLoaded();
    observe({ event: 'snapshot served', snapshot: snapshot.id });
  }

  /** The current snapshot without a lease. It is open while it is served. After that, a lease may have to open it again. */
  #retainedOf(snapshot: Snapshot, signature: string): RetainedSnapshot {
    const { manifest } = snapshot;
    return {
      manifest,
      lease: async (caller) =>
        this.#served?.lease.snapshot === snapshot
          ? leaseOf(snapshot)
          : this.#options.retained.lease(manifest, signature, caller),
    };
  }
}

/**
 * A link that this many polls in succession do not find counts as removed. The polls take two seconds. A network share may
 * lack the link for a moment, while a publication replaces it.
 */
const POLLS_UNTIL_GONE = 4;

const linkIsGone = (dataDir: string, id: string): Error =>
  new Error(
    `${path.join(dataDir, 'current')} is gone, and ${id} is served on: check that the disk of DATA_DIR is mounted, or ` +
      'name the current snapshot with rollback <id>',
  );

interface ServedSnapshot {
  readonly signature: string;
  readonly lease: Lease;
  readonly retained: RetainedSnapshot;
  publishedAt(): Promise<string | null>;
}

/**
 * Returns a function that gives the time of publication. It reads the history at each call, until the history has the
 * publication. It gives null when a read takes longer than `READ_WAIT_MS`, because `/readyz` must not wait for a disk that
 * does not answer.
 */
function cachedPublishedAt(id: string, readTimes: ReadTimes): () => Promise<string | null> {
  let publishedAt: string | null = null;
  let reading: Promise<void> | null = null;
  async function read(): Promise<void> {
    publishedAt = (await readTimes())?.get(id) ?? null;
    reading = null;
  }
  return async () => {
    if (publishedAt !== null) return publishedAt;
    // All callers wait for the same read, because each read that hangs keeps a thread busy.
    reading ??= read();
    // The caller waits for one more turn of the event loop, because the read may have ended while the loop was busy.
    await Promise.race([reading, sleep(READ_WAIT_MS, null, { ref: false }).then(() => nextTurn())]);
    return publishedAt;
  };
}

/** How long a caller waits for a read. `/readyz` and `/metrics` have to answer within 50 ms. */
const READ_WAIT_MS = 30;

/** Reads the times of publications by id; null when the history cannot be read. */
type ReadTimes = () => Promise<ReadonlyMap<string, string> | null>;

/** Returns a function that reads the times of publications, and reports a read that takes longer than `slowReadMs`. */
const publicationTimesReader =
  (dataDir: string, observe: Observe, slowReadMs: number): ReadTimes =>
  async () => {
    const file = path.join(dataDir, HISTORY_FILE);
    const timer = setTimeout(() => observe({ event: 'history read hangs', file }), slowReadMs).unref();
    return publicationTimes(dataDir)
      .catch(() => null)
      .finally(() => clearTimeout(timer));
  };

const leaseOf = (snapshot: Snapshot): Lease => ({ snapshot, release: snapshot.acquire() });
