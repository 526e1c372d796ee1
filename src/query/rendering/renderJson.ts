// Writes a page as JSON directly from the columns. It makes no object per row, and escapes each text only once.

import { getOrInsert } from '../../basics/maps.ts';
import type { BufferPool } from '../../cache/bufferPool.ts';
import type { Draft } from '../../cache/rendering.ts';
import type { Table } from '../../catalog/columns.ts';
import { datasetOf, dimensionOf, isFinancial } from '../../catalog/datasets.ts';
import { BytesWriter } from './bytesWriter.ts';
import { bytesOfPiece, piecesOf, type TextPiece } from './pieces.ts';
import { draftInSteps, type Representation } from './representation.ts';

/** Pages as JSON, with metadata and cursor. */
export const JSON_REPRESENTATION: Representation = {
  name: 'json',
  contentType: 'application/json; charset=utf-8',
  draftPage: (page, buffers) => page.draftJson(buffers),
};

export interface RowsPage {
  readonly table: Table;
  readonly positions: Uint32Array;
  readonly filtersApplied: Readonly<Record<string, readonly string[]>>;
  readonly cursor: string | null;
}

/** Begins the body of contract §2.2. For the country reference, it is the body of ruling 17. */
export function draftRows(
  { table, positions, filtersApplied, cursor }: RowsPage,
  buffers: BufferPool,
): Draft {
  const meta = {
    dataset: table.dataset,
    ...(isFinancial(table.dataset) && { metric: table.dataset }),
    filters_applied: filtersApplied,
    row_count: positions.length,
  };
  const pagination = { cursor, has_more: cursor !== null };
  const out = new BytesWriter(buffers);
  out.text(`{"meta":${JSON.stringify(meta)},"data":[`);
  return draftInSteps(out, positions.length, rowsWriter(out, table, positions), () => {
    // Removes the comma after the last row.
    if (positions.length > 0) out.drop(1);
    out.text(`],"pagination":${JSON.stringify(pagination)}}`);
  });
}

interface RowPieces {
  readonly dimensions: readonly TextPiece[];
  /**
   * Each metric with the text before its value. The prefix of the first metric is null, because the last piece of the
   * dimensions ends with that text.
   */
  readonly metrics: readonly { readonly prefix: Uint8Array | null; readonly values: Float64Array }[];
  /** The end of a row, with the comma before the next one. */
  readonly end: Uint8Array;
}

// The pieces of a table live as long as its snapshot.
const prepared = new WeakMap<Table, RowPieces>();

/** Returns a function that writes the rows from `begin` up to, not including, `end`, each with a comma after it. */
function rowsWriter(out: BytesWriter, table: Table, positions: Uint32Array) {
  const pieces = getOrInsert(prepared, table, () => prepare(table));
  return (begin: number, end: number): void => {
    for (let row = begin; row < end; row++) {
      const position = positions[row] ?? 0;
      for (const piece of pieces.dimensions) out.bytes(bytesOfPiece(piece, position));
      for (const { prefix, values } of pieces.metrics) {
        if (prefix !== null) out.bytes(prefix);
        const value = values[position] ?? Number.NaN;
        // NaN stands for a missing value, which is null in JSON (ruling 15).
        if (Number.isNaN(value)) out.bytes(NULL);
        else out.number(value);
      }
      out.bytes(pieces.end);
    }
  };
}

const NULL = Buffer.from('null');

function prepare(table: Table): RowPieces {
  const financial = isFinancial(table.dataset);
  const { dimensions } = datasetOf(table.dataset);
  const [first, ...others] = table.metrics;
  const open = financial ? '{"dimensions":{' : '{';
  const close = first ? `},"values":{${JSON.stringify(first[0])}:` : '';
  const columns = dimensions.flatMap((name, i) => {
    const column = table.dimensions.get(name);
    if (!column) return [];
    const before = `${i === 0 ? open : ','}${JSON.stringify(name)}:`;
    const after = i === dimensions.length - 1 ? close : '';
    const isNumber = dimensionOf(name).type === 'integer';
    const fragments = column.values.map(
      (value) => before + (isNumber ? value : JSON.stringify(value)) + after,
    );
    return [{ codes: column.codes, size: column.values.length, fragments }];
  });
  return {
    dimensions: piecesOf(columns),
    metrics: [
      ...(first ? [{ prefix: null, values: first[1] }] : []),
      ...others.map(([name, values]) => ({ prefix: Buffer.from(`,${JSON.stringify(name)}:`), values })),
    ],
    end: Buffer.from(financial ? '}},' : '},'),
  };
}
