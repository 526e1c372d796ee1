// Compiles a query to one SELECT of row positions. The same filters always give the same text and values.

import type { CodeType, Column, Table } from '../../catalog/columns.ts';
import { type DatasetName, type DimensionName, dimensionOf } from '../../catalog/datasets.ts';
import type { RowSelection } from '../parameters/parse.ts';
import { isInPeriod } from '../parameters/period.ts';

/** The codes that a row may hold in one dimension, ascending. */
export interface Condition {
  readonly dimension: DimensionName;
  readonly column: Column;
  readonly codes: readonly number[];
}

/** A SELECT with the values and types of its parameters. */
export interface Statement {
  /** The conditions of `text` as codes, for a scan without the engine. */
  readonly conditions: readonly Condition[];
  readonly text: string;
  readonly values: readonly number[];
  readonly types: readonly CodeType[];
}

/** `nothing` selects no row and `everything` selects all rows. Neither needs the engine. */
export type CompiledQuery = 'nothing' | 'everything' | Statement;

/** The parts of a compiled query that a search through the columns needs. */
export type SelectedRows = Exclude<CompiledQuery, Statement> | Pick<Statement, 'conditions'>;

/**
 * The SELECT of the positions of the rows that a query selects from a table.
 *
 * No text of a request reaches the engine. Filter values become codes of the snapshot's dictionary, which are bound as
 * parameters. Dimension names come from the catalog. A value that the dictionary lacks selects no row.
 */
export function compile(query: RowSelection, table: Table): CompiledQuery {
  const conditions = conditionsOf(query, table);
  if (conditions.some(({ codes }) => codes.length === 0)) return 'nothing';
  return conditions.length === 0 ? 'everything' : new LazyStatement(table.dataset, conditions);
}

/** The conditions that all selected rows meet; none when all rows or no rows are selected. */
export const conditionsIn = (selected: SelectedRows): readonly Condition[] =>
  typeof selected === 'string' ? [] : selected.conditions;

/** The conditions of a query, one per filtered dimension. A condition has no codes when none of its values exists. */
export function conditionsOf(query: RowSelection, table: Table): Condition[] {
  const conditions: Condition[] = [];
  for (const [dimension, column] of table.dimensions) {
    const codes = codesOf(query, dimension, column);
    // A condition that allows every code is left out.
    if (codes !== null && codes.length < column.values.length) conditions.push({ dimension, column, codes });
  }
  return conditions;
}

/**
 * A statement that writes its SQL only when the SQL is read, because most pages are found without it, by a scan.
 *
 * It is a class because V8 allocates the getters of an object literal as long-lived objects. They would keep the
 * conditions of every page until the next full collection.
 */
class LazyStatement implements Statement {
  readonly #dataset: DatasetName;
  readonly conditions: readonly Condition[];

  constructor(dataset: DatasetName, conditions: readonly Condition[]) {
    this.#dataset = dataset;
    this.conditions = conditions;
  }

  get text() {
    let parameters = 0;
    const tests = this.conditions.map(
      ({ dimension, codes }) => `${dimension} IN (${codes.map(() => `$${++parameters}`).join(', ')})`,
    );
    return `SELECT position FROM ${this.#dataset} WHERE ${tests.join(' AND ')}`;
  }

  get values() {
    return this.conditions.flatMap(({ codes }) => codes);
  }

  get types() {
    return this.conditions.flatMap(({ column, codes }) => codes.map(() => column.type));
  }
}

/**
 * The form in which a value is compared: text in NFC (ruling 4), and a year without leading zeros.
 *
 * A text that is longer than any text of a row stays as it is, because normalising thousands of accents on one letter takes
 * seconds. A year with more digits than a number holds exactly is rounded. No row has such a year.
 */
export function comparable(dimension: DimensionName, value: string): string {
  if (dimensionOf(dimension).type === 'integer') return String(Number(value));
  return value.length > LONGEST_COMPARED ? value : value.normalize('NFC');
}

/**
 * The longest text that is normalised. Ingest accepts texts of up to 500 characters in NFC. In a request, each
 * character may be written as four.
 */
export const LONGEST_COMPARED = 2000;

/** The codes that a row may hold in this dimension, ascending; null when the query does not restrict it. */
function codesOf(
  { filters, period }: RowSelection,
  dimension: DimensionName,
  column: Column,
): number[] | null {
  const values = filters.get(dimension);
  const years = dimension === 'year' ? period : null;
  if (!values && !years) return null;
  const codes: number[] = [];
  if (values) {
    for (const value of values) {
      const code = codeOfValue(dimension, column, value);
      if (code !== undefined) codes.push(code);
    }
  } else codes.push(...column.values.keys());
  const inPeriod = years ? codes.filter((code) => isInPeriod(years, column.values[code])) : codes;
  return isAscending(inPeriod) ? inPeriod : [...new Set(inPeriod)].sort((a, b) => a - b);
}

/** Whether each code is greater than the one before. Most clients list values in their order. */
function isAscending(codes: readonly number[]): boolean {
  for (let i = 1; i < codes.length; i++) if ((codes[i] ?? 0) <= (codes[i - 1] ?? 0)) return false;
  return true;
}

/** A value is first looked up as it was given, because most clients send it exactly as the dictionary has it. */
const codeOfValue = (dimension: DimensionName, { codeByValue }: Column, value: string): number | undefined =>
  codeByValue.get(value) ?? codeByValue.get(comparable(dimension, value));
