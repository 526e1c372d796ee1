// Receives the XML elements of the content of an .ods workbook, and passes those of a sheet, row or cell to their readers.

import type { Place } from '../../../messages/place.ts';
import { LONGEST_ASIDE } from '../asides.ts';
import type { Attributes } from '../xml/attributes.ts';
import { damagedXml } from '../xml/damage.ts';
import { textOf } from '../xml/text.ts';
import { isSpace, type XmlEvents } from '../xml/xml.ts';
import { ConditionalFormats } from './conditionalFormats.ts';
import { OdsSheetRows, type RowsOptions } from './odsSheetRows.ts';
import type { OdsStyles } from './odsStyles.ts';
import { Outline } from './outline.ts';

/** A sheet, with the name of its table style. */
export interface OdsSheet {
  readonly name: string;
  readonly style: string | undefined;
}

const OFFICE = 'urn:oasis:names:tc:opendocument:xmlns:office:1.0';
const TABLE = 'urn:oasis:names:tc:opendocument:xmlns:table:1.0';

/** Elements that may be between a sheet and its rows and columns. */
const WRAPPERS = new Set([
  'table-columns',
  'table-column-group',
  'table-header-columns',
  'table-rows',
  'table-row-group',
  'table-header-rows',
]);

/**
 * Collects the names of all sheets and, when `wanted` is not null, the rows of the sheet with that index. Elements other
 * than rows, columns and cells are skipped, such as tracked changes and queries.
 */
export class ContentEvents implements XmlEvents {
  readonly #place: Place;
  readonly #styles: OdsStyles;
  readonly #wanted: number | null;
  readonly sheets: OdsSheet[] = [];
  /** What the workbook holds outside of cells, such as defined names. It is collected only when no sheet is wanted. */
  readonly outline = new Outline();
  readonly rows: OdsSheetRows;
  readonly #conditional: ConditionalFormats;
  /** Whether the wanted sheet has ended. */
  isDone = false;
  #where: 'outside' | 'spreadsheet' | 'sheet' | 'row' | 'cell' = 'outside';
  /** How deep the current element is inside a skipped element, which has depth 1; 0 outside of skipped elements. */
  #skippedDepth = 0;
  /** The texts of the shapes that are anchored to the page; null outside of the element of these shapes. */
  #shapes: string | null = null;
  /** The number of wrappers that are open between the sheet and its rows or columns. */
  #wrappers = 0;
  /**
   * The number, from 1, of the outermost wrapper that is a closed group, whose rows or columns are hidden; 0 without one.
   */
  #closedGroup = 0;

  /**
   * @param place The place of the sheet, or of the part when no sheet is wanted.
   */
  constructor(place: Place, styles: OdsStyles, wanted: number | null, options: RowsOptions = {}) {
    this.#place = place;
    this.#styles = styles;
    this.#wanted = wanted;
    this.rows = new OdsSheetRows(place, styles, options);
    this.#conditional = new ConditionalFormats(styles, this.rows.asides);
  }

  open(name: string, attributes: Attributes): void {
    if (this.#wanted === null) this.outline.open(name, attributes, this.#openSheetName);
    if (this.#where === 'sheet' && this.#isWanted) this.#conditional.open(name, attributes);
    if (this.#shapes !== null) this.#openShape(name);
    else if (this.#skippedDepth > 0 || this.isDone) this.#skippedDepth += 1;
    else if (this.#where === 'cell') this.rows.cell?.content.open(name, attributes);
    else if (this.#where === 'outside') this.#openOutside(name, attributes);
    else if (this.#where === 'spreadsheet' && name === 'table') this.#openSheet(attributes);
    else if (this.#where === 'sheet' && this.#isWanted) this.#openInSheet(name, attributes);
    else if (this.#where === 'row' && (name === 'table-cell' || name === 'covered-table-cell'))
      this.#openCell(attributes);
    else this.#skippedDepth = 1;
  }

  /**
   * Opens an element of a shape that is anchored to the page. Only its texts are collected, with a space between
   * paragraphs.
   */
  #openShape(name: string): void {
    this.#skippedDepth += 1;
    if (name === 'p' && this.#shapes !== null && this.#shapes.length < LONGEST_ASIDE) this.#shapes += ' ';
  }

  text(bytes: Buffer, start: number, end: number): void {
    if (this.#wanted === null && this.outline.isInMessage)
      this.outline.text(textOf(bytes, start, end, this.#place));
    if (this.#shapes !== null && this.#shapes.length < LONGEST_ASIDE)
      this.#shapes += textOf(bytes, start, end, this.#place);
    if (this.#skippedDepth > 0) return;
    const content = this.#where === 'cell' ? this.rows.cell?.content : undefined;
    if (this.#where === 'outside') this.#styles.text(bytes, start, end);
    else if (content?.wantsText) content.text(textOf(bytes, start, end, this.#place));
    else if (!isSpace(bytes, start, end))
      throw damagedXml(this.rows.here(), 'a text in it stands outside of cells');
  }

  close(name: string): void {
    if (this.#wanted === null) this.outline.close(name);
    if (this.#skippedDepth > 0) {
      this.#skippedDepth -= 1;
      if (this.#skippedDepth > 0 || this.#shapes === null) return;
      this.rows.asides.add({ what: 'text box', text: this.#shapes });
      this.#shapes = null;
    } else if (this.#where === 'cell') {
      if (this.rows.cell?.content.close(name)) return;
      this.rows.closeCell();
      this.#where = 'row';
    } else if (this.#where === 'row') {
      this.rows.closeRow();
      this.#where = 'sheet';
    } else if (this.#where === 'sheet' && this.#wrappers > 0) this.#closeWrapper();
    else if (this.#where === 'sheet') {
      this.isDone = this.#isWanted;
      this.#where = 'spreadsheet';
    } else if (name === 'spreadsheet') this.#where = 'outside';
    else this.#styles.close(name);
  }

  /** The name of the sheet that is open; null outside of sheets. */
  get #openSheetName(): string | null {
    const isInside = this.#where !== 'outside' && this.#where !== 'spreadsheet';
    return isInside ? (this.sheets.at(-1)?.name ?? null) : null;
  }

  get #isWanted(): boolean {
    return this.#wanted !== null && this.sheets.length - 1 === this.#wanted;
  }

  #openOutside(name: string, attributes: Attributes): void {
    if (name === 'document-content') this.#checkPrefixes(attributes);
    else if (name === 'spreadsheet') this.#where = 'spreadsheet';
    else this.#styles.open(name, attributes);
  }

  /**
   * Refuses unusual prefixes of namespaces. Attributes are found by the prefixes that all programs write, so with other
   * prefixes every cell would seem empty.
   */
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
    this.#closedGroup = 0;
  }

  #openInSheet(name: string, attributes: Attributes): void {
    if (WRAPPERS.has(name)) this.#openWrapper(attributes);
    else if (name === 'table-row') {
      this.rows.openRow(attributes, this.#closedGroup > 0);
      this.#where = 'row';
    } else {
      if (name === 'table-column') this.rows.addColumns(attributes, this.#closedGroup > 0);
      if (name === 'shapes') this.#shapes = '';
      this.#skippedDepth = 1;
    }
  }

  #openWrapper(attributes: Attributes): void {
    this.#wrappers += 1;
    if (this.#closedGroup === 0 && attributes.get('table:display') === 'false')
      this.#closedGroup = this.#wrappers;
  }

  #closeWrapper(): void {
    if (this.#closedGroup === this.#wrappers) this.#closedGroup = 0;
    this.#wrappers -= 1;
  }

  #openCell(attributes: Attributes): void {
    this.rows.openCell(attributes);
    this.#where = 'cell';
  }
}
