// Queries a Parquet file through DuckDB, and makes the errors about the file.

import { type DuckDBConnection, literal, queryRows } from '../../../../src/duckdb.ts';
import { UnreadableError, unreadableFile } from '../../../messages/fault.ts';
import { count } from '../../../messages/numbers.ts';
import { type Place, wholeFile } from '../../../messages/place.ts';
import { LIMITS } from '../sourceLimits.ts';

/** A Parquet file, and a connection that reads it. */
export interface QueriedFile {
  readonly connection: DuckDBConnection;
  readonly path: string;
  readonly name: string;
}

/** The rows that a query of the file returns. A damaged file gives an error that names it. */
export const rowsIn = (file: QueriedFile, sql: string) =>
  translatingDamage(file, () => queryRows(file.connection, sql));

/** Runs `read`, and turns DuckDB's errors into an UnreadableError that names the file. */
export async function translatingDamage<T>(
  { path, name }: Pick<QueriedFile, 'path' | 'name'>,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const [reason = ''] = String(error instanceof Error ? error.message : error).split('\n');
    const [, long] = reason.split(TOO_LONG);
    if (long !== undefined)
      throw new UnreadableError({
        place: inColumn(name, long),
        problem: `a text has more than ${count(LIMITS.textBytes)} bytes`,
        remedy: 'shorten it',
      });
    if (/Out of Memory|failed to allocate/.test(reason))
      throw unreadableFile(
        name,
        'takes more than 1 GB of memory to read',
        'write it with smaller row groups and shorter texts',
      );
    if (/Too many open files/.test(reason))
      throw unreadableFile(
        name,
        'cannot be opened: too many files are open',
        'close some, or raise the limit (ulimit -n)',
      );
    throw damaged(name, reason.replaceAll(path, name).replace(/^([\w ]*Error: )+/, ''));
  }
}

const TOO_LONG = 'TOO LONG: ';

/** SQL of a text. It fails for a text that is too long, because a few compressed bytes may hold gigabytes of text. */
export const unlessLong = (text: string, name: string) =>
  `CASE WHEN strlen(${text}) > ${LIMITS.textBytes} THEN error(${literal(TOO_LONG + name)}) ELSE ${text} END`;

/** The error for a file that contradicts itself, or that DuckDB cannot read. */
export const damaged = (name: string, reason: string) =>
  unreadableFile(
    name,
    `is a damaged Parquet file (${reason})`,
    'write it again',
    'is a damaged Parquet file',
  );

/** The place of a column. */
export const inColumn = (name: string, column: string): Place => ({
  ...wholeFile(name),
  cell: `column ${column}`,
});
