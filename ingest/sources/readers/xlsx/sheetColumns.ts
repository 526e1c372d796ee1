// Reads the rows of a sheet in their commonest form column by column: shared texts as codes, numbers as they are.
//
// A row is plain when all its cells are. A plain cell has the form that `SkimmedCell` recognises. It holds a shared text or
// a number that fits the kind of its column, and has no special look. `XmlWalker` reads every other row, with all rules and
// all messages.

import { getOrInsert } from '../../../../src/basics/maps.ts';
import { CURRENCY_CODES } from '../../../messages/currencyCodes.ts';
import { mayShow } from '../../../messages/currencySigns.ts';
import { GT, NINE, ZERO } from '../ascii.ts';
import { PLAIN } from '../numberKind.ts';
import {
  type BatchColumn,
  type Cell,
  type ColumnBatch,
  type ColumnKind,
  NO_NUMBER,
  PLAIN_NUMBER,
  type RawRow,
} from '../rawFile.ts';
import type { RowCells } from '../rowCells.ts';
import { LIMITS } from '../sourceLimits.ts';
import { endOfMatch, fixedText, isBetween, parseNumber, parseWholeNumber } from './bytes.ts';
import { type FormKind, KnownForms, NO_VALUE, NUMBER, TEXT, WHOLE_NUMBER } from './knownForms.ts';
import { plainRow } from './sheetBatch.ts';
import { SkimmedCell } from './skimmedCell.ts';
import type { CellContext } from './xlsxCellValue.ts';

/** The rows of a batch: as many as DuckDB takes at a time. */
const BATCH_ROWS = 2048;

/** How many shared texts may be plain. With a larger number, the tables that have an entry for each code would grow. */
const MOST_TEXTS = 65_536;

/** The numbers that a column of texts may hold, such as years. */
const WHOLE_NUMBERS: readonly Cell[] = Array.from({ length: 10_000 }, (_, number) => number);

const EMPTY = -1;
const NOTHING = Buffer.alloc(0);
const ROW = fixedText('<row r="');
const ROW_END = fixedText('</row>');

/** Matches the end of the tag of a plain row, behind its number: attributes that neither number nor hide the row. */
const PLAIN_TAG_END = /^"(?: (?!(?:r|hidden)=|ht="0)[\w:.-]+="[^"<>&]*")*>$/;
const LONGEST_TAG_END = 256;
/** The most digits of the number of a row. */
const LONGEST_ROW = 7;

/** The cells for which codes stand: first the shared texts that are plain, then the whole numbers. */
export const dictionaryOf = (strings: CellContext['strings']): readonly Cell[] => [
  ...strings.slice(0, MOST_TEXTS),
  ...WHOLE_NUMBERS,
];

/** Reads plain rows into the columns of a batch. */
export class SheetColumns {
  readonly #cell: SkimmedCell;
  readonly #known: KnownForms;
  readonly #dictionary: readonly Cell[];
  readonly #textCount: number;
  /**
   * For each style: 1 when its texts have no special look; 1 when its numbers have no special look and are shown as they
   * are.
   */
  readonly #hasPlainText: Uint8Array;
  readonly #hasPlainNumber: Uint8Array;
  readonly #columns: readonly BatchColumn[];
  readonly #rows = new Int32Array(BATCH_ROWS);
  readonly #odd = new Uint8Array(BATCH_ROWS);
  #oddRows = new Map<number, RawRow>();
  #count = 0;
  /** How the tag of the last plain row ended. */
  #tagEnd: Buffer = NOTHING;
  /** The bytes that were read last, and a view of them as integers. */
  #bytes: Buffer = NOTHING;
  #view: DataView = new DataView(NOTHING.buffer);
  /** The number of the row that was read last. */
  #row = 0;
  /** Whether the columns are empty already in all rows from `#count` on. */
  #isEmptied = false;

  private constructor(kinds: readonly ColumnKind[], { strings, styles }: CellContext) {
    this.#cell = new SkimmedCell(styles.kinds.length);
    this.#textCount = Math.min(strings.length, MOST_TEXTS);
    this.#dictionary = dictionaryOf(strings);
    const agrees = agreeingStyles({ strings, styles });
    const looksPlain = (style: number) => (styles.looks?.[style] ?? 0) === 0;
    const byStyle = { length: Math.max(1, styles.kinds.length) };
    this.#hasPlainText = Uint8Array.from(byStyle, (_, style) => Number(looksPlain(style)));
    this.#hasPlainNumber = Uint8Array.from(byStyle, (_, style) =>
      Number(looksPlain(style) && ((styles.kinds[style] ?? PLAIN).kind === 'number' || agrees(style))),
    );
    this.#columns = kinds.map(
      (kind): BatchColumn =>
        kind === 'texts'
          ? { kind, codes: new Int32Array(BATCH_ROWS), dictionary: this.#dictionary }
          : { kind, values: new Float64Array(BATCH_ROWS), states: new Uint8Array(BATCH_ROWS) },
    );
    this.#known = new KnownForms(this.#columns, this.#textCount, WHOLE_NUMBERS.length);
  }

  /**
   * The columns; null when rows must be read cell by cell. Texts that are struck out or have parts of several colours need
   * that, because their cells are reported. So do texts that are so long that the characters of each row must be counted.
   */
  static of(kinds: readonly ColumnKind[], context: CellContext): SheetColumns | null {
    if (context.struckStrings.size > 0 || context.colouredNumbers.size > 0) return null;
    let longest = 0;
    for (const text of context.strings)
      if (typeof text === 'string' && text.length > longest) longest = text.length;
    return longest * kinds.length <= LIMITS.recordBytes ? new SheetColumns(kinds, context) : null;
  }

  get isFull(): boolean {
    return this.#count === BATCH_ROWS;
  }

  /** Takes successive plain rows from `start` on. Returns where something else begins. */
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
      cells.skip(this.#row, this.#known.column, this.#known.filled + 1);
      if (this.#known.filled < 0) continue;
      this.#rows[this.#count] = this.#row;
      this.#odd[this.#count] = 0;
      this.#count += 1;
    }
    return at;
  }

  /** Adds a row that `XmlWalker` has read. There must be room for it. */
  addOdd(row: RawRow): void {
    this.#rows[this.#count] = row.row;
    this.#odd[this.#count] = 1;
    this.#oddRows.set(this.#count, row);
    this.#count += 1;
  }

  /** The rows that were added since the last call; null when there are none. */
  batch(): ColumnBatch | null {
    if (this.#count === 0) return null;
    const count = this.#count;
    const oddRows = this.#oddRows;
    this.#count = 0;
    this.#isEmptied = false;
    this.#oddRows = new Map();
    return {
      count,
      rows: this.#rows,
      odd: this.#odd,
      columns: this.#columns,
      rawRow: (i) => oddRows.get(i) ?? plainRow(this.#columns, this.#rows[i] as number, i),
    };
  }

  /** Reads a row into the columns. Returns where it ends, or `start` when it is not plain. */
  #takeRow(bytes: Buffer, start: number, lastRow: number): number {
    const view = this.#view;
    const digitsAt = endOfMatch(ROW, view, start);
    if (digitsAt < 0 || digitsAt + LONGEST_ROW > bytes.length) return start;
    let row = 0;
    let at = digitsAt;
    for (; isBetween(ZERO, bytes[at], NINE); at++) row = row * 10 + ((bytes[at] as number) - ZERO);
    if (row <= lastRow || row > LIMITS.rows || at - digitsAt > LONGEST_ROW) return start;
    const known = this.#known;
    known.beginRow(view, digitsAt, at);
    at = this.#endOfTag(bytes, at);
    if (at < 0) return start;
    if (!this.#isEmptied) this.#empty(0, BATCH_ROWS);
    const cell = this.#cell;
    for (;;) {
      at = known.read(bytes, view, at, this.#count);
      const next = cell.read(bytes, at, row, known.column);
      if (next === at) break;
      const kind = this.#takeCell(bytes);
      if (kind === null) return this.#giveUp(start);
      known.remember(view, at, cell.column, cell.isEmpty ? next : cell.valueStart, kind);
      known.column = cell.column;
      if (!cell.isEmpty) known.filled = cell.column;
      at = next;
    }
    at = endOfMatch(ROW_END, view, at);
    if (at < 0) return this.#giveUp(start);
    this.#row = row;
    return at;
  }

  /** Discards the cells of a row that is not plain. Returns where the row starts. */
  #giveUp(start: number): number {
    this.#empty(this.#count, this.#count + 1);
    return start;
  }

  #empty(from: number, to: number): void {
    for (const column of this.#columns) {
      if (column.kind === 'texts') column.codes.fill(EMPTY, from, to);
      else column.states.fill(NO_NUMBER, from, to);
    }
    this.#isEmptied = true;
  }

  /**
   * Where the tag of a row ends; -1 when the tag may hide the row or is malformed. `start` is after the number of the row.
   */
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

  /** Stores the cell that was recognised. Returns its kind, or null when it is not plain. */
  #takeCell(bytes: Buffer): FormKind | null {
    const { column: index, style, isShared, isEmpty, valueStart, valueEnd } = this.#cell;
    if (isEmpty) return NO_VALUE;
    const column = this.#columns[index];
    if (column === undefined) return null;
    if (isShared) {
      const text = parseWholeNumber(bytes, valueStart, valueEnd);
      if (column.kind !== 'texts' || this.#hasPlainText[style] !== 1) return null;
      if (text < 0 || text >= this.#textCount) return null;
      column.codes[this.#count] = text;
      return TEXT;
    }
    const value = parseNumber(bytes, valueStart, valueEnd);
    if (Number.isNaN(value) || this.#hasPlainNumber[style] !== 1) return null;
    if (column.kind === 'numbers') {
      column.values[this.#count] = value;
      column.states[this.#count] = PLAIN_NUMBER;
      return NUMBER;
    }
    if (!(value >= 0 && value < WHOLE_NUMBERS.length && Number.isInteger(value))) return null;
    column.codes[this.#count] = this.#textCount + value;
    return WHOLE_NUMBER;
  }
}

/**
 * A function that tests whether a style shows a currency that agrees with all currencies in the shared texts of the
 * workbook. These texts include the currency of each row, and the one in the heading of a metric, such as `gdp_usd`.
 */
function agreeingStyles({ strings, styles }: Pick<CellContext, 'strings' | 'styles'>) {
  if (styles.kinds.every(({ kind }) => kind !== 'with currency')) return () => false;
  const named = new Set<string>();
  for (const text of strings) {
    if (typeof text !== 'string' || text.length > LONGEST_HEADING) continue;
    const code = text.length < 8 ? text.trim().toUpperCase() : '';
    if (CURRENCY_CODES.has(code)) named.add(code);
    else for (const [unit] of text.toUpperCase().matchAll(UNITS)) named.add(unit);
  }
  const known = new Map<string, boolean>();
  const agrees = (sign: string) => named.size > 0 && [...named].every((code) => mayShow(sign, code));
  return (style: number): boolean => {
    const kind = styles.kinds[style];
    if (kind?.kind !== 'with currency') return false;
    return getOrInsert(known, kind.currency, () => agrees(kind.currency));
  };
}

const LONGEST_HEADING = 64;

const UNITS = /(?<![A-Z])(?:USD|EUR)(?![A-Z])/g;
