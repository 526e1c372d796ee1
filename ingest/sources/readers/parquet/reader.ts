// Reads Parquet files through DuckDB, a chunk of rows at a time.

import { type FileHandle, open } from 'node:fs/promises';
import { once } from '../../../../src/basics/once.ts';
import { filePath, identifier, openDuckDb, parquetRows } from '../../../../src/duckdb.ts';
import { UnreadableError, unreadableFile } from '../../../messages/fault.ts';
import { count } from '../../../messages/numbers.ts';
import type { RawFile, Remark } from '../rawFile.ts';
import { readAt } from '../readAt.ts';
import { LIMITS } from '../sourceLimits.ts';
import { arrowFields } from './arrowSchema.ts';
import { checkPages } from './checkPages.ts';
import { type Column, dictionariesOf } from './dictionaries.ts';
import { remarksOnDigits } from './inexactNumbers.ts';
import { ARROW, asidesOf } from './parquetAsides.ts';
import { type ParquetFile, readParquet, rowsOf, STATISTICS_OPTIMIZER } from './parquetRows.ts';
import { sqlTableOf } from './parquetSqlTable.ts';
import { inColumn, type QueriedFile, rowsIn, unlessLong } from './queriedFile.ts';

/**
 * Opens a Parquet file as one table. Row 0 of the table has the names of the columns, and data begins in row 1.
 *
 * A number of any type is read as the nearest double, which may be NaN or infinite. A time with a zone is read in UTC.
 *
 * @param name The name of the file in messages.
 * @param manyRows From this number of rows on, SQL may read the table, and texts that repeat are read as codes.
 * @throws {UnreadableError} when the file is not a Parquet file or damaged, or a column has a type other than plain values.
 */
export async function openParquet(path: string, name: string, manyRows = MANY_ROWS): Promise<RawFile> {
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
    const isLong = rowCount >= manyRows;
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
          remarks: () => remarks,
          asides: () => asidesOf(queried, columns),
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
const MANY_ROWS = 20_000;

/** The most digits of a DECIMAL in DuckDB. */
const DECIMAL_DIGITS = 38;

const MAGIC = 'PAR1';
const MAGIC_ENCRYPTED = 'PARE';
/** The size of the smallest file: the magic number at both ends, and between them the length of the metadata. */
const SMALLEST_BYTES = 12;

const TYPES: readonly {
  readonly type: RegExp;
  readonly sql: (c: string) => string;
  readonly kind: Column['kind'];
}[] = [
  {
    type: /^(VARCHAR|UUID|JSON|ENUM\(.*)$/s,
    sql: (c) => `${c}::VARCHAR`,
    kind: 'text',
  },
  { type: /^BOOLEAN$/, sql: (c) => c, kind: 'boolean' },
  {
    type: /^(U?(TINYINT|SMALLINT|INTEGER|BIGINT)|FLOAT|DOUBLE)$/,
    sql: (c) => `${c}::DOUBLE`,
    kind: 'number',
  },
  // These types are converted through text, because DuckDB's direct conversion divides, which rounds a second time.
  { type: /^(U?HUGEINT|DECIMAL\(.*)$/, sql: (c) => `${c}::VARCHAR::DOUBLE`, kind: 'number' },
  { type: /^DATE$/, sql: (c) => `strftime(${c}, '%Y-%m-%d')`, kind: 'date' },
  {
    type: /^TIMESTAMP(_S|_MS|_NS)?$/,
    sql: (c) => `strftime(${c}, '%Y-%m-%dT%H:%M:%S')`,
    kind: 'date',
  },
  {
    type: /^TIMESTAMP WITH TIME ZONE$/,
    sql: (c) => `strftime(${c} AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S')`,
    kind: 'date',
  },
];

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

async function describeColumns(file: QueriedFile): Promise<Column[]> {
  const { name } = file;
  const described = await rowsIn(file, `DESCRIBE SELECT * FROM ${parquetRows(file.path)}`);
  const headings = await headingsOf(
    file,
    described.map(([column]) => String(column)),
  );
  const columns = described.map(([column, type], i) => ({
    ...columnOf(String(column), String(type), name),
    heading: headings[i] ?? String(column),
  }));
  if (columns.length > LIMITS.columns)
    throw unreadableFile(name, `has more than ${count(LIMITS.columns)} columns`, 'split it');
  await refuseLongDecimals(file);
  await refuseDurations(file);
  return columns;
}

/**
 * The names of the columns in the file. DuckDB adds a number to a name that differs from an earlier name at most in case.
 */
async function headingsOf(file: QueriedFile, names: readonly string[]): Promise<readonly string[]> {
  if (!names.some((name) => /_\d+$/.test(name))) return names;
  const leaves = await rowsIn(
    file,
    `SELECT name FROM parquet_schema(${filePath(file.path)}) WHERE coalesce(num_children, 0) = 0`,
  );
  // With nested columns, the two lists differ in length. Files with nested columns are refused anyway.
  return leaves.length === names.length ? leaves.map(([name]) => String(name)) : names;
}

/** Refuses durations, which DuckDB reads as plain numbers: a day as 86400000 where the unit is milliseconds. */
async function refuseDurations(file: QueriedFile): Promise<void> {
  const found = await rowsIn(
    file,
    `SELECT TRY(decode(value)) FROM parquet_kv_metadata(${filePath(file.path)}) WHERE key = encode('${ARROW}')`,
  );
  const fields = found.flatMap(([schema]) => arrowFields(String(schema)));
  const duration = fields.find(({ isDuration }) => isDuration);
  if (duration !== undefined) throw notPlain(file.name, duration.column, 'DURATION');
}

/** Refuses a DECIMAL of more than 38 digits, which DuckDB reads as a DOUBLE with other numbers than those in the file. */
async function refuseLongDecimals(file: QueriedFile): Promise<void> {
  const [long] = await rowsIn(
    file,
    `SELECT name, precision::INTEGER, scale::INTEGER FROM parquet_schema(${filePath(file.path)})
     WHERE precision > ${DECIMAL_DIGITS}`,
  );
  if (long === undefined) return;
  const [column, digits, decimals] = long.map(String);
  throw new UnreadableError({
    place: inColumn(file.name, column ?? ''),
    problem: `DECIMAL(${digits},${decimals}) has more than ${DECIMAL_DIGITS} digits`,
    remedy: `write it as DOUBLE, or as DECIMAL of at most ${DECIMAL_DIGITS} digits`,
    kind: `a DECIMAL has more than ${DECIMAL_DIGITS} digits`,
  });
}

async function countRows(file: QueriedFile): Promise<number> {
  const [counted = []] = await rowsIn(file, `SELECT count(*)::DOUBLE FROM ${parquetRows(file.path)}`);
  const rows = Number(counted[0] ?? 0);
  if (rows <= LIMITS.parquetRows) return rows;
  const problem = `holds ${count(rows)} rows, more than the limit of ${count(LIMITS.parquetRows)}`;
  throw unreadableFile(file.name, problem, 'split it');
}

function columnOf(column: string, type: string, name: string): Omit<Column, 'heading'> {
  const known = TYPES.find((each) => each.type.test(type));
  if (known) {
    const sql = known.sql(identifier(column));
    const select = known.kind === 'text' ? unlessLong(sql, column) : sql;
    return { name: column, sql, select, kind: known.kind, type };
  }
  throw notPlain(name, column, type);
}

const notPlain = (name: string, column: string, type: string): UnreadableError =>
  new UnreadableError({
    place: inColumn(name, column),
    problem: `${type} is not a type of plain values`,
    remedy: 'write it as text, number, date or boolean',
    kind: 'a column has no type of plain values',
  });
