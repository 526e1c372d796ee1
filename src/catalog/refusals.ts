// Remembers refused snapshots: a damaged one is neither read again at every request nor reported twice.

import { unavailable } from '../errors.ts';
import type { Observe } from '../observations.ts';
import { NoRoom } from './openSnapshots.ts';
import { SnapshotRefused, SnapshotUnreadable } from './snapshotRefused.ts';
import { filesSignatureOf, signatureOf } from './snapshotSignature.ts';

export interface Refusals {
  /**
   * Runs a step that reads a snapshot.
   *
   * @returns null when the snapshot is gone, or is refused and has not changed since.
   * @throws {ApiError} 503 when there is no memory for the snapshot now, or its files cannot be read now.
   */
  unlessRefused<Value>(id: string, signature: string, step: () => Promise<Value>): Promise<Value | null>;
  /** Forgets a refusal, so that the snapshot is read again, changed or not. */
  forget(signature: string): void;
}

export interface RefusalOptions {
  readonly dataDir: string;
  readonly observe: Observe;
  /**
   * How long a refused snapshot with unchanged files is not read again. After that it is, because the first reading may
   * have failed.
   */
  readonly refusedMs?: number;
}

export function createRefusals({ dataDir, observe, refusedMs = 60_000 }: RefusalOptions): Refusals {
  const refusals = new Map<string, Refusal>();
  return {
    async unlessRefused(id, signature, step) {
      const before = refusals.get(signature);
      // The signature is taken as the step begins: a file that is repaired during the step counts as changed.
      const filesBefore = filesSignatureOf(dataDir, id);
      if (before && stillHolds(before, await filesBefore, refusedMs)) return answerTo(before.cause);
      try {
        return await step();
      } catch (cause) {
        if (!(cause instanceof SnapshotRefused)) throw cause;
        // The snapshot was removed while it was read: it is gone rather than damaged.
        if (signature !== signatureWithoutManifest(id) && (await signatureOf(dataDir, id)) === null)
          return null;
        const files = await filesBefore;
        if (before?.files !== files)
          observe({ event: 'snapshot refused', snapshot: id, reason: cause.message });
        refusals.set(signature, { cause, files, atMs: performance.now() });
        return answerTo(cause);
      }
    },
    forget: (signature) => void refusals.delete(signature),
  };
}

/**
 * Null for a damaged snapshot.
 *
 * @throws {ApiError} 503 for a snapshot that may be whole, so that a client continues its walk later.
 */
function answerTo(cause: SnapshotRefused): null {
  if (cause instanceof NoRoom || cause instanceof SnapshotUnreadable) throw unavailable(1, cause);
  return null;
}

/** The signature of a snapshot without a manifest. */
export const signatureWithoutManifest = (id: string): string => `${id} without a manifest`;

interface Refusal {
  readonly cause: SnapshotRefused;
  /** The signature of the files that were refused. */
  readonly files: string;
  readonly atMs: number;
}

/**
 * Whether a refusal holds without another attempt. Memory may become free at any time, so `NoRoom` never does. Files that
 * could not be read are read again soon.
 */
function stillHolds({ cause, files, atMs }: Refusal, filesNow: string, refusedMs: number): boolean {
  if (cause instanceof NoRoom || files !== filesNow) return false;
  const holdsMs = cause instanceof SnapshotUnreadable ? Math.min(refusedMs, UNREADABLE_MS) : refusedMs;
  return performance.now() < atMs + holdsMs;
}

const UNREADABLE_MS = 2000;
