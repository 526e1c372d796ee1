// Writes rows of a table as text. A layout defines what is around each value.

import type { Table } from '../../catalog/columns.ts';
import { dimensionOf } from '../../catalog/datasets.ts';
import type { BytesWriter } from './bytesWriter.ts';
import { bytesOfPiece, piecesOf } from './pieces.ts';

export interface RowLayout {
  /** The text before the first value of a row. */
  readonly open: string;
  /** The text after the last value of a row. */
  readonly close: string;
  /** The text between two values. */
  readonly separator: string;
  /** Formats a text value; `code` is its index in the column's dictionary. */
  text(value: string, code: number, column: number): string;
  integer(value: string): string;
  /** The texts around a number. */
  readonly number: readonly [before: string, after: string];
  /** The text of a missing number. */
  readonly missing: string;
}

/** Writes the row at a position of the table. */
export type RowWriter = (out: BytesWriter, position: number) => void;

/** Makes the writer for the rows of one table. It prepares each text of the dictionaries only once. */
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
