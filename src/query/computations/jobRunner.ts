// Runs jobs over small tables on the event loop, and jobs over large tables in a thread.

import type { Table } from '../../catalog/columns.ts';
import { onEventLoop } from './computations.ts';
import type { RunJob } from './jobs.ts';
import { createJobThread } from './jobThread.ts';

/**
 * Returns a function that runs jobs over large tables in a thread, and all other jobs on the event loop. For small
 * tables, a message to the thread would take longer than the job.
 *
 * @param script the compiled `jobThreadMain.ts`.
 */
export function jobRunner(script: URL): RunJob {
  const thread = createJobThread(script);
  return (kind, job, stop) => {
    const tables: readonly Table[] = job.tables;
    const isLarge = tables.every(({ isShared }) => isShared);
    return isLarge ? thread.run(kind, job, stop) : onEventLoop(kind, job, stop);
  };
}
