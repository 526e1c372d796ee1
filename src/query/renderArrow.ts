// Writes a page as an Arrow IPC stream: text as dictionaries of the values on the page.

import { RecordBatchStreamWriter } from 'apache-arrow';
import { unpooled } from '../cache/bufferPool.ts';
import { finishedDraft } from '../cache/responseCache.ts';
import { arrowBatches } from './arrow.ts';
import { type Frame, textColumn } from './frame.ts';
import type { Representation } from './render.ts';

export const ARROW_REPRESENTATION: Representation = {
  name: 'arrow',
  contentType: 'application/vnd.apache.arrow.stream',
  draftPage(page) {
    const batch = arrowBatches().batchOf(compacted(page.frame()));
    const bytes = RecordBatchStreamWriter.writeAll([batch]).toUint8Array(true);
    return finishedDraft(unpooled(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)));
  },
};

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
