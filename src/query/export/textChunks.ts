// Writes selected rows as text in large chunks: CSV files (RFC 4180), and the sheets of workbooks.

import { type BufferLease, type BufferPool, unpooledLease } from '../../cache/bufferPool.ts';
import type { Table } from '../../catalog/columns.ts';
import { BytesWriter } from '../rendering/bytesWriter.ts';
import { csvHeader, csvWriterOf, type RowWriter } from '../rendering/renderCsv.ts';
import type { RowBlock } from '../selection/matchingRows.ts';
import type { Slices } from '../slices.ts';

const TEXT_CHUNK_BYTES = 2 ** 17;
/** How many rows are written before the next check whether the slice is over. */
const ROWS_PER_CHECK = 256;

/** A selection as a CSV file, in the same form as a page. The caller releases each chunk. */
export async function* csvFile(
  table: Table,
  blocks: AsyncIterable<RowBlock>,
  buffers: BufferPool,
  slices: Slices,
): AsyncGenerator<BufferLease> {
  yield unpooledLease(Buffer.from(csvHeader(table)));
  yield* writeRows(csvWriterOf(table), blocks, buffers, slices);
}

/** Writes the rows of all blocks. The caller releases each chunk. */
export async function* writeRows(
  write: RowWriter,
  blocks: AsyncIterable<RowBlock>,
  buffers: BufferPool,
  slices: Slices,
): AsyncGenerator<BufferLease> {
  let out = new BytesWriter(buffers);
  for await (const block of blocks) {
    const [begin, stop] = block.kind === 'range' ? [block.first, block.end] : [0, block.positions.length];
    for (let first = begin; first < stop; first += ROWS_PER_CHECK) {
      const end = Math.min(first + ROWS_PER_CHECK, stop);
      if (block.kind === 'range') for (let row = first; row < end; row++) write(out, row);
      else for (let i = first; i < end; i++) write(out, block.positions[i] ?? 0);
      if (out.length >= TEXT_CHUNK_BYTES) {
        yield out.take();
        out = new BytesWriter(buffers);
      }
      if (slices.isOver()) await slices.next();
    }
  }
  yield out.take();
}
