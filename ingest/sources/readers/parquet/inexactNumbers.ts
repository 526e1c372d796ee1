// Finds columns of a Parquet file whose numbers are less exact than a double, or more exact.

import { identifier, parquetRows } from '../../../../src/duckdb.ts';
import type { Diagnostic } from '../../../messages/fault.ts';
import { EXACT_DIGITS } from '../../numberForms.ts';
import type { Remark } from '../rawFile.ts';
import type { Column } from './columns.ts';
import { type QueriedFile, rowsIn } from './queriedFile.ts';

/** Warns of columns whose numbers have too few digits, and notes columns whose numbers lose digits. */
export async function remarksOnDigits(
  file: QueriedFile,
  columns: readonly Column[],
): Promise<readonly Remark[]> {
  const suspects = columns.flatMap((column) => {
    const suspicion = SUSPICIONS.find(({ type }) => type.test(column.type));
    const sql = suspicion?.isInexact(identifier(column.name), column.type) ?? null;
    return suspicion === undefined || sql === null ? [] : [{ column, suspicion, sql }];
  });
  if (suspects.length === 0) return [];
  const conditions = suspects.map(({ sql }) => `bool_or(${sql})`).join(', ');
  const [found = []] = await rowsIn(file, `SELECT ${conditions} FROM ${parquetRows(file.path)}`);
  return suspects.flatMap(({ column, suspicion }, i): readonly Remark[] =>
    found[i] === true
      ? [{ severity: suspicion.severity, ...suspicion.diagnosticOf(column.name, column.type) }]
      : [],
  );
}

interface Suspicion {
  readonly type: RegExp;
  readonly severity: Remark['severity'];
  /** SQL that is true for values that have lost digits, or lose digits as a double; null for a type without such values. */
  readonly isInexact: (column: string, type: string) => string | null;
  readonly diagnosticOf: (column: string, type: string) => Diagnostic;
}

/** The largest whole number up to which a double represents every whole number. */
const EXACT = `${2 ** 53}`;

/**
 * SQL that is true for a number that fulfils the condition and changes when it becomes a double. It is also true when the
 * double is too large for the type of the column. CASE makes the engine convert only numbers that fulfil the condition to
 * texts. With AND, it would convert all numbers.
 */
const isRoundedWhere = (condition: string, c: string, type: string) =>
  `CASE WHEN ${condition} THEN coalesce(TRY_CAST(${c}::VARCHAR::DOUBLE AS ${type}) <> ${c}, ${c} IS NOT NULL) END`;

const rounded = (column: string, type: string): Diagnostic => ({
  problem: `column ${column} is ${type} and has numbers of more digits than a double holds: they were rounded`,
  remedy: null,
  kind: 'numbers were rounded to doubles',
});

const SUSPICIONS: readonly Suspicion[] = [
  {
    // A program that wrote FLOAT changed 24187903 to 24187904, and 0.1 to 0.10000000149.
    type: /^FLOAT$/,
    severity: 'warning',
    isInexact: (c) => `abs(${c}::DOUBLE) >= ${2 ** 24} OR ${c}::VARCHAR::DOUBLE <> ${c}::DOUBLE`,
    diagnosticOf: (column) => ({
      problem: `column ${column} is FLOAT, which keeps about seven digits of a number`,
      remedy: 'write it as DOUBLE or DECIMAL',
      kind: 'a column is FLOAT',
    }),
  },
  {
    type: /^U?(?:BIGINT|HUGEINT)$/,
    severity: 'note',
    isInexact: (c, type) =>
      isRoundedWhere(`${c} > ${EXACT} OR TRY_CAST(${c} AS HUGEINT) < -${EXACT}`, c, type),
    diagnosticOf: rounded,
  },
  {
    type: /^DECIMAL/,
    severity: 'note',
    isInexact: (c, type) => {
      const [digits = 0, decimals = 0] = (type.match(/\d+/g) ?? []).map(Number);
      if (digits <= EXACT_DIGITS) return null;
      const isLong = `abs(${c}) >= 1e${EXACT_DIGITS - decimals}::${type}`;
      // DuckDB may round when it makes a DECIMAL of a double, because it multiplies by a power of ten. It is exact when it
      // makes the DECIMAL of the double's text.
      const isKept = `coalesce(TRY_CAST(${c}::VARCHAR::DOUBLE::VARCHAR AS ${type}) = ${c}, false)`;
      return `CASE WHEN ${isRoundedWhere(isLong, c, type)} THEN NOT ${isKept} END`;
    },
    diagnosticOf: rounded,
  },
];
