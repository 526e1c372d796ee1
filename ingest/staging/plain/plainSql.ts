// Stages the plain rows of a table by SQL alone: DuckDB reads them, and their cells never pass through Node.
//
// `plainRows.ts` stages the same rows in memory: both files must take the same rows for plain. The code that reads cells
// examines each different text of a column once, and SQL examines the numbers. `TableStager` stages all other rows, cell by
// cell.

import { isDuckDbError, literal, queryRows } from '../../../src/duckdb.ts';
import {
  type ColumnKind,
  type RawRow,
  type SqlTable,
  UNGROUPED_NUMBER,
  type WantedColumn,
} from '../../sources/readers/rawFile.ts';
import type { TableContext } from '../tableContext.ts';
import { type PlainSqlColumn, plainSqlColumns } from './plainSqlColumns.ts';
import { oddConditions, stagingValues } from './plainSqlRows.ts';

/** The most odd rows: rows that are not plain. Fetching more of them is slower than reading all rows through Node. */
const MOST_ODD_ROWS = 20_000;

/**
 * The columns that SQL must provide; null in wide form, which SQL does not read. Each has the texts that it likely holds:
 * those of the first rows and of the current snapshot.
 */
export function wantedSqlColumns(
  kinds: readonly ColumnKind[],
  { mapping: { header, targets }, known }: TableContext,
  first: readonly RawRow[],
): readonly WantedColumn[] | null {
  if (header.form === 'wide') return null;
  return kinds.map((kind, index) => {
    if (kind !== 'texts') return { kind, likelyTexts: [] };
    const target = targets[index];
    const seen = first.flatMap(({ cells }) => (typeof cells[index] === 'string' ? [cells[index]] : []));
    const before = target?.kind === 'text' && known !== null ? known.valuesOf(target.name) : [];
    return { kind, likelyTexts: [...new Set([...seen, ...before])].filter((text) => text !== '') };
  });
}

/**
 * Stages all plain rows of `table`, and returns all other rows in their order, also those whose cells are all empty. Stages
 * nothing and returns null when the table must be read through Node.
 */
export async function stagePlainRows(
  table: SqlTable,
  context: TableContext,
): Promise<readonly RawRow[] | null> {
  const { withoutOptimizer } = table;
  if (withoutOptimizer === undefined) return await stageRows(table, context);
  const { connection } = context.staging;
  await connection.run(`SET disabled_optimizers = ${literal(withoutOptimizer)}`);
  try {
    return await stageRows(table, context);
  } finally {
    await connection.run('RESET disabled_optimizers');
  }
}

async function stageRows(table: SqlTable, context: TableContext): Promise<readonly RawRow[] | null> {
  const { mapping, staging } = context;
  const { firstRow, lastRow } = table;
  try {
    const columns = await plainSqlColumns(table, context);
    if (columns === null) return null;
    const isLater = `${table.row} >= ${firstRow}`;
    const odd = `(${oddConditions(columns, mapping).join(' OR ')})`;
    const isPlain = `${isLater} AND NOT ${odd}`;
    return await staging.addSelected(
      mapping.dataset,
      `SELECT ${(await stagingValues(columns, table, context)).join(', ')} FROM ${table.from} WHERE ${isPlain}`,
      async (rows) => {
        // All rows that the SELECT does not add are odd. Counting them beforehand would mean reading the table once more.
        const oddRows = await oddRowsOf(table, `${isLater} AND ${odd}`, lastRow + 1 - firstRow - rows);
        // An error here must leave no row behind, because the rows are then read again.
        if (oddRows !== null) await findUngrouped(columns, table, context, isPlain);
        return oddRows;
      },
    );
  } catch (error) {
    // Reading the table through Node finds the same fault, and reports its place.
    if (isDuckDbError(error)) return null;
    throw error;
  }
}

/** Finds the metrics that have a number whose dot cannot separate thousands in a row that fulfils the condition. */
async function findUngrouped(
  columns: readonly PlainSqlColumn[],
  table: SqlTable,
  { staging, ungroupedMetrics }: TableContext,
  condition: string,
): Promise<void> {
  for (const column of columns) {
    if (column.kind !== 'numbers' || column.state === undefined || column.target.kind !== 'value') continue;
    const found = await queryRows(
      staging.connection,
      `SELECT 1 FROM ${table.from} WHERE ${column.state} = ${UNGROUPED_NUMBER} AND ${condition} LIMIT 1`,
    );
    if (found.length > 0) ungroupedMetrics.add(column.target.name);
  }
}

/**
 * The rows that fulfil a condition; null when more than `MOST_ODD_ROWS` are expected. Throws when their number is not
 * `expected`.
 */
async function oddRowsOf(
  table: SqlTable,
  condition: string,
  expected: number,
): Promise<readonly RawRow[] | null> {
  if (expected === 0) return [];
  if (expected > MOST_ODD_ROWS) return null;
  const rows: RawRow[] = [];
  for await (const batch of table.rowsWhere(condition)) rows.push(...batch);
  if (rows.length !== expected)
    throw new Error(`${rows.length} odd rows came where ${expected} were expected`);
  return rows;
}
