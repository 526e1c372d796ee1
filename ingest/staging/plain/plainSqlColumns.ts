// Finds the code or the year of each text in the columns of an SQL table, and the texts that are not plain.
//
// `TextMeanings` does the same for texts in memory.

import { type DuckDBConnection, queryRows } from '../../../src/duckdb.ts';
import type { SqlColumn, SqlTable } from '../../sources/readers/rawFile.ts';
import type { Target } from '../columnMapping.ts';
import type { TableContext } from '../tableContext.ts';
import { meaningOf } from './textMeanings.ts';

/** A column of the table, the place of its cells in a staged row, and the meaning of each of its texts. */
export type PlainSqlColumn =
  | (SqlColumn & { readonly kind: 'numbers'; readonly target: Target })
  | (SqlColumn & {
      readonly kind: 'texts' | 'codes';
      readonly target: Target;
      /** The code or year of each plain text; UNFILLED for a blank text. */
      readonly meanings: ReadonlyMap<string, number>;
      readonly odd: readonly string[];
    });

/**
 * The columns of a table; null if a column does not have the kind that its heading needs, or has too many different texts.
 */
export async function plainSqlColumns(
  table: SqlTable,
  { mapping, staging, dimensionTexts }: TableContext,
): Promise<readonly PlainSqlColumn[] | null> {
  const { targets, firstText } = mapping;
  const isHeading = (cell: string, index: number) => index === firstText && dimensionTexts.isHeading(cell);
  if (table.columns.length !== targets.length) return null;
  if (!table.columns.every((column, index) => fits(column, targets[index]))) return null;
  const texts = await firstTexts(staging.connection, table);
  if (texts === null) return null;
  // In this order, texts get the same codes as if the rows were read one by one.
  texts.sort((a, b) => a.row - b.row || a.index - b.index);
  const meanings = table.columns.map(() => new Map<string, number>());
  const odd = table.columns.map((): string[] => []);
  for (const { text, index } of texts) {
    const target = targets[index];
    const cell = table.cellOf(text);
    const isText = target !== undefined && typeof cell === 'string' && !isHeading(cell, index);
    const meaning = isText ? meaningOf(cell, target, dimensionTexts) : undefined;
    if (meaning === undefined) odd[index]?.push(text);
    else meanings[index]?.set(text, meaning);
  }
  return table.columns.map((column, index): PlainSqlColumn => {
    const target = targets[index] as Target;
    if (column.kind === 'numbers') return { ...column, target };
    return { ...column, target, meanings: meanings[index] ?? new Map(), odd: odd[index] ?? [] };
  });
}

/** Whether a column has the kind that its heading needs. */
const fits = ({ kind }: SqlColumn, target: Target | undefined): boolean =>
  kind === 'numbers'
    ? target?.kind === 'value' || target?.kind === 'year'
    : target?.kind === 'text' || target?.kind === 'year';

interface FirstText {
  readonly text: string;
  /** The first row with this text. */
  readonly row: number;
  readonly index: number;
}

/** The different texts of all columns; null if a column has more than `MOST_TEXTS`. */
async function firstTexts(
  connection: DuckDBConnection,
  { columns, from, row }: SqlTable,
): Promise<FirstText[] | null> {
  const selects = columns.flatMap((column, index) => {
    if (column.kind === 'numbers') return [];
    const grouped = `SELECT ${column.sql} AS text, min(${row})::DOUBLE AS first FROM ${from} GROUP BY 1`;
    return [
      `(SELECT ${index}, text::VARCHAR, first FROM (${grouped}) WHERE text IS NOT NULL LIMIT ${MOST_TEXTS + 1})`,
    ];
  });
  if (selects.length === 0) return [];
  const found = await queryRows(connection, selects.join(' UNION ALL '));
  const texts = found.map(([index, found, first]) => {
    const column = columns[Number(index)];
    const text = column?.kind === 'codes' ? column.texts[Number(found) - 1] : found;
    return { text: String(text), row: Number(first), index: Number(index) };
  });
  const counts = columns.map(() => 0);
  for (const { index } of texts) counts[index] = (counts[index] ?? 0) + 1;
  return counts.some((count) => count > MOST_TEXTS) ? null : texts;
}

/** The most different texts of a column. A column with more texts is probably no dimension. */
const MOST_TEXTS = 5_000;
