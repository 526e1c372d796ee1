// Writes a page as JSON bytes, straight from the columns: no object per row, text escaped once per snapshot.

import type { Codes, Table } from '../catalog/columns.ts';
import { datasetOf, dimensionOf, isFinancial } from '../catalog/datasets.ts';
import type { RowQuery } from './parse.ts';

export interface Envelope {
  readonly filtersApplied: Readonly<Record<string, readonly string[]>>;
  /** `null` when nothing follows. */
  readonly cursor: string | null;
}

/** The body of contract §2.2, or of ruling 17 for a lookup. */
export function renderPage(
  table: Table,
  positions: Uint32Array,
  { filtersApplied, cursor }: Envelope,
): Buffer {
  const meta = {
    dataset: table.dataset,
    ...(isFinancial(table.dataset) && { metric: table.dataset }),
    filters_applied: filtersApplied,
    row_count: positions.length,
  };
  const pagination = { cursor, has_more: cursor !== null };
  const out = bytesWriter();
  out.add(`{"meta":${JSON.stringify(meta)},"data":[`);
  for (let first = 0; first < positions.length; first += ROWS_A_BLOCK) {
    if (first > 0) out.add(',');
    out.add(rowsText(table, positions.subarray(first, first + ROWS_A_BLOCK)));
  }
  out.add(`],"pagination":${JSON.stringify(pagination)}}`);
  return out.take();
}

/** Few enough for their text to be put together in the processor's cache: half the time of a page in one. */
const ROWS_A_BLOCK = 50;

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

/** Neighbouring dimensions as one piece of text, which few different combinations of values need. */
interface Piece {
  readonly columns: readonly {
    readonly codes: Codes;
    readonly size: number;
    readonly fragments: readonly string[];
  }[];
  /** By combination of codes; made when first needed. */
  readonly texts: (string | undefined)[];
}

interface RowPieces {
  readonly dimensions: readonly Piece[];
  readonly metrics: readonly { readonly prefix: string; readonly values: Float64Array }[];
  readonly end: string;
}

/** So many combinations a piece may have: more would not be used often enough to be worth their place. */
const MOST_COMBINATIONS = 2 ** 16;

// A table lives as long as its snapshot, and so do the pieces prepared from it.
const prepared = new WeakMap<Table, RowPieces>();

function rowsText(table: Table, positions: Uint32Array): string {
  let pieces = prepared.get(table);
  if (!pieces) {
    pieces = prepare(table);
    prepared.set(table, pieces);
  }
  let text = '';
  for (const position of positions) {
    if (text !== '') text += ',';
    for (const piece of pieces.dimensions) text += pieceText(piece, position);
    for (const { prefix, values } of pieces.metrics) text += prefix + numberText(values[position]);
    text += pieces.end;
  }
  return text;
}

function pieceText({ columns, texts }: Piece, position: number): string {
  let combination = 0;
  for (const { codes, size } of columns) combination = combination * size + (codes[position] ?? 0);
  const known = texts[combination];
  if (known !== undefined) return known;
  // Joined, not added: what is kept is one flat text.
  const text = columns.map(({ codes, fragments }) => fragments[codes[position] ?? 0]).join('');
  texts[combination] = text;
  return text;
}

function prepare(table: Table): RowPieces {
  const financial = isFinancial(table.dataset);
  const open = financial ? '{"dimensions":{' : '{';
  const columns = datasetOf(table.dataset).dimensions.flatMap((name, i) => {
    const column = table.dimensions.get(name);
    if (!column) return [];
    const prefix = `${i === 0 ? open : ','}${JSON.stringify(name)}:`;
    const isNumber = dimensionOf(name).type === 'integer';
    const fragments = column.values.map((value) => prefix + (isNumber ? value : JSON.stringify(value)));
    return [{ codes: column.codes, size: column.values.length, fragments }];
  });
  const metrics = [...table.metrics].map(([name, values], i) => ({
    prefix: `${i === 0 ? '},"values":{' : ','}${JSON.stringify(name)}:`,
    values,
  }));
  return { dimensions: piecesOf(columns), metrics, end: financial ? '}}' : '}' };
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
  return pieces.map((together) => ({ columns: together, texts: [] }));
}

/** As JSON.stringify writes it; NaN stands for a value the source leaves empty (ruling 15). */
const numberText = (value = Number.NaN) => (Number.isNaN(value) ? 'null' : String(value));

// Used by one page after the other; each leaves with a copy of its own.
let scratch = Buffer.allocUnsafe(2 ** 18);
/** A larger one is not kept. */
const SCRATCH_BYTES = 2 ** 22;

function bytesWriter() {
  let room = scratch;
  let filled = 0;
  return {
    add(text: string): void {
      // UTF-8 takes at most three bytes where a string takes one unit.
      const needed = filled + 3 * text.length;
      if (needed > room.length) {
        const larger = Buffer.allocUnsafe(Math.max(needed, 2 * room.length));
        room.copy(larger, 0, 0, filled);
        room = larger;
      }
      filled += room.write(text, filled);
    },
    take(): Buffer {
      if (room.length <= SCRATCH_BYTES) scratch = room;
      return Buffer.from(room.subarray(0, filled));
    },
  };
}
