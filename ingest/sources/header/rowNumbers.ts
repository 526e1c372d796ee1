// Adds the missing first heading to a table that R wrote, because R writes no heading above the row numbers.

import type { RawRow } from '../readers/raw.ts';

/**
 * The rows. When the first column numbers the rows, the header gets an empty cell at its beginning. The first column
 * numbers the rows when those below the header begin with 1, 2, 3 and so on, and the longest of them has one cell more than
 * the header.
 */
export function withRowNumbers(rows: readonly RawRow[], headerIndex: number): readonly RawRow[] {
  const header = rows[headerIndex];
  const below = rows.slice(headerIndex + 1);
  if (header === undefined || below.length === 0) return rows;
  const width = header.cells.length;
  const isNumbered = below.every(
    ({ cells }, i) => cells.length <= width + 1 && `${cells[0] ?? ''}`.trim() === `${i + 1}`,
  );
  if (!isNumbered || below.every(({ cells }) => cells.length <= width)) return rows;
  return rows.with(headerIndex, { ...header, cells: [null, ...header.cells] });
}
