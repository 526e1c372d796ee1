// Finds and leases the snapshot of a request, which the client or its cursor may name.

import type { Snapshots } from '../../catalog/currentSnapshot.ts';
import { isSnapshotId } from '../../catalog/dataDirectory.ts';
import type { AnyManifest } from '../../catalog/manifest.ts';
import type { Lease } from '../../catalog/snapshotPool.ts';
import { ApiError, unavailable } from '../../errors.ts';
import { invalidCursor } from '../../query/cursor.ts';

export interface SnapshotName {
  /** The id, month or day that the client names; null when it names none. */
  readonly asOf: string | null;
  /** The snapshot that the cursor names; null without a cursor. */
  readonly cursorId: string | null;
}

export interface FoundSnapshot {
  readonly manifest: AnyManifest;
  /**
   * Leases the snapshot; may be called once.
   *
   * @param caller the caller whose quota counts an opened snapshot; null opens nothing.
   * @throws {ApiError} 503 when it cannot be opened now, 400 when it is gone.
   */
  lease(caller: string | null): Promise<Lease>;
  /** Must be called at the end, whether or not the snapshot was leased. */
  release(): void;
}

/**
 * The snapshot named, else the cursor's, else the current one.
 *
 * @throws {ApiError} 503 without any snapshot; 400 when the one named is unknown, or the cursor's is not retained.
 */
export async function findSnapshot(
  snapshots: Snapshots,
  { asOf, cursorId }: SnapshotName,
): Promise<FoundSnapshot> {
  const current = snapshots.current();
  if (!current) throw unavailable();
  const id = current.snapshot.id;
  if ((asOf ?? cursorId ?? id) === id) return foundCurrent(current);
  current.release();
  const named = asOf === null ? cursorId : await snapshots.asOf(asOf);
  const gone = () => (asOf === null ? invalidCursor() : unknownSnapshot(asOf));
  const found = named === null ? null : await snapshots.find(named);
  if (!found) throw gone();
  return {
    manifest: found.manifest,
    async lease(caller) {
      const lease = await found.lease(caller);
      if (!lease) throw gone();
      return lease;
    },
    release() {},
  };
}

/** Answers for a snapshot named by its id never change. */
export const isImmutable = (asOf: string | null): boolean => asOf !== null && isSnapshotId(asOf);

/** Leases the current snapshot at once, because another one may be current a moment later. */
function foundCurrent(current: Lease): FoundSnapshot {
  let isTaken = false;
  return {
    manifest: current.snapshot.manifest,
    async lease() {
      isTaken = true;
      return current;
    },
    release() {
      if (!isTaken) current.release();
    },
  };
}

const unknownSnapshot = (text: string): ApiError =>
  new ApiError(400, `Unknown snapshot: '${text}'. Use GET /snapshots to see retained snapshots.`);
