// An Arrow page: text as dictionaries of the values on the page. renderArrow.ts loads this when it is first asked for.

import { RecordBatchStreamWriter } from 'apache-arrow';
import { unpooled } from '../cache/bufferPool.ts';
import { type Draft, finishedDraft } from '../cache/rendering.ts';
import { arrowBatches } from './arrowBatches.ts';
import { type Frame, textColumn } from './frame.ts';
import type { RenderedPage } from './render.ts';

export function draftArrow(page: Pick<RenderedPage, 'frame' | 'meta'>): Draft {
  const batch = arrowBatches(page.meta).batchOf(compacted(page.frame()));
  const bytes = RecordBatchStreamWriter.writeAll([batch]).toUint8Array(true);
  return finishedDraft(unpooled(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)));
}

/** With only the values that occur: a page holds a small part of a large dictionary. */
const compacted = ({ rows, columns }: Frame): Frame => ({
  rows,
  columns: columns.map((column) =>
    column.kind === 'text'
      ? textColumn(
          column.name,
          Array.from(column.codes, (code) => column.values[code] ?? ''),
        )
      : column,
  ),
});
