// Writes selected rows as text in large chunks; a layout defines the text around each value.

import type { BufferLease, BufferPool } from '../../cache/bufferPool.ts';
import type { Table } from '../../catalog/columns.ts';
import { dimensionOf } from '../../catalog/datasets.ts';
import { BytesWriter } from '../bytesWriter.ts';
import { piecesOf, writtenOf } from '../pieces.ts';
import type { Slices } from '../slices.ts';

/** The text before a row, around each of its values, and after it. */
export interface RowLayout {
  readonly open: string;
  readonly close: string;
  /** Between two values. */
  readonly separator: string;
  /** A text value; `code` is its index in the column's dictionary. */
  text(value: string, code: number, column: number): string;
  integer(value: string): string;
  /** Around a number. */
  readonly number: readonly [before: string, after: string];
  readonly missing: string;
}

/** The approximate size of a chunk. */
const CHUNK_BYTES = 2 ** 17;
/** Rows written between two checks whether the slice is over. */
const ROWS_AT_A_TIME = 512;

/** The rows of all blocks, in chunks that the caller releases. */
export async function* writeRows(
  table: Table,
  blocks: AsyncIterable<Uint32Array>,
  layout: RowLayout,
  buffers: BufferPool,
  slices: Slices,
): AsyncGenerator<BufferLease> {
  const write = rowWriter(table, layout);
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

function rowWriter(table: Table, layout: RowLayout): (out: BytesWriter, position: number) => void {
  const { open, separator, missing } = layout;
  const [before, after] = layout.number;
  const columns = [...table.dimensions].map(([name, { codes, values }], column) => {
    const start = column === 0 ? open : separator;
    const isNumber = dimensionOf(name).type === 'integer';
    const fragments = values.map(
      (value, code) => start + (isNumber ? layout.integer(value) : layout.text(value, code, column)),
    );
    return { codes, size: values.length, fragments };
  });
  const pieces = piecesOf(columns);
  const metrics = [...table.metrics.values()];
  const [numberBefore, numberAfter] = [Buffer.from(separator + before), Buffer.from(after)];
  const [missingBytes, close] = [Buffer.from(separator + missing), Buffer.from(layout.close)];
  return (out, position) => {
    for (const piece of pieces) out.bytes(writtenOf(piece, position));
    for (const values of metrics) {
      const value = values[position] ?? Number.NaN;
      if (Number.isNaN(value)) out.bytes(missingBytes);
      else {
        out.bytes(numberBefore);
        out.number(value);
        if (numberAfter.length > 0) out.bytes(numberAfter);
      }
    }
    out.bytes(close);
  };
}
