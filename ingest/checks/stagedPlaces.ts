// Queries the staged rows for all checks, and turns the results into places of messages.

import type { DatasetName, DimensionName } from '../../src/catalog/datasets.ts';
import { queryRows } from '../../src/duckdb.ts';
import type { Diagnostic } from '../messages/fault.ts';
import { counted } from '../messages/numbers.ts';
import { type Origin, type Place, placeOfCell, placeOfRow } from '../messages/place.ts';
import type { Problems } from '../messages/problems.ts';
import type { Staging, StagingView } from '../staging/database/staging.ts';
import { stagingColumn, stagingTable } from '../staging/database/stagingTables.ts';

/** The datasets that are checked, and the staging database with their rows. */
export interface StagedDatasets {
  readonly staging: Staging;
  /** The datasets that have rows, and a header with all columns. */
  readonly datasets: readonly DatasetName[];
}

/** The rows that a query of the staging database gives. */
export const queryStaging = (staging: StagingView, sql: string) => queryRows(staging.connection, sql);

/** The value of a metric that a query returned; null where the source is empty. */
export const figureOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/**
 * SQL for a row's place as one number, which sorts by source, row and column. `StagedRows.placeOf` computes the same
 * number.
 */
export const PLACE_SQL = '((_source::BIGINT << 46) | (_row::BIGINT << 15) | _column)';

/** The place of a column in the row whose place `PLACE_SQL` gave. */
export const placeOfCellAt = (staging: StagingView, place: bigint, column: string): Place =>
  placeOfCell(originOf(staging, place), rowOf(place), column);

/** The place of the row whose place `PLACE_SQL` gave. */
export const placeOfRowAt = (staging: StagingView, place: bigint): Place =>
  placeOfRow(originOf(staging, place), rowOf(place), Number(place & 32767n));

/** A year, and its number of rows. */
export interface UsedYear {
  readonly year: number;
  readonly rows: number;
}

/** A year in one source, its number of rows there, and the place of the first one, as `PLACE_SQL` gives it. */
interface YearPlace extends UsedYear {
  readonly place: bigint;
}

/** The rows of some years of a dataset, by year and source, in the order of their first rows. */
export async function yearPlaces(
  staging: StagingView,
  dataset: DatasetName,
  years: readonly number[],
): Promise<readonly YearPlace[]> {
  if (years.length === 0) return [];
  const found = await queryStaging(
    staging,
    `SELECT year, count(*)::INTEGER, min(${PLACE_SQL}) AS place FROM ${stagingTable(dataset)}
     WHERE year IN (${years.join(', ')}) GROUP BY year, _source ORDER BY place`,
  );
  return found.map(([year, n, place]) => ({ year: Number(year), rows: Number(n), place: place as bigint }));
}

/** The place of the year in the row whose place `PLACE_SQL` gave: its cell, or in a wide table a figure below it. */
export const placeOfYearAt = (staging: StagingView, place: bigint): Place =>
  originOf(staging, place).columns.has('year')
    ? placeOfCellAt(staging, place, 'year')
    : placeOfRowAt(staging, place);

/**
 * Adds a warning for each row of the result of the query `sql`. The last column of the result must be `PLACE_SQL`.
 * `describe` receives the columns, and returns null when there is nothing to report.
 */
export async function warnOfEach(
  { staging, problems, column }: WarningsAt,
  sql: string,
  describe: (...values: readonly unknown[]) => Diagnostic | null,
): Promise<void> {
  for (const found of await queryStaging(staging, sql)) {
    const description = describe(...found);
    const place = placeOfCellAt(staging, found.at(-1) as bigint, column);
    if (description !== null) problems.add('warning', place, description);
  }
}

interface OddRows<Column extends string> {
  /** The query. Its result has the columns `country_code`, `place` as `PLACE_SQL` gives it, and `columns`. */
  readonly sql: string;
  readonly columns: readonly Column[];
  /** SQL of the number that `describe` receives as `n`. */
  readonly count?: string;
}

/**
 * Adds a warning for each country in the result of a query, at the first row of the country. `describe` receives the
 * country, the columns of its first row, and the number of its rows as `n`. It returns null when there is nothing to
 * report.
 */
export async function warnOfCountries<Column extends string>(
  at: WarningsAt,
  { sql, columns, count = 'count(*)' }: OddRows<Column>,
  describe: (country: string, first: Readonly<Record<Column | 'n', unknown>>) => Diagnostic | null,
): Promise<void> {
  const firsts = columns.map((column) => `arg_min(${column}, place) AS ${column}`);
  await warnOfEach(
    at,
    `WITH odd AS (${sql}),
      of_country AS (
        SELECT country_code, ${[`${count}::INTEGER AS n`, ...firsts].join(', ')}, min(place) AS place
        FROM odd
        GROUP BY country_code)
    SELECT country_code, ${['n', ...columns].join(', ')}, place FROM of_country ORDER BY place`,
    (code, ...values) => {
      const country = at.staging.text(code);
      const first = Object.fromEntries(['n', ...columns].map((name, i) => [name, values[i]]));
      const fault = describe(country, first as Record<Column | 'n', unknown>);
      return fault && { ...fault, country };
    },
  );
}

interface WarningsAt {
  readonly staging: StagingView;
  readonly problems: Problems;
  readonly column: string;
}

/** The source in a place that `PLACE_SQL` gave. Throws if no source has its number. */
export function originOf({ origins }: StagingView, place: bigint): Origin {
  const origin = origins[Number(place >> 46n)];
  if (origin === undefined) throw new Error(`row of an unknown source ${place >> 46n}`);
  return origin;
}

const rowOf = (place: bigint): number => Number((place >> 15n) & 2147483647n);

/** The dimensions in which the rows of one series may differ. */
export const BESIDE_SERIES = ['year', 'region', 'temporal', 'calculation'] as const;

/** The staging columns of these dimensions, except some of them. */
export const columnsWithout = (
  dimensions: readonly DimensionName[],
  ...without: readonly DimensionName[]
): string[] => dimensions.filter((name) => !without.includes(name)).map(stagingColumn);

/** A number of rows in words: `1 row`, `12 rows`. */
export const rowCountText = (n: unknown): string => counted(Number(n), 'row');
