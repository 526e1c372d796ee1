// Writes a page as JSON bytes, straight from the columns: no object per row, text escaped once per snapshot.

import type { Codes, Table } from '../catalog/columns.ts';
import { datasetOf, dimensionOf, isFinancial } from '../catalog/datasets.ts';
import { BytesWriter, type Draft } from './bytes.ts';
import type { RowQuery } from './parse.ts';

export interface Envelope {
  readonly filtersApplied: Readonly<Record<string, readonly string[]>>;
  /** `null` when nothing follows. */
  readonly cursor: string | null;
}

/** So many rows are written at a time. */
const ROWS_AT_A_TIME = 200;

/** The body of contract §2.2, or of ruling 17 for a lookup. */
export function draftPage(table: Table, positions: Uint32Array, { filtersApplied, cursor }: Envelope): Draft {
  const meta = {
    dataset: table.dataset,
    ...(isFinancial(table.dataset) && { metric: table.dataset }),
    filters_applied: filtersApplied,
    row_count: positions.length,
  };
  const pagination = { cursor, has_more: cursor !== null };
  const out = new BytesWriter();
  out.text(`{"meta":${JSON.stringify(meta)},"data":[`);
  let rows = 0;
  const writeTo = (end: number) => {
    writeRows(out, table, positions, rows, end);
    rows = end;
  };
  return {
    get roomBytes() {
      return out.roomBytes;
    },
    writeSome() {
      writeTo(Math.min(rows + ROWS_AT_A_TIME, positions.length));
      return rows === positions.length;
    },
    finish() {
      writeTo(positions.length);
      // The comma behind the last row.
      if (rows > 0) out.drop(1);
      out.text(`],"pagination":${JSON.stringify(pagination)}}`);
      return out.take();
    },
  };
}

/**
 * `meta.filters_applied`: values as given, and a period as the years it stands for (ruling 8): those of the years
 * given that it keeps, or else those the dataset has.
 */
export function filtersApplied(
  { filters, period }: RowQuery,
  table: Table,
): Record<string, readonly string[]> {
  const applied: Record<string, readonly string[]> = Object.fromEntries(filters);
  if (!period) return applied;
  const years = filters.get('year') ?? table.dimensions.get('year')?.values ?? [];
  applied.year = years.filter((year) => Number(year) >= period.firstYear && Number(year) <= period.lastYear);
  return applied;
}

/** Neighbouring dimensions as one piece of a row, which few different combinations of values need. */
interface Piece {
  readonly columns: readonly {
    readonly codes: Codes;
    readonly size: number;
    readonly fragments: readonly string[];
  }[];
  /** By combination of codes; made when first needed. */
  readonly written: (Uint8Array | undefined)[];
}

interface RowPieces {
  readonly dimensions: readonly Piece[];
  /** Of the first metric what stands before it belongs to the dimensions. */
  readonly metrics: readonly { readonly prefix: Uint8Array | null; readonly values: Float64Array }[];
  /** With the comma before the next row. */
  readonly end: Uint8Array;
}

/** So many combinations a piece may have: more would not be used often enough to be worth their place. */
const MOST_COMBINATIONS = 2 ** 16;

// A table lives as long as its snapshot, and so do the pieces prepared from it.
const prepared = new WeakMap<Table, RowPieces>();

/** Each with a comma behind it. */
function writeRows(out: BytesWriter, table: Table, positions: Uint32Array, begin: number, end: number): void {
  let pieces = prepared.get(table);
  if (!pieces) {
    pieces = prepare(table);
    prepared.set(table, pieces);
  }
  for (let row = begin; row < end; row++) {
    const position = positions[row] ?? 0;
    for (const piece of pieces.dimensions) out.bytes(writtenOf(piece, position));
    for (const { prefix, values } of pieces.metrics) {
      if (prefix !== null) out.bytes(prefix);
      const value = values[position] ?? Number.NaN;
      // NaN stands for a value the source leaves empty (ruling 15).
      if (Number.isNaN(value)) out.bytes(NULL);
      else out.number(value);
    }
    out.bytes(pieces.end);
  }
}

const NULL = Buffer.from('null');

function writtenOf({ columns, written }: Piece, position: number): Uint8Array {
  let combination = 0;
  for (const { codes, size } of columns) combination = combination * size + (codes[position] ?? 0);
  const known = written[combination];
  if (known !== undefined) return known;
  let text = '';
  for (const { codes, fragments } of columns) text += fragments[codes[position] ?? 0];
  const made = Buffer.from(text);
  written[combination] = made;
  return made;
}

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

/** Neighbours together as long as their combinations stay few. */
function piecesOf(columns: readonly Piece['columns'][number][]): Piece[] {
  const pieces: Piece['columns'][number][][] = [];
  let combinations = Number.POSITIVE_INFINITY;
  for (const column of columns) {
    combinations *= column.size;
    if (combinations <= MOST_COMBINATIONS) pieces.at(-1)?.push(column);
    else {
      pieces.push([column]);
      combinations = column.size;
    }
  }
  return pieces.map((together) => {
    const sizes = together.reduce((product, { size }) => product * size, 1);
    // Filled: an array with large holes is a map to V8.
    const written = sizes <= MOST_COMBINATIONS ? new Array<undefined>(sizes).fill(undefined) : [];
    return { columns: together, written };
  });
}
