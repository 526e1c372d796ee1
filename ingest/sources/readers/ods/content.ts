// Follows the sheets, rows and cells in the content of an .ods workbook.

import type { Place } from '../../../messages/place.ts';
import { HiddenParts } from '../hidden.ts';
import { LIMITS } from '../limits.ts';
import { CellLooks, STRUCK } from '../looks.ts';
import { type Cell, type CellRange, type RawRow, UnreadableError } from '../raw.ts';
import { beyondLastRow, RowCells } from '../rowCells.ts';
import type { Attributes } from '../xml/attributes.ts';
import { DAMAGED, damagedXml, RESAVE } from '../xml/damage.ts';
import { textOf } from '../xml/text.ts';
import { isSpace, type XmlEvents } from '../xml/xml.ts';
import { OdsCell } from './cell.ts';
import type { OdsStyles } from './styles.ts';

export interface OdsSheet {
  readonly name: string;
  readonly style: string | undefined;
}

const OFFICE = 'urn:oasis:names:tc:opendocument:xmlns:office:1.0';
const TABLE = 'urn:oasis:names:tc:opendocument:xmlns:table:1.0';

/** Elements between a sheet and its rows, columns and cells. */
const WRAPPERS = new Set([
  'table-columns',
  'table-column-group',
  'table-header-columns',
  'table-rows',
  'table-row-group',
  'table-header-rows',
]);

/**
 * Collects the names of all sheets and, when `wanted` is not null, the rows of the sheet with that index. Whatever is
 * no row, column or cell of a sheet is skipped: shapes, comments, tracked changes, queries.
 */
export class ContentEvents implements XmlEvents {
  readonly #place: Place;
  readonly #styles: OdsStyles;
  readonly #wanted: number | null;
  readonly #rows: RowCells;
  readonly sheets: OdsSheet[] = [];
  readonly merged: CellRange[] = [];
  readonly hidden = new HiddenParts();
  readonly looks = new CellLooks();
  /** Whether the sheet that is wanted has ended. */
  isDone = false;
  #where: 'outside' | 'spreadsheet' | 'sheet' | 'row' | 'cell' = 'outside';
  /** Depth inside an element that is skipped; 0 outside of one. */
  #skippedDepth = 0;
  /** How many wrappers are open between the sheet and what stands in it. */
  #wrappers = 0;
  #batch: RawRow[] = [];
  #cell: OdsCell | undefined;
  /** Columns of the sheet that were described so far, and the cell style each range of them has. */
  #columnCount = 0;
  readonly #columnStyles: { readonly last: number; readonly style: string | undefined }[] = [];
  #row = 0;
  #rowRepeats = 1;
  #rowStyle: string | undefined;
  #rowIsHidden = false;
  #column = 0;
  #isStruck = false;
  /** For how many columns the cell at hand stands. */
  #repeats = 1;

  /** `place` is the sheet, or the part when no sheet is wanted. */
  constructor(place: Place, styles: OdsStyles, wanted: number | null) {
    this.#place = place;
    this.#styles = styles;
    this.#wanted = wanted;
    this.#rows = new RowCells(place);
  }

  /** The rows that ended since the last call. */
  takeRows(): readonly RawRow[] {
    const batch = this.#batch;
    this.#batch = [];
    return batch;
  }

  open(name: string, attributes: Attributes): void {
    if (this.#skippedDepth > 0 || this.isDone) this.#skippedDepth += 1;
    else if (this.#where === 'cell') this.#cell?.open(name, attributes);
    else if (this.#where === 'outside') this.#openOutside(name, attributes);
    else if (this.#where === 'spreadsheet' && name === 'table') this.#openSheet(attributes);
    else if (this.#where === 'sheet' && this.#isWanted) this.#openInSheet(name, attributes);
    else if (this.#where === 'row' && (name === 'table-cell' || name === 'covered-table-cell'))
      this.#openCell(attributes);
    else this.#skippedDepth = 1;
  }

  text(bytes: Buffer, start: number, end: number): void {
    if (this.#skippedDepth > 0 || this.#where === 'outside' || this.#cell?.isSkipping) return;
    if (this.#where === 'cell' && this.#cell?.isInText)
      this.#cell.text(textOf(bytes, start, end, this.#place));
    else if (!isSpace(bytes, start, end))
      throw damagedXml(this.#rows.here(), 'a text in it stands outside of cells');
  }

  close(name: string): void {
    if (this.#skippedDepth > 0) this.#skippedDepth -= 1;
    else if (this.#where === 'cell') {
      if (!this.#cell?.close()) this.#closeCell();
    } else if (this.#where === 'row') this.#closeRow();
    else if (this.#where === 'sheet' && this.#wrappers > 0) this.#wrappers -= 1;
    else if (this.#where === 'sheet') {
      this.isDone = this.#isWanted;
      this.#where = 'spreadsheet';
    } else if (name === 'spreadsheet') this.#where = 'outside';
    else this.#styles.close(name);
  }

  get #isWanted(): boolean {
    return this.#wanted !== null && this.sheets.length - 1 === this.#wanted;
  }

  #openOutside(name: string, attributes: Attributes): void {
    if (name === 'document-content') this.#checkPrefixes(attributes);
    else if (name === 'spreadsheet') this.#where = 'spreadsheet';
    else this.#styles.open(name, attributes);
  }

  /** Attributes are asked for by the prefixes that all programs write: with others, every cell would seem empty. */
  #checkPrefixes(attributes: Attributes): void {
    if (attributes.get('xmlns:office') === OFFICE && attributes.get('xmlns:table') === TABLE) return;
    throw damagedXml(this.#place, 'its XML uses prefixes that no spreadsheet program writes');
  }

  #openSheet(attributes: Attributes): void {
    this.sheets.push({
      name: attributes.get('table:name') ?? '',
      style: attributes.get('table:style-name'),
    });
    this.#where = 'sheet';
    this.#wrappers = 0;
  }

  #openInSheet(name: string, attributes: Attributes): void {
    if (WRAPPERS.has(name)) this.#wrappers += 1;
    else if (name === 'table-row') this.#openRow(attributes);
    else {
      if (name === 'table-column') this.#addColumns(attributes);
      this.#skippedDepth = 1;
    }
  }

  #addColumns(attributes: Attributes): void {
    const first = this.#columnCount;
    this.#columnCount += this.#countIn(attributes, 'table:number-columns-repeated');
    const last = this.#columnCount - 1;
    this.#columnStyles.push({ last, style: attributes.get('table:default-cell-style-name') });
    if (isHidden(attributes)) this.hidden.hideColumns(first, last);
  }

  #openRow(attributes: Attributes): void {
    const repeats = this.#countIn(attributes, 'table:number-rows-repeated');
    const visibility = attributes.get('table:visibility');
    this.#rowRepeats = repeats;
    this.#rowIsHidden = isHidden(attributes);
    this.#rowStyle = attributes.get('table:default-cell-style-name');
    if (visibility === 'filter') this.hidden.sawFilter();
    this.#row += 1;
    this.#rows.row = this.#row;
    this.#rows.column = -1;
    this.#column = 0;
    this.#where = 'row';
  }

  /** A repeated row stands for as many rows: nearly always empty ones. */
  #closeRow(): void {
    this.#where = 'sheet';
    this.#rows.end();
    const [row] = this.#rows.take();
    const last = this.#row + this.#rowRepeats - 1;
    if (row !== undefined) {
      if (last > LIMITS.rows) {
        throw new UnreadableError({ place: this.#place, ...beyondLastRow(last) });
      }
      for (let number = this.#row; number <= last; number++) {
        this.#batch.push({ row: number, cells: row.cells });
        this.hidden.sawRow(number, row.cells, this.#rowIsHidden);
      }
      this.looks.endRow(this.#row, row.cells);
    }
    this.#row = last;
  }

  #openCell(attributes: Attributes): void {
    this.#rows.column = this.#column;
    const style =
      attributes.get('table:style-name') ??
      this.#rowStyle ??
      this.#columnStyles.find(({ last }) => last >= this.#column)?.style;
    this.#isStruck = this.#styles.strikesOut(style);
    const showsYear = attributes.get('office:value-type') === 'date' && this.#styles.showsYear(style);
    this.#cell = new OdsCell(attributes, showsYear, this.#styles, () => this.#rows.here());
    const [columns, rows] = ['columns', 'rows'].map((what) =>
      this.#countIn(attributes, `table:number-${what}-spanned`),
    );
    if (columns !== undefined && rows !== undefined && (columns > 1 || rows > 1)) {
      this.merged.push({
        rows: [this.#row, this.#row + rows - 1],
        columns: [this.#column, this.#column + columns - 1],
      });
    }
    if (this.merged.length > LIMITS.mergedRanges) {
      throw new UnreadableError({
        place: this.#place,
        problem: `has more than ${LIMITS.mergedRanges} ranges of merged cells`,
        remedy: 'unmerge them',
      });
    }
    this.#where = 'cell';
    this.#repeats = this.#countIn(attributes, 'table:number-columns-repeated');
  }

  #closeCell(): void {
    this.#where = 'row';
    const value: Cell = this.#cell?.value() ?? null;
    const end = this.#column + this.#repeats;
    if (value !== null) {
      if (end > LIMITS.columns) {
        throw this.#rows.wrong(
          this.#column,
          'reaches beyond the last column (XFD)',
          'move the data to the left',
        );
      }
      for (let column = this.#column; column < end; column++) {
        this.#rows.column = column;
        this.#rows.add(value);
        if (this.#isStruck) this.looks.saw(STRUCK, this.#row, column);
      }
    }
    this.#column = end;
  }

  /** A count that an attribute gives, 1 without it. */
  #countIn(attributes: Attributes, name: string): number {
    const text = attributes.get(name);
    if (text === undefined) return 1;
    if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
    throw new UnreadableError({
      place: this.#rows.here(),
      problem: `is damaged (${name} is "${text.slice(0, 20)}")`,
      remedy: RESAVE,
      kind: DAMAGED,
    });
  }
}

const isHidden = (attributes: Attributes): boolean =>
  ['collapse', 'filter'].includes(attributes.get('table:visibility') ?? '');
