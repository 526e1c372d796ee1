// Helpers for all checks: they query the staged rows, and turn the results into places for messages.

import type { DatasetName, DimensionName } from '../../src/catalog/datasets.ts';
import { queryRows } from '../../src/duckdb.ts';
import type { Diagnostic } from '../messages/fault.ts';
import { counted } from '../messages/numbers.ts';
import { type Origin, type Place, placeOfCell } from '../messages/place.ts';
import type { Problems } from '../messages/problems.ts';
import { type Staging, type StagingView, stagingColumn } from '../staging/database/staging.ts';

/** The datasets that are checked, and their rows. */
export interface Checked {
  readonly staging: Staging;
  /** The datasets that have rows, and a header with all columns. */
  readonly datasets: readonly DatasetName[];
}

export const rowsOf = (staging: StagingView, sql: string) => queryRows(staging.connection, sql);

/** SQL of a row's place as one number, which sorts by source, row and column. */
export const PLACE = '((_source::BIGINT << 46) | (_row::BIGINT << 15) | _column)';

/** SQL of the source, and of the row, that a place contains. `place` is the SQL of the place. */
export const sourceIn = (place: string): string => `(${place} >> 46)::INTEGER`;
export const rowIn = (place: string): string => `((${place} >> 15) & 2147483647)::INTEGER`;

/** SQL of the source, and of the row, that the column `place` contains. */
export const SOURCE = sourceIn('place');
export const ROW = rowIn('place');

/** The place of a column in the row whose place `PLACE` gave. */
export const placeOfNumber = (staging: StagingView, place: bigint, column: string): Place =>
  placeOf(staging, place >> 46n, (place >> 15n) & 2147483647n, column);

/** The place of a column in a row. `source` and `row` are values that a query returned. */
export const placeOf = (staging: StagingView, source: unknown, row: unknown, column: string): Place =>
  placeOfCell(originOf(staging, source), Number(row), column);

/**
 * Adds a warning for each row of a query's result.
 *
 * @param sql The query. Its last two columns must be `SOURCE` and `ROW`.
 * @param describe Receives all columns but these two. It returns null when there is nothing to report.
 */
export async function warnOfEach(
  { staging, problems, column }: WarningsAt,
  sql: string,
  describe: (...values: readonly unknown[]) => Diagnostic | null,
): Promise<void> {
  for (const found of await rowsOf(staging, sql)) {
    const description = describe(...found.slice(0, -2));
    const [source, row] = found.slice(-2);
    if (description !== null) problems.add('warning', placeOf(staging, source, row, column), description);
  }
}

/** Where warnings are added, and the column whose cell they are about. */
interface WarningsAt {
  readonly staging: StagingView;
  readonly problems: Problems;
  readonly column: string;
}

export function originOf(staging: StagingView, source: unknown): Origin {
  const origin = staging.origins[Number(source)];
  if (origin === undefined) throw new Error(`row of an unknown source ${source}`);
  return origin;
}

/** The staging columns of these dimensions, except some of them. */
export const columnsWithout = (
  dimensions: readonly DimensionName[],
  ...without: readonly DimensionName[]
): string[] => dimensions.filter((name) => !without.includes(name)).map(stagingColumn);

export const rowCount = (n: unknown): string => counted(Number(n), 'row');
