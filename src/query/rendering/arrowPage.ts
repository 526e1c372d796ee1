// Writes a page as an Arrow stream. `renderArrow.ts` loads this module at the first request for Arrow.

import { RecordBatchStreamWriter } from 'apache-arrow';
import { unpooledLease } from '../../cache/bufferPool.ts';
import { type Draft, finishedDraft } from '../../cache/rendering.ts';
import { arrowBatches } from './arrowBatches.ts';
import { type Frame, textColumn } from './frame.ts';
import type { RenderedPage } from './representation.ts';

/**
 * The page as a finished draft, because an Arrow stream is written in one step. Totals and changes have a `meta`. It
 * goes into the schema's metadata as JSON, under the key `meta`.
 */
export function draftArrow({ frame, meta }: Pick<RenderedPage, 'frame' | 'meta'>): Draft {
  const metadata = meta && new Map([['meta', JSON.stringify(meta)]]);
  const batch = arrowBatches(metadata)(withOwnDictionaries(frame()));
  const bytes = RecordBatchStreamWriter.writeAll([batch]).toUint8Array(true);
  return finishedDraft(unpooledLease(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)));
}

/** The frame with dictionaries that hold only the values on the page, because a table's dictionary may be large. */
const withOwnDictionaries = ({ rows, columns }: Frame): Frame => ({
  rows,
  columns: columns.map((column) =>
    column.kind === 'text'
      ? textColumn(
          column.name,
          Array.from(column.codes, (code) => column.values[code] ?? ''),
          column.maxTexts,
        )
      : column,
  ),
});
