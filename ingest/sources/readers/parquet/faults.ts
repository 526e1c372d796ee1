// Translates DuckDB's errors about a Parquet file into faults with a place and a remedy.

import { literal } from '../../../../src/duckdb.ts';
import { UnreadableError } from '../../../messages/fault.ts';
import { count } from '../../../messages/numbers.ts';
import { type Place, wholeFile } from '../../../messages/place.ts';
import { LIMITS } from '../limits.ts';

/** SQL of a text. It fails for a text that is too long, because a few compressed bytes may hold gigabytes of text. */
export const unlessLong = (text: string, name: string) =>
  `CASE WHEN strlen(${text}) > ${LIMITS.textBytes} THEN error(${literal(TOO_LONG + name)}) ELSE ${text} END`;

const TOO_LONG = 'TOO LONG: ';

/** Runs `read`, and turns DuckDB's errors into an UnreadableError that names the file. */
export async function translatingDamage<T>(path: string, name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const [reason = ''] = String(error instanceof Error ? error.message : error).split('\n');
    const [, long] = reason.split(TOO_LONG);
    if (long !== undefined) {
      throw new UnreadableError({
        place: inColumn(name, long),
        problem: `a text has more than ${count(LIMITS.textBytes)} bytes`,
        remedy: 'shorten it',
      });
    }
    if (/Out of Memory|failed to allocate/.test(reason)) {
      const remedy = 'write it with smaller row groups and shorter texts';
      throw refused(name, 'takes more than 1 GB of memory to read', remedy);
    }
    if (/Too many open files/.test(reason)) {
      const remedy = 'close some, or raise the limit (ulimit -n)';
      throw refused(name, 'cannot be opened: too many files are open', remedy);
    }
    const short = reason.replaceAll(path, name).replace(/^([\w ]*Error: )+/, '');
    throw damaged(name, short);
  }
}

/** The error for a file that contradicts itself, or that DuckDB cannot read. */
export const damaged = (name: string, reason: string) =>
  new UnreadableError({
    place: wholeFile(name),
    problem: `is a damaged Parquet file (${reason})`,
    remedy: 'write it again',
    kind: 'is a damaged Parquet file',
  });

/** The error for a file that cannot be read at all. */
export const refused = (name: string, problem: string, remedy: string) =>
  new UnreadableError({ place: wholeFile(name), problem, remedy });

/** The place of a column. */
export const inColumn = (name: string, column: string): Place => ({
  ...wholeFile(name),
  cell: `column ${column}`,
});
