// Runs the SELECT of one dataset over a recipe's tables, and holds its result to the dataset's columns.

import { type DuckDBConnection, DuckDBTypeId, StatementType } from '@duckdb/node-api';
import {
  type DatasetName,
  type DimensionName,
  datasetOf,
  dimensionOf,
  metricNames,
} from '../../src/catalog/datasets.ts';
import type { Cell, RawTable } from '../readers/raw.ts';
import { didYouMean } from '../spelling.ts';
import { identifier } from './tables.ts';

/** The rows of a dataset, or everything that is wrong with its SELECT. */
export type Selected = { readonly rows: RawTable } | { readonly faults: readonly string[] };

export interface Selecting {
  readonly connection: DuckDBConnection;
  /** Opens a connection of its own for whoever reads the rows. */
  readonly connect: () => Promise<DuckDBConnection>;
  /** The recipe's tables: what `_table` may name. */
  readonly tables: ReadonlySet<string>;
  readonly deadlineMs: number;
}

/** The schema that results are kept in, away from the recipe's tables. */
const RESULTS = 'recipe results';

/** Columns that tell where a row came from; they are not published. */
const PLACE_COLUMNS = ['_table', '_row'];

export const createResults = (connection: DuckDBConnection) =>
  connection.run(`CREATE SCHEMA ${identifier(RESULTS)}`);

export async function select(dataset: DatasetName, sql: string, selecting: Selecting): Promise<Selected> {
  const { connection, connect, tables, deadlineMs } = selecting;
  const result = `${identifier(RESULTS)}.${identifier(dataset)}`;
  try {
    const fault = await notOneSelect(connection, sql);
    if (fault !== null) return { faults: [fault] };
    await within(deadlineMs, connection, `CREATE TABLE ${result} AS ${sql}`);
  } catch (error) {
    return { faults: [worded(error, deadlineMs)] };
  }
  const columns = await columnsOf(connection, result);
  const misnamed = wrongNames(dataset, [...columns.keys()]);
  const faults =
    misnamed.length > 0 ? misnamed : await wrongValues(connection, result, dataset, columns, tables);
  return faults.length > 0 ? { faults } : { rows: rowsOf(connect, result, columns) };
}

/** Says why a text is anything but one SELECT; throws what DuckDB finds wrong with the SQL. */
async function notOneSelect(connection: DuckDBConnection, sql: string): Promise<string | null> {
  const remedy = 'write one SELECT (WITH … SELECT counts as one)';
  const withoutComments = sql.replace(/--[^\n]*/g, '').replace(/\/\*.*?\*\//gs, '');
  if (/^[\s;]*$/.test(withoutComments)) return `holds no statement; ${remedy}`;
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1) return `holds ${statements.count} statements; ${remedy}`;
  const statement = await statements.prepare(0);
  try {
    if (statement.statementType !== StatementType.SELECT)
      return `holds a statement that is no SELECT; ${remedy}`;
    return statement.parameterCount > 0 ? 'asks for parameters ($1 or ?), and there are none to give' : null;
  } finally {
    statement.destroySync();
  }
}

async function within(deadlineMs: number, connection: DuckDBConnection, sql: string): Promise<void> {
  const timer = setTimeout(() => connection.interrupt(), deadlineMs);
  try {
    await connection.run(sql);
  } finally {
    clearTimeout(timer);
  }
}

/** DuckDB's message on one line, with the line of the SQL it points at. */
function worded(error: unknown, deadlineMs: number): string {
  const message = String(error).replace(/^Error: /, '');
  if (message.startsWith('INTERRUPT'))
    return `did not end within ${deadlineMs / 1000} s; look for a join without a condition or an endless recursion`;
  return message
    .replace(/^Failed to extract statements: /, '')
    .replace(/\n\nLINE (\d+): ?([^\n]*)\n[\s^]*$/, (_, line, text) => ` (line ${line}: ${text.trim()})`)
    .replace(/\s*\n\s*/g, ' ');
}

async function columnsOf(connection: DuckDBConnection, result: string): Promise<Map<string, DuckDBTypeId>> {
  const empty = await connection.run(`SELECT * FROM ${result} LIMIT 0`);
  return new Map(empty.columnNames().map((name, i) => [name, empty.columnTypeId(i)]));
}

function wrongNames(dataset: DatasetName, found: readonly string[]): string[] {
  const expected = [...datasetOf(dataset).dimensions, ...metricNames(dataset)];
  const missing = expected.filter((name) => !found.includes(name));
  const surplus = found.filter((name) => !expected.includes(name) && !PLACE_COLUMNS.includes(name));
  const places = PLACE_COLUMNS.filter((name) => found.includes(name));
  return [
    ...missing.map((name) => `column ${name} is missing; ${dataset} has ${expected.join(', ')}`),
    ...surplus.map(
      (name) => `column "${name}" is none of ${dataset}'s${didYouMean(name, missing) || '; leave it out'}`,
    ),
    ...(places.length === 1
      ? [`column ${places[0]} stands alone; give both _table and _row, or neither`]
      : []),
  ];
}

/** What the values of a column must be: which types will do, what text will do as well, and what to say. */
interface Expectation {
  readonly types: ReadonlySet<DuckDBTypeId>;
  /** What VARCHAR must look like where it is not among the types: a regular expression. */
  readonly text?: string;
  readonly said: string;
}

const TEXTS = new Set([DuckDBTypeId.VARCHAR, DuckDBTypeId.ENUM]);
const INTEGERS = new Set([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.UHUGEINT,
]);
const NUMBERS = new Set([...INTEGERS, DuckDBTypeId.FLOAT, DuckDBTypeId.DOUBLE, DuckDBTypeId.DECIMAL]);

// Text is a number when JSON would take it.
const NUMBER_TEXT = String.raw`-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?`;

const TEXT: Expectation = { types: TEXTS, said: 'text; cast it with ::VARCHAR' };
const YEAR: Expectation = { types: INTEGERS, text: String.raw`\d{4}`, said: 'a year of four digits' };
const NUMBER: Expectation = { types: NUMBERS, text: NUMBER_TEXT, said: 'a number; make it one, or NULL' };
const ROW: Expectation = { types: INTEGERS, text: String.raw`[1-9]\d*`, said: 'the number of a row' };

const expectationOf = (name: string, dataset: DatasetName): Expectation => {
  if (name === '_row') return ROW;
  if (name === '_table') return TEXT;
  if (metricNames(dataset).includes(name)) return NUMBER;
  return dimensionOf(name as DimensionName).type === 'integer' ? YEAR : TEXT;
};

/** Columns whose values cannot be what the dataset says, with some of the values found. */
async function wrongValues(
  connection: DuckDBConnection,
  result: string,
  dataset: DatasetName,
  columns: ReadonlyMap<string, DuckDBTypeId>,
  tables: ReadonlySet<string>,
): Promise<string[]> {
  const faults: string[] = [];
  for (const [name, type] of columns) {
    const { types, text, said } = expectationOf(name, dataset);
    if (types.has(type)) continue;
    // A column of another type may still be all NULL: `NULL AS inflation`.
    const isWrong =
      type === DuckDBTypeId.VARCHAR && text !== undefined
        ? `NOT regexp_full_match(trim(${identifier(name)}), '${text}')`
        : `${identifier(name)} IS NOT NULL`;
    const found = await valuesWhere(connection, result, name, isWrong);
    if (found !== null) faults.push(`column ${name} holds ${found}: it must be ${said}`);
  }
  if (columns.get('_table') === DuckDBTypeId.VARCHAR) {
    const known = [...tables].map((table) => `'${table.replaceAll("'", "''")}'`).join(', ');
    const found = await valuesWhere(connection, result, '_table', `_table NOT IN (${known || 'NULL'})`);
    if (found !== null) faults.push(`column _table holds ${found}: no table of the recipe is called that`);
  }
  return faults;
}

/** `"n/a", "-" (12 rows)`, or null when no row fulfils the condition. */
async function valuesWhere(
  connection: DuckDBConnection,
  result: string,
  column: string,
  condition: string,
): Promise<string | null> {
  const found = await connection.runAndReadAll(
    `SELECT ${identifier(column)}::VARCHAR, (count(*) OVER ())::INTEGER, (sum(count(*)) OVER ())::INTEGER
     FROM ${result} WHERE ${condition} GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 3`,
  );
  const values = found.getRowsJS();
  const [first] = values;
  if (first === undefined) return null;
  const [, distinct, rows] = first.map(Number);
  const shown = values.map(([value]) => `"${value}"`).join(', ');
  return `${shown}${distinct === values.length ? '' : ' …'} (${rows} ${rows === 1 ? 'row' : 'rows'})`;
}

/** The result as a reader would give it: a header in row 0, then the rows counted from 1. */
function rowsOf(
  connect: Selecting['connect'],
  result: string,
  columns: ReadonlyMap<string, DuckDBTypeId>,
): RawTable {
  const cells = [...columns].map(
    ([name, type]) => `${identifier(name)}::${NUMBERS.has(type) ? 'DOUBLE' : 'VARCHAR'}`,
  );
  return {
    name: null,
    hidden: false,
    async *rows() {
      yield [{ row: 0, cells: [...columns.keys()] }];
      const connection = await connect();
      try {
        const stream = await connection.stream(`SELECT ${cells.join(', ')} FROM ${result}`);
        let row = 0;
        for await (const batch of stream.yieldRowsJs()) {
          yield batch.map((values) => {
            row += 1;
            return { row, cells: values as Cell[] };
          });
        }
      } finally {
        connection.closeSync();
      }
    },
  };
}
