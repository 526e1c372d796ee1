// Reads the rows of a sheet in their commonest form column by column: shared texts as codes, numbers as they are.
//
// A row is plain when each of its cells is one that `SkimmedCell` recognises, holds a shared text or a number without a look of
// its own, and stands in a column that wants it. The walker reads every other row, with all rules and all messages.

import { LIMITS } from '../limits.ts';
import {
  type BatchColumn,
  type Cell,
  type ColumnBatch,
  type ColumnKind,
  NO_NUMBER,
  PLAIN_NUMBER,
  type RawRow,
} from '../raw.ts';
import type { RowCells } from '../rowCells.ts';
import { agreeingStyles } from './agreeingStyles.ts';
import { after, digits, isBetween, NINE, wordsOf, ZERO } from './bytes.ts';
import type { CellContext } from './cellValue.ts';
import { parseNumber } from './number.ts';
import { plainRow } from './sheetBatch.ts';
import { SkimmedCell } from './skimCell.ts';

/** Rows of a batch: as many as DuckDB takes at a time. */
const BATCH_ROWS = 2048;

/** Shared texts that come later are not plain: codes are indexes into tables that grow with them. */
const MOST_TEXTS = 65_536;

/** Numbers that columns of texts may hold, such as years. */
const WHOLE_NUMBERS: readonly Cell[] = Array.from({ length: 10_000 }, (_, number) => number);

const GT = 0x3e;
const EMPTY = -1;
const NOTHING = Buffer.alloc(0);
const ROW = wordsOf('<row r="');
const ROW_END = wordsOf('</row>');

/** What may follow the number of a plain row in its tag: attributes other than `r` and `hidden`. */
const PLAIN_TAG_END = /^"(?: (?!(?:r|hidden)=)[\w:.-]+="[^"<>&]*")*>$/;
const LONGEST_TAG_END = 256;

/** What the codes of texts stand for: the shared texts that are plain, then the whole numbers. */
export const dictionaryOf = (strings: CellContext['strings']): readonly Cell[] => [
  ...strings.slice(0, MOST_TEXTS),
  ...WHOLE_NUMBERS,
];

export class SheetColumns {
  readonly #cell: SkimmedCell;
  /** The shared texts that are plain, then the whole numbers. */
  readonly #dictionary: readonly Cell[];
  readonly #texts: number;
  /** By style: whether its cells look like others, and whether its numbers also are what they show. */
  readonly #hasPlainText: Uint8Array;
  readonly #hasPlainNumber: Uint8Array;
  readonly #columns: readonly BatchColumn[];
  readonly #rows = new Int32Array(BATCH_ROWS);
  readonly #odd = new Uint8Array(BATCH_ROWS);
  #oddRows = new Map<number, RawRow>();
  #count = 0;
  /** How the tag of the last plain row ended. */
  #tagEnd: Buffer = NOTHING;
  /** The bytes read last, and their view as words. */
  #bytes: Buffer = NOTHING;
  #view: DataView = new DataView(NOTHING.buffer);
  /** The row that was read last: its number, and the columns of its last cell and of its last filled cell. */
  #row = 0;
  #lastColumn = -1;
  #lastFilled = -1;

  private constructor(kinds: readonly ColumnKind[], { strings, styles }: CellContext) {
    this.#cell = new SkimmedCell(styles.kinds.length);
    this.#texts = Math.min(strings.length, MOST_TEXTS);
    this.#dictionary = dictionaryOf(strings);
    const agrees = agreeingStyles({ strings, styles });
    const looksPlain = (style: number) => (styles.looks?.[style] ?? 0) === 0;
    const byStyle = { length: Math.max(1, styles.kinds.length) };
    this.#hasPlainText = Uint8Array.from(byStyle, (_, style) => Number(looksPlain(style)));
    this.#hasPlainNumber = Uint8Array.from(byStyle, (_, style) =>
      Number(looksPlain(style) && ((styles.kinds[style] ?? 'number') === 'number' || agrees(style))),
    );
    this.#columns = kinds.map(
      (kind): BatchColumn =>
        kind === 'texts'
          ? { kind, codes: new Int32Array(BATCH_ROWS), dictionary: this.#dictionary }
          : { kind, values: new Float64Array(BATCH_ROWS), states: new Uint8Array(BATCH_ROWS) },
    );
  }

  /** Null when the texts are so long that those of a row may be beyond the limit: then they must be counted. */
  static of(kinds: readonly ColumnKind[], context: CellContext): SheetColumns | null {
    let longest = 0;
    for (const text of context.strings)
      if (typeof text === 'string' && text.length > longest) longest = text.length;
    return longest * kinds.length <= LIMITS.recordBytes ? new SheetColumns(kinds, context) : null;
  }

  get isFull(): boolean {
    return this.#count === BATCH_ROWS;
  }

  /** Takes the plain rows that stand one after another from `start` on; gives where the first other thing stands. */
  take(bytes: Buffer, start: number, cells: RowCells): number {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    }
    let at = start;
    while (this.#count < BATCH_ROWS) {
      const next = this.#takeRow(bytes, at, cells.row);
      if (next === at) break;
      at = next;
      cells.skip(this.#row, this.#lastColumn, this.#lastFilled + 1);
      if (this.#lastFilled < 0) continue;
      this.#rows[this.#count] = this.#row;
      this.#odd[this.#count] = 0;
      this.#count += 1;
    }
    return at;
  }

  /** Adds a row that the walker has read. There must be room for it. */
  addOdd(row: RawRow): void {
    this.#rows[this.#count] = row.row;
    this.#odd[this.#count] = 1;
    this.#oddRows.set(this.#count, row);
    this.#count += 1;
  }

  /** The rows that were taken since the last call; null without any. */
  batch(): ColumnBatch | null {
    if (this.#count === 0) return null;
    const count = this.#count;
    const oddRows = this.#oddRows;
    this.#count = 0;
    this.#oddRows = new Map();
    return {
      count,
      rows: this.#rows,
      odd: this.#odd,
      columns: this.#columns,
      rawRow: (i) => oddRows.get(i) ?? plainRow(this.#columns, this.#rows[i] as number, i),
    };
  }

  /** Reads a row into the columns; gives where it ends, or `start` when it is not plain. */
  #takeRow(bytes: Buffer, start: number, lastRow: number): number {
    let at = after(ROW, this.#view, start);
    if (at < 0) return start;
    let row = 0;
    for (; isBetween(ZERO, bytes[at], NINE); at++) row = row * 10 + ((bytes[at] as number) - ZERO);
    at = this.#endOfTag(bytes, at);
    if (at < 0 || row <= lastRow || row > LIMITS.rows) return start;
    const columns = this.#columns;
    for (let index = 0; index < columns.length; index++) {
      const column = columns[index] as BatchColumn;
      if (column.kind === 'texts') column.codes[this.#count] = EMPTY;
      else column.states[this.#count] = NO_NUMBER;
    }
    const cell = this.#cell;
    let last = -1;
    let lastFilled = -1;
    for (;;) {
      const next = cell.read(bytes, at, row, last);
      if (next === at) break;
      at = next;
      last = cell.column;
      if (cell.isEmpty) continue;
      if (!this.#takeCell(bytes)) return start;
      lastFilled = last;
    }
    at = after(ROW_END, this.#view, at);
    if (at < 0) return start;
    this.#row = row;
    this.#lastColumn = last;
    this.#lastFilled = lastFilled;
    return at;
  }

  /** Where the tag of a row ends, the rest of which begins at `start`; -1 when it may hide the row or is wrong. */
  #endOfTag(bytes: Buffer, start: number): number {
    const known = this.#tagEnd;
    let same = 0;
    while (same < known.length && bytes[start + same] === known[same]) same++;
    if (same > 0 && same === known.length) return start + same;
    const end = bytes.subarray(start, start + LONGEST_TAG_END).indexOf(GT) + 1;
    if (!PLAIN_TAG_END.test(bytes.toString('latin1', start, start + end))) return -1;
    this.#tagEnd = Buffer.from(bytes.subarray(start, start + end));
    return start + end;
  }

  /** Stores the cell that was recognised; false when it is not plain. */
  #takeCell(bytes: Buffer): boolean {
    const { column: index, style, isShared, valueStart, valueEnd } = this.#cell;
    const column = this.#columns[index];
    if (column === undefined) return false;
    if (isShared) {
      const text = digits(bytes, valueStart, valueEnd);
      if (column.kind !== 'texts' || this.#hasPlainText[style] !== 1) return false;
      if (text < 0 || text >= this.#texts) return false;
      column.codes[this.#count] = text;
      return true;
    }
    const value = parseNumber(bytes, valueStart, valueEnd);
    if (Number.isNaN(value) || this.#hasPlainNumber[style] !== 1) return false;
    if (column.kind === 'numbers') {
      column.values[this.#count] = value;
      column.states[this.#count] = PLAIN_NUMBER;
      return true;
    }
    if (!(value >= 0 && value < WHOLE_NUMBERS.length && Number.isInteger(value))) return false;
    column.codes[this.#count] = this.#texts + value;
    return true;
  }
}
