// Runs a command that changes snapshots: one at a time, without temporary files after an interruption.

import { rmSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { snapshotIds } from '../../src/catalog/dataDirectory.ts';
import type { DuckDb } from '../../src/duckdb.ts';
import { INGEST_LOCK, type Lock, lock, retryWhileLocked } from '../../src/store/lock.ts';
import { UNFINISHED_FOLDER } from '../../src/store/switchCurrent.ts';
import { makeFolders } from '../../src/system/makeFolders.ts';
import { missingMount } from '../../src/system/missingMount.ts';
import { hasStore } from './missingSnapshot.ts';

/** Thrown when a signal interrupts the command. The exit code is 128 plus the number of the signal, as in shells. */
export class InterruptedError extends Error {
  readonly exitCode: number;

  constructor(message: string, signal: NodeJS.Signals) {
    super(message);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/**
 * Acquires the lock of DATA_DIR, runs `act` and releases the lock. `act` calls `commit` before its last step. Signals are
 * ignored from that call on, because an interruption would leave the step half done. After an interruption, `commit`
 * throws, so that the step never begins.
 *
 * @param interruptedMessage The message of the error when a signal arrives.
 * @param engine The engine that holds the lock. The caller closes it after this function has ended. Without it, the lock
 *   opens an engine of its own.
 * @throws {Error} when the disk or share of DATA_DIR is not mounted.
 * @throws {LockedError} when another command holds the lock.
 * @throws {InterruptedError} on SIGINT, SIGTERM and SIGHUP. The caller must then end the process: `act` may still be
 *   running, and the lock is held until the process ends.
 */
export async function runExclusively<T>(
  dataDir: string,
  interruptedMessage: string,
  act: (commit: () => void) => Promise<T>,
  engine?: Promise<DuckDb>,
): Promise<T> {
  await expectMounted(dataDir);
  makeFolders(dataDir);
  const heldLock = await lockFolder(path.join(dataDir, INGEST_LOCK), await engine);
  const clear = () => removeLeftovers(path.join(dataDir, UNFINISHED_FOLDER));
  let isCommitting = false;
  let interruption: InterruptedError | null = null;
  let interrupt = (_: InterruptedError) => {};
  const interrupted = new Promise<never>((_, reject) => {
    interrupt = reject;
  });
  const commit = () => {
    if (interruption !== null) throw interruption;
    isCommitting = true;
  };
  const onSignal = (signal: NodeJS.Signals) => {
    if (isCommitting) return;
    interruption = new InterruptedError(interruptedMessage, signal);
    interrupt(interruption);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    return await Promise.race([act(commit), interrupted]);
  } finally {
    // After an interruption, a second signal must not end the process before it has said what happened.
    if (interruption === null) for (const signal of SIGNALS) process.off(signal, onSignal);
    clear();
    // After an interruption, `act` goes on writing until the process ends. Until then the lock keeps other commands out.
    // The exit removes the folder once more, because `act` may have created it again.
    if (interruption === null) await heldLock.release();
    else process.once('exit', clear);
  }
}

/**
 * Throws when the snapshots are on a disk or share that is not mounted. A first snapshot in the folder below it would be
 * compared with nothing, and would be hidden later.
 */
async function expectMounted(dataDir: string): Promise<void> {
  if ((await snapshotIds(dataDir)).length > 0) return;
  const point = await missingMount(dataDir);
  if (point !== null)
    throw new Error(
      `${dataDir} has no snapshots, and ${point} of /etc/fstab is not mounted; mount it and run again`,
    );
}

/** The signals of ctrl-C, of a service manager, and of a terminal or an SSH connection that closes. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * How long a command waits for a server that follows a store. The server holds the lock only while it writes the history
 * and switches `current`. Without a store, no server takes the lock.
 */
const SERVER_SWITCHES_MS = 3000;

const lockFolder = (file: string, engine: DuckDb | undefined): Promise<Lock> =>
  retryWhileLocked(() => lock(file, engine), { waitMs: hasStore() ? SERVER_SWITCHES_MS : 0, pauseMs: 20 });

/** Removes the temporary files. A failure is ignored, because it would replace the result of the command. */
function removeLeftovers(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // The next command removes the files, or reports why it cannot.
  }
}
