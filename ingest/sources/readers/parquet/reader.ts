// Reads Parquet files through DuckDB, a chunk of rows at a time.

import { type FileHandle, open } from 'node:fs/promises';
import { once } from '../../../../src/basics/once.ts';
import { openDuckDb, parquetRows } from '../../../../src/duckdb.ts';
import { unreadableFile } from '../../../messages/fault.ts';
import { count } from '../../../messages/numbers.ts';
import { NO_FINDINGS, type RawFile, type Remark } from '../rawFile.ts';
import { readAt } from '../readAt.ts';
import { LIMITS } from '../sourceLimits.ts';
import { checkPages } from './checkPages.ts';
import { type Column, describeColumns } from './columns.ts';
import { dictionariesOf } from './dictionaries.ts';
import { remarksOnDigits } from './inexactNumbers.ts';
import { asidesOf } from './parquetAsides.ts';
import { type ParquetFile, readParquet, rowsOf, STATISTICS_OPTIMIZER } from './parquetRows.ts';
import { sqlTableOf } from './parquetSqlTable.ts';
import { type QueriedFile, rowsIn } from './queriedFile.ts';

/**
 * Opens a Parquet file as one table. Row 0 of the table has the names of the columns, and data begins in row 1.
 *
 * A number of any type is read as the nearest double, which may be NaN or infinite. A time with a zone is read in UTC.
 *
 * @param name The name of the file in messages.
 * @param codesFromRows From this number of rows on, SQL may read the table, and texts that repeat are read as codes.
 * @throws {UnreadableError} when the file is not a Parquet file or damaged, or a column has a type other than plain values.
 */
export async function openParquet(
  path: string,
  name: string,
  codesFromRows = CODES_FROM_ROWS,
): Promise<RawFile> {
  await checkMagic(path, name);
  const { instance, connections, close } = await openDuckDb({ settings: SETTINGS });
  try {
    const [connection] = connections;
    // Without this cache, each SQL statement would read the metadata of all row groups again.
    await connection.run('SET GLOBAL parquet_metadata_cache = true');
    const queried: QueriedFile = { connection, path, name };
    const all = await describeColumns(queried);
    await checkPages(path, name);
    const columns = all.filter((column) => !INDEX.test(column.name));
    const rowCount = await countRows(queried);
    const remarks = [...(await remarksOnDigits(queried, columns)), ...remarksOnIndex(all)];
    const isLong = rowCount >= codesFromRows;
    const dictionaries = once(async () => (isLong ? await dictionariesOf(queried, columns) : new Map()));
    const file: ParquetFile = { ...queried, instance, columns, dictionaries, isLong, lastRow: 0 };
    return {
      name,
      format: 'parquet',
      tables: [
        {
          name: null,
          hidden: false,
          rows: () => rowsOf(file),
          read: async () => readParquet(file),
          findings: async () => ({ ...NO_FINDINGS, remarks, asides: await asidesOf(queried, columns) }),
          ...(isLong && { sql: () => sqlTableOf(file, rowCount) }),
        },
      ],
      progress: () => (rowCount > 0 ? Math.min(1, file.lastRow / rowCount) : 1),
      close: async () => close(),
    };
  } catch (error) {
    close();
    throw error;
  }
}

const SETTINGS = {
  threads: '1',
  // A forged file may declare sizes that do not fit into memory. This limit stops DuckDB from allocating them.
  memory_limit: '1GB',
  disabled_optimizers: STATISTICS_OPTIMIZER,
};

/**
 * From this number of rows on, texts are read as codes. In a smaller file, making dictionaries takes longer than it saves.
 */
const CODES_FROM_ROWS = 20_000;

const MAGIC = 'PAR1';
const MAGIC_ENCRYPTED = 'PARE';
/** The size of the smallest file: the magic number at both ends, and between them the length of the metadata. */
const SMALLEST_BYTES = 12;

/** Matches the columns in which pandas stores an index without a name. */
const INDEX = /^__index_level_\d+__$/;

const remarksOnIndex = (columns: readonly Column[]): readonly Remark[] =>
  columns
    .filter(({ name }) => INDEX.test(name))
    .map(({ name }) => ({
      severity: 'note',
      problem: `column ${name}, the index of a data frame, was left out`,
      remedy: null,
      kind: 'the index of a data frame was left out',
    }));

async function checkMagic(path: string, name: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    if (size === 0) throw unreadableFile(name, 'is empty (0 bytes)', 'write it again');
    const head = await magicAt(handle, 0);
    const tail = await magicAt(handle, Math.max(0, size - MAGIC.length));
    if (head === MAGIC_ENCRYPTED) throw unreadableFile(name, 'is encrypted', 'write it without a key');
    if (head !== MAGIC) throw unreadableFile(name, 'is not a Parquet file', 'write it again as one');
    if (tail !== MAGIC || size < SMALLEST_BYTES)
      throw unreadableFile(name, 'is cut off: its end is missing', 'copy or write it again');
  } finally {
    await handle.close();
  }
}

const magicAt = async (handle: FileHandle, at: number): Promise<string> =>
  (await readAt(handle, at, MAGIC.length)).toString('latin1');

async function countRows(file: QueriedFile): Promise<number> {
  const [counted = []] = await rowsIn(file, `SELECT count(*)::DOUBLE FROM ${parquetRows(file.path)}`);
  const rows = Number(counted[0] ?? 0);
  if (rows <= LIMITS.parquetRows) return rows;
  const problem = `holds ${count(rows)} rows, more than the limit of ${count(LIMITS.parquetRows)}`;
  throw unreadableFile(file.name, problem, 'split it');
}
