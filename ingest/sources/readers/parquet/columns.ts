// Describes the columns of a Parquet file, and refuses types other than those of plain values.

import { filePath, identifier, parquetRows } from '../../../../src/duckdb.ts';
import { UnreadableError, unreadableFile } from '../../../messages/fault.ts';
import { count } from '../../../messages/numbers.ts';
import { LIMITS } from '../sourceLimits.ts';
import { arrowFields } from './arrowSchema.ts';
import { ARROW } from './parquetAsides.ts';
import { inColumn, type QueriedFile, rowsIn, unlessLong } from './queriedFile.ts';

/** A column of a Parquet file. */
export interface Column {
  /** The name by which DuckDB reads the column: where a name repeats, it adds `_1`, `_2` and so on. */
  readonly name: string;
  /** The name in the file. */
  readonly heading: string;
  /** SQL that reads the column as text, double or boolean; dates are text. */
  readonly sql: string;
  /** The SQL with which rows are read: that of `sql`, which here fails for a text that is too long. */
  readonly select: string;
  readonly kind: 'text' | 'number' | 'boolean' | 'date';
  /** The type of the column as DuckDB names it: `DECIMAL(38,2)`. */
  readonly type: string;
}

/**
 * The columns of a file in their order.
 *
 * @throws {UnreadableError} when there are too many, or one has a type other than plain values.
 */
export async function describeColumns(file: QueriedFile): Promise<Column[]> {
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

/** The most digits of a DECIMAL in DuckDB. */
const DECIMAL_DIGITS = 38;
