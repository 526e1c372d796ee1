// Splits csv text into records and fields, piece by piece.

import type { ColumnBatch, RawRow } from '../rawFile.ts';
import { type CsvColumns, NOT_PLAIN } from './csvColumns.ts';
import { CUT, lineEnds, RecordReader } from './recordReader.ts';
import { RecordWidths } from './recordWidths.ts';

const NOTHING = Buffer.alloc(0);

/**
 * Splits the pieces of one file. The number of a row is that of the line on which its record begins. Blank lines are no
 * rows.
 */
export class CsvRecords {
  readonly #record: RecordReader;
  /** The unfinished record at the end of the last piece. */
  #rest: Buffer = NOTHING;
  /** The line on which the next record begins, from 1. */
  #line = 1;
  readonly widths = new RecordWidths();

  constructor(name: string, separator: string) {
    this.#record = new RecordReader(name, separator.charCodeAt(0));
  }

  /** The number of bytes of the unfinished record. */
  get pendingBytes(): number {
    return this.#rest.length;
  }

  /** The line on which the unfinished record begins. */
  get line(): number {
    return this.#line;
  }

  /** The rows that end in this piece. */
  push(piece: Buffer): readonly RawRow[] {
    return this.#split(this.#with(piece)).rows;
  }

  /** The last row, when no line end follows it. */
  end(): readonly RawRow[] {
    this.#record.isLast = true;
    const { rows } = this.#split(this.#rest);
    if (rows.length > 0) this.widths.markUnended();
    return rows;
  }

  /** The rows that end in this piece, column by column. */
  pushColumns(piece: Buffer, columns: CsvColumns): ColumnBatch {
    const bytes = this.#with(piece);
    columns.begin(bytes.length);
    const { plain } = this.#split(bytes, columns);
    this.widths.addMany(columns.width, plain, columns.endsInEmptyField);
    return columns.end((start, line) => {
      this.#record.read(bytes, start, line);
      return this.#row(line);
    });
  }

  /** The unfinished record of the last piece, followed by this piece. */
  #with(piece: Buffer): Buffer {
    return this.#rest.length ? Buffer.concat([this.#rest, piece]) : piece;
  }

  /**
   * The rows of the complete records in these bytes. With `columns`, the rows are added there instead, and `plain` is the
   * number of plain records.
   */
  #split(bytes: Buffer, columns?: CsvColumns): { readonly rows: readonly RawRow[]; readonly plain: number } {
    const rows: RawRow[] = [];
    const record = this.#record;
    let plain = 0;
    let start = 0;
    while (start < bytes.length) {
      const next = columns?.takeRecord(bytes, start, this.#line) ?? NOT_PLAIN;
      if (next !== NOT_PLAIN) {
        plain += 1;
        this.#line += 1;
        start = next;
        continue;
      }
      const end = record.read(bytes, start, this.#line);
      if (end === CUT) break;
      const fields = record.cells.length;
      const row = this.#row(this.#line);
      if (row === undefined) this.widths.addEmpty(fields);
      else {
        this.widths.add(fields, row.cells.length, row.row);
        if (columns === undefined) rows.push(row);
        else columns.addOdd(row);
      }
      this.#line += record.hasQuotes ? lineEnds(bytes, start, end) : 1;
      start = end;
    }
    this.#rest = bytes.subarray(start);
    return { rows, plain };
  }

  /** The record that was read last, without its empty fields at the end; undefined when all are empty. */
  #row(line: number): RawRow | undefined {
    const { cells } = this.#record;
    while (cells.at(-1) === null) cells.pop();
    return cells.length ? { row: line, cells } : undefined;
  }
}
