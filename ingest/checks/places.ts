// Queries on the staged rows, and the places of their results, for all checks.

import { type DatasetName, type DimensionName, dimensionOf } from '../../src/catalog/datasets.ts';
import type { Diagnostic } from '../messages/fault.ts';
import { type Origin, type Place, placeOfCell } from '../messages/place.ts';
import type { Problems } from '../messages/problems.ts';
import { type Staging, type StagingView, stagingColumn } from '../staging/database/staging.ts';

/** The datasets that are checked, and their rows. */
export interface Checked {
  readonly staging: Staging;
  /** The datasets that have rows, and a header with all columns. */
  readonly datasets: readonly DatasetName[];
}

export const rowsOf = async (staging: StagingView, sql: string) =>
  (await staging.connection.runAndReadAll(sql)).getRowsJS();

/** A row's place as one number, ordered by source, row and column. */
export const PLACE = '((_source::BIGINT << 46) | (_row::BIGINT << 15) | _column)';

/** SQL of the source and the row in a place; `place` is SQL of a number of `PLACE`. */
export const sourceIn = (place: string): string => `(${place} >> 46)::INTEGER`;
export const rowIn = (place: string): string => `((${place} >> 15) & 2147483647)::INTEGER`;

/** The same for the column `place`. */
export const SOURCE = sourceIn('place');
export const ROW = rowIn('place');

/** The place of a column in the row that a number of `PLACE` names. */
export const placeOfNumber = (staging: StagingView, place: bigint, column: string): Place =>
  placeOf(staging, place >> 46n, (place >> 15n) & 2147483647n, column);

/** The place of a column in a row; `source` and `row` are values of a query. */
export const placeOf = (staging: StagingView, source: unknown, row: unknown, column: string): Place =>
  placeOfCell(originOf(staging, source), Number(row), column);

/**
 * Adds a warning at `column` of each row that a query finds. The query's last two columns are `SOURCE` and `ROW`.
 * `describe` receives the others, and returns null where there is nothing to report.
 */
export async function warnOfEach(
  { staging, problems, column }: WarningsAt,
  sql: string,
  describe: (...values: readonly unknown[]) => Diagnostic | null,
): Promise<void> {
  for (const found of await rowsOf(staging, sql)) {
    const what = describe(...found.slice(0, -2));
    const [source, row] = found.slice(-2);
    if (what !== null) problems.add('warning', placeOf(staging, source, row, column), what);
  }
}

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

/** The staging columns of dimensions, without some of them. */
export const columnsWithout = (
  dimensions: readonly DimensionName[],
  ...without: readonly DimensionName[]
): string[] => dimensions.filter((name) => !without.includes(name)).map(stagingColumn);

export const isText = (name: DimensionName): boolean => dimensionOf(name).type === 'text';

export const rowCount = (n: unknown): string => `${n} ${Number(n) === 1 ? 'row' : 'rows'}`;
