// Reads the rows of a worksheet, row by row or column by column.

import type { Place } from '../../../messages/place.ts';
import type { ColumnBatch, ColumnKind, RawRow } from '../rawFile.ts';
import { asUtf8 } from '../xml/encoding.ts';
import { XmlWalker } from '../xml/xml.ts';
import { SheetColumns } from './sheetColumns.ts';
import { SheetEvents } from './sheetEvents.ts';
import { WorksheetMetadata } from './worksheetMetadata.ts';
import type { CellContext } from './xlsxCellValue.ts';

/**
 * Reads the rows of a sheet, one piece of the file after the other. Both generators continue where the other one stopped.
 * They throw UnreadableError for XML that no spreadsheet program writes, because its values could be misread.
 */
export class SheetReader {
  readonly #context: CellContext;
  readonly #pieces: AsyncGenerator<Buffer>;
  readonly #events: SheetEvents;
  readonly #walker: XmlWalker;
  #piece: Buffer = Buffer.alloc(0);
  #at = 0;
  /** The number of the last row that `rows` has given; 0 before. */
  lastRow = 0;

  /**
   * @param place The place of the sheet.
   * @param metadata Collects merged cells, hidden parts and print headers. It is complete when the last row has been read,
   *   because much of it follows the rows in the file.
   */
  constructor(
    pieces: AsyncIterable<Buffer>,
    place: Place,
    context: CellContext,
    metadata = new WorksheetMetadata(place),
  ) {
    this.#context = context;
    this.#pieces = asUtf8(pieces, place);
    this.#events = new SheetEvents(place, context, metadata);
    this.#walker = new XmlWalker('worksheet', place, this.#events);
  }

  async *rows(): AsyncGenerator<readonly RawRow[]> {
    try {
      while (this.#at < this.#piece.length || (await this.#hasMore())) {
        const rows = this.#walk(false);
        const last = rows.at(-1);
        if (last === undefined) continue;
        this.lastRow = last.row;
        yield rows;
      }
      this.#end();
    } finally {
      await this.#pieces.return(undefined);
    }
  }

  /** The rows column by column. */
  async *columns(kinds: readonly ColumnKind[]): AsyncGenerator<readonly RawRow[] | ColumnBatch> {
    const columns = SheetColumns.of(kinds, this.#context);
    if (columns === null) {
      yield* this.rows();
      return;
    }
    while (this.#at < this.#piece.length || (await this.#hasMore())) {
      if (this.#walker.isIdle) this.#at = this.#events.takePlain(columns, this.#piece, this.#at);
      if (!columns.isFull) yield* withOddRows(columns, this.#walk(true));
      const batch = columns.isFull ? columns.batch() : null;
      if (batch !== null) yield batch;
    }
    this.#end();
    const last = columns.batch();
    if (last !== null) yield last;
  }

  /** Whether bytes are left to read. It takes the next piece when none are left of this one. */
  async #hasMore(): Promise<boolean> {
    while (this.#at === this.#piece.length) {
      const { value, done } = await this.#pieces.next();
      if (done === true) return false;
      this.#piece = value;
      this.#at = 0;
    }
    return true;
  }

  /** Gives the walker the next slice, and takes its rows. */
  #walk(endsWithRow: boolean): readonly RawRow[] {
    const end = endOfSlice(this.#piece, this.#at, this.#walker.pendingBytes, endsWithRow);
    const slice = this.#piece.subarray(this.#at, end);
    this.#at += slice.length;
    this.#walker.push(slice);
    return this.#events.takeRows();
  }

  #end(): void {
    this.#walker.end();
    this.#events.end();
  }
}

/** Adds rows to the columns. Yields each full batch before it adds the next row. */
function* withOddRows(columns: SheetColumns, rows: readonly RawRow[]): Generator<ColumnBatch> {
  for (const row of rows) {
    const full = columns.isFull ? columns.batch() : null;
    if (full !== null) yield full;
    columns.addOdd(row);
  }
}

/**
 * Where the next slice for the walker ends.
 *
 * Slices are small, because a few bytes can make a wide row when a cell is far to the right. With each further slice, the
 * walker reads an unfinished tag or text again from its start. The longer it is, the larger is the next slice, so that this
 * stays cheap. When plain rows are taken column by column, a slice ends with the current row.
 */
function endOfSlice(piece: Buffer, at: number, pendingBytes: number, endsWithRow: boolean): number {
  const most = at + Math.max(SLICE_BYTES, pendingBytes);
  const rowEnd = endsWithRow ? piece.subarray(0, most).indexOf(ROW_END, at + pendingBytes) : -1;
  return rowEnd < 0 ? most : rowEnd + ROW_END.length;
}

/** How many bytes of a piece the walker gets at a time. */
const SLICE_BYTES = 8 * 1024;
const ROW_END = '</row>';
