// Writes selected rows as text in large chunks.

import type { BufferLease, BufferPool } from '../../cache/bufferPool.ts';
import { BytesWriter } from '../bytesWriter.ts';
import type { RowWriter } from '../rowLayout.ts';
import type { Slices } from '../slices.ts';

/** The approximate size of a chunk. */
const CHUNK_BYTES = 2 ** 17;
/** Rows written between two checks whether the slice is over. */
const ROWS_AT_A_TIME = 256;

/** The rows of all blocks, in chunks that the caller releases. */
export async function* writeRows(
  write: RowWriter,
  blocks: AsyncIterable<Uint32Array>,
  buffers: BufferPool,
  slices: Slices,
): AsyncGenerator<BufferLease> {
  let out = new BytesWriter(buffers);
  for await (const rows of blocks) {
    for (let first = 0; first < rows.length; first += ROWS_AT_A_TIME) {
      const end = Math.min(first + ROWS_AT_A_TIME, rows.length);
      for (let i = first; i < end; i++) write(out, rows[i] ?? 0);
      if (out.length >= CHUNK_BYTES) {
        yield out.take();
        out = new BytesWriter(buffers);
      }
      if (slices.isOver()) await slices.next();
    }
  }
  yield out.take();
}
