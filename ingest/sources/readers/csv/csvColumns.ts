// Reads plain csv records column by column: texts as codes of a dictionary, numbers without making strings of them.
//
// A record is plain when it has no quote, as many fields as there are columns, short texts and numbers in ordinary
// form. `CsvRecords` reads every other record, because it knows all rules and all messages.

import { isUtf8 } from 'node:buffer';
import { EXACT_DIGITS, POWERS_OF_TEN } from '../../numberForms.ts';
import { CR, DOT, LF, MINUS, NINE, NUL, QUOTE, SPACE, ZERO } from '../ascii.ts';
import { textOrFootnoted } from '../footnotes.ts';
import {
  type BatchColumn,
  type ColumnBatch,
  type ColumnKind,
  NO_NUMBER,
  PLAIN_NUMBER,
  type RawRow,
  UNGROUPED_NUMBER,
} from '../rawFile.ts';
import { hashed } from '../textCache.ts';

/** The result for a record or field that is not plain. */
export const NOT_PLAIN = -1;

/** Reads plain records into columns. `CsvRecords` reads all other records. */
export class CsvColumns {
  readonly #kinds: readonly ColumnKind[];
  readonly #separator: number;
  /** 1 for each byte that ends a field. */
  readonly #ends = new Uint8Array(256);
  readonly #dictionaries: readonly Dictionary[];
  readonly #codes: Int32Array[] = [];
  readonly #values: Float64Array[] = [];
  readonly #states: Uint8Array[] = [];
  #rows = new Int32Array(0);
  #starts = new Int32Array(0);
  #odd = new Uint8Array(0);
  #oddRows = new Map<number, RawRow>();
  #count = 0;
  /** The number that was read last: where it ends, how it is written, and its value. */
  #numberEnd = 0;
  #numberState = NO_NUMBER;
  #number = 0;

  constructor(kinds: readonly ColumnKind[], separator: number) {
    this.#kinds = kinds;
    this.#separator = separator;
    for (const byte of [separator, LF, CR, NUL]) this.#ends[byte] = 1;
    this.#dictionaries = kinds.map(() => new Dictionary());
  }

  /** Whether at least one of the records read so far ends in an empty field. */
  endsInEmptyField = false;

  get width(): number {
    return this.#kinds.length;
  }

  /** Begins a batch for the records in a piece of this many bytes. */
  begin(bytes: number): void {
    this.#count = 0;
    this.#oddRows = new Map();
    // A plain record has at least one byte for each column.
    const most = Math.ceil(bytes / Math.max(1, this.#kinds.length));
    if (this.#rows.length < most) this.#resize(most);
  }

  #resize(capacity: number): void {
    const larger = <T extends Int32Array | Float64Array | Uint8Array>(old: T, fresh: T): T => {
      fresh.set(old);
      return fresh;
    };
    this.#rows = larger(this.#rows, new Int32Array(capacity));
    this.#starts = larger(this.#starts, new Int32Array(capacity));
    this.#odd = larger(this.#odd, new Uint8Array(capacity));
    for (const [i, kind] of this.#kinds.entries()) {
      const [texts, numbers] = kind === 'texts' ? [capacity, 0] : [0, capacity];
      this.#codes[i] = larger(this.#codes[i] ?? new Int32Array(0), new Int32Array(texts));
      this.#values[i] = larger(this.#values[i] ?? new Float64Array(0), new Float64Array(numbers));
      this.#states[i] = larger(this.#states[i] ?? new Uint8Array(0), new Uint8Array(numbers));
    }
  }

  /** Reads the record that begins at `start` on line `line`. Returns where the next record begins, or NOT_PLAIN. */
  takeRecord(bytes: Buffer, start: number, line: number): number {
    const row = this.#count;
    if (row === this.#rows.length) return NOT_PLAIN;
    const columns = this.#kinds.length;
    let at = start;
    for (let column = 0; column < columns; column++) {
      const end =
        this.#kinds[column] === 'texts'
          ? this.#text(bytes, at, column, row)
          : this.#numberAt(bytes, at, column, row);
      if (end === NOT_PLAIN || end >= bytes.length) return NOT_PLAIN;
      const byte = bytes[end] as number;
      if (column < columns - 1) {
        if (byte !== this.#separator) return NOT_PLAIN;
      } else if (byte === this.#separator || byte === NUL) return NOT_PLAIN;
      else if (byte === CR && end + 1 === bytes.length) return NOT_PLAIN;
      else if (end === at) this.endsInEmptyField = true;
      at = byte === CR && bytes[end + 1] === LF ? end + 2 : end + 1;
    }
    this.#rows[row] = line;
    this.#starts[row] = start;
    this.#odd[row] = 0;
    this.#count = row + 1;
    return at;
  }

  addOdd(row: RawRow): void {
    if (this.#count === this.#rows.length) this.#resize(2 * this.#count + 16);
    this.#rows[this.#count] = row.row;
    this.#odd[this.#count] = 1;
    this.#oddRows.set(this.#count, row);
    this.#count += 1;
  }

  /**
   * Ends the batch.
   *
   * @param reread Reads the plain record that begins at byte `start` again, as a row.
   */
  end(reread: (start: number, line: number) => RawRow | undefined): ColumnBatch {
    const oddRows = this.#oddRows;
    const [rows, starts] = [this.#rows, this.#starts];
    return {
      count: this.#count,
      rows,
      odd: this.#odd,
      columns: this.#kinds.map(
        (kind, i): BatchColumn =>
          kind === 'texts'
            ? {
                kind,
                codes: this.#codes[i] as Int32Array,
                dictionary: (this.#dictionaries[i] as Dictionary).texts,
              }
            : { kind, values: this.#values[i] as Float64Array, states: this.#states[i] as Uint8Array },
      ),
      rawRow: (i) => oddRows.get(i) ?? reread(starts[i] as number, rows[i] as number),
    };
  }

  /** Reads a text. Returns where it ends. */
  #text(bytes: Buffer, start: number, column: number, row: number): number {
    const ends = this.#ends;
    const first = bytes[start];
    // A text that begins with a quote or a space is not plain, because `CsvRecords` has messages about those.
    if (first === QUOTE || first === SPACE) return NOT_PLAIN;
    let at = start;
    let hash = 0;
    const { length } = bytes;
    for (; at < length && ends[bytes[at] as number] === 0; at++) hash = hashed(hash, bytes[at] as number);
    if (at === length) return NOT_PLAIN;
    let code = EMPTY;
    if (at > start) {
      code = (this.#dictionaries[column] as Dictionary).code(bytes, start, at, hash);
      if (code === NOT_PLAIN_TEXT) return NOT_PLAIN;
    }
    (this.#codes[column] as Int32Array)[row] = code;
    return at;
  }

  #numberAt(bytes: Buffer, start: number, column: number, row: number): number {
    if (!this.#parseNumber(bytes, start)) return NOT_PLAIN;
    (this.#values[column] as Float64Array)[row] = this.#number;
    (this.#states[column] as Uint8Array)[row] = this.#numberState;
    return this.#numberEnd;
  }

  /** Reads an empty field, or a number as JSON writes it, without an exponent. False for any other field. */
  #parseNumber(bytes: Buffer, start: number): boolean {
    let at = start;
    const isNegative = bytes[at] === MINUS;
    if (isNegative) at++;
    const wholeStart = at;
    let digits = 0;
    for (; isDigit(bytes[at]); at++) digits = digits * 10 + (bytes[at] as number) - ZERO;
    const whole = at - wholeStart;
    let decimals = 0;
    if (bytes[at] === DOT) {
      at++;
      const decimalsStart = at;
      for (; isDigit(bytes[at]); at++) digits = digits * 10 + (bytes[at] as number) - ZERO;
      decimals = at - decimalsStart;
      if (decimals === 0) return false;
    }
    if (at >= bytes.length || this.#ends[bytes[at] as number] === 0) return false;
    this.#numberEnd = at;
    if (whole === 0) {
      this.#numberState = NO_NUMBER;
      return at === start;
    }
    if (whole > 1 && bytes[wholeStart] === ZERO) return false;
    if (whole + decimals > EXACT_DIGITS) return false;
    // `404.021` may mean 404,021. Only the other numbers of its column show which of the two it is.
    if (decimals === 3 && whole <= 3 && bytes[wholeStart] !== ZERO) return false;
    this.#number = (isNegative ? -digits : digits) / (POWERS_OF_TEN[decimals] as number);
    this.#numberState = decimals === 0 && whole <= 3 ? PLAIN_NUMBER : UNGROUPED_NUMBER;
    return true;
  }
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= NINE;

const EMPTY = -1;
const NOT_PLAIN_TEXT = -2;

/** The most bytes of a plain text. Longer texts are rarely repeated, so a dictionary would not help. */
const LONGEST_BYTES = 64;
const MOST_TEXTS = 8_192;
/** The slots of the hash table. At most a quarter of them is in use, so that searches are short. */
const SLOTS = 4 * MOST_TEXTS;

/** The different texts of a column, found by their bytes. Once the dictionary is full, a new text is not plain. */
class Dictionary {
  readonly texts: string[] = [];
  readonly #entries = new Int32Array(SLOTS);
  readonly #hashes = new Int32Array(MOST_TEXTS);
  readonly #bytes: Buffer[] = [];

  /** The code of the text in these bytes. A new text is added. */
  code(bytes: Buffer, start: number, end: number, hash: number): number {
    const length = end - start;
    if (length > LONGEST_BYTES) return NOT_PLAIN_TEXT;
    let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    for (;;) {
      const entry = (this.#entries[slot] as number) - 1;
      if (entry < 0) return this.#add(bytes.subarray(start, end), hash, slot);
      if (this.#hashes[entry] === hash) {
        const stored = this.#bytes[entry] as Buffer;
        if (stored.length === length) {
          let i = 0;
          while (i < length && stored[i] === bytes[start + i]) i++;
          if (i === length) return entry;
        }
      }
      slot = (slot + 1) & (SLOTS - 1);
    }
  }

  #add(bytes: Buffer, hash: number, slot: number): number {
    if (this.texts.length === MOST_TEXTS || !isUtf8(bytes)) return NOT_PLAIN_TEXT;
    const text = bytes.toString('utf8');
    if (text.length !== bytes.length && typeof textOrFootnoted(text) !== 'string') return NOT_PLAIN_TEXT;
    this.#bytes.push(Buffer.from(bytes));
    this.#hashes[this.texts.length] = hash;
    this.texts.push(text);
    this.#entries[slot] = this.texts.length;
    return this.texts.length - 1;
  }
}
