// Reads the rows of a worksheet.

import { columnLetters } from '../../../messages/place.ts';
import { LIMITS } from '../limits.ts';
import { type Cell, type MergedCells, type RawRow, UnreadableError } from '../raw.ts';
import type { Attributes } from '../xml/attributes.ts';
import { damagedXml, RESAVE } from '../xml/damage.ts';
import { asUtf8 } from '../xml/encoding.ts';
import { textOf } from '../xml/text.ts';
import { isSpace, type XmlEvents, XmlWalker } from '../xml/xml.ts';
import {
  after,
  digits,
  FIRST_LETTER,
  isBetween,
  LAST_LETTER,
  LETTER_BITS,
  NINE,
  wordsOf,
  ZERO,
} from './bytes.ts';
import { type CellContext, CellValues } from './cellValue.ts';
import { mergedCells } from './merged.ts';
import { RichText } from './richText.ts';

/**
 * The rows that hold something, in a batch per piece of the file. `place` is `file › sheet`; the ranges of
 * merged cells, which stand behind all rows, are added to `merged`.
 *
 * Throws UnreadableError, naming the cell where it is known, for what no spreadsheet program writes: it is
 * better not read than read wrong.
 */
export async function* readSheet(
  pieces: AsyncIterable<Buffer>,
  place: string,
  context: CellContext,
  merged: MergedCells[] = [],
): AsyncGenerator<readonly RawRow[]> {
  const rows = new SheetRows(place, context, merged);
  const walker = new XmlWalker('worksheet', place, rows);
  for await (const piece of asUtf8(pieces, place)) {
    // A cell far to the right makes a wide row of few bytes: only so many of them are held at a time.
    for (let at = 0; at < piece.length; ) {
      // A long tag or text is begun anew with every slice: slices that grow with it keep that cheap.
      const slice = piece.subarray(at, at + Math.max(SLICE_BYTES, walker.pendingBytes));
      at += slice.length;
      walker.push(slice);
      const batch = rows.take();
      if (batch.length) yield batch;
    }
  }
  walker.end();
  rows.end();
}

const SLICE_BYTES = 8 * 1024;
const LONG_GAP = 256;

const NOTHING = Buffer.alloc(0);
const LETTER_R = 0x72;
const LETTER_S = 0x73;
const LETTER_T = 0x74;
const UPPER_CASE = 0xdf;
const LT = 0x3c;
/** The commonest form of a cell, up to its reference and from there on; the quote ends what stands before. */
const CELL = wordsOf('<c r="');
const STYLE = wordsOf('" s="');
const SHARED = wordsOf('" t="s');
const VALUE = wordsOf('"><v>');
const END = wordsOf('</v></c>');

/** Types that nobody writes into a cell without a value. */
const VALUED = new Set(['s', 'b', 'e', 'd']);

/** Attributes of a cell that say nothing of its value. */
const BESIDE = new Set(['cm', 'vm', 'ph', 'xmlns']);

/** The cells of a row as they come, and the rows of a batch. */
class SheetRows implements XmlEvents {
  readonly #place: string;
  readonly #context: CellContext;
  readonly #merged: MergedCells[];
  readonly #inline: RichText;
  readonly #values: CellValues;
  #batch: RawRow[] = [];
  /** The bytes skimmed last, and their view as words. */
  #viewed: Buffer = NOTHING;
  #view: DataView = new DataView(NOTHING.buffer);
  #where: 'outside' | 'data' | 'row' | 'cell' | 'value' | 'formula' | 'inline' = 'outside';
  /** How many elements are open outside of the data. */
  #depth = 0;
  /** How deep in an element that is passed over; 0 outside of one. */
  #aside = 0;
  /** How deep in an inline text. */
  #inlineDepth = 0;
  #hasData = false;
  #row = 0;
  #cells: Cell[] = [];
  #characters = 0;
  /** Of the cell at hand: its column, type, style and what was found in it. */
  #column = -1;
  #type = 'n';
  #style = 0;
  #value: Cell = null;
  #hasFormula = false;
  #hasValue = false;
  #hasInline = false;
  /** Cells so far, empty ones included. */
  #positions = 0;

  constructor(place: string, context: CellContext, merged: MergedCells[]) {
    this.#place = place;
    this.#context = context;
    this.#merged = merged;
    this.#inline = new RichText(place);
    this.#values = new CellValues(context, () => this.#here());
  }

  /** The rows that were completed since the last call. */
  take(): readonly RawRow[] {
    const batch = this.#batch;
    this.#batch = [];
    return batch;
  }

  /** Throws when the sheet had no place for cells at all. */
  end(): void {
    if (!this.#hasData) throw damagedXml(this.#place, 'it has no <sheetData>');
  }

  open(name: string, attributes: Attributes): void {
    if (this.#aside > 0) this.#aside += 1;
    else if (this.#where === 'cell') this.#openInCell(name);
    else if (this.#where === 'row' && name === 'c') this.#openCell(attributes);
    else if (this.#where === 'data' && name === 'row') this.#openRow(attributes);
    else if (this.#where === 'outside') this.#openOutside(name, attributes);
    else if (this.#where === 'inline') this.#openInline(name, attributes);
    else if (this.#where === 'row' && name === 'extLst') this.#aside = 1;
    else throw this.#misplaced(name);
  }

  text(bytes: Buffer, start: number, end: number): void {
    if (this.#where === 'value') this.#value = this.#values.of(this.#type, this.#style, bytes, start, end);
    else if (this.#where === 'inline') this.#inline.text(bytes, start, end);
    else if (this.#where === 'outside' || this.#where === 'formula' || this.#aside > 0) return;
    else if (!isSpace(bytes, start, end))
      throw damagedXml(this.#here(), 'a text in it stands outside of cells');
  }

  close(): void {
    if (this.#aside > 0) this.#aside -= 1;
    else if (this.#where === 'cell') this.#closeCell();
    else if (this.#where === 'value' || this.#where === 'formula') this.#where = 'cell';
    else if (this.#where === 'row') this.#closeRow();
    else if (this.#where === 'inline') this.#closeInline();
    else {
      this.#where = 'outside';
      this.#depth -= 1;
    }
  }

  #openOutside(name: string, attributes: Attributes): void {
    this.#depth += 1;
    if (name === 'sheetData') {
      if (this.#depth !== 2 || this.#hasData) throw this.#misplaced(name);
      this.#hasData = true;
      this.#where = 'data';
    } else if (name === 'row' && this.#depth === 2) throw this.#misplaced(name);
    else if (name === 'mergeCell') this.#addMerged(attributes);
  }

  #addMerged(attributes: Attributes): void {
    const ref = attributes.get('ref') ?? '';
    // One cell alone is merged with nothing.
    if (/^[A-Z]{1,3}\d{1,7}$/.test(ref)) return;
    const range = mergedCells(ref);
    if (range === null) throw damagedXml(this.#place, `it merges the cells "${ref.slice(0, 20)}"`);
    this.#merged.push(range);
    if (this.#merged.length <= LIMITS.mergedRanges) return;
    throw new UnreadableError(
      `${this.#place}: has more than ${LIMITS.mergedRanges} ranges of merged cells: unmerge them`,
    );
  }

  /** Nearly all cells of a large sheet are shared texts and numbers, written by one program in one form. */
  skim(bytes: Buffer, at: number): number {
    if (this.#where !== 'row' || this.#aside > 0) return at;
    if (bytes !== this.#viewed) {
      this.#viewed = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    }
    for (let from = at; ; ) {
      const next = this.#skimCell(bytes, this.#view, from);
      if (next === from) return from;
      from = next;
    }
  }

  /** `<c r="B7" s="1" t="s"><v>12</v></c>`: gives where it ends, or `at` for what is anything else, or wrong. */
  #skimCell(bytes: Buffer, view: DataView, start: number): number {
    let at = after(CELL, view, start);
    if (at < 0) return start;
    let column = 0;
    for (; isBetween(FIRST_LETTER, bytes[at], LAST_LETTER); at++) {
      column = column * 26 + ((bytes[at] as number) & LETTER_BITS);
    }
    let row = 0;
    for (; isBetween(ZERO, bytes[at], NINE); at++) row = row * 10 + ((bytes[at] as number) - ZERO);
    column -= 1;
    if (column <= this.#column || column >= LIMITS.columns || row !== this.#row) return start;
    let style = 0;
    const styleAt = after(STYLE, view, at);
    if (styleAt >= 0) {
      for (at = styleAt; isBetween(ZERO, bytes[at], NINE); at++)
        style = style * 10 + ((bytes[at] as number) - ZERO);
      if (at === styleAt || (style > 0 && style >= this.#context.numberKinds.length)) return start;
    }
    const sharedAt = after(SHARED, view, at);
    const valueAt = after(VALUE, view, sharedAt < 0 ? at : sharedAt);
    if (valueAt < 0) return start;
    let end = valueAt;
    while (end < bytes.length && bytes[end] !== LT) end++;
    const next = after(END, view, end);
    if (next < 0 || end === valueAt) return start;
    this.#column = column;
    this.#style = style;
    this.#type = sharedAt < 0 ? 'n' : 's';
    this.#hasFormula = false;
    this.#value = this.#values.of(this.#type, this.#style, bytes, valueAt, end);
    this.#closeCell();
    return next;
  }

  #openRow(attributes: Attributes): void {
    // Walked here, because asking by name makes a text of every number: a tenth of all reading.
    let said = -1;
    while (attributes.next()) {
      const { bytes, nameStart, nameEnd, valueStart, valueEnd } = attributes;
      if (nameEnd - nameStart !== 1 || bytes[nameStart] !== LETTER_R) continue;
      if (said >= 0) throw attributes.twice('r');
      said = Math.max(0, digits(bytes, valueStart, valueEnd));
    }
    const row = said < 0 ? this.#row + 1 : said;
    if (row <= this.#row || row > LIMITS.rows) {
      const written = attributes.get('r') ?? row;
      throw new UnreadableError(
        row > LIMITS.rows
          ? `${this.#place}: row ${written} is beyond the last one a sheet has (${LIMITS.rows}): split it`
          : `${this.#place}: row "${written}" stands after row ${this.#row}, and numbers must rise: ${RESAVE}`,
      );
    }
    this.#row = row;
    this.#column = -1;
    this.#where = 'row';
  }

  #closeRow(): void {
    this.#where = 'data';
    this.#positions += this.#cells.length;
    if (this.#positions > LIMITS.cells) {
      throw new UnreadableError(
        `${this.#place}: spreads over more than ${LIMITS.cells} cells, empty ones included: delete the cells far to the right`,
      );
    }
    if (this.#cells.length) this.#batch.push({ row: this.#row, cells: this.#cells });
    this.#cells = [];
    this.#characters = 0;
  }

  #openCell(attributes: Attributes): void {
    const { bytes } = attributes;
    let column = -1;
    let style = -1;
    let type = '';
    while (attributes.next()) {
      const { nameStart, nameEnd, valueStart, valueEnd } = attributes;
      if (nameEnd - nameStart !== 1) {
        const name = bytes.toString('latin1', nameStart, nameEnd);
        // With a prefix they mean nothing, and some programs take them all the same.
        if (name.includes(':') ? !/:[rst]$/.test(name) : BESIDE.has(name)) continue;
        throw this.#wrongAttribute(name);
      }
      const letter = bytes[nameStart];
      if (letter === LETTER_R && column < 0) column = this.#columnOf(bytes, valueStart, valueEnd);
      else if (letter === LETTER_S && style < 0) style = this.#styleOf(bytes, valueStart, valueEnd);
      else if (letter === LETTER_T && type === '') type = this.#typeOf(bytes, valueStart, valueEnd);
      else throw this.#wrongAttribute(String.fromCharCode(letter ?? 0));
    }
    if (column < 0) column = this.#column + 1;
    this.#style = Math.max(0, style);
    this.#type = type === '' ? 'n' : type;
    if (column <= this.#column) {
      throw this.#wrong(column, `follows ${columnLetters(this.#column)}${this.#row} in the file`, RESAVE);
    }
    if (column >= LIMITS.columns) {
      throw this.#wrong(column, 'is beyond the last column a sheet has (XFD)', 'move the data to the left');
    }
    this.#column = column;
    this.#value = null;
    this.#hasFormula = false;
    this.#hasValue = false;
    this.#hasInline = false;
    this.#where = 'cell';
  }

  #wrongAttribute(name: string): UnreadableError {
    const is = /^[rst]$/.test(name)
      ? `the attribute ${name} twice`
      : `the unknown attribute "${name.slice(0, 20)}"`;
    return damagedXml(this.#place, `a cell in row ${this.#row} has ${is}`);
  }

  /** The type as it is written; most have one letter, and those cost no new string. */
  #typeOf(bytes: Buffer, start: number, end: number): string {
    const single = end - start === 1;
    const type = single
      ? String.fromCharCode(bytes[start] as number)
      : textOf(bytes, start, end, this.#place);
    if (type !== '') return type;
    throw damagedXml(this.#place, `a cell in row ${this.#row} has an empty type`);
  }

  #styleOf(bytes: Buffer, start: number, end: number): number {
    // Some programs write an empty one for none.
    const style = start === end ? 0 : digits(bytes, start, end);
    if (style === 0 || (style > 0 && style < this.#context.numberKinds.length)) return style;
    const written = bytes.toString('latin1', start, Math.min(end, start + 20));
    const how = `a cell in row ${this.#row} has the style "${written}", which the workbook does not hold`;
    throw damagedXml(this.#place, how);
  }

  #openInCell(name: string): void {
    if (name === 'v' && !this.#hasValue && this.#type !== 'inlineStr') {
      this.#where = 'value';
      this.#hasValue = true;
    } else if (name === 'f' && !this.#hasFormula) {
      this.#where = 'formula';
      this.#hasFormula = true;
    } else if (name === 'is' && !this.#hasValue && !this.#hasInline && this.#type === 'inlineStr') {
      this.#where = 'inline';
      this.#hasInline = true;
    } else if (name === 'extLst') this.#aside = 1;
    else throw this.#misplaced(name);
  }

  #openInline(name: string, attributes: Attributes): void {
    this.#inlineDepth += 1;
    this.#inline.open(name, attributes);
  }

  #closeInline(): void {
    if (this.#inlineDepth > 0) {
      this.#inlineDepth -= 1;
      this.#inline.close();
      return;
    }
    this.#where = 'cell';
    this.#value = this.#inline.take();
  }

  #closeCell(): void {
    this.#where = 'row';
    let value = this.#value;
    if (value === null) {
      // An empty text is a value that a formula can have; a number or an error cannot be empty.
      if (this.#hasValue && this.#type === 'str') value = '';
      else if (this.#hasFormula) value = { kind: 'uncalculated' };
      else if (VALUED.has(this.#type) && !(this.#hasValue && this.#type === 's')) {
        throw this.#wrong(this.#column, `has the type "${this.#type}" and no value`, RESAVE);
      } else return;
    }
    if (typeof value === 'string') this.#characters += value.length;
    if (this.#characters > LIMITS.recordBytes) {
      throw this.#wrong(this.#column, 'brings the text of its row beyond 16 MB', 'shorten it');
    }
    // A long gap is made at once: an array that grows would leave several times its size behind.
    if (this.#column - this.#cells.length > LONG_GAP) {
      this.#cells = this.#cells.concat(new Array(this.#column - this.#cells.length).fill(null));
    }
    while (this.#cells.length < this.#column) this.#cells.push(null);
    this.#cells.push(value);
  }

  /** The column of a reference such as `AB12`, which must lie in this row. */
  #columnOf(bytes: Buffer, start: number, end: number): number {
    let column = 0;
    let at = start;
    for (; isBetween(FIRST_LETTER, (bytes[at] as number) & UPPER_CASE, LAST_LETTER); at++) {
      column = column * 26 + ((bytes[at] as number) & LETTER_BITS);
    }
    const written = () => bytes.toString('latin1', start, Math.min(end, start + 20));
    if (column > LIMITS.columns) {
      throw new UnreadableError(
        `${this.#place}!${written()}: is beyond the last column a sheet has (XFD): move the data to the left`,
      );
    }
    if (column === 0 || digits(bytes, at, end) !== this.#row) {
      throw new UnreadableError(`${this.#place}: cell "${written()}" stands in row ${this.#row}: ${RESAVE}`);
    }
    return column - 1;
  }

  #here(): string {
    if (this.#column < 0) return this.#place;
    return `${this.#place}!${columnLetters(this.#column)}${this.#row}`;
  }

  #misplaced(name: string): UnreadableError {
    return damagedXml(this.#here(), `<${name}> has no place where it stands`);
  }

  #wrong(column: number, what: string, remedy: string): UnreadableError {
    return new UnreadableError(`${this.#place}!${columnLetters(column)}${this.#row}: ${what}: ${remedy}`);
  }
}
