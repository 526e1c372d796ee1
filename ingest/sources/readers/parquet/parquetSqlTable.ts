// Describes a Parquet file as a table for SQL, so that its rows do not pass through Node.

import { filePath, parquetRows } from '../../../../src/duckdb.ts';
import { textOrFootnoted } from '../footnotes.ts';
import type { SqlColumn, SqlTable } from '../rawFile.ts';
import { LIMITS } from '../sourceLimits.ts';
import { FIRST_ROWS, type ParquetFile, ROW, rowsWhere, STATISTICS_OPTIMIZER } from './parquetRows.ts';
import { type QueriedFile, rowsIn } from './queriedFile.ts';

/** SQL reads a file when its row groups have at least this many rows on average. */
const FEWEST_ROWS = 1_000;

/**
 * The file as a table for SQL. Null when it has columns other than texts and numbers, very long texts, or many row groups
 * of few rows.
 */
export async function sqlTableOf(file: ParquetFile, rowCount: number): Promise<SqlTable | null> {
  const { path, columns } = file;
  const from = parquetRows(path, 'file_row_number = true');
  const texts = columns.filter(({ kind }) => kind === 'text');
  if (columns.some(({ kind }) => kind !== 'text' && kind !== 'number')) return null;
  const [groups] = await rowsIn(
    file,
    `SELECT num_row_groups::DOUBLE FROM parquet_file_metadata(${filePath(path)})`,
  );
  // Each statement reads the metadata of all row groups. For small row groups, the metadata is larger than the data.
  if (Number(groups?.[0]) * FEWEST_ROWS > rowCount) return null;
  const longest = texts.map(({ sql }) => `max(strlen(${sql}))`);
  const most = [...longest, '0'].join(', ');
  const [long] = await rowsIn(file, `SELECT greatest(${most})::DOUBLE FROM ${from}`);
  if (Number(long?.[0]) > LIMITS.textBytes) return null;
  const dictionaries = await dictionariesIn(file);
  return {
    from,
    row: ROW,
    firstRow: FIRST_ROWS + 1,
    lastRow: rowCount,
    columns: columns.map(
      ({ sql, kind }, i): SqlColumn =>
        kind === 'text'
          ? { kind: 'texts', sql, dictionaries: dictionaries.get(i) ?? null }
          : { kind: 'numbers', sql },
    ),
    withoutOptimizer: STATISTICS_OPTIMIZER,
    cellOf: textOrFootnoted,
    rowsWhere: (condition) => rowsWhere(file, condition),
  };
}

/**
 * Index of a column → number of dictionaries that hold its texts. A column with some texts outside of dictionaries is left
 * out. Its size shows them, because each of these texts takes at least four bytes, and most codes take fewer.
 */
async function dictionariesIn(file: QueriedFile): Promise<Map<number, number>> {
  const found = await rowsIn(
    file,
    `SELECT column_id::INTEGER, count(*)::INTEGER FROM parquet_metadata(${filePath(file.path)})
     GROUP BY column_id HAVING bool_and(contains(encodings, 'DICTIONARY') AND NOT contains(encodings, 'DELTA'))
       AND sum(total_uncompressed_size) < 3 * sum(num_values)`,
  );
  return new Map(found.map(([column, count]) => [Number(column), Number(count)]));
}
