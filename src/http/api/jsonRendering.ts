// Renders a small JSON body in one step, from an object. Pages of rows are written from columns instead.

import { unpooledLease } from '../../cache/bufferPool.ts';
import { type Draft, finishedDraft, type Rendering } from '../../cache/rendering.ts';
import type { Frame, FrameColumn } from '../../query/rendering/frame.ts';

/** The body as a finished draft. */
export const jsonDraft = (body: object): Draft =>
  finishedDraft(unpooledLease(Buffer.from(JSON.stringify(body))));

/** The rendering of an answer that has only one page. */
export const jsonRendering = (body: object): Rendering => ({
  startDraft: () => jsonDraft(body),
  nextCursor: null,
});

/** The rows of a frame as objects, with a member for each column. A missing number is null. */
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
