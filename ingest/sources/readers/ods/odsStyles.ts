// Collects the styles of an .ods workbook that change how people read a cell: number formats, raised or struck text.

import type { Place } from '../../../messages/place.ts';
import type { Aside } from '../asides.ts';
import type { Attributes } from '../xml/attributes.ts';
import { textOf } from '../xml/text.ts';
import type { XmlEvents } from '../xml/xml.ts';
import { BLACK, NumberFormats } from './numberFormats.ts';

/** Collects the styles of `styles.xml` first, and then those of `content.xml`, which come before its sheets. */
export class OdsStyles implements XmlEvents {
  readonly #place: Place;
  /** Name of a date format → the parts that it shows, such as `year`. */
  readonly #dateParts = new Map<string, string[]>();
  readonly numbers = new NumberFormats((style) =>
    [style, ...(this.#cells.get(style)?.conditional ?? [])].map((name) => this.#formatOf(name)),
  );
  /** Name of a cell style → name of its date or number format, for styles that set one. */
  readonly #formats = new Map<string, string>();
  /** Name of a cell style → the style from which it inherits, and its conditional formats. */
  readonly #cells = new Map<
    string,
    {
      readonly parent: string | undefined;
      readonly conditional: string[];
    }
  >();
  /** Name of a cell style that people see, such as `Style_1` → its name in the file, such as `Style_5f_1`. */
  readonly #byDisplayName = new Map<string, string>();
  /** For each style that sets the position of text: whether the text is superscript or subscript. */
  readonly #raised = new Map<string, boolean>();
  /** For each style that sets or removes a line through text: whether the text is struck out. */
  readonly #struck = new Map<string, boolean>();
  /** For each style that sets it: the colour of texts, and the colour of the background. */
  readonly #colours = new Map<string, string>();
  readonly #backgrounds = new Map<string, string>();
  readonly #hiddenSheets = new Set<string>();
  /** The styles of rows without height, and of columns without width. */
  readonly #flatRows = new Set<string>();
  readonly #flatColumns = new Set<string>();
  /** The texts of the headers and footers of pages. */
  readonly printed: Aside[] = [];
  /** The header or footer that is being read. */
  #page: { readonly what: 'print header' | 'print footer'; text: string } | undefined;
  #name: string | undefined;
  /** The parts of the date format that is being read. */
  #parts: string[] | undefined;

  constructor(place: Place) {
    this.#place = place;
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'style') this.#openStyle(attributes);
    else if (name === 'date-style') {
      this.#parts = [];
      this.#dateParts.set(attributes.get('style:name') ?? '', this.#parts);
    } else if (FORMATS.has(name)) this.numbers.begin(name, attributes);
    else if (name === 'text-properties') {
      if (this.#name !== undefined) this.#openTextProperties(this.#name, attributes);
      else this.numbers.colour(attributes.get('fo:color') ?? BLACK);
    } else if (name === 'table-cell-properties')
      setIfGiven(this.#backgrounds, this.#name, attributes.get('fo:background-color'));
    else if (TABLE_PROPERTIES.has(name)) this.#openTableProperties(name, attributes);
    else if (PAGE_PARTS.test(name))
      this.#page = { what: name.startsWith('header') ? 'print header' : 'print footer', text: '' };
    else this.#openPart(name, attributes);
  }

  /** Records the styles that hide a sheet, a row or a column. */
  #openTableProperties(name: string, attributes: Attributes): void {
    if (name === 'table-properties') {
      if (this.#name !== undefined && attributes.get('table:display') === 'false')
        this.#hiddenSheets.add(this.#name);
    } else if (name === 'table-row-properties') {
      if (isNothing(attributes.get('style:row-height')) && !isOptimal(attributes))
        this.#flatRows.add(this.#name ?? '');
    } else if (isNothing(attributes.get('style:column-width'))) this.#flatColumns.add(this.#name ?? '');
  }

  /** Opens an element inside a style, a number format or the text of a page. */
  #openPart(name: string, attributes: Attributes): void {
    if (this.#page !== undefined) this.#page.text += ' ';
    if (this.numbers.isOpen) this.numbers.part(name, attributes);
    else if (name === 'map') this.#openCondition(attributes);
    this.#parts?.push(name === 'year' && attributes.get('number:style') !== 'long' ? 'short year' : name);
  }

  text(bytes: Buffer, start: number, end: number): void {
    if (this.#page !== undefined && this.#page.text.length < LONGEST_PRINTED)
      this.#page.text += textOf(bytes, start, end, this.#place);
    if (this.numbers.wantsText) this.numbers.text(textOf(bytes, start, end, this.#place));
  }

  close(name: string): void {
    this.numbers.endPart();
    if (name === 'style') this.#name = undefined;
    else if (PAGE_PARTS.test(name) && this.#page !== undefined) {
      this.printed.push(this.#page);
      this.#page = undefined;
    } else if (name === 'date-style') this.#parts = undefined;
    else if (FORMATS.has(name)) this.numbers.end();
  }

  #openCondition(attributes: Attributes): void {
    const style = attributes.get('style:apply-style-name') ?? '';
    this.#cells.get(this.#name ?? '')?.conditional.push(style);
  }

  #openStyle(attributes: Attributes): void {
    this.#name = attributes.get('style:name') ?? '';
    if (attributes.get('style:family') !== 'table-cell') return;
    const displayName = attributes.get('style:display-name');
    if (displayName !== undefined) this.#byDisplayName.set(displayName, this.#name);
    const format = attributes.get('style:data-style-name');
    if (format === undefined) this.#formats.delete(this.#name);
    else this.#formats.set(this.#name, format);
    this.#cells.set(this.#name, { parent: attributes.get('style:parent-style-name'), conditional: [] });
  }

  #openTextProperties(style: string, attributes: Attributes): void {
    const position = attributes.get('style:text-position');
    if (position !== undefined) this.#raised.set(style, isRaised(position));
    const line =
      attributes.get('style:text-line-through-style') ?? attributes.get('style:text-line-through-type');
    if (line !== undefined) this.#struck.set(style, line !== 'none');
    const usesWindowColour = attributes.get('style:use-window-font-color') === 'true';
    setIfGiven(this.#colours, style, usesWindowColour ? BLACK : attributes.get('fo:color'));
  }

  /**
   * The name in the file of the cell style with this display name. Conditional formats of LibreOffice refer to display
   * names.
   */
  nameOf(displayName: string | undefined): string | undefined {
    return this.#byDisplayName.get(displayName ?? '') ?? displayName;
  }

  strikesOut(style: string | undefined): boolean {
    return this.#inherited(this.#struck, style) ?? false;
  }

  /** Whether a text of this style has the colour of its background. */
  isPale(style: string | undefined): boolean {
    return this.isPaleIn(style, undefined);
  }

  /**
   * Whether a part of a text has the colour of the background of its cell.
   *
   * @param colour The colour of the part; undefined when the part has that of the cell.
   */
  isPaleIn(style: string | undefined, colour: string | undefined): boolean {
    const background = this.#inherited(this.#backgrounds, style) ?? 'transparent';
    return (
      (colour ?? this.textColour(style) ?? BLACK) === (background === 'transparent' ? WHITE : background)
    );
  }

  textColour(style: string | undefined): string | undefined {
    return this.#inherited(this.#colours, style);
  }

  /** The value that a style sets, or else the value that it inherits from the nearest style that sets one. */
  #inherited<T>(valuesSet: ReadonlyMap<string, T>, style: string | undefined): T | undefined {
    let current = valuesSet.size === 0 ? undefined : style;
    // The limit ends a chain of styles that leads back to itself.
    for (let steps = 0; current !== undefined && steps < MOST_PARENTS; steps++) {
      const found = valuesSet.get(current);
      if (found !== undefined) return found;
      current = this.#cells.get(current)?.parent;
    }
    return undefined;
  }

  /** Whether a cell of this style shows only the four digits of the year of a date. */
  showsYear(style: string | undefined): boolean {
    const parts = this.#dateParts.get(this.#formatOf(style) ?? '');
    return parts?.length === 1 && parts[0] === 'year';
  }

  /** The date or number format of a cell style, which may inherit it. */
  #formatOf(style: string | undefined): string | undefined {
    return this.#inherited(this.#formats, style);
  }

  isRaised(style: string | undefined): boolean {
    return this.#inherited(this.#raised, style) ?? false;
  }

  /** Whether the row with these attributes has a style that gives it no height. */
  hidesRow(row: Attributes): boolean {
    return this.#flatRows.size > 0 && this.#flatRows.has(row.get('table:style-name') ?? '');
  }

  /** Whether the columns with these attributes have a style that gives them no width. */
  hidesColumn(column: Attributes): boolean {
    return this.#flatColumns.has(column.get('table:style-name') ?? '');
  }

  hidesSheet(style: string | undefined): boolean {
    return style !== undefined && this.#hiddenSheets.has(style);
  }
}

/** The longest chain of styles in which each inherits from the next one. */
const MOST_PARENTS = 32;

const WHITE = '#ffffff';

function setIfGiven(
  colours: Map<string, string>,
  style: string | undefined,
  colour: string | undefined,
): void {
  if (style !== undefined && colour !== undefined) colours.set(style, colour.toLowerCase());
}

/** Whether a height or width such as `0cm` hides what is in it: 0, or less than a point. */
function isNothing(length: string | undefined): boolean {
  const [, number, unit = ''] = /^([\d.]+)([a-z]*)$/.exec(length ?? '') ?? [];
  return number !== undefined && Number(number) * (POINTS[unit] ?? (Number(number) > 0 ? Infinity : 1)) < 1;
}

const POINTS: Readonly<Record<string, number>> = { pt: 1, px: 0.75, pc: 12, mm: 2.83, cm: 28.3, in: 72 };

/** Whether programs compute the height of a row from its content, and ignore the written height. */
const isOptimal = (row: Attributes): boolean => row.get('style:use-optimal-row-height') === 'true';

const FORMATS: ReadonlySet<string> = new Set(
  'number-style percentage-style currency-style text-style'.split(' '),
);

const TABLE_PROPERTIES: ReadonlySet<string> = new Set(
  'table-properties table-row-properties table-column-properties'.split(' '),
);

const PAGE_PARTS = /^(?:header|footer)(?:-left|-first)?$/;

const LONGEST_PRINTED = 1000;

/**
 * Whether a text position is superscript or subscript: `super 58%`, `sub 58%`, `33% 58%`. `0% 100%` is the baseline
 * (OpenDocument 1.2 part 1, §20.376).
 */
const isRaised = (position: string): boolean => /^(super|sub)\b|^-?0*[1-9]/.test(position.trim());
