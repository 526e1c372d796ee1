// Writes a selection as an Arrow IPC file (Feather v2), batch by batch, from the columns in memory.

import { AsyncByteQueue, RecordBatchFileWriter } from 'apache-arrow';
import { type BufferLease, type BufferPool, unpooledLease } from '../../cache/bufferPool.ts';
import type { Codes, Table } from '../../catalog/columns.ts';
import { type DatasetName, dimensionOf } from '../../catalog/datasets.ts';
import { fileMetadata, tableSchemaFields } from '../../catalog/fields.ts';
import { integersOf } from '../gather.ts';
import { arrowBatches } from '../rendering/arrowBatches.ts';
import type { Frame, FrameColumn } from '../rendering/frame.ts';
import type { RowBlock } from '../selection/matchingRows.ts';
import type { Slices } from '../slices.ts';
import { CHUNK_BYTES } from '../yielding.ts';

/** The most rows in a batch of consecutive rows. Their integers fill one buffer, and their codes are not copied. */
const RANGE_ROWS = CHUNK_BYTES / Int32Array.BYTES_PER_ELEMENT;
/** The most rows in a batch of scattered rows. Copying their values takes about as long as one slice. */
const JOINED_ROWS = 2 ** 15;

/** The rows of an Arrow file, and their sources. */
export interface ArrowSelection {
  readonly table: Table;
  readonly blocks: AsyncIterable<RowBlock>;
  /** The source files of the dataset. */
  readonly sources: readonly string[];
}

/**
 * Writes the file with the metadata of the published Parquet file. Each field also has its own unit and description,
 * where Arrow libraries show them.
 *
 * @param buffers a pool whose buffers have at least `CHUNK_BYTES`.
 */
export async function* arrowFile(
  { table, blocks, sources }: ArrowSelection,
  buffers: BufferPool,
  slices: Slices,
): AsyncGenerator<BufferLease> {
  const integers = new PooledIntegers(buffers);
  const written = new WrittenChunks(integers);
  const writer = new RecordBatchFileWriter().reset(written);
  const { dataset } = table;
  const metadata = new Map(Object.entries(fileMetadata(dataset, sources)));
  const batchOf = arrowBatches(metadata, metadataOfFields(dataset));
  const frameOf = frames(table, integers);
  let isEmpty = true;
  for await (const rows of inBatches(blocks)) {
    writer.write(batchOf(frameOf(rows)));
    isEmpty = false;
    // Making a large batch may have taken the whole slice, so the chunks are sent in later slices.
    for (const chunk of written.take()) {
      if (slices.isOver()) await slices.next();
      yield chunk;
    }
  }
  // A file without rows still needs its schema.
  if (isEmpty) writer.write(batchOf(frameOf(NO_ROWS)));
  writer.close();
  yield* written.take();
}

const metadataOfFields = (dataset: DatasetName) =>
  new Map(
    tableSchemaFields(dataset).map(({ name, unit, description }) => [
      name,
      new Map(Object.entries({ unit, description })),
    ]),
  );

const NO_ROWS: RowBlock = { kind: 'range', first: 0, end: 0 };

/** Divides the rows into blocks of the size of a batch. Short ranges are joined with the rows beside them. */
async function* inBatches(blocks: AsyncIterable<RowBlock>): AsyncGenerator<RowBlock> {
  const joined = new Uint32Array(JOINED_ROWS);
  let length = 0;
  for await (const block of blocks) {
    const rows = block.kind === 'range' ? block.end - block.first : block.positions.length;
    const isLong = block.kind === 'range' && rows >= JOINED_ROWS;
    if (length > 0 && length + rows > JOINED_ROWS) {
      yield { kind: 'positions', positions: joined.subarray(0, length) };
      length = 0;
    }
    if (block.kind === 'positions') joined.set(block.positions, length);
    else if (!isLong) for (let i = 0; i < rows; i++) joined[length + i] = block.first + i;
    else
      for (let first = block.first; first < block.end; first += RANGE_ROWS)
        yield { kind: 'range', first, end: Math.min(first + RANGE_ROWS, block.end) };
    if (!isLong) length += rows;
  }
  if (length > 0) yield { kind: 'positions', positions: joined.subarray(0, length) };
}

/**
 * Holds the integers of a batch in pooled buffers, which are reused once they are sent. Allocating them for each batch
 * would keep the garbage collector busy.
 */
class PooledIntegers {
  readonly #buffers: BufferPool;
  readonly #used = new Map<ArrayBufferLike, Buffer>();

  constructor(buffers: BufferPool) {
    this.#buffers = buffers;
  }

  acquire(rows: number): Int32Array<ArrayBuffer> {
    const buffer = this.#buffers.acquire();
    this.#used.set(buffer.buffer, buffer);
    return new Int32Array(buffer.buffer as ArrayBuffer, buffer.byteOffset, rows);
  }

  /** A lease of bytes that were acquired here; null for other bytes. Releasing it returns the buffer to the pool. */
  leaseOf({ buffer, length }: Uint8Array): BufferLease | null {
    const pooled = this.#used.get(buffer);
    if (pooled === undefined) return null;
    this.#used.delete(buffer);
    return this.#buffers.lease(pooled, length);
  }
}

/** Collects the chunks that the writer writes, until `take` gives them. The bytes of columns are views, not copies. */
class WrittenChunks extends AsyncByteQueue {
  #chunks: Uint8Array[] = [];
  readonly #integers: PooledIntegers;

  constructor(integers: PooledIntegers) {
    super();
    this.#integers = integers;
  }

  override write(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
  }

  /** Gives the chunks in order. Small chunks are joined, and large ones are divided. */
  *take(): Generator<BufferLease> {
    let small: Uint8Array[] = [];
    for (const chunk of this.#chunks) {
      const integers = this.#integers.leaseOf(chunk);
      if (chunk.length < SMALL_BYTES) {
        small.push(integers?.detach() ?? chunk);
        continue;
      }
      if (small.length > 0) yield unpooledLease(Buffer.concat(small));
      small = [];
      if (integers) yield integers;
      else yield* viewsOf(chunk);
    }
    if (small.length > 0) yield unpooledLease(Buffer.concat(small));
    this.#chunks = [];
  }
}

/** Chunks with fewer bytes are joined. */
const SMALL_BYTES = 2 ** 14;

function* viewsOf({ buffer, byteOffset, byteLength }: Uint8Array): Generator<BufferLease> {
  const end = byteOffset + byteLength;
  for (let first = byteOffset; first < end; first += CHUNK_BYTES)
    yield unpooledLease(Buffer.from(buffer, first, Math.min(CHUNK_BYTES, end - first)));
}

function frames(table: Table, pooled: PooledIntegers): (rows: RowBlock) => Frame {
  const integers = new Map(
    [...table.dimensions].flatMap(([name, { values }]) =>
      dimensionOf(name).type === 'integer' ? [[name, Int32Array.from(values, Number)] as const] : [],
    ),
  );
  return (rows) => ({
    rows: rows.kind === 'range' ? rows.end - rows.first : rows.positions.length,
    columns: [
      ...[...table.dimensions].map(([name, { values, codes }]): FrameColumn => {
        const numbers = integers.get(name);
        const taken = take(codes, rows);
        if (!numbers) return { kind: 'text', name, values, codes: taken, maxTexts: values.length };
        return { kind: 'integer', name, numbers: integersOf(taken, numbers, pooled.acquire(taken.length)) };
      }),
      ...[...table.metrics].map(
        ([name, values]): FrameColumn => ({ kind: 'number', name, numbers: take(values, rows) }),
      ),
    ],
  });
}

/** The values of some rows of a column: a view when the rows are consecutive, otherwise a copy. */
function take<Values extends Codes | Float64Array>(values: Values, rows: RowBlock): Values {
  if (rows.kind === 'range') return values.subarray(rows.first, rows.end) as Values;
  const { positions } = rows;
  const taken = new (values.constructor as new (length: number) => Values)(positions.length);
  for (let i = 0; i < positions.length; i++) taken[i] = values[positions[i] ?? 0] ?? 0;
  return taken;
}
