// Copies batches of rows from one thread to another, without the dictionary of texts, which both threads have.

import { type BatchColumn, type Cell, type ColumnBatch, NO_NUMBER, type RawRow } from '../rawFile.ts';

/** A batch as it is sent to another thread. */
export interface SentBatch {
  readonly count: number;
  readonly rows: Int32Array<ArrayBuffer>;
  readonly odd: Uint8Array<ArrayBuffer>;
  readonly columns: readonly SentColumn[];
  /** The rows that are not plain, by their index in the batch. */
  readonly oddRows: ReadonlyMap<number, RawRow>;
}

type SentColumn =
  | { readonly kind: 'texts'; readonly codes: Int32Array<ArrayBuffer> }
  | {
      readonly kind: 'numbers';
      readonly values: Float64Array<ArrayBuffer>;
      readonly states: Uint8Array<ArrayBuffer>;
    };

/** Copies the rows of a batch from index `from` on. */
export function batchToSend({ count, rows, odd, columns, rawRow }: ColumnBatch, from: number): SentBatch {
  const oddRows = new Map<number, RawRow>();
  for (let i = from; i < count; i++) {
    const row = odd[i] === 1 ? rawRow(i) : undefined;
    if (row !== undefined) oddRows.set(i - from, row);
  }
  return {
    count: count - from,
    rows: rows.slice(from, count),
    odd: odd.slice(from, count),
    columns: columns.map(
      (column): SentColumn =>
        column.kind === 'texts'
          ? { kind: column.kind, codes: column.codes.slice(from, count) }
          : {
              kind: column.kind,
              values: column.values.slice(from, count),
              states: column.states.slice(from, count),
            },
    ),
    oddRows,
  };
}

/** The buffers of a copied batch, which are transferred to the other thread instead of copied again. */
export const buffersOf = ({ rows, odd, columns }: SentBatch): ArrayBuffer[] => [
  rows.buffer,
  odd.buffer,
  ...columns.flatMap((column) =>
    column.kind === 'texts' ? [column.codes.buffer] : [column.values.buffer, column.states.buffer],
  ),
];

/** The batch that another thread sent, completed with the dictionary of this thread. */
export function receivedBatch({ oddRows, ...sent }: SentBatch, dictionary: readonly Cell[]): ColumnBatch {
  const columns = sent.columns.map(
    (column): BatchColumn => (column.kind === 'texts' ? { ...column, dictionary } : column),
  );
  const rawRow = (i: number) => oddRows.get(i) ?? plainRow(columns, sent.rows[i] as number, i);
  return { ...sent, columns, rawRow };
}

/** A single plain row of a batch. */
export function plainRow(columns: readonly BatchColumn[], row: number, i: number): RawRow {
  const cells = columns.map((column): Cell => {
    if (column.kind === 'texts') return column.dictionary[column.codes[i] as number] ?? null;
    return column.states[i] === NO_NUMBER ? null : (column.values[i] as number);
  });
  while (cells.at(-1) === null) cells.pop();
  return { row, cells };
}
