// Ends the process, even if a read of a file never returns, such as from a network share that is gone.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Observe } from '../observations.ts';

/** How long running reads of files may take to return. */
const READS_MS = 1000;
const CHECK_MS = 10;

/**
 * Ends the process with the exit code 0.
 *
 * `process.exit` waits for threads that read files, however long they take. When a read has not returned in time, the
 * process runs its `exit` listeners and kills itself.
 */
export async function endProcess(observe: Observe, readsMs = READS_MS): Promise<void> {
  const deadlineMs = performance.now() + readsMs;
  while (isReading() && performance.now() < deadlineMs) await sleep(CHECK_MS);
  if (!isReading()) process.exit(0);
  observe({ event: 'reads hang' });
  process.emit('exit', 0);
  process.kill(process.pid, 'SIGKILL');
}

/** Whether a call of `node:fs` is still running. */
const isReading = (): boolean => process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));
