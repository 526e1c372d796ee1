// Splits csv text into records and fields, piece by piece.

import { isUtf8 } from 'node:buffer';
import { UnreadableError } from '../../../messages/fault.ts';
import { count } from '../../../messages/numbers.ts';
import { wholeFile } from '../../../messages/place.ts';
import { CR, LF, NUL, QUOTE, SPACE } from '../ascii.ts';
import { textOrFootnoted } from '../footnotes.ts';
import { LIMITS, megabytes } from '../limits.ts';
import type { Cell, ColumnBatch, RawRow } from '../raw.ts';
import { hashed, TextCache } from '../textCache.ts';
import { type CsvColumns, NOT_PLAIN } from './columns.ts';
import { RecordWidths } from './recordWidths.ts';

const NOTHING = Buffer.alloc(0);
const AS_UTF8 = 'save the file as "CSV UTF-8"';
const QUOTE_INSIDE = 'write a quote inside a field twice, as ""';
/** The result when the piece ends before the field or record ends, or before its end is certain. */
const CUT = -1;

/** Splits the pieces of one file. The number of a row is that of the line on which its record begins. Blank lines are no rows. */
export class CsvRecords {
  readonly #name: string;
  readonly #separator: number;
  /** 1 for each byte that ends a field without quotes. */
  readonly #ends = new Uint8Array(256);
  readonly #texts = new TextCache();
  /** The unfinished record at the end of the last piece. */
  #rest: Buffer = NOTHING;
  #isLast = false;
  /** Where the current record begins: its line, from 1, and its byte in the piece. */
  #line = 1;
  #start = 0;
  /** The position of the quote in the current record that is not closed yet; -1 when there is none. */
  #openQuote = -1;
  /** Whether the current record has quotes. Without them, it contains no line ends. */
  #hasQuotes = false;
  #cells: Cell[] = [];
  readonly widths = new RecordWidths();

  constructor(name: string, separator: string) {
    this.#name = name;
    this.#separator = separator.charCodeAt(0);
    for (const byte of [this.#separator, LF, CR, NUL]) this.#ends[byte] = 1;
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
    this.#isLast = true;
    const { rows } = this.#split(this.#rest);
    if (rows.length > 0) this.widths.markUnended();
    return rows;
  }

  /** The rows that end in this piece, column by column. */
  pushColumns(piece: Buffer, columns: CsvColumns): ColumnBatch {
    const bytes = this.#with(piece);
    columns.begin(bytes.length);
    const { plain } = this.#split(bytes, columns);
    this.widths.addMany(columns.width, plain, columns.endsOpen);
    return columns.end((start, line) => this.#reread(bytes, start, line));
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
    let plain = 0;
    this.#start = 0;
    while (this.#start < bytes.length) {
      const next = columns?.take(bytes, this.#start, this.#line) ?? NOT_PLAIN;
      if (next !== NOT_PLAIN) {
        plain += 1;
        this.#line += 1;
        this.#start = next;
        continue;
      }
      const end = this.#record(bytes);
      if (end === CUT) break;
      const fields = this.#cells.length;
      const row = this.#row();
      if (row === undefined) this.widths.addEmpty(fields);
      else {
        this.widths.add(fields, row.cells.length, row.row);
        if (columns === undefined) rows.push(row);
        else columns.addOdd(row);
      }
      this.#line += this.#hasQuotes ? lineEnds(bytes, this.#start, end) : 1;
      this.#start = end;
    }
    this.#rest = bytes.subarray(this.#start);
    return { rows, plain };
  }

  /** The record that was read last, without its empty fields at the end; undefined when all are empty. */
  #row(): RawRow | undefined {
    while (this.#cells.at(-1) === null) this.#cells.pop();
    return this.#cells.length ? { row: this.#line, cells: this.#cells } : undefined;
  }

  /** Reads a record again, without moving the position of the reader. */
  #reread(bytes: Buffer, start: number, line: number): RawRow | undefined {
    const [startNow, lineNow] = [this.#start, this.#line];
    [this.#start, this.#line] = [start, line];
    try {
      this.#record(bytes);
      return this.#row();
    } finally {
      [this.#start, this.#line] = [startNow, lineNow];
    }
  }

  /** Reads one record into `#cells`. Returns where the next record begins. */
  #record(bytes: Buffer): number {
    this.#cells = [];
    this.#openQuote = -1;
    this.#hasQuotes = false;
    let at = this.#start;
    for (let fields = 1; ; fields++) {
      const end = bytes[at] === QUOTE ? this.#quoted(bytes, at) : this.#plain(bytes, at);
      if (end === CUT) return this.#cut(bytes);
      if (fields > LIMITS.columns) {
        throw this.#wrong(bytes, at, `has more than ${count(LIMITS.columns)} fields`, 'split the file');
      }
      if (bytes[end] === this.#separator) {
        at = end + 1;
        continue;
      }
      if (bytes[end] !== CR) return end + 1;
      if (end + 1 === bytes.length && !this.#isLast) return CUT;
      return bytes[end + 1] === LF ? end + 2 : end + 1;
    }
  }

  /** Reads a field without quotes. Returns where it ends. */
  #plain(bytes: Buffer, start: number): number {
    const ends = this.#ends;
    let at = start;
    let hash = 0;
    for (; at < bytes.length && ends[bytes[at] as number] === 0; at++)
      hash = hashed(hash, bytes[at] as number);
    if (at === bytes.length && !this.#isLast) return CUT;
    if (bytes[start] === SPACE) this.#refuseLateQuote(bytes, start, at);
    if (bytes[at] === NUL) this.#refuseNul(bytes, start);
    this.#cells.push(start === at ? null : cellOf(this.#text(bytes, start, at, hash), at - start));
    return at;
  }

  /** Refuses a quote after a space. It would count as text, so that a separator between the quotes would end the field. */
  #refuseLateQuote(bytes: Buffer, start: number, end: number): void {
    let at = start;
    while (at < end && bytes[at] === SPACE) at++;
    if (bytes[at] === QUOTE)
      throw this.#wrong(bytes, at, 'a quote follows a space', 'delete the space before it');
  }

  /** Reads a field in quotes, in which two quotes mean one. Returns where it ends. */
  #quoted(bytes: Buffer, start: number): number {
    this.#hasQuotes = true;
    let at = start + 1;
    let hasQuotes = false;
    for (;;) {
      at = bytes.indexOf(QUOTE, at);
      if (at < 0) {
        this.#openQuote = start;
        return CUT;
      }
      if (bytes[at + 1] !== QUOTE) break;
      hasQuotes = true;
      at += 2;
    }
    const end = at + 1;
    if (end === bytes.length && !this.#isLast) return CUT;
    if (end < bytes.length && !this.#endsField(bytes[end] as number))
      throw this.#notClosed(bytes, start, end);
    const text = this.#text(bytes, start + 1, at);
    if (text.includes('\0')) this.#refuseNul(bytes, start);
    if (text === '') this.#cells.push(null);
    else this.#cells.push(cellOf(hasQuotes ? text.replaceAll('""', '"') : text, end - start));
    return end;
  }

  /**
   * The error of text that follows a closing quote. When the field spans lines, the opening quote is probably the wrong one, and
   * the quote that seems to close it opens a later field.
   */
  #notClosed(bytes: Buffer, start: number, end: number): UnreadableError {
    const line = this.#lineOf(bytes, end);
    if (line === this.#lineOf(bytes, start))
      return this.#wrong(bytes, end, 'text follows a closing quote', `delete a stray quote; ${QUOTE_INSIDE}`);
    return this.#wrong(
      bytes,
      start,
      `a quote opens here, and text follows the next single quote, on line ${line}`,
      `close it on this line, or delete it if it is stray; ${QUOTE_INSIDE}`,
    );
  }

  #endsField(byte: number): boolean {
    return byte === this.#separator || byte === LF || byte === CR;
  }

  #text(bytes: Buffer, start: number, end: number, hash?: number): string {
    const text = this.#texts.get(bytes, start, end, hash);
    if (text !== undefined) return text;
    const at = firstInvalid(bytes, start, end);
    throw this.#wrong(bytes, at, 'is not valid UTF-8', AS_UTF8);
  }

  #refuseNul(bytes: Buffer, start: number): never {
    throw this.#wrong(bytes, start, 'holds a NUL character', AS_UTF8);
  }

  /**
   * Returns CUT for a record that continues in the next piece. Throws when the record is too long, or still open at the end
   * of the file.
   */
  #cut(bytes: Buffer): number {
    if (!this.#isLast && bytes.length - this.#start <= LIMITS.recordBytes) return CUT;
    if (this.#openQuote >= 0) {
      const where = this.#isLast
        ? 'is never closed'
        : `is not closed within ${megabytes(LIMITS.recordBytes)}`;
      throw this.#wrong(
        bytes,
        this.#openQuote,
        `a quote opens here and ${where}`,
        'close it, or delete it if it is stray',
      );
    }
    throw this.#wrong(
      bytes,
      this.#start,
      `begins a record of more than ${megabytes(LIMITS.recordBytes)}`,
      'split it',
    );
  }

  #wrong(bytes: Buffer, at: number, problem: string, remedy: string): UnreadableError {
    const place = { ...wholeFile(this.#name), cell: `line ${this.#lineOf(bytes, at)}` };
    return new UnreadableError({ place, problem, remedy });
  }

  /** The line of a byte in the current record. */
  #lineOf(bytes: Buffer, at: number): number {
    return this.#line + lineEnds(bytes, this.#start, at);
  }
}

/** The cell of a text. A text with as many bytes as characters is ASCII, so it has no superscript footnote marks. */
const cellOf = (text: string, bytes: number): Cell => (text.length === bytes ? text : textOrFootnoted(text));

/** The number of line ends: LF, CR, or CR and LF together. */
function lineEnds(bytes: Buffer, start: number, end: number): number {
  let lines = 0;
  for (let at = start; at < end; at++) {
    if (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] !== LF)) lines++;
  }
  return lines;
}

/** The position of the first character that is not valid UTF-8. */
function firstInvalid(bytes: Buffer, start: number, end: number): number {
  let at = start;
  // A character has at most four bytes.
  for (let next = start; next < end && next < at + 4; next++) {
    if (isUtf8(bytes.subarray(at, next + 1))) at = next + 1;
  }
  return at;
}
