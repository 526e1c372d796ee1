// Reads cells that are written like the last plain cell of their column.
//
// Comparing their bytes costs a fraction of parsing them. In `<c r="B7" s="1" t="s"><v>12</v></c>` only the row number and
// the value change from one row to the next. The bytes before the row number are the start of the column. The bytes between
// row number and value are the form of the cell.

import { columnLetters } from '../../../messages/place.ts';
import { EXACT_DIGITS, POWERS_OF_TEN } from '../../numberForms.ts';
import { DOT, LT, MINUS, NINE, QUOTE, ZERO } from '../ascii.ts';
import { type BatchColumn, PLAIN_NUMBER } from '../rawFile.ts';

/** The kind of content that a cell of a known form adds to its column. */
export type FormKind = typeof TEXT | typeof NUMBER | typeof WHOLE_NUMBER | typeof NO_VALUE;
export const NO_VALUE = 1;
export const TEXT = 2;
export const NUMBER = 3;
/** A number in a column of texts. */
export const WHOLE_NUMBER = 4;
const UNKNOWN = 0;

const WORD = 4;
/**
 * A cell starts with `<c r="` and the letters of its column. Two words of four bytes cover one or two letters, but not
 * three.
 */
const START = Buffer.from('<c r="');
const MOST_COLUMNS = 26 + 26 * 26;
const LONGEST_FORM = 32;
const FORM_WORDS = LONGEST_FORM / WORD;
const MOST_CODE_DIGITS = 9;
/**
 * The most bytes of a cell in a known form. While the piece has at least this many bytes left, no comparison reads beyond
 * its end.
 */
const LONGEST_CELL = 96;
const END = Buffer.from('</v></c>');
const [END_FIRST, END_LAST] = [END.readInt32LE(0), END.readInt32LE(WORD)];
const START_FIRST = START.readInt32LE(0);
/** Masks that keep the first 0 to 4 bytes of a word. They cut off the bytes after the digits of a row's number. */
const DIGIT_BITS = Int32Array.of(0, 0xff, 0xffff, 0xffffff, -1);

/** Remembers the form of the last plain cell of each column, and reads the cells that have it. */
export class KnownForms {
  /** The codes of each column; empty for a column of numbers. */
  readonly #codes: readonly Int32Array[];
  readonly #values: readonly Float64Array[];
  readonly #states: readonly Uint8Array[];
  /** For each column: how many bytes its start has, and the last four of them. */
  readonly #startBytes: Uint8Array;
  readonly #startLast: Int32Array;
  /** For each column: the kind of its form, its length and its bytes. The last word may overlap the word before it. */
  readonly #kinds: Uint8Array;
  readonly #formBytes: Uint8Array;
  readonly #formWords: Int32Array;
  readonly #formLast: Int32Array;
  /**
   * How many shared texts and how many whole numbers have codes. The codes of the whole numbers follow those of the texts.
   */
  readonly #textCount: number;
  readonly #wholeNumberCount: number;
  /** The number of the current row: its length in bytes, the mask of its digits, its first four bytes and its last four. */
  #rowBytes = 0;
  #rowBits = 0;
  #rowFirst = 0;
  #rowLast = 0;
  /** Where the last four bytes of the row's number begin. */
  #rowLastAt = 0;
  /** The columns of the last cell that was read, and of the last filled one. */
  column = -1;
  filled = -1;

  constructor(columns: readonly BatchColumn[], texts: number, wholeNumbers: number) {
    this.#textCount = texts;
    this.#wholeNumberCount = wholeNumbers;
    const [noCodes, noValues, noStates] = [new Int32Array(0), new Float64Array(0), new Uint8Array(0)];
    this.#codes = columns.map((column) => (column.kind === 'texts' ? column.codes : noCodes));
    this.#values = columns.map((column) => (column.kind === 'numbers' ? column.values : noValues));
    this.#states = columns.map((column) => (column.kind === 'numbers' ? column.states : noStates));
    const count = Math.min(columns.length, MOST_COLUMNS);
    const starts = Array.from({ length: count }, (_, column) =>
      Buffer.concat([START, Buffer.from(columnLetters(column))]),
    );
    this.#startBytes = Uint8Array.from(starts, ({ length }) => length);
    this.#startLast = Int32Array.from(starts, (start) => start.readInt32LE(start.length - WORD));
    this.#kinds = new Uint8Array(count);
    this.#formBytes = new Uint8Array(count);
    this.#formWords = new Int32Array(count * FORM_WORDS);
    this.#formLast = new Int32Array(count);
  }

  /**
   * Begins a row. Its number has one to seven digits, from `start` to `end`. The view must hold at least seven bytes from
   * `start` on.
   */
  beginRow(view: DataView, start: number, end: number): void {
    const bytes = end - start;
    this.#rowBytes = bytes;
    this.#rowBits = DIGIT_BITS[Math.min(bytes, WORD)] as number;
    this.#rowLastAt = Math.max(0, bytes - WORD);
    this.#rowFirst = view.getInt32(start, true) & this.#rowBits;
    this.#rowLast = view.getInt32(start + this.#rowLastAt, true) & this.#rowBits;
    this.column = -1;
    this.filled = -1;
  }

  /** Remembers the form of a cell that begins at `start`. Its value begins at `formEnd`; an empty cell ends there. */
  remember(view: DataView, start: number, column: number, formEnd: number, kind: FormKind): void {
    if (column >= this.#kinds.length) return;
    const formStart = start + (this.#startBytes[column] as number) + this.#rowBytes;
    const bytes = formEnd - formStart;
    this.#kinds[column] = UNKNOWN;
    // The form should begin with the quote behind the row's number. It does not when that number has leading zeros.
    if (bytes < WORD || bytes > LONGEST_FORM || view.getUint8(formStart) !== QUOTE) return;
    this.#kinds[column] = kind;
    this.#formBytes[column] = bytes;
    for (let word = 0; word * WORD <= bytes - WORD; word++)
      this.#formWords[column * FORM_WORDS + word] = view.getInt32(formStart + word * WORD, true);
    this.#formLast[column] = view.getInt32(formEnd - WORD, true);
  }

  /**
   * Reads the cells at `start` into this row of the batch, as long as each cell has the known form of the next column.
   * Returns the position of the first cell or tag with another form.
   */
  read(bytes: Buffer, view: DataView, start: number, row: number): number {
    const last = view.byteLength - LONGEST_CELL;
    const kinds = this.#kinds;
    for (let next = start; ; ) {
      const column = this.column + 1;
      const kind = column < kinds.length ? (kinds[column] as number) : UNKNOWN;
      if (kind === UNKNOWN || next > last) return next;
      const formEnd = this.#formEnd(view, next, column);
      if (formEnd < 0) return next;
      if (kind !== NO_VALUE) {
        const end =
          kind === NUMBER
            ? this.#takeNumber(bytes, formEnd, column, row)
            : this.#takeCode(bytes, formEnd, column, row, kind);
        if (end < 0 || view.getInt32(end, true) !== END_FIRST) return next;
        if (view.getInt32(end + WORD, true) !== END_LAST) return next;
        this.filled = column;
        next = end + END.length;
      } else next = formEnd;
      this.column = column;
    }
  }

  /** Where the form of the cell at `start` ends, when it is the known form of the column; else -1. */
  #formEnd(view: DataView, start: number, column: number): number {
    let at = start + (this.#startBytes[column] as number);
    if (view.getInt32(start, true) !== START_FIRST) return -1;
    if (view.getInt32(at - WORD, true) !== this.#startLast[column]) return -1;
    if ((view.getInt32(at, true) & this.#rowBits) !== this.#rowFirst) return -1;
    if ((view.getInt32(at + this.#rowLastAt, true) & this.#rowBits) !== this.#rowLast) return -1;
    at += this.#rowBytes;
    const end = at + (this.#formBytes[column] as number);
    for (let word = column * FORM_WORDS; at <= end - WORD; at += WORD, word++)
      if (view.getInt32(at, true) !== this.#formWords[word]) return -1;
    return view.getInt32(end - WORD, true) === this.#formLast[column] ? end : -1;
  }

  /**
   * Stores the number at `start`, as `parseNumber` reads it. Returns where it ends; -1 when it is not a plain number of at
   * most EXACT_DIGITS digits.
   */
  #takeNumber(bytes: Buffer, start: number, column: number, row: number): number {
    const isNegative = bytes[start] === MINUS;
    const digitsAt = isNegative ? start + 1 : start;
    let value = 0;
    let dotAt = -1;
    let at = digitsAt;
    for (; at - digitsAt <= EXACT_DIGITS + 1; at++) {
      const byte = bytes[at] as number;
      if (byte >= ZERO && byte <= NINE) value = value * 10 + (byte - ZERO);
      else if (byte === DOT && dotAt < 0) dotAt = at;
      else break;
    }
    const digits = dotAt < 0 ? at - digitsAt : at - digitsAt - 1;
    if (bytes[at] !== LT || digits === 0 || digits > EXACT_DIGITS) return -1;
    if (dotAt >= 0) value /= POWERS_OF_TEN[at - dotAt - 1] as number;
    (this.#values[column] as Float64Array)[row] = isNegative ? -value : value;
    (this.#states[column] as Uint8Array)[row] = PLAIN_NUMBER;
    return at;
  }

  /** Stores the code of the text or of the whole number at `start`. Returns where it ends; -1 when it has no code. */
  #takeCode(bytes: Buffer, start: number, column: number, row: number, kind: number): number {
    let value = 0;
    let at = start;
    for (; at - start < MOST_CODE_DIGITS; at++) {
      const byte = bytes[at] as number;
      if (byte < ZERO || byte > NINE) break;
      value = value * 10 + (byte - ZERO);
    }
    if (bytes[at] !== LT || at === start) return -1;
    if (value >= (kind === TEXT ? this.#textCount : this.#wholeNumberCount)) return -1;
    (this.#codes[column] as Int32Array)[row] = kind === TEXT ? value : this.#textCount + value;
    return at;
  }
}
