// Writes a selection as a CSV file, in the same form as a page (RFC 4180).

import { type BufferLease, type BufferPool, unpooled } from '../../cache/bufferPool.ts';
import type { Table } from '../../catalog/columns.ts';
import { csvHeader, csvWriterOf } from '../rendering/renderCsv.ts';
import type { RowBlock } from '../selection/matching.ts';
import type { Slices } from '../slices.ts';
import { writeRows } from './textChunks.ts';

/** The parts of the file: the header, and then the rows in chunks. The caller releases each part. */
export async function* csvFile(
  table: Table,
  blocks: AsyncIterable<RowBlock>,
  buffers: BufferPool,
  slices: Slices,
): AsyncGenerator<BufferLease> {
  yield unpooled(Buffer.from(csvHeader(table)));
  yield* writeRows(csvWriterOf(table), blocks, buffers, slices);
}
