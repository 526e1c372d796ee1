// Collects the styles of an .ods workbook that change what a cell says: years, units, raised text, hidden sheets.

import { currencyIn } from '../../../messages/currencySigns.ts';
import type { Place } from '../../../messages/place.ts';
import { unitBeside } from '../../../messages/statedUnits.ts';
import { marksYear, NUMBER } from '../../yearForms.ts';
import type { Aside } from '../asides.ts';
import type { Attributes } from '../xml/attributes.ts';
import { textOf } from '../xml/text.ts';
import type { XmlEvents } from '../xml/xml.ts';

/** A number format, or the part of one that shows the numbers which fulfil a condition. */
interface NumberFormat {
  /** The text that it shows, with NUMBER for the number. */
  text: string;
  /** What it divides the number by before it shows it. */
  divisor: number;
  /** The formats that it shows instead under conditions: `value()>=1000`. */
  readonly mapped: Map<string, string>;
  /** What a literal dot among its digits seems to divide by: 1e4 where 123456 is shown as `12.3456`. */
  point: number;
  /** The colour in which it shows numbers. */
  colour: string;
  /** Whether it is the part for texts, whose conditions lead to those for numbers. */
  readonly isForTexts: boolean;
}

/** Fed with the styles of `styles.xml`, and then with those of `content.xml`, which stand before its sheets. */
export class OdsStyles implements XmlEvents {
  readonly #place: Place;
  /** Date formats by name: the parts they show, such as `year`. */
  readonly #dateParts = new Map<string, string[]>();
  /** Number formats by name. */
  readonly #numbers = new Map<string, NumberFormat>();
  /** The sections of the number format, by cell style. Kept from the first cell that has the style. */
  readonly #sectionsOf = new Map<string, readonly NumberFormat[]>();
  /** Cell styles by name: their date or number format, the style they inherit from, and their conditional formats. */
  readonly #cells = new Map<
    string,
    {
      readonly format: string | undefined;
      readonly parent: string | undefined;
      /** The styles of its conditional formats. */
      readonly conditional: string[];
    }
  >();
  readonly #raised = new Set<string>();
  /** Styles that say whether text is struck out, and what they say. */
  readonly #struck = new Map<string, boolean>();
  /** The colours of texts and backgrounds, by the styles that say them. */
  readonly #colours = new Map<string, string>();
  readonly #backgrounds = new Map<string, string>();
  readonly #hiddenSheets = new Set<string>();
  /** The texts of the headers and footers of pages. */
  readonly printed: Aside[] = [];
  #page: { readonly what: 'print header' | 'print footer'; text: string } | undefined;
  /** The style, or the date or number format, that is being read. */
  #name: string | undefined;
  #parts: string[] | undefined;
  #number: NumberFormat | undefined;
  #isLiteral = false;

  /** `place` names the workbook in messages. */
  constructor(place: Place) {
    this.#place = place;
  }

  open(name: string, attributes: Attributes): void {
    switch (name) {
      case 'style':
        this.#openStyle(attributes);
        break;
      case 'date-style':
        this.#parts = [];
        this.#dateParts.set(attributes.get('style:name') ?? '', this.#parts);
        break;
      case 'number-style':
      case 'currency-style':
      case 'text-style':
        this.#number = {
          text: '',
          divisor: 1,
          point: 1,
          colour: BLACK,
          mapped: new Map(),
          isForTexts: name === 'text-style',
        };
        this.#numbers.set(attributes.get('style:name') ?? '', this.#number);
        break;
      case 'text-properties':
        if (this.#name !== undefined) this.#openTextProperties(this.#name, attributes);
        else if (this.#number !== undefined) this.#number.colour = attributes.get('fo:color') ?? BLACK;
        break;
      case 'table-cell-properties':
        setIfGiven(this.#backgrounds, this.#name, attributes.get('fo:background-color'));
        break;
      case 'table-properties':
        if (this.#name !== undefined && attributes.get('table:display') === 'false')
          this.#hiddenSheets.add(this.#name);
        break;
      case 'header':
      case 'footer':
      case 'header-left':
      case 'footer-left':
      case 'header-first':
      case 'footer-first':
        this.#page = { what: name.startsWith('header') ? 'print header' : 'print footer', text: '' };
        break;
      default:
        if (this.#page !== undefined) this.#page.text += ' ';
        this.#openPart(name, attributes);
        this.#parts?.push(name === 'year' && attributes.get('number:style') !== 'long' ? 'short year' : name);
    }
  }

  text(bytes: Buffer, start: number, end: number): void {
    if (this.#page !== undefined && this.#page.text.length < LONGEST_FORMAT)
      this.#page.text += textOf(bytes, start, end, this.#place);
    if (this.#isLiteral && this.#number !== undefined && this.#number.text.length < LONGEST_FORMAT)
      this.#number.text += textOf(bytes, start, end, this.#place);
  }

  close(name: string): void {
    this.#isLiteral = false;
    if (name === 'style') this.#name = undefined;
    else if (PAGE_PARTS.test(name) && this.#page !== undefined) {
      this.printed.push(this.#page);
      this.#page = undefined;
    } else if (name === 'date-style') this.#parts = undefined;
    else if (FORMATS.has(name)) this.#number = undefined;
  }

  /** The number parts the texts around it: `€ 404 m`. */
  #openPart(name: string, attributes: Attributes): void {
    const mapped = attributes.get('style:apply-style-name') ?? '';
    if (this.#number === undefined) {
      if (name === 'map') this.#cells.get(this.#name ?? '')?.conditional.push(mapped);
      return;
    }
    this.#isLiteral = name === 'text' || name === 'currency-symbol';
    if (name === 'map') this.#number.mapped.set(attributes.get('style:condition') ?? '', mapped);
    if (name === 'embedded-text')
      this.#number.point = 10 ** Math.min(12, Number(attributes.get('number:position') ?? 0));
    if (!name.endsWith('number')) return;
    this.#number.text += NUMBER;
    this.#number.divisor = Number(attributes.get('number:display-factor') ?? 1);
  }

  #openStyle(attributes: Attributes): void {
    this.#name = attributes.get('style:name') ?? '';
    if (attributes.get('style:family') !== 'table-cell') return;
    const format = attributes.get('style:data-style-name');
    this.#cells.set(this.#name, {
      format,
      parent: attributes.get('style:parent-style-name'),
      conditional: [],
    });
  }

  #openTextProperties(style: string, attributes: Attributes): void {
    if (isRaised(attributes.get('style:text-position') ?? '')) this.#raised.add(style);
    const line =
      attributes.get('style:text-line-through-style') ?? attributes.get('style:text-line-through-type');
    if (line !== undefined) this.#struck.set(style, line !== 'none');
    const isOfWindow = attributes.get('style:use-window-font-color') === 'true';
    setIfGiven(this.#colours, style, isOfWindow ? BLACK : attributes.get('fo:color'));
  }

  /** Whether a cell or a part of a text with this style is struck out. */
  strikesOut(style: string | undefined): boolean {
    return this.#inherited(this.#struck, style) ?? false;
  }

  /** Whether a text of this style has the colour of its background. */
  isPale(style: string | undefined): boolean {
    const colour = this.#inherited(this.#colours, style) ?? BLACK;
    const background = this.#inherited(this.#backgrounds, style) ?? 'transparent';
    return colour === (background === 'transparent' ? WHITE : background);
  }

  /** Whether a style shows some of its numbers in a colour, such as negative ones in red, and others not. */
  coloursSome(style: string | undefined): boolean {
    return new Set(this.#sections(style).map(({ colour }) => colour)).size > 1;
  }

  /** What a style says, or the nearest one that it inherits from. */
  #inherited<T>(said: ReadonlyMap<string, T>, style: string | undefined): T | undefined {
    let at = said.size === 0 ? undefined : style;
    // A chain of styles that leads back to itself ends here.
    for (let steps = 0; at !== undefined && steps < MOST_PARENTS; steps++) {
      const found = said.get(at);
      if (found !== undefined) return found;
      at = this.#cells.get(at)?.parent;
    }
    return undefined;
  }

  /** Whether a cell of this style shows the four digits of a date's year and nothing else. */
  showsYear(style: string | undefined): boolean {
    const parts = this.#dateParts.get(this.#formatOf(style) ?? '');
    return parts?.length === 1 && parts[0] === 'year';
  }

  /** The unit that makes a cell of this style show another value than its number; null when it shows none. */
  unitBeside(style: string | undefined): { readonly unit: string; readonly divisor: number } | null {
    for (const { text, divisor, point } of this.#sections(style)) {
      const unit = text.split(NUMBER).find((part) => unitBeside(part.trim()) !== null);
      const isTrue = [divisor, divisor * point].some((by) => unitBeside(unit?.trim() ?? '', by) === null);
      if (unit !== undefined && !isTrue) return { unit: unit.trim(), divisor };
    }
    return null;
  }

  /** The currency that a cell of this style shows beside its number; null when it shows none. */
  currencyBeside(style: string | undefined): string | null {
    for (const { text } of this.#sections(style)) {
      const currency = currencyIn(text);
      if (currency !== null) return currency;
    }
    return null;
  }

  /** Whether a cell of this style shows its number divided. */
  dividesNumber(style: string | undefined): boolean {
    return this.#sections(style).some(({ divisor, point }) => divisor !== 1 || point !== 1);
  }

  /** What a style divides all its numbers by without a unit that says so; 1 for none. */
  unnamedDivisor(style: string | undefined): number {
    const sections = this.#sections(style);
    const isNamed = sections.some(({ text }) =>
      text.split(NUMBER).some((part) => unitBeside(part.trim()) !== null),
    );
    const least = Math.min(...sections.map(({ divisor }) => divisor));
    return isNamed || !Number.isFinite(least) ? 1 : least;
  }

  /** What the number format of a style shows under each condition. What it shows of 0 alone does not count. */
  #sections(style = ''): readonly NumberFormat[] {
    const known = this.#sectionsOf.get(style);
    if (known !== undefined) return known;
    const found = this.#findSections(style);
    this.#sectionsOf.set(style, found);
    return found;
  }

  #findSections(style: string): readonly NumberFormat[] {
    const conditional = this.#cells.get(style)?.conditional ?? [];
    return [style, ...conditional].flatMap((one) => {
      const format = this.#numbers.get(this.#formatOf(one) ?? '');
      if (format === undefined) return [];
      const others = [...format.mapped].flatMap(([condition, name]) =>
        condition === 'value()=0' ? [] : (this.#numbers.get(name) ?? []),
      );
      const isZero = format.mapped.has('value()>0') && format.mapped.has('value()<0');
      return isZero || format.isForTexts ? others : [...others, format];
    });
  }

  /** The text that this style shows for a number, when it marks a year, as in `FY2026`; else null. */
  formOfYear(style: string | undefined): string | null {
    return this.#sections(style).find(({ text }) => marksYear(text))?.text ?? null;
  }

  /** The date or number format of a cell style, which may inherit it. */
  #formatOf(style: string | undefined): string | undefined {
    let at = style;
    // A chain of styles that leads back to itself ends here.
    for (let steps = 0; at !== undefined && steps < MOST_PARENTS; steps++) {
      const found = this.#cells.get(at);
      if (found?.format !== undefined) return found.format;
      at = found?.parent;
    }
    return undefined;
  }

  /** Whether text of this style is superscript or subscript. */
  isRaised(style: string | undefined): boolean {
    return style !== undefined && this.#raised.has(style);
  }

  hidesSheet(style: string | undefined): boolean {
    return style !== undefined && this.#hiddenSheets.has(style);
  }
}

const MOST_PARENTS = 32;

const BLACK = '#000000';
const WHITE = '#ffffff';

function setIfGiven(said: Map<string, string>, style: string | undefined, colour: string | undefined): void {
  if (style !== undefined && colour !== undefined) said.set(style, colour.toLowerCase());
}

/** The elements that hold a number format. */
const FORMATS: ReadonlySet<string> = new Set(['number-style', 'currency-style', 'text-style']);

const PAGE_PARTS = /^(?:header|footer)(?:-left|-first)?$/;

const LONGEST_FORMAT = 1000;

/** `super 58%`, `sub 58%`, `33% 58%`; `0% 100%` is the baseline (OpenDocument 1.2 part 1, §20.376). */
const isRaised = (position: string): boolean => /^(super|sub)\b|^-?0*[1-9]/.test(position.trim());
