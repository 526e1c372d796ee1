// A selection as a CSV file, as pages write it (RFC 4180).

import { type BufferLease, type BufferPool, unpooled } from '../../cache/bufferPool.ts';
import type { Table } from '../../catalog/columns.ts';
import { csvField, csvLine } from '../renderCsv.ts';
import type { Slices } from '../slices.ts';
import { type RowLayout, writeRows } from './rowWriter.ts';

export async function* csvFile(
  table: Table,
  blocks: AsyncIterable<Uint32Array>,
  buffers: BufferPool,
  slices: Slices,
): AsyncGenerator<BufferLease> {
  yield unpooled(Buffer.from(csvLine([...table.dimensions.keys(), ...table.metrics.keys()])));
  yield* writeRows(table, blocks, LAYOUT, buffers, slices);
}

const LAYOUT: RowLayout = {
  open: '',
  close: '\r\n',
  separator: ',',
  text: csvField,
  integer: (value) => value,
  number: ['', ''],
  missing: '',
};
