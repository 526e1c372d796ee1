// Locks a file, such as `ingest.lock` of a data directory, for one process at a time.
// The kernel releases the lock of a process that ends.

import { access, constants, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DuckDb, literal, openDuckDb } from '../duckdb.ts';
import { makeTemporaryFolder } from '../system/temporaryFolder.ts';

/** The file in a data directory whose lock every command holds that changes the history, the snapshots or `current`. */
export const INGEST_LOCK = 'ingest.lock';

/** Another process holds the lock. Commands exit with 6. */
export class LockedError extends Error {}

/** The lock is free, but its file cannot be made, because the disk is full. */
export class NoRoomForLock extends Error {}

/** A lock that is held. */
export interface Lock {
  readonly release: () => Promise<void>;
}

/**
 * Locks a file by opening it as a DuckDB database. DuckDB locks its files in the kernel, so a killed process leaves no
 * stale lock behind.
 *
 * @param engine an open engine, which locks the file in 0.3 ms and must stay open until `release`. When left out, a new
 * engine is opened, which takes 7 ms.
 * @param holder the beginning and the end of the error's message when another process has the lock.
 * @throws {LockedError} when another process has the lock.
 * @throws {NoRoomForLock} when the file must be made and the disk is full.
 * @throws {Error} that names the folder, or the file, when this process may not write it, or its disk has no locks.
 */
export async function lock(file: string, engine?: DuckDb, holder: LockHolder = BY_INGEST): Promise<Lock> {
  return await open(file, engine, holder).catch(async (error) => {
    if (!isDamaged(error)) throw error;
    await mend(file);
    return await open(file, engine, holder);
  });
}

/**
 * Calls `act` until another process no longer has the lock that it takes, for about `waitMs`.
 *
 * @throws {LockedError} when the other process has the lock for longer.
 */
export async function retryWhileLocked<Result>(
  act: () => Promise<Result>,
  { waitMs, pauseMs }: { readonly waitMs: number; readonly pauseMs: number },
): Promise<Result> {
  const untilMs = performance.now() + waitMs;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof LockedError) || performance.now() >= untilMs) throw error;
      await sleep(pauseMs);
    }
  }
}

/** What holds a lock, and what to do about it. */
export interface LockHolder {
  readonly who: string;
  readonly remedy: string;
}

const BY_INGEST: LockHolder = {
  who: 'another ingest is running',
  remedy: 'wait for it to end and run again',
};

async function open(file: string, engine: DuckDb | undefined, holder: LockHolder): Promise<Lock> {
  try {
    if (engine !== undefined) return await lockByAttaching(file, engine);
    const database = await openDuckDb({ file, settings: { threads: '1' } });
    return { release: async () => database.close() };
  } catch (error) {
    const message = String(error);
    if (isDiskFull(message)) throw new NoRoomForLock((error as Error).message);
    const lockError = lockRefusal(file, message, holder);
    if (lockError instanceof LockedError) throw lockError;
    const refusal = /Read-only file system|Permission denied|Operation not permitted/i.exec(message)?.[0];
    if (refusal !== undefined)
      throw new Error(`${await unwritablePart(file)} cannot be written (${refusal.toLowerCase()})`);
    throw lockError ?? error;
  }
}

/**
 * The error for a lock that DuckDB did not get; null for another message of DuckDB.
 *
 * A lock that no process holds was refused by the disk. Waiting for another command to end would then not help.
 */
export function lockRefusal(
  file: string,
  message: string,
  { who, remedy }: LockHolder = BY_INGEST,
): Error | null {
  // SMB lets nobody else read a locked file, and DuckDB reads the file before it locks it.
  if (/Could not read from file ".*": Permission denied/s.test(message))
    return new LockedError(`${who}; ${remedy}`);
  const why = /Could not set lock on file ".*": ([^.,]*)/s.exec(message)?.[1];
  if (why === undefined) return null;
  if (!/\block is (?:already )?held\b/i.test(message))
    return new Error(
      `${file} cannot be locked (${why.toLowerCase()}); see that its disk has file locks, or name a folder on another disk in DATA_DIR`,
    );
  const holderPid = /PID (\d+)/.exec(message)?.[1];
  return new LockedError(`${who}${holderPid === undefined ? '' : ` (process ${holderPid})`}; ${remedy}`);
}

async function lockByAttaching(file: string, { connections }: DuckDb): Promise<Lock> {
  // Statements of the first connection may be running. Neither the lock nor its release waits for them.
  const connection = connections.at(-1) ?? connections[0];
  await connection.run(`ATTACH ${literal(file)} AS ${LOCK_DATABASE}`);
  // An engine that has failed refuses every statement. Closing it ends the lock, too.
  const release = () => connection.run(`DETACH ${LOCK_DATABASE}`).catch(() => {});
  return { release: async () => void (await release()) };
}

const LOCK_DATABASE = 'held_lock';

/** The part of a path that this process may not write: the folder, or the file if the folder can be written. */
async function unwritablePart(file: string): Promise<string> {
  const folder = path.dirname(file);
  return await access(folder, constants.W_OK).then(
    () => file,
    () => folder,
  );
}

const isDiskFull = (message: string): boolean => /No space left|quota exceeded/i.test(message);

/**
 * Writes an empty database into a damaged file, in place. If the file were replaced instead, two processes that find it
 * damaged at the same time could each lock a different file.
 */
async function mend(file: string): Promise<void> {
  const folder = await makeTemporaryFolder(os.tmpdir(), 'data-api-lock-');
  try {
    const empty = path.join(folder, 'empty');
    (await openDuckDb({ file: empty, settings: { threads: '1' } })).close();
    const bytes = await readFile(empty);
    await writeFile(file, bytes, { flag: 'r+' });
    await truncate(file, bytes.length);
  } catch (error) {
    if (isDiskFull(String(error))) throw new NoRoomForLock((error as Error).message);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Whether the file is not a database, because a process was killed while it created the file. Nobody holds the lock of this
 * file.
 */
const isDamaged = (error: unknown) =>
  /not a valid DuckDB database|Could not read enough bytes|corrupt/i.test(String(error));
