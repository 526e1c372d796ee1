// Runs long computations over a snapshot's columns. Their time and number are limited.
// Results are cached, and concurrent callers share the work.

import { CACHES, type Caches } from '../../cache/caches.ts';
import type { Snapshot } from '../../catalog/snapshot.ts';
import { runOnSnapshots } from '../selection/runOnSnapshots.ts';
import { inSlices } from '../slices.ts';
import { compute, type Job, type JobKind, type Result, type RunJob } from './jobs.ts';

/**
 * The result of a job, cached or computed now. Concurrent callers with the same job share the work. Callers must have
 * acquired the snapshots.
 *
 * @param snapshots the snapshots of the job's tables.
 * @throws {ApiError} 503 when the computation takes too long, too many wait, or `signal` aborts.
 */
type Computation<Kind extends JobKind> = (
  snapshots: readonly Snapshot[],
  job: Job<Kind>,
  signal?: AbortSignal,
) => Promise<Result<Kind>>;

export type Computations = { readonly [Kind in JobKind]: Computation<Kind> };

/** How long a caller waits for its result, including the wait in the queue. */
const DEADLINE_MS = 5000;
/**
 * How long a computation keeps the event loop to itself. A page may have to wait for two slices: before the turn that
 * reads Redis's reply, and before the turn that sends its answer.
 */
const SLICE_MS = 1;
/** How many computations run at the same time, taking turns. With more, each would take longer and all need memory. */
const MAX_RUNNING = 4;
/** How many computations may wait. Further ones get 503. */
const MAX_WAITING = 64;
const CACHE_BYTES = 32 * 2 ** 20;

/** Computes on the event loop, in slices. */
export const runOnEventLoop: RunJob = (kind, job, stop) => compute(kind, job, inSlices(SLICE_MS, stop));

/** Runs the computations of a process. All kinds share the limits, and each kind has a cache of its own. */
export function createComputations(caches: Caches = CACHES, runJob: RunJob = runOnEventLoop): Computations {
  const semaphore = caches.semaphore({ permits: MAX_RUNNING, maxWaiting: MAX_WAITING }, 'computations');

  function computation<Kind extends JobKind>(
    kind: Kind,
    bytesOf: (result: Result<Kind>) => number,
  ): Computation<Kind> {
    const results = caches.lruCache<Result<Kind>>(CACHE_BYTES, kind);
    const flights = caches.singleFlight<Result<Kind>>(DEADLINE_MS);
    return async (snapshots, job, signal) => {
      const key = keyOf(snapshots, job);
      const cached = results.get(key);
      if (cached !== undefined) return cached;
      const work = (stop: AbortSignal) =>
        runOnSnapshots(snapshots, semaphore, stop, async () => {
          const result = await runJob(kind, job, stop);
          results.set(key, result, ENTRY_BYTES + 2 * key.length + bytesOf(result));
          return result;
        });
      return flights.run(key, work, signal);
    };
  }

  return {
    values: computation('values', ({ counts }) => sum([...counts.values()].map((count) => count.byteLength))),
    totals: computation('totals', (result) => {
      if (result.outcome !== 'summed') return 0;
      const { rowOfGroup, sums } = result.totals;
      return rowOfGroup.length * (8 + 8 * sums.size);
    }),
    changes: computation('changes', ({ before, after }) => before.byteLength + after.byteLength),
  };
}

/** A text that names everything that the result of a job depends on. */
function keyOf(snapshots: readonly Snapshot[], { tables, ...parameters }: Job<JobKind>): string {
  const contents = snapshots.map(({ id, fingerprint }) => [id, fingerprint]);
  return JSON.stringify([contents, tables.map(({ dataset }) => dataset), parameters]);
}

/** The memory of an entry of the cache, without its key and its result. */
const ENTRY_BYTES = 1024;

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
