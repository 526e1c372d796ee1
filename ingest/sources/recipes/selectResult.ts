// Checks the result of the SELECT of a dataset against the columns of the dataset, and reads its rows.

import type { DuckDBType } from '@duckdb/node-api';
import {
  columnNames,
  type DatasetName,
  type DimensionName,
  dimensionOf,
  metricNames,
  metricUnit,
} from '../../../src/catalog/datasets.ts';
import { type DuckDBConnection, DuckDBTypeId, identifier, literal, queryRows } from '../../../src/duckdb.ts';
import type { Diagnostic } from '../../messages/fault.ts';
import { counted } from '../../messages/numbers.ts';
import { nearestWord } from '../../messages/spelling.ts';
import { type Cell, NO_FINDINGS, type RawTable } from '../readers/rawFile.ts';
import { resultOf } from './recipeDatabase.ts';

/** The rows of a dataset, or everything that is wrong with the result of its SELECT. */
export type SelectOutcome = { readonly rows: RawTable } | { readonly faults: readonly Diagnostic[] };

export interface SelectContext {
  readonly connection: DuckDBConnection;
  /** Opens a connection for one reader of the rows. */
  readonly connect: () => Promise<DuckDBConnection>;
  /** The names of the recipe's tables. The column `_table` may hold only these. */
  readonly tables: ReadonlySet<string>;
  /** Whether an option says how numbers are written. Texts in the columns of metrics are then read by that option. */
  readonly readsTexts: boolean;
}

/** The columns that name the source of a row. They are not published. */
const PLACE_COLUMNS = ['_table', '_row'];

/** The table that holds the result of a SELECT. */
interface Result {
  readonly dataset: DatasetName;
  /** The SQL name of its table. */
  readonly table: string;
  readonly columns: ReadonlyMap<string, DuckDBType>;
}

/** The rows of a dataset whose SELECT has been run, or the faults of its result. */
export async function readSelectResult(
  dataset: DatasetName,
  selecting: SelectContext,
): Promise<SelectOutcome> {
  const { connection, connect } = selecting;
  const table = resultOf(dataset);
  const empty = await connection.run(`SELECT * FROM ${table} LIMIT 0`);
  const columns = new Map(empty.columnNames().map((name, i) => [name, empty.columnType(i)]));
  const result = { dataset, table, columns };
  const misnamed = wrongNames(dataset, [...columns.keys()]);
  const faults =
    misnamed.length > 0 ? misnamed : [...(await wrongValues(selecting, result)), ...roundedRates(result)];
  return faults.length > 0 ? { faults } : { rows: rowsOf(connect, result) };
}

/**
 * The faults of rates that were cast to DECIMAL without a scale, which rounds them to three decimals: 0.0067 becomes 0.007.
 */
const roundedRates = ({ dataset, columns }: Result): Diagnostic[] =>
  [...columns].flatMap(([name, type]) => {
    const isRate = metricUnit(dataset, name).includes(' per ');
    if (!isRate || String(type) !== 'DECIMAL(18,3)') return [];
    return [
      {
        problem: `column ${name} is a DECIMAL of three decimals, which rounds rates`,
        remedy: 'it must be a DOUBLE: cast it with ::DOUBLE instead',
      },
    ];
  });

function wrongNames(dataset: DatasetName, found: readonly string[]): Diagnostic[] {
  const expected = columnNames(dataset);
  const missing = expected.filter((name) => !found.includes(name));
  const surplus = found.filter((name) => !expected.includes(name) && !PLACE_COLUMNS.includes(name));
  const places = PLACE_COLUMNS.filter((name) => found.includes(name));
  const [problem, pronoun] =
    missing.length === 1
      ? [`column ${missing[0]} is missing`, 'it']
      : [`the columns ${missing.join(', ')} are missing`, 'them'];
  const remedy = `select ${pronoun}: ${dataset} has ${expected.join(', ')}`;
  return [
    ...(missing.length > 0 ? [{ problem, remedy }] : []),
    ...surplus.map((name) => {
      const known = nearestWord(name, missing);
      return {
        problem: `column "${name}" is not one of ${dataset}'s`,
        remedy: known === undefined ? 'leave it out' : `did you mean "${known}"?`,
      };
    }),
    ...(places.length === 1
      ? [{ problem: `column ${places[0]} is alone`, remedy: 'give both _table and _row, or neither' }]
      : []),
  ];
}

interface Expectation {
  /** The types whose values are all valid. */
  readonly types: ReadonlySet<DuckDBTypeId>;
  /** A regular expression that a VARCHAR must match; left out when VARCHAR is among the types, or never valid. */
  readonly text?: string;
  /** The valid values, in words for the message. */
  readonly expected: string;
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
const NUMBERS = new Set([...INTEGERS, DuckDBTypeId.DOUBLE, DuckDBTypeId.DECIMAL]);

// A text is a number when it is written as in JSON.
const NUMBER_TEXT = String.raw`-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?`;

const TEXT: Expectation = { types: TEXTS, expected: 'text; cast it with ::VARCHAR' };
const YEAR: Expectation = { types: INTEGERS, text: String.raw`\d{4}`, expected: 'a year of four digits' };
const NUMBER: Expectation = { types: NUMBERS, text: NUMBER_TEXT, expected: 'a number; make it one, or NULL' };
/** The valid values of a metric that is text. Two options can read such texts. */
const NUMBER_OR_OPTION = `${NUMBER.expected}, or let "numbers" and "missing" in recipe.json read its texts`;
/** The valid values of a metric that is a FLOAT, which stores 24187903 as 24187904. */
const SINGLE = 'a DOUBLE: a FLOAT keeps seven digits; cast it with ::DOUBLE instead';
const expectedNumber = (type: DuckDBTypeId): string => {
  if (type === DuckDBTypeId.FLOAT) return SINGLE;
  return TEXTS.has(type) ? NUMBER_OR_OPTION : NUMBER.expected;
};
const ROW: Expectation = { types: INTEGERS, text: String.raw`[1-9]\d*`, expected: 'the number of a row' };

const expectationOf = (name: string, dataset: DatasetName): Expectation => {
  if (name === '_row') return ROW;
  if (name === '_table') return TEXT;
  if (metricNames(dataset).includes(name)) return NUMBER;
  return dimensionOf(name as DimensionName).type === 'integer' ? YEAR : TEXT;
};

/**
 * The faults of columns with values that the dataset does not allow. Each fault names the most frequent of these values.
 */
async function wrongValues(
  { connection, tables, readsTexts }: SelectContext,
  { dataset, table, columns }: Result,
): Promise<Diagnostic[]> {
  const faults: Diagnostic[] = [];
  for (const [name, { typeId: type }] of columns) {
    const { types, text, expected } = expectationOf(name, dataset);
    if (types.has(type)) continue;
    if (readsTexts && types === NUMBERS && TEXTS.has(type)) continue;
    // A column of another type is valid when all its values are NULL, as in `NULL AS inflation`.
    const isWrong =
      type === DuckDBTypeId.VARCHAR && text !== undefined
        ? `NOT regexp_full_match(trim(${identifier(name)}), ${literal(text)})`
        : `${identifier(name)} IS NOT NULL`;
    const found = await valuesWhere(connection, table, name, isWrong);
    if (found !== null)
      faults.push({
        problem: `column ${name} holds ${found}`,
        remedy: `it must be ${types === NUMBERS ? expectedNumber(type) : expected}`,
      });
  }
  if (TEXTS.has(columns.get('_table')?.typeId ?? DuckDBTypeId.INVALID)) {
    const known = [...tables].map(literal).join(', ');
    const found = await valuesWhere(
      connection,
      table,
      '_table',
      `_table::VARCHAR NOT IN (${known || 'NULL'})`,
    );
    if (found !== null)
      faults.push({
        problem: `column _table holds ${found}: no table of the recipe is called that`,
        remedy: `write the name of one of its tables: ${[...tables].join(', ')}`,
      });
  }
  return faults;
}

/** The values of rows that fulfil a condition, such as `"n/a", "-" (12 rows)`; null when no row does. */
async function valuesWhere(
  connection: DuckDBConnection,
  table: string,
  column: string,
  condition: string,
): Promise<string | null> {
  const values = await queryRows(
    connection,
    `SELECT ${identifier(column)}::VARCHAR, (count(*) OVER ())::INTEGER, (sum(count(*)) OVER ())::INTEGER
     FROM ${table} WHERE ${condition} GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 3`,
  );
  const [first] = values;
  if (first === undefined) return null;
  const [, distinct, rows = 0] = first.map(Number);
  const shown = values.map(([value]) => `"${value}"`).join(', ');
  return `${shown}${distinct === values.length ? '' : ' …'} (${counted(rows, 'row')})`;
}

/** The result in the form of a table that a reader returns: a header in row 0, then the rows, which count from 1. */
function rowsOf(connect: SelectContext['connect'], { table, columns }: Result): RawTable {
  const cells = [...columns].map(([name, { typeId: type }]) => {
    // DuckDB rounds twice when it casts DECIMAL to DOUBLE: first the digits, then their quotient. A cast through text
    // rounds once.
    if (type === DuckDBTypeId.DECIMAL) return `${identifier(name)}::VARCHAR::DOUBLE`;
    return `${identifier(name)}::${NUMBERS.has(type) ? 'DOUBLE' : 'VARCHAR'}`;
  });
  return {
    name: null,
    hidden: false,
    findings: async () => NO_FINDINGS,
    async *rows() {
      yield [{ row: 0, cells: [...columns.keys()] }];
      const connection = await connect();
      try {
        const stream = await connection.stream(`SELECT ${cells.join(', ')} FROM ${table}`);
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
