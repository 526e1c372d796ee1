// Runs work on snapshots with a permit of a semaphore. The snapshots stay open until the work has stopped.

import type { Semaphore } from '../cache/semaphore.ts';
import type { Snapshot } from '../catalog/snapshot.ts';

/**
 * Acquires the snapshots before it waits for the permit: callers may give up, and release theirs, before the work stops.
 *
 * @throws {ApiError} 503 when the semaphore's queue is full, or when `stop` aborts while waiting; what `work` throws.
 */
export async function runOnSnapshots<Result>(
  snapshots: readonly Snapshot[],
  semaphore: Semaphore,
  stop: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const releases = snapshots.map((snapshot) => snapshot.acquire());
  try {
    const releasePermit = await semaphore.acquire(stop);
    try {
      return await work();
    } finally {
      releasePermit();
    }
  } finally {
    for (const release of releases) release();
  }
}
