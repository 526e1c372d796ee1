// Writes the SQL for the rows of a table: the conditions for rows that are not plain, and the staged values of all others.
//
// `plainRows.ts` makes the same tests in memory.

import type { DatasetName } from '../../../src/catalog/datasets.ts';
import { literal } from '../../../src/duckdb.ts';
import { ODD_NUMBER, type SqlTable } from '../../sources/readers/rawFile.ts';
import type { ColumnMapping } from '../columnMapping.ts';
import type { Staging } from '../database/staging.ts';
import { EVERY_METRIC } from '../database/stagingTables.ts';
import { UNFILLED } from '../emptyDimensions.ts';
import { signRule } from '../numbers/signRules.ts';
import type { TableContext } from '../tableContext.ts';
import type { PlainSqlColumn } from './plainSqlColumns.ts';

/** SQL conditions for odd rows. A row that fulfils one of them is not plain. */
export function oddConditions(
  columns: readonly PlainSqlColumn[],
  { dataset, required, metrics }: ColumnMapping,
): readonly string[] {
  const isRequired = ({ target }: PlainSqlColumn) =>
    (target.kind === 'text' || target.kind === 'year') && required.includes(target.dimension);
  const conditions = columns.flatMap((column) =>
    column.kind === 'numbers' ? oddNumbers(column, dataset) : oddTexts(column, isRequired(column)),
  );
  const values = columns.flatMap(({ sql, target }) => (target.kind === 'value' ? [`${sql} IS NULL`] : []));
  return metrics.length > 0 ? [...conditions, `(${['true', ...values].join(' AND ')})`] : conditions;
}

function oddTexts(
  column: PlainSqlColumn & { kind: 'texts' | 'codes' },
  isRequired: boolean,
): readonly string[] {
  const { sql, meanings, odd } = column;
  const blank = [...meanings].flatMap(([text, meaning]) => (meaning === UNFILLED ? [text] : []));
  const wrong = isRequired ? [...odd, ...blank] : odd;
  return [
    ...(isRequired ? [`${sql} IS NULL`] : []),
    ...(wrong.length > 0 ? [`coalesce(${sql} IN (${textsInSql(column, wrong).join(', ')}), false)`] : []),
  ];
}

/**
 * SQL conditions for rows with a text in a column of numbers, or with a year or figure that is refused. `yearIn` tests a
 * year in memory, and `SignRule` has both tests of a figure.
 */
function oddNumbers(
  { sql, state, target }: PlainSqlColumn & { kind: 'numbers' },
  dataset: DatasetName,
): readonly string[] {
  const isOdd = state === undefined ? [] : [`${state} = ${ODD_NUMBER}`];
  if (target.kind === 'year')
    return [...isOdd, `NOT coalesce(${sql} BETWEEN 1000 AND 9999 AND ${sql} = floor(${sql}), false)`];
  const sign = target.kind === 'value' ? signRule(dataset, target.name)?.sql : undefined;
  const hasRightSign = sign === undefined ? '' : ` AND NOT ${sql} ${sign}`;
  return [...isOdd, `NOT coalesce(isfinite(${sql})${hasRightSign}, true)`];
}

/** Texts as SQL literals that can be compared with the column. */
const textsInSql = (column: PlainSqlColumn, texts: readonly string[]): readonly string[] =>
  column.kind === 'codes' ? texts.map((text) => `${column.texts.indexOf(text) + 1}`) : texts.map(literal);

/** The SQL expression for each column of the staging table. */
export async function stagingValues(
  columns: readonly PlainSqlColumn[],
  table: SqlTable,
  { mapping, source, staging, dimensionTexts }: TableContext,
): Promise<readonly string[]> {
  const { dimensions, metrics, firstColumn, optional } = mapping;
  /** The SQL expressions by the name of a dimension or metric. */
  const sqlOf = new Map<string, string>();
  for (const column of columns) {
    const { sql, target } = column;
    // Adding 0 turns -0 into 0, so a zero has no sign.
    if (target.kind === 'value') sqlOf.set(target.name, `${sql} + 0e0`);
    if (target.kind !== 'text' && target.kind !== 'year') continue;
    const name = dimensions[target.dimension] ?? '';
    sqlOf.set(name, column.kind === 'numbers' ? `${sql}::INTEGER` : await meaningSql(column, table, staging));
  }
  const empty = dimensionTexts.emptyCode;
  return [
    ...[source, table.row, firstColumn, EVERY_METRIC].map(String),
    ...dimensions.map((name, index) => {
      const sql = sqlOf.get(name);
      if (!optional.includes(index)) return sql ?? 'NULL';
      return sql === undefined ? `${empty}` : `coalesce(nullif(${sql}, ${UNFILLED}), ${empty})`;
    }),
    ...metrics.map((name) => sqlOf.get(name) ?? 'NULL'),
  ];
}

/**
 * The SQL expression that turns the texts of a column into their codes or years. For a column with dictionaries, a search
 * in a list is cheap, because DuckDB runs it once for each text of a dictionary. For other columns an ENUM is faster,
 * because it looks texts up by hash.
 */
async function meaningSql(
  column: PlainSqlColumn & { kind: 'texts' | 'codes' },
  { lastRow }: SqlTable,
  staging: Staging,
): Promise<string> {
  const { sql, meanings } = column;
  const texts = [...meanings.keys()];
  if (texts.length === 0) return 'NULL::INTEGER';
  if (column.kind === 'codes') {
    const byCode = column.texts.map((text) => meanings.get(text) ?? 'NULL');
    return `list_extract([${byCode.join(', ')}], ${sql})`;
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
