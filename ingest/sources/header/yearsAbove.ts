// Finds years that stand above the row of the other headings, where pivot tables of pandas have them.

import type { DatasetName } from '../../../src/catalog/datasets.ts';
import type { RawRow } from '../readers/raw.ts';
import { columnOf, headingText } from './headerRow.ts';
import type { HeaderRemark } from './types.ts';

/** The years may stand this many rows above the other headings: pandas writes a row for each level of its columns. */
const WITHIN_ROWS = 6;

/** A single year above a column without a heading may be part of a title. */
const FEWEST_YEARS = 2;

/**
 * The fault of a header without years whose columns without a heading have years further up. Null if there are no such years.
 *
 * @param texts The heading of each column, by its index.
 * @param row The number of the row of the headings.
 */
export function yearsAboveFault(
  dataset: DatasetName,
  texts: readonly string[],
  row: number,
  above: readonly RawRow[],
): HeaderRemark | null {
  const isYear = (text: string) => columnOf(dataset, text)?.kind === 'year';
  const found = above.findLast(
    ({ row: number, cells }) =>
      number >= row - WITHIN_ROWS &&
      cells.filter((cell, i) => !texts[i] && isYear(headingText(cell))).length >= FEWEST_YEARS,
  );
  if (found === undefined) return null;
  return {
    index: null,
    problem: `the years are in row ${found.row}, above the other headings, and no row below was read`,
    remedy: `write the years into row ${row}, and what else the columns differ in, such as the currency, into columns of its own; with pandas, write the frame before its pivot, with index=False`,
    kind: 'the years are above the other headings',
  };
}
