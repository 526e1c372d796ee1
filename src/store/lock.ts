// Locks the data directory for one ingest at a time. The kernel releases the lock when its process ends, however it ends.

import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type DuckDb, openDuckDb } from '../duckdb.ts';
import { makeTemporaryFolder } from '../temporaryFolder.ts';

/** Another process is publishing (exit code 6). */
export class LockedError extends Error {}

/** There is no room on the disk for the file of the lock, which nobody has. */
export class NoRoomForLock extends Error {}

/**
 * Acquires DuckDB's own lock on a small database file. A killed process leaves no stale lock behind.
 *
 * @throws {LockedError} when another process has the lock.
 * @throws {NoRoomForLock} when the file must be made and the disk is full.
 */
export async function lock(file: string): Promise<{ release: () => void }> {
  const database = await open(file).catch(async (error) => {
    if (!isDamaged(error)) throw error;
    await mend(file);
    return await open(file);
  });
  return { release: () => database.close() };
}

async function open(file: string): Promise<DuckDb> {
  try {
    return await openDuckDb({ file, settings: { threads: '1' } });
  } catch (error) {
    const message = String(error);
    if (isDiskFull(message)) throw new NoRoomForLock((error as Error).message);
    if (!message.includes('Could not set lock')) throw error;
    const holder = /PID (\d+)/.exec(message)?.[1];
    throw new LockedError(
      `another ingest is running${holder === undefined ? '' : ` (process ${holder})`}; wait for it to end and run again`,
    );
  }
}

const isDiskFull = (message: string): boolean => /No space left|quota exceeded/i.test(message);

/**
 * Writes an empty database over a damaged file, in place. Were the file replaced, two processes that find it damaged would
 * each lock a file of their own.
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

/** A process that is killed while it creates the file leaves one that is not a database. Nobody has its lock. */
const isDamaged = (error: unknown) =>
  /not a valid DuckDB database|Could not read enough bytes|corrupt/i.test(String(error));
