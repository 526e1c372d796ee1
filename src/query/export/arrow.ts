// A selection as an Arrow IPC file (Feather v2), in batches taken from the columns in memory.

import { Readable } from 'node:stream';
import { RecordBatchFileWriter } from 'apache-arrow';
import { type BufferLease, unpooled } from '../../cache/bufferPool.ts';
import type { Table } from '../../catalog/columns.ts';
import { dimensionOf } from '../../catalog/datasets.ts';
import { arrowBatches } from '../arrow.ts';
import type { Frame, FrameColumn } from '../frame.ts';
import type { Slices } from '../slices.ts';
import { integersOf } from '../take.ts';

export async function* arrowFile(
  table: Table,
  blocks: AsyncIterable<Uint32Array>,
  slices: Slices,
): AsyncGenerator<BufferLease> {
  const writer = RecordBatchFileWriter.throughNode();
  const batches = Readable.from(batchesOf(table, blocks, slices), { highWaterMark: 2 });
  batches.on('error', (cause) => writer.destroy(cause));
  batches.pipe(writer);
  try {
    for await (const chunk of writer) yield unpooled(chunk as Buffer);
  } finally {
    batches.destroy();
    writer.destroy();
  }
}

async function* batchesOf(table: Table, blocks: AsyncIterable<Uint32Array>, slices: Slices) {
  const batches = arrowBatches();
  const frameOf = frames(table);
  let isEmpty = true;
  for await (const rows of blocks) {
    yield batches.batchOf(frameOf(rows));
    isEmpty = false;
    if (slices.isOver()) await slices.next();
  }
  // A file without rows still needs its schema.
  if (isEmpty) yield batches.batchOf(frameOf(new Uint32Array(0)));
}

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
