// Recognises a table of R, whose first column numbers the rows and has no heading, so that all headings are one cell too far left.

import type { RawRow } from '../readers/raw.ts';

/**
 * The given rows. When all rows below the header have one cell more than it, and begin with 1, 2, 3 and so on, an empty heading
 * is put before the header.
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
