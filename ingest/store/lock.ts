// One ingest at a time: a lock that the kernel lets go of when its holder ends, however it ends.

import { rm } from 'node:fs/promises';
import { type DuckDb, openDuckDb } from '../../src/duckdb.ts';

/** Another process is publishing (exit code 6). */
export class LockedError extends Error {}

/**
 * Takes the lock or throws LockedError. It is DuckDB's own lock on a small database file: no stale lock can be
 * left behind, whatever was killed and whichever process numbers were used again.
 */
export async function lock(file: string): Promise<{ release: () => void }> {
  const database = await open(file).catch(async (error) => {
    if (!isDamaged(error)) throw error;
    await rm(file, { force: true });
    return await open(file);
  });
  return { release: () => database.close() };
}

async function open(file: string): Promise<DuckDb> {
  try {
    return await openDuckDb({ file, settings: { threads: '1' } });
  } catch (error) {
    const message = String(error);
    if (!message.includes('Could not set lock')) throw error;
    const holder = /PID (\d+)/.exec(message)?.[1];
    throw new LockedError(
      `another ingest is running${holder === undefined ? '' : ` (process ${holder})`}; wait for it to end and run again`,
    );
  }
}

/** A file that a kill left half-written cannot be held by anyone. */
const isDamaged = (error: unknown) =>
  /not a valid DuckDB database|Could not read enough bytes|corrupt/i.test(String(error));
