// Recognises a header that lacks the heading of its first column: R writes the numbers of rows without one.

import type { RawRow } from '../readers/raw.ts';

/**
 * The rows, with an empty heading put before the header where all rows below have one cell more than it and begin with
 * 1, 2, 3 and so on.
 *
 * @param at The index of the header among the rows.
 */
export function withRowNumbers(rows: readonly RawRow[], at: number): readonly RawRow[] {
  const header = rows[at];
  const below = rows.slice(at + 1);
  if (header === undefined || below.length === 0) return rows;
  const width = header.cells.length;
  const isNumbered = below.every(
    ({ cells }, i) => cells.length <= width + 1 && `${cells[0] ?? ''}`.trim() === `${i + 1}`,
  );
  if (!isNumbered || below.every(({ cells }) => cells.length <= width)) return rows;
  return rows.with(at, { ...header, cells: [null, ...header.cells] });
}
