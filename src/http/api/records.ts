// Turns the rows of a frame into objects, for JSON that is not written directly from columns.

import type { Frame, FrameColumn } from '../../query/rendering/frame.ts';

/** An object per row with a member for each column. A missing number is null. */
export function recordsOf({ rows, columns }: Frame): Record<string, string | number | null>[] {
  return Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(columns.map((column) => [column.name, valueAt(column, row)])),
  );
}

function valueAt(column: FrameColumn, row: number): string | number | null {
  if (column.kind === 'text') return column.values[column.codes[row] ?? 0] ?? '';
  const number = column.numbers[row] ?? Number.NaN;
  return Number.isNaN(number) ? null : number;
}
