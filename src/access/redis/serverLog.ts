// Reads the log of the private Redis server for the reason why it did not start.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { otherOwnerRemedy } from './redisReason.ts';

/** The log of the server whose data is in `folder`. */
export const logOf = (folder: string): string => path.join(folder, 'redis.log');

/**
 * The end of a message that says why Redis did not start: the last line of its log, with a remedy if the last three lines
 * suggest one. If the log cannot be read, the error code of reading it.
 */
export async function reasonIn(logFile: string): Promise<string> {
  try {
    const lines = (await readFile(logFile, 'utf8')).trim().split('\n');
    const last = lines.slice(-3).join('\n');
    const remedy = OTHER_FORMAT.test(last) ? OTHER_VERSION : otherOwnerRemedy(last, path.dirname(logFile));
    return `: ${lines.at(-1)?.replace(PROCESS_AND_TIME, '') || 'its log is empty'} (${logFile})${remedy}`;
  } catch (error) {
    return `, and its log ${logFile} cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
}

/** Matches the lines that Redis and Valkey log about files in a format that they do not know. */
const OTHER_FORMAT =
  /Can't handle RDB format version|Bad file format reading the append only file \S+\.base\.rdb/;

const OTHER_VERSION =
  '; if another version of Redis or Valkey wrote these files, install that one; keys export makes a backup that all versions read';

/** The beginning of a line of Redis's log. It is removed, so that the same failure always has the same message. */
const PROCESS_AND_TIME = /^\d+:\w \d+ \w+ \d+ [\d:.]+ \S /;
