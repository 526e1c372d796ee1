// Writes rows of a table as text: a layout defines the text around each value.

import type { Table } from '../catalog/columns.ts';
import { dimensionOf } from '../catalog/datasets.ts';
import type { BytesWriter } from './bytesWriter.ts';
import { bytesOfPiece, piecesOf } from './pieces.ts';

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

/** Writes the row at a position. */
export type RowWriter = (out: BytesWriter, position: number) => void;

/** A writer for rows of one table. The texts of its dictionaries are prepared once. */
export function rowWriter(table: Table, layout: RowLayout): RowWriter {
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
    for (const piece of pieces) out.bytes(bytesOfPiece(piece, position));
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
