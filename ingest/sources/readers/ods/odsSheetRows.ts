// Collects the rows of one sheet of an .ods workbook: repeated rows and columns, merged cells, hidden parts, styles.

import { UnreadableError } from '../../../messages/fault.ts';
import type { Place } from '../../../messages/place.ts';
import { Asides } from '../asides.ts';
import {
  CellLooks,
  isNumeral,
  isSmallNumber,
  NOT_SHOWN,
  PALE,
  RAISED,
  SHOWN_AS_TEXT,
  SHOWN_WITH_MARK,
  STRUCK,
} from '../cellLooks.ts';
import { isStruckOut } from '../footnotes.ts';
import { FormulaCells } from '../formulas/formulaCells.ts';
import { HiddenParts } from '../hiddenParts.ts';
import { type Cell, type CellRange, isKind, type RawRow, storedNumber } from '../rawFile.ts';
import { RowCells } from '../rowCells.ts';
import { standsForZero } from '../shownText.ts';
import { BEYOND_LAST_COLUMN, beyondLastRow, LIMITS, MANY_MERGED_RANGES } from '../sourceLimits.ts';
import type { Attributes } from '../xml/attributes.ts';
import { damaged } from '../xml/damage.ts';
import { OdsCell } from './odsCell.ts';
import type { OdsStyles } from './odsStyles.ts';
import { RowCache } from './rowCache.ts';

/** How the rows of a sheet are read. */
export interface RowsOptions {
  /** Whether numbers are wanted as they are stored, whatever their format shows. Formulas are then not collected. */
  readonly asStored?: boolean;
  /** Whether the rows with numbers as they are stored are cached as well. */
  readonly cachesRows?: boolean;
}

/** Collects the rows. Its methods must be called in the order of the elements. */
export class OdsSheetRows {
  readonly #place: Place;
  readonly #styles: OdsStyles;
  readonly #rows: RowCells;
  readonly #asStored: boolean;
  readonly merged: CellRange[] = [];
  readonly hidden = new HiddenParts();
  readonly looks = new CellLooks();
  readonly asides = new Asides();
  readonly formulas = new FormulaCells();
  readonly rowCache: RowCache;
  /** The cell that was opened last. */
  cell: OdsCell | undefined;
  #batch: RawRow[] = [];
  /** The number of columns described so far, and the cell style of each range of columns up to column `last`. */
  #columnCount = 0;
  readonly #columnStyles: { readonly last: number; readonly style: string | undefined }[] = [];
  /** The index in `#columnStyles` of the range with the last cell that had no style of its own. */
  #rangeIndex = 0;
  #row = 0;
  #rowRepeats = 1;
  #rowStyle: string | undefined;
  #rowIsHidden = false;
  #column = 0;
  #isYearOfDate = false;
  /** The number of columns that the cell stands for. */
  #repeats = 1;

  constructor(place: Place, styles: OdsStyles, { asStored = false, cachesRows = false }: RowsOptions) {
    this.#place = place;
    this.#asStored = asStored;
    this.rowCache = new RowCache(cachesRows);
    this.#styles = styles;
    this.#rows = new RowCells(place);
  }

  here(): Place {
    return this.#rows.here();
  }

  take(): readonly RawRow[] {
    const batch = this.#batch;
    this.#batch = [];
    return batch;
  }

  addColumns(attributes: Attributes, isInHiddenGroup: boolean): void {
    const first = this.#columnCount;
    this.#columnCount += this.#countIn(attributes, 'table:number-columns-repeated');
    const last = this.#columnCount - 1;
    this.#columnStyles.push({ last, style: attributes.get('table:default-cell-style-name') });
    if (isInHiddenGroup || isHidden(attributes) || this.#styles.hidesColumn(attributes))
      this.hidden.hideColumns(first, last);
  }

  openRow(attributes: Attributes, isInHiddenGroup: boolean): void {
    const repeats = this.#countIn(attributes, 'table:number-rows-repeated');
    const visibility = attributes.get('table:visibility');
    this.#rowRepeats = repeats;
    this.#rowIsHidden = isInHiddenGroup || isHidden(attributes) || this.#styles.hidesRow(attributes);
    this.#rowStyle = attributes.get('table:default-cell-style-name');
    if (visibility === 'filter') this.hidden.markFiltered();
    this.#row += 1;
    this.#rows.row = this.#row;
    this.#rows.column = -1;
    this.#column = 0;
    this.#rangeIndex = 0;
  }

  /** Ends a row. A repeated row stands for several rows, which are nearly always empty. */
  closeRow(): void {
    this.#rows.end(this.#rowRepeats);
    const [row] = this.#rows.take();
    const last = this.#row + this.#rowRepeats - 1;
    if (row !== undefined) {
      if (last > LIMITS.rows) throw new UnreadableError({ place: this.#place, ...beyondLastRow(last) });
      for (let number = this.#row; number <= last; number++) {
        this.#batch.push({ row: number, cells: row.cells });
        this.hidden.addRow(number, row.cells, this.#rowIsHidden);
      }
      this.looks.endRow(row.cells, last - this.#row + 1);
      this.rowCache.endRow(row, last, this.formulas.count);
    }
    this.#row = last;
  }

  openCell(attributes: Attributes): void {
    this.#rows.column = this.#column;
    const style = attributes.get('table:style-name') ?? this.#rowStyle ?? this.#styleOfColumn();
    const isDate = attributes.get('office:value-type') === 'date';
    const showsYear = isDate && !this.#asStored && this.#styles.showsYear(style);
    this.#isYearOfDate = showsYear;
    this.cell = new OdsCell(attributes, { showsYear, style }, this.#styles, () => this.#rows.here());
    if (!this.#asStored) this.#addMerged(attributes);
    this.#repeats = this.#countIn(attributes, 'table:number-columns-repeated');
  }

  /** The style of the current column. Cells come from left to right, so each search begins where the last one ended. */
  #styleOfColumn(): string | undefined {
    const styles = this.#columnStyles;
    while ((styles[this.#rangeIndex]?.last ?? this.#column) < this.#column) this.#rangeIndex += 1;
    return styles[this.#rangeIndex]?.style;
  }

  #addMerged(attributes: Attributes): void {
    const [columns, rows] = ['columns', 'rows'].map((what) =>
      this.#countIn(attributes, `table:number-${what}-spanned`),
    );
    if (columns !== undefined && rows !== undefined && (columns > 1 || rows > 1)) {
      this.merged.push({
        rows: [this.#row, this.#row + rows - 1],
        columns: [this.#column, this.#column + columns - 1],
      });
    }
    if (this.merged.length > LIMITS.mergedRanges)
      throw new UnreadableError({ place: this.#place, ...MANY_MERGED_RANGES });
  }

  closeCell(): void {
    const shown: Cell = this.cell?.value() ?? null;
    const value = this.#asStored ? storedIn(shown) : shown;
    const look = this.#asStored || this.cell === undefined ? 0 : lookOf(this.cell, shown, this.#styles);
    const end = this.#column + this.#repeats;
    const cell = [this.#row, this.#column] as const;
    this.asides.add({ what: 'comment', text: this.cell?.content.comment ?? '', cell });
    this.asides.add({ what: 'text box', text: this.cell?.content.shapes ?? '' });
    if (value !== null) {
      this.#addFormula(value);
      if (end > LIMITS.columns) {
        const problem = 'reaches beyond the last column (XFD)';
        throw this.#rows.errorAt(this.#column, { ...BEYOND_LAST_COLUMN, problem });
      }
      const stored = this.rowCache.isCaching ? this.#storedOf(value) : value;
      for (let column = this.#column; column < end; column++) {
        this.#rows.column = column;
        this.#rows.add(value);
        if (stored !== value) this.rowCache.addStored(column, stored);
        if (look !== 0) this.looks.add(look, this.#row, column);
      }
    }
    this.#column = end;
  }

  #storedOf(shown: Cell): Cell {
    return this.#isYearOfDate ? SOME_DATE : storedIn(shown);
  }

  /** Adds the formula of the cell, once for each column for which the cell is repeated. */
  #addFormula(value: Cell): void {
    const formula = this.#asStored ? null : this.cell?.formula(this.#row, this.#column);
    if (!formula) return;
    for (let column = this.#column; column < this.#column + this.#repeats; column++)
      this.formulas.add(this.#row, column, formula, value);
  }

  /** The count in an attribute; 1 without the attribute. */
  #countIn(attributes: Attributes, name: string): number {
    const text = attributes.get(name);
    if (text === undefined) return 1;
    if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
    throw damaged(this.#rows.here(), `is damaged (${name} is "${text.slice(0, 20)}")`);
  }
}

/** The number of a cell as it is stored, whatever its format shows. A value of another kind stays as it is. */
const storedIn = (cell: Cell): Cell => storedNumber(cell) ?? cell;

/**
 * Stands for the date of a cell that shows only the year. Any date will do: formulas that refer to a date are not computed.
 */
const SOME_DATE: Cell = { kind: 'date', iso: '' };

const isHidden = (attributes: Attributes): boolean =>
  ['collapse', 'filter'].includes(attributes.get('table:visibility') ?? '');

/**
 * The look of a cell as a sum of flags of `cellLooks.ts`. `shown` is the value of the cell, whose content has been read.
 */
function lookOf(cell: OdsCell, shown: Cell, styles: OdsStyles): number {
  const { style } = cell;
  const isStruck = styles.strikesOut(style) || isStruckOut(cell.content.runs);
  return (
    (isStruck ? STRUCK : 0) +
    (isUnseen(cell) ? NOT_SHOWN : 0) +
    (isWorded(cell) ? SHOWN_AS_TEXT : 0) +
    (isPale(cell, styles) ? PALE : 0) +
    (styles.isRaised(style) && isSmallNumber(shown) ? RAISED : 0) +
    // A year with a mark gets an error elsewhere.
    (cell.isFigure && styles.numbers.showsMark(style) && !isKind(shown, 'marked year') ? SHOWN_WITH_MARK : 0)
  );
}

/** Whether the cell holds a figure other than 0 that its number format does not show, as `;;;` does. */
const isUnseen = (cell: OdsCell): boolean =>
  cell.isFigure && cell.content.hasParagraphs && cell.shownText === '' && !cell.isZero;

/** Whether the cell holds a figure and shows a text in its place, such as `n/a`. A dash for 0 is no such text. */
function isWorded(cell: OdsCell): boolean {
  if (!cell.isFigure) return false;
  const text = cell.shownText;
  // A cell whose column is too narrow shows ###.
  if (DIGIT.test(text) || /^#*$/.test(text) || cell.error() !== null) return false;
  return !cell.isZero || !standsForZero(text);
}

const DIGIT = /\p{Nd}/u;

/** Whether the cell holds a figure in the colour of its background, or a number of which some digits have that colour. */
function isPale(cell: OdsCell, styles: OdsStyles): boolean {
  const { style } = cell;
  if (cell.isFigure && styles.isPale(style)) return true;
  const seen = cell.content.runs.filter(
    ({ text, raised, struck }) => text.trim() !== '' && !raised && !struck,
  );
  if (seen.every(({ colour }) => colour === undefined) || !isNumeral(cell.shownText)) return false;
  const pale = seen.filter(({ colour }) => styles.isPaleIn(style, colour));
  return pale.length > 0 && pale.length < seen.length;
}
