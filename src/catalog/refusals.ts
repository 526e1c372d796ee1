// Remembers refused snapshots, so that a damaged one is not read at every request and is reported only once.

import { unavailable } from '../errors.ts';
import type { Observe } from '../observations.ts';
import { NoRoom } from './openSnapshots.ts';
import { SnapshotRefused, SnapshotUnreadable } from './snapshotRefused.ts';
import { filesAndRightsSignatureOf, manifestSignatureOf } from './snapshotSignature.ts';

export interface Refusals {
  /**
   * Runs a step that reads a snapshot, if the snapshot is not refused.
   *
   * @returns null when the snapshot is gone, or when it is refused and its files have not changed since.
   * @throws {ApiError} 503 when there is no memory for the snapshot now, or its files cannot be read now.
   */
  unlessRefused<Value>(id: string, signature: string, read: () => Promise<Value>): Promise<Value | null>;
  /** Forgets a refusal, so that the snapshot is read again even if it has not changed. */
  forget(signature: string): void;
}

export interface RefusalOptions {
  readonly dataDir: string;
  readonly observe: Observe;
  /**
   * After this time, a refused snapshot is read again even if its files have not changed, because the first read may
   * have failed.
   */
  readonly refusalMs?: number;
}

/** Remembers the refusals of this process. Each refusal is observed once, and again only when the files have changed. */
export function createRefusals({ dataDir, observe, refusalMs = 60_000 }: RefusalOptions): Refusals {
  const refusals = new Map<string, Refusal>();
  return {
    async unlessRefused(id, signature, step) {
      const before = refusals.get(signature);
      // The signature is taken before the step, so that a file that is repaired during the step counts as changed.
      const filesBefore = filesAndRightsSignatureOf(dataDir, id);
      if (before && stillHolds(before, await filesBefore, refusalMs)) return nullIfDamaged(before.cause);
      try {
        return await step();
      } catch (cause) {
        if (!(cause instanceof SnapshotRefused)) throw cause;
        // If the snapshot was removed while it was read, it is not damaged but gone.
        if (signature !== signatureWithoutManifest(id) && (await manifestSignatureOf(dataDir, id)) === null)
          return null;
        const files = await filesBefore;
        if (before?.files !== files)
          observe({ event: 'snapshot refused', snapshot: id, reason: cause.message });
        refusals.set(signature, { cause, files, atMs: performance.now() });
        return nullIfDamaged(cause);
      }
    },
    forget: (signature) => void refusals.delete(signature),
  };
}

/**
 * The result for a refused snapshot: null when it is damaged.
 *
 * @throws {ApiError} 503 when it may be undamaged, so that a client asks for the same page again later.
 */
function nullIfDamaged(cause: SnapshotRefused): null {
  if (cause instanceof NoRoom || cause instanceof SnapshotUnreadable) throw unavailable(1, cause);
  return null;
}

/** A signature for a snapshot that has no manifest. */
export const signatureWithoutManifest = (id: string): string => `${id} without a manifest`;

interface Refusal {
  readonly cause: SnapshotRefused;
  /** The signature of the files that were refused. */
  readonly files: string;
  readonly atMs: number;
}

/**
 * Whether a refusal still holds, so that the snapshot is not read again. A refusal by `NoRoom` never holds, because memory
 * may become free at any time. Files that could not be read are read again after a short time.
 */
function stillHolds({ cause, files, atMs }: Refusal, filesNow: string, refusedMs: number): boolean {
  if (cause instanceof NoRoom || files !== filesNow) return false;
  const holdsMs = cause instanceof SnapshotUnreadable ? Math.min(refusedMs, UNREADABLE_MS) : refusedMs;
  return performance.now() < atMs + holdsMs;
}

/** After this time, files that could not be read are read again. */
const UNREADABLE_MS = 2000;
