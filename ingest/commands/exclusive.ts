// Runs a command that changes snapshots: one at a time, and cleanly interrupted by ctrl-C.

import { rmSync } from 'node:fs';
import path from 'node:path';
import { makeFolders } from '../../src/makeFolders.ts';
import { lock } from '../../src/store/lock.ts';
import { TEMPORARY } from '../../src/store/switchCurrent.ts';

/** A signal interrupted the command. The exit code is 128 plus the signal's number, as in shells. */
export class InterruptedError extends Error {
  readonly exitCode: number;

  constructor(message: string, signal: NodeJS.Signals) {
    super(message);
    this.exitCode = signal === 'SIGINT' ? 130 : 143;
  }
}

/**
 * Acquires the lock, runs `act` and releases the lock. `act` calls `commit` before its last step, which is short and must
 * not be interrupted: signals are ignored from then on.
 *
 * @throws {LockedError} when another command has it.
 * @throws {InterruptedError} on SIGINT and SIGTERM, with `interrupted` as its message. The process must end then, because
 * `act` may still be running.
 */
export async function exclusively<T>(
  dataDir: string,
  interrupted: string,
  act: (commit: () => void) => Promise<T>,
): Promise<T> {
  makeFolders(dataDir);
  const taken = await lock(path.join(dataDir, 'ingest.lock'));
  const clear = () => removeLeftovers(path.join(dataDir, TEMPORARY));
  let isCommitting = false;
  let stop = (_: InterruptedError) => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = reject;
  });
  const end = (signal: NodeJS.Signals) => {
    if (isCommitting) return;
    clear();
    // `act` may write until the process ends, and so create the folder again.
    process.once('exit', clear);
    stop(new InterruptedError(interrupted, signal));
  };
  process.on('SIGINT', end).on('SIGTERM', end);
  try {
    const commit = () => {
      isCommitting = true;
    };
    return await Promise.race([act(commit), stopped]);
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
    clear();
    taken.release();
  }
}

/** A disk that takes no changes any more must not hide what the command has done. The next command removes what remains. */
function removeLeftovers(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Left to the next command, which says what is wrong with the folder.
  }
}
