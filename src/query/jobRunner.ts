// Decides where a job runs: small tables on the event loop, large ones in a thread.

import type { Table } from '../catalog/columns.ts';
import { onEventLoop } from './computations.ts';
import type { RunJob } from './jobs.ts';
import { createJobThread } from './jobThread.ts';

/** Computes over small tables on the event loop, which takes less time than a message to a thread. */
export function jobRunner(script: URL): RunJob {
  const thread = createJobThread(script);
  return (kind, job, stop) => {
    const tables: readonly Table[] = job.tables;
    const isLarge = tables.every(({ isShared }) => isShared);
    return isLarge ? thread.run(kind, job, stop) : onEventLoop(kind, job, stop);
  };
}
