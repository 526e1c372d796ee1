// A selection as an Arrow IPC file (Feather v2), in batches taken from the columns in memory.

import { AsyncByteQueue, RecordBatchFileWriter } from 'apache-arrow';
import { type BufferLease, unpooled } from '../../cache/bufferPool.ts';
import type { Table } from '../../catalog/columns.ts';
import { dimensionOf } from '../../catalog/datasets.ts';
import { arrowBatches } from '../arrow.ts';
import type { Frame, FrameColumn } from '../frame.ts';
import type { Slices } from '../slices.ts';
import { integersOf } from '../take.ts';

/** Rows of a batch: each costs some forty small chunks of bytes besides its columns. */
const BATCH_ROWS = 2 ** 15;

export async function* arrowFile(
  table: Table,
  blocks: AsyncIterable<Uint32Array>,
  slices: Slices,
): AsyncGenerator<BufferLease> {
  const written = new WrittenChunks();
  const writer = new RecordBatchFileWriter().reset(written);
  const batches = arrowBatches();
  const frameOf = frames(table);
  let isEmpty = true;
  for await (const rows of merged(blocks, BATCH_ROWS)) {
    writer.write(batches.batchOf(frameOf(rows)));
    isEmpty = false;
    // A batch is large: making and sending it are slices of their own.
    for (const chunk of written.take()) {
      if (slices.isOver()) await slices.next();
      yield chunk;
    }
  }
  // A file without rows still needs its schema.
  if (isEmpty) writer.write(batches.batchOf(frameOf(new Uint32Array(0))));
  writer.close();
  yield* written.take();
}

/** The same rows in blocks of up to `rows`. A block is valid until the next one is requested. */
async function* merged(blocks: AsyncIterable<Uint32Array>, rows: number): AsyncGenerator<Uint32Array> {
  const collected = new Uint32Array(rows);
  let length = 0;
  for await (const block of blocks) {
    if (length + block.length > rows) {
      yield collected.subarray(0, length);
      length = 0;
    }
    collected.set(block, length);
    length += block.length;
  }
  if (length > 0) yield collected.subarray(0, length);
}

/** What the writer has written since `take` was last called. Columns are not copied: their bytes are views. */
class WrittenChunks extends AsyncByteQueue {
  #chunks: Uint8Array[] = [];

  override write(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
  }

  /** Small chunks are joined. */
  *take(): Generator<BufferLease> {
    let small: Uint8Array[] = [];
    for (const chunk of this.#chunks) {
      if (chunk.length < SMALL_BYTES) small.push(chunk);
      else {
        if (small.length > 0) yield unpooled(Buffer.concat(small));
        small = [];
        yield unpooled(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      }
    }
    if (small.length > 0) yield unpooled(Buffer.concat(small));
    this.#chunks = [];
  }
}

/** Fewer bytes take longer to send by themselves than to copy. */
const SMALL_BYTES = 2 ** 14;

function frames(table: Table): (rows: Uint32Array) => Frame {
  const years = new Map(
    [...table.dimensions].flatMap(([name, { values }]) =>
      dimensionOf(name).type === 'integer' ? [[name, Int32Array.from(values, Number)] as const] : [],
    ),
  );
  return (rows) => ({
    rows: rows.length,
    columns: [
      ...[...table.dimensions].map(([name, { values, codes }]): FrameColumn => {
        const numbers = years.get(name);
        const taken = take(codes, rows);
        if (!numbers) return { kind: 'text', name, values, codes: taken };
        return { kind: 'integer', name, numbers: integersOf(taken, numbers) };
      }),
      ...[...table.metrics].map(
        ([name, values]): FrameColumn => ({ kind: 'number', name, numbers: take(values, rows) }),
      ),
    ],
  });
}

/** The values of some rows; a view of the column where the rows are consecutive. */
function take<Values extends Uint8Array | Uint16Array | Uint32Array | Float64Array>(
  values: Values,
  rows: Uint32Array,
): Values {
  const first = rows[0] ?? 0;
  const end = first + rows.length;
  if (rows.length > 0 && rows.at(-1) === end - 1) return values.subarray(first, end) as Values;
  const taken = new (values.constructor as new (length: number) => Values)(rows.length);
  for (let i = 0; i < rows.length; i++) taken[i] = values[rows[i] ?? 0] ?? 0;
  return taken;
}
