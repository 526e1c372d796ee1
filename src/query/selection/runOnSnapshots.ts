// Runs work on snapshots with a permit of a semaphore, and keeps the snapshots open until the work has stopped.

import type { Semaphore } from '../../cache/semaphore.ts';
import type { Snapshot } from '../../catalog/snapshot.ts';

/**
 * Runs `work` with a permit. It acquires the snapshots itself, because a caller that gives up releases its own
 * references before the work has stopped.
 *
 * @throws {ApiError} 503 when the semaphore's queue is full, or when `stop` aborts while it waits for the permit.
 * @throws what `work` throws.
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
