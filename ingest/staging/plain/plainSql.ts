// Stages the plain rows of a table by SQL alone: DuckDB reads them, and their cells never pass through Node.
//
// `plainRows.ts` says which rows are plain. The code that reads cells judges each different text of a column once, and SQL
// judges the numbers. `TableStager` stages all other rows, cell by cell.

import { type DatasetName, datasetOf } from '../../../src/catalog/datasets.ts';
import { isDuckDbError, literal } from '../../../src/duckdb.ts';
import {
  ODD_NUMBER,
  type RawRow,
  type SqlColumn,
  type SqlTable,
  UNGROUPED_NUMBER,
} from '../../sources/readers/raw.ts';
import type { Staging } from '../database/staging.ts';
import { EVERY_METRIC } from '../database/stagingTables.ts';
import { UNFILLED } from '../emptyDimensions.ts';
import { refusedSign } from '../numbers/signRules.ts';
import type { Placement, Target } from '../placement.ts';
import type { Terms } from '../terms.ts';
import { isEmpty, yearIn } from '../values.ts';

export interface PlainTable {
  readonly table: SqlTable;
  readonly placement: Placement;
  /** Index into the staging's origins. */
  readonly source: number;
  /** The number of the first row to be staged. */
  readonly firstRow: number;
  /** Called for each metric with a number whose dot cannot separate thousands. */
  readonly sawUngrouped: (metric: string) => void;
}

/** The most odd rows: rows that are not plain. With more of them, reading all rows through Node is faster than fetching these. */
const MOST_ODD_ROWS = 20_000;

/** The most different texts of a column. A column with more of them is not taken for a dimension. */
const MOST_TEXTS = 5_000;

/**
 * Stages all plain rows from `firstRow` on, and returns all other rows in their order, also those whose cells are all empty.
 * Stages nothing and returns null when the table must be read through Node.
 */
export async function stagePlainRows(
  plain: PlainTable,
  staging: Staging,
  terms: Terms,
): Promise<readonly RawRow[] | null> {
  const { withoutOptimizer } = plain.table;
  if (withoutOptimizer === undefined) return await stageRows(plain, staging, terms);
  await staging.connection.run(`SET disabled_optimizers = ${literal(withoutOptimizer)}`);
  try {
    return await stageRows(plain, staging, terms);
  } finally {
    await staging.connection.run('RESET disabled_optimizers');
  }
}

async function stageRows(
  plain: PlainTable,
  staging: Staging,
  terms: Terms,
): Promise<readonly RawRow[] | null> {
  try {
    const columns = await columnsOf(plain, staging, terms);
    if (columns === null) return null;
    const { table, placement, firstRow } = plain;
    const isLater = `${table.row} >= ${firstRow}`;
    const odd = `(${oddConditions(columns, placement).join(' OR ')})`;
    // All rows that the SELECT does not add are odd. To count them beforehand would mean reading the table once more.
    const oddRows = await staging.addSelected(
      placement.dataset,
      `SELECT ${(await stagingValues(columns, plain, staging)).join(', ')} FROM ${table.from} WHERE ${isLater} AND NOT ${odd}`,
      (rows) => oddRowsOf(plain, `${isLater} AND ${odd}`, table.lastRow + 1 - firstRow - rows),
    );
    if (oddRows === null) return null;
    await reportUngrouped(columns, plain, staging, `${isLater} AND NOT ${odd}`);
    return oddRows;
  } catch (error) {
    // Reading the table through Node will meet the same fault, and can name its place.
    if (isDuckDbError(error)) return null;
    throw error;
  }
}

/** A column of the table, where its cells go in a staged row, and what each of its texts means. */
type Column =
  | (SqlColumn & { readonly kind: 'numbers'; readonly target: Target })
  | (SqlColumn & {
      readonly kind: 'texts' | 'codes';
      readonly target: Target;
      /** For each plain text, its code or year; UNFILLED for a blank text. */
      readonly meanings: ReadonlyMap<string, number>;
      /** Texts that are not plain. */
      readonly odd: readonly string[];
    });

/** The columns of a table; null where one does not hold what its heading asks for, or has too many different texts. */
async function columnsOf(
  { table, placement }: PlainTable,
  staging: Staging,
  terms: Terms,
): Promise<readonly Column[] | null> {
  const { targets, firstText } = placement;
  if (table.columns.length !== targets.length) return null;
  if (!table.columns.every((column, index) => fits(column, targets[index]))) return null;
  const texts = await firstTexts(staging, table);
  if (texts === null) return null;
  // Texts get their codes in the order in which reading row by row would meet them.
  texts.sort((a, b) => a.row - b.row || a.index - b.index);
  const meanings = table.columns.map(() => new Map<string, number>());
  const odd = table.columns.map((): string[] => []);
  for (const { text, index } of texts) {
    const target = targets[index];
    const meaning = target && meaningOf(text, table, target, index === firstText, terms);
    if (meaning === undefined) odd[index]?.push(text);
    else meanings[index]?.set(text, meaning);
  }
  return table.columns.map((column, index): Column => {
    const target = targets[index] as Target;
    if (column.kind === 'numbers') return { ...column, target };
    return { ...column, target, meanings: meanings[index] ?? new Map(), odd: odd[index] ?? [] };
  });
}

/** Whether a column holds what its heading asks for. */
const fits = ({ kind }: SqlColumn, target: Target | undefined): boolean =>
  kind === 'numbers'
    ? target?.kind === 'value' || target?.kind === 'year'
    : target?.kind === 'text' || target?.kind === 'year';

interface FirstText {
  readonly text: string;
  /** The first row that has it. */
  readonly row: number;
  readonly index: number;
}

/** The different texts of all columns; null where a column has too many of them. */
async function firstTexts(
  { connection }: Staging,
  { columns, from, row }: SqlTable,
): Promise<FirstText[] | null> {
  const selects = columns.flatMap((column, index) => {
    if (column.kind === 'numbers') return [];
    const sql = column.kind === 'codes' ? column.text : column.sql;
    const grouped = `SELECT ${sql} AS text, min(${row})::DOUBLE AS first FROM ${from} GROUP BY 1`;
    return [
      `(SELECT ${index}, text::VARCHAR, first FROM (${grouped}) WHERE text IS NOT NULL LIMIT ${MOST_TEXTS + 1})`,
    ];
  });
  if (selects.length === 0) return [];
  const found = await connection.runAndReadAll(selects.join(' UNION ALL '));
  const texts = found
    .getRowsJS()
    .map(([index, text, first]) => ({ text: String(text), row: Number(first), index: Number(index) }));
  const counts = columns.map(() => 0);
  for (const { index } of texts) counts[index] = (counts[index] ?? 0) + 1;
  return counts.some((count) => count > MOST_TEXTS) ? null : texts;
}

/** The code or year of a plain text, UNFILLED for a blank one; undefined when the text is not plain. */
function meaningOf(
  text: string,
  table: SqlTable,
  target: Target,
  isFirstText: boolean,
  terms: Terms,
): number | undefined {
  const cell = table.cellOf(text);
  if (typeof cell !== 'string') return undefined;
  if (isEmpty(cell)) return UNFILLED;
  if (target.kind === 'year') return yearIn(cell);
  if (target.kind !== 'text' || (isFirstText && terms.isHeading(cell))) return undefined;
  const term = terms.of(cell, target.form);
  return term.fault === null && term.cleaned.length === 0 ? term.code : undefined;
}

/** SQL conditions for odd rows: each row that fulfils one of them is not plain. */
function oddConditions(
  columns: readonly Column[],
  { dataset, required, metrics }: Placement,
): readonly string[] {
  const isRequired = ({ target }: Column) =>
    (target.kind === 'text' || target.kind === 'year') && required.includes(target.at);
  const conditions = columns.flatMap((column) =>
    column.kind === 'numbers' ? oddNumbers(column, dataset) : oddTexts(column, isRequired(column)),
  );
  const values = columns.flatMap(({ sql, target }) => (target.kind === 'value' ? [`${sql} IS NULL`] : []));
  return metrics.length > 0 ? [...conditions, `(${['true', ...values].join(' AND ')})`] : conditions;
}

/** The conditions for a column of texts: a text that is not plain, or a missing one that is required. */
function oddTexts(column: Column & { kind: 'texts' | 'codes' }, isRequired: boolean): readonly string[] {
  const { sql, meanings, odd } = column;
  const blank = [...meanings].flatMap(([text, meaning]) => (meaning === UNFILLED ? [text] : []));
  const wrong = isRequired ? [...odd, ...blank] : odd;
  return [
    ...(isRequired ? [`${sql} IS NULL`] : []),
    ...(wrong.length > 0 ? [`coalesce(${sql} IN (${textsInSql(column, wrong).join(', ')}), false)`] : []),
  ];
}

/** SQL conditions that find the rows in which a column of numbers holds another text, or a year or figure that is refused. */
function oddNumbers(
  { sql, state, target }: Column & { kind: 'numbers' },
  dataset: DatasetName,
): readonly string[] {
  const isOdd = state === undefined ? [] : [`${state} = ${ODD_NUMBER}`];
  if (target.kind === 'year')
    return [...isOdd, `NOT coalesce(${sql} BETWEEN 1000 AND 9999 AND ${sql} = floor(${sql}), false)`];
  const sign = target.kind === 'value' ? refusedSign(datasetOf(dataset), target.name) : null;
  const hasRightSign = sign === null ? '' : ` AND NOT ${sql} ${sign}`;
  return [...isOdd, `NOT coalesce(isfinite(${sql})${hasRightSign}, true)`];
}

/** Texts as SQL literals that can be compared with the column. */
const textsInSql = (column: Column, texts: readonly string[]): readonly string[] =>
  column.kind === 'codes' ? texts.map((text) => `${column.texts.indexOf(text)}`) : texts.map(literal);

/** Reports each metric that has a number whose dot cannot separate thousands in a row that fulfils the condition. */
async function reportUngrouped(
  columns: readonly Column[],
  { table, sawUngrouped }: PlainTable,
  { connection }: Staging,
  condition: string,
): Promise<void> {
  for (const column of columns) {
    if (column.kind !== 'numbers' || column.state === undefined || column.target.kind !== 'value') continue;
    const found = await connection.runAndReadAll(
      `SELECT 1 FROM ${table.from} WHERE ${column.state} = ${UNGROUPED_NUMBER} AND ${condition} LIMIT 1`,
    );
    if (found.currentRowCount > 0) sawUngrouped(column.target.name);
  }
}

/**
 * The rows that fulfil a condition; null when there are too many of them.
 *
 * @throws {Error} when there are not as many as expected.
 */
async function oddRowsOf(
  { table }: PlainTable,
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

/** The SQL expression for each column of the staging table. */
async function stagingValues(
  columns: readonly Column[],
  { table, placement, source }: PlainTable,
  staging: Staging,
): Promise<readonly string[]> {
  const { dimensions, metrics, firstColumn, optional } = placement;
  const of = new Map<string, string>();
  for (const column of columns) {
    const { sql, target } = column;
    // A zero has no sign: -0 + 0 is 0.
    if (target.kind === 'value') of.set(target.name, `${sql} + 0e0`);
    if (target.kind !== 'text' && target.kind !== 'year') continue;
    const name = dimensions[target.at] ?? '';
    of.set(name, column.kind === 'numbers' ? `${sql}::INTEGER` : await meaningSql(column, table, staging));
  }
  const empty = staging.code('');
  return [
    ...[source, table.row, firstColumn, EVERY_METRIC].map(String),
    ...dimensions.map((name, at) => {
      const sql = of.get(name);
      if (!optional.includes(at)) return sql ?? 'NULL';
      return sql === undefined ? `${empty}` : `coalesce(nullif(${sql}, ${UNFILLED}), ${empty})`;
    }),
    ...metrics.map((name) => of.get(name) ?? 'NULL'),
  ];
}

/**
 * The SQL expression that turns the texts of a column into their codes or years. DuckDB evaluates a function once for each text
 * of a dictionary, so for columns with dictionaries a search in a list is cheap. For other columns an ENUM is faster, because
 * it looks texts up by hash.
 */
async function meaningSql(
  column: Column & { kind: 'texts' | 'codes' },
  { lastRow }: SqlTable,
  staging: Staging,
): Promise<string> {
  const { sql, meanings } = column;
  const texts = [...meanings.keys()];
  if (texts.length === 0) return 'NULL::INTEGER';
  if (column.kind === 'codes') {
    const byCode = column.texts.map((text) => meanings.get(text) ?? 'NULL');
    return `list_extract([${byCode.join(', ')}], ${sql} + 1)`;
  }
  const { dictionaries } = column;
  const codes = `[${[...meanings.values()].join(', ')}]`;
  const listed = `[${texts.map(literal).join(', ')}]`;
  if (dictionaries !== null && dictionaries * texts.length ** 2 < COMPARISONS_OF_LOOKUP * lastRow)
    return `list_extract(${codes}, list_position(${listed}, ${sql}))`;
  const type = await staging.createEnum(texts);
  return `list_extract(${codes}, enum_code(${sql}::${type})::INTEGER + 1)`;
}

/** A lookup in an ENUM takes as long as this many comparisons of texts. */
const COMPARISONS_OF_LOOKUP = 10;
