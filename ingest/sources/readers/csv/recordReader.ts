// Reads one record of csv text: its fields, with and without quotes, and the faults in it.

import { isUtf8 } from 'node:buffer';
import { UnreadableError } from '../../../messages/fault.ts';
import { count } from '../../../messages/numbers.ts';
import { wholeFile } from '../../../messages/place.ts';
import { CR, LF, NUL, QUOTE, SPACE } from '../ascii.ts';
import { textOrFootnoted } from '../footnotes.ts';
import type { Cell } from '../rawFile.ts';
import { LIMITS, megabytes } from '../sourceLimits.ts';
import { hashed, TextCache } from '../textCache.ts';

const AS_UTF8 = 'save the file as "CSV UTF-8"';
const QUOTE_INSIDE = 'write a quote inside a field twice, as ""';
/** The result when the piece ends before the field or record ends, or before its end is certain. */
export const CUT = -1;

/** Reads one record after the other. Its results are valid until the next call. */
export class RecordReader {
  readonly #name: string;
  readonly #separator: number;
  /** 1 for each byte that ends a field without quotes. */
  readonly #ends = new Uint8Array(256);
  readonly #texts = new TextCache();
  /** Whether no piece follows. */
  isLast = false;
  cells: Cell[] = [];
  /** Whether the record has quotes. Without them, it contains no line ends. */
  hasQuotes = false;
  /** Where the record begins: its line, from 1, and its byte in the piece. */
  #line = 1;
  #start = 0;
  /** The position of the quote in the record that is not closed yet; -1 when there is none. */
  #openQuote = -1;

  constructor(name: string, separator: number) {
    this.#name = name;
    this.#separator = separator;
    for (const byte of [separator, LF, CR, NUL]) this.#ends[byte] = 1;
  }

  /**
   * Reads the record that begins at `start`, on this line, into `cells`. Returns where the next record begins, or CUT when
   * this record goes on in the next piece.
   */
  read(bytes: Buffer, start: number, line: number): number {
    this.#start = start;
    this.#line = line;
    this.cells = [];
    this.#openQuote = -1;
    this.hasQuotes = false;
    let at = start;
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
      if (end + 1 === bytes.length && !this.isLast) return CUT;
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
    if (at === bytes.length && !this.isLast) return CUT;
    if (bytes[start] === SPACE) this.#refuseLateQuote(bytes, start, at);
    if (bytes[at] === NUL) this.#refuseNul(bytes, start);
    this.cells.push(start === at ? null : cellOf(this.#text(bytes, start, at, hash), at - start));
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
    this.hasQuotes = true;
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
    if (end === bytes.length && !this.isLast) return CUT;
    if (end < bytes.length && !this.#endsField(bytes[end] as number))
      throw this.#notClosed(bytes, start, end);
    const text = this.#text(bytes, start + 1, at);
    if (text.includes('\0')) this.#refuseNul(bytes, start);
    if (text === '') this.cells.push(null);
    else this.cells.push(cellOf(hasQuotes ? text.replaceAll('""', '"') : text, end - start));
    return end;
  }

  /**
   * The error of text that follows a closing quote. When the field spans lines, the opening quote is probably the wrong
   * one, and the quote that seems to close it opens a later field.
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
    throw this.#wrong(bytes, start, 'holds a NUL character', `copy the file again, or ${AS_UTF8}`);
  }

  /**
   * Returns CUT for a record that continues in the next piece. Throws when the record is too long, or still open at the end
   * of the file.
   */
  #cut(bytes: Buffer): number {
    if (!this.isLast && bytes.length - this.#start <= LIMITS.recordBytes) return CUT;
    if (this.#openQuote >= 0) {
      const where = this.isLast ? 'is never closed' : `is not closed within ${megabytes(LIMITS.recordBytes)}`;
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

  #lineOf(bytes: Buffer, at: number): number {
    return this.#line + lineEnds(bytes, this.#start, at);
  }
}

/** The cell of a text. A text with as many bytes as characters is ASCII, so it has no superscript footnote marks. */
const cellOf = (text: string, bytes: number): Cell => (text.length === bytes ? text : textOrFootnoted(text));

/** The number of line ends: LF, CR, or CR and LF together. */
export function lineEnds(bytes: Buffer, start: number, end: number): number {
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
