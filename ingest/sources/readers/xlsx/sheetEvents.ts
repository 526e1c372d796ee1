// Follows the elements of a worksheet: reads the rows and cells, and passes elements outside of the rows to the metadata.

import type { Place } from '../../../messages/place.ts';
import { ONE, ZERO } from '../ascii.ts';
import { isSmallNumber, PALE, RAISED, SHOWN_WITH_MARK, STRUCK } from '../cellLooks.ts';
import { type Cell, isKind, type RawRow } from '../rawFile.ts';
import { RowCells } from '../rowCells.ts';
import type { Attributes } from '../xml/attributes.ts';
import { damagedXml, misplaced } from '../xml/damage.ts';
import { isSpace, type XmlEvents } from '../xml/xml.ts';
import { parseWholeNumber } from './bytes.ts';
import { CellAttributes } from './cellAttributes.ts';
import type { SheetColumns } from './sheetColumns.ts';
import { SkimmedCell } from './skimmedCell.ts';
import type { WorksheetMetadata } from './worksheetMetadata.ts';
import { XlsxCellContent } from './xlsxCellContent.ts';
import { type CellContext, XlsxCellValues } from './xlsxCellValue.ts';
import { BY_VALUE, type CellStyles, isPartlyPale } from './xlsxStyles.ts';

export class SheetEvents implements XmlEvents {
  readonly #place: Place;
  readonly #metadata: WorksheetMetadata;
  readonly #cells: RowCells;
  readonly #attributes: CellAttributes;
  readonly #values: XlsxCellValues;
  readonly #content: XlsxCellContent;
  readonly #skimmed: SkimmedCell;
  readonly #styles: CellStyles;
  #where: 'outside' | 'data' | 'row' | 'cell' = 'outside';
  /** How deep the current element is inside an extension of a row, which has depth 1; 0 outside of extensions. */
  #extensionDepth = 0;
  #hasData = false;
  readonly #collectsFormulas: boolean;
  #rowIsHidden = false;

  constructor(place: Place, context: CellContext, metadata: WorksheetMetadata) {
    this.#place = place;
    this.#metadata = metadata;
    metadata.conditional.styles = context.styles.conditional;
    this.#cells = new RowCells(place);
    this.#attributes = new CellAttributes(place, context.styles.kinds.length);
    this.#values = new XlsxCellValues(context, () => this.#cells.here());
    this.#content = new XlsxCellContent(place, this.#values, this.#cells, context.calculatesOnLoad);
    this.#skimmed = new SkimmedCell(context.styles.kinds.length);
    this.#styles = context.styles;
    this.#collectsFormulas = context.collectsFormulas;
  }

  takeRows(): readonly RawRow[] {
    return this.#cells.take();
  }

  /**
   * Takes plain rows from `start` on, which must be a position between two rows. Returns where the walker must continue.
   */
  takePlain(columns: SheetColumns, bytes: Buffer, start: number): number {
    // A sheet with hidden columns is walked cell by cell, because values in hidden columns are reported.
    if (this.#where !== 'data' || this.#metadata.hidden.hidesColumns) return start;
    return columns.take(bytes, start, this.#cells);
  }

  /** Ends the sheet. Throws UnreadableError when it had no element for rows. */
  end(): void {
    if (!this.#hasData) throw damagedXml(this.#place, 'it has no <sheetData>');
  }

  open(name: string, attributes: Attributes, depth: number): void {
    if (this.#where === 'cell') this.#content.open(name, attributes);
    else if (this.#extensionDepth > 0) this.#extensionDepth += 1;
    else if (this.#where === 'row' && name === 'c') this.#openCell(attributes);
    else if (this.#where === 'data' && name === 'row') this.#openRow(attributes);
    else if (this.#where === 'outside') this.#openOutside(name, attributes, depth);
    else if (this.#where === 'row' && name === 'extLst') this.#extensionDepth = 1;
    else throw misplaced(name, this.#cells.here());
  }

  text(bytes: Buffer, start: number, end: number): void {
    if (this.#where === 'cell') this.#content.text(bytes, start, end);
    else if (this.#where === 'outside') this.#metadata.text(bytes, start, end);
    else if (this.#extensionDepth > 0) return;
    else if (!isSpace(bytes, start, end))
      throw damagedXml(this.#cells.here(), 'a text in it stands outside of cells');
  }

  close(name: string): void {
    if (this.#where === 'cell') {
      if (!this.#content.close()) this.#closeCell();
    } else if (this.#extensionDepth > 0) this.#extensionDepth -= 1;
    else if (this.#where === 'row') this.#closeRow();
    else {
      this.#metadata.close(name);
      this.#where = 'outside';
    }
  }

  /** Reads cells of the commonest form without the walker. Returns where something else begins. */
  skim(bytes: Buffer, start: number): number {
    if (this.#where !== 'row' || this.#extensionDepth > 0) return start;
    const cells = this.#cells;
    const cell = this.#skimmed;
    for (let at = start; ; ) {
      const next = cell.read(bytes, at, cells.row, cells.column);
      if (next === at) return at;
      cells.column = cell.column;
      at = next;
      if (cell.isEmpty) continue;
      const type = cell.isShared ? 's' : 'n';
      const value = this.#values.of(type, cell.style, bytes, cell.valueStart, cell.valueEnd);
      cells.add(value);
      this.#recordLook(cell.style, this.#values, value);
    }
  }

  #openOutside(name: string, attributes: Attributes, depth: number): void {
    if (name === 'sheetData') {
      if (depth !== 2 || this.#hasData) throw misplaced(name, this.#cells.here());
      this.#hasData = true;
      this.#where = 'data';
    } else if (name === 'row' && depth === 2) throw misplaced(name, this.#cells.here());
    else this.#metadata.open(name, attributes);
  }

  #openRow(attributes: Attributes): void {
    // `Attributes.get` would create a string for every row number, which takes a tenth of the time of all reading.
    let row = -1;
    this.#rowIsHidden = false;
    while (attributes.next()) {
      const { bytes, nameStart, nameEnd, valueStart, valueEnd } = attributes;
      if (nameEnd - nameStart === HIDDEN_LENGTH && bytes[nameStart] === LETTER_H)
        this.#rowIsHidden ||= bytes[valueStart] === ONE || bytes[valueStart] === LETTER_T;
      else if (nameEnd - nameStart === HEIGHT_LENGTH && bytes[nameStart] === LETTER_H)
        this.#rowIsHidden ||=
          bytes[valueStart] === ZERO &&
          Number(bytes.toString('latin1', valueStart, valueEnd)) < LEAST_SEEN_POINTS;
      if (nameEnd - nameStart !== 1 || bytes[nameStart] !== LETTER_R) continue;
      if (row >= 0) throw attributes.twice('r');
      row = Math.max(0, parseWholeNumber(bytes, valueStart, valueEnd));
    }
    const cells = this.#cells;
    const next = row < 0 ? cells.row + 1 : row;
    cells.begin(next, () => attributes.get('r') ?? `${next}`);
    this.#where = 'row';
  }

  #closeRow(): void {
    this.#where = 'data';
    const { row } = this.#cells;
    const cells = this.#cells.end();
    if (cells.length === 0) return;
    this.#metadata.hidden.addRow(row, cells, this.#rowIsHidden);
    this.#metadata.looks.endRow(cells);
  }

  #openCell(attributes: Attributes): void {
    const cell = this.#attributes;
    cell.read(attributes, this.#cells.row);
    this.#cells.moveTo(cell.column < 0 ? this.#cells.column + 1 : cell.column);
    this.#content.begin(cell.type, cell.style);
    this.#where = 'cell';
  }

  #closeCell(): void {
    this.#where = 'row';
    const stored = this.#content.value();
    if (stored === null) return;
    const value =
      this.#attributes.isRich && isKind(stored, 'error') ? { ...stored, isRich: true as const } : stored;
    this.#cells.add(value);
    const { formula } = this.#content;
    if (this.#collectsFormulas && formula !== null)
      this.#metadata.formulas.add(this.#cells.row, this.#cells.column, formula, stored);
    this.#recordLook(this.#attributes.style, this.#content, value);
  }

  /**
   * Records the look of a cell with content: hidden or struck out by its style, or with a text that is struck out or pale.
   */
  #recordLook(
    style: number,
    { isStruckOut, colours }: Pick<XlsxCellValues, 'isStruckOut' | 'colours'>,
    value: Cell,
  ): void {
    const { looks, formats } = this.#styles;
    const ofRuns =
      (isStruckOut ? STRUCK : 0) |
      (colours !== undefined && isPartlyPale(colours, style, this.#styles) ? PALE : 0);
    if (looks === null && ofRuns === 0) return;
    const ofStyle = looks?.[style] ?? 0;
    // A year with a mark gets an error elsewhere, so its mark is not reported here. Pale texts are left out, because
    // headings are often white on a dark background that a table style sets.
    const isTextOrMarkedYear = isText(value) || isKind(value, 'marked year');
    const ignored =
      BY_VALUE | (isTextOrMarkedYear ? PALE | SHOWN_WITH_MARK : 0) | (isSmallNumber(value) ? 0 : RAISED);
    const byValue = (ofStyle & BY_VALUE) === 0 ? 0 : (formats?.[style]?.lookOf(value) ?? 0);
    const look = (ofStyle & ~ignored) | byValue | ofRuns;
    if (look !== 0) this.#metadata.looks.add(look, this.#cells.row, this.#cells.column);
  }
}

const isText = (value: Cell): boolean => typeof value === 'string' || isKind(value, 'footnoted');

const LETTER_R = 0x72;
const LETTER_H = 0x68;
/** The attributes that can hide a row are recognised by their first letter and their length, which is cheap. */
const HIDDEN_LENGTH = 'hidden'.length;
const HEIGHT_LENGTH = 'ht'.length;
/** A row that is lower than this, in points, counts as hidden: people see at most a line of it. */
const LEAST_SEEN_POINTS = 1;
const LETTER_T = 0x74;
