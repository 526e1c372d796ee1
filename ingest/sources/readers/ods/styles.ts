// Collects the styles of an .ods workbook that change what a cell says: years, raised text, hidden sheets.

import type { Attributes } from '../xml/attributes.ts';
import type { XmlEvents } from '../xml/xml.ts';

/** Fed with the styles of `styles.xml`, and then with those of `content.xml`, which stand before its sheets. */
export class OdsStyles implements XmlEvents {
  /** Date formats by name: the parts they show, such as `year`. */
  readonly #dateParts = new Map<string, string[]>();
  /** Cell styles by name: their date format, and the style they inherit from. */
  readonly #cells = new Map<
    string,
    { readonly format: string | undefined; readonly parent: string | undefined }
  >();
  readonly #raised = new Set<string>();
  /** Styles that say whether text is struck out, and what they say. */
  readonly #struck = new Map<string, boolean>();
  readonly #hiddenSheets = new Set<string>();
  /** The style or date format at hand. */
  #name: string | undefined;
  #parts: string[] | undefined;

  open(name: string, attributes: Attributes): void {
    switch (name) {
      case 'style':
        this.#openStyle(attributes);
        break;
      case 'date-style':
        this.#parts = [];
        this.#dateParts.set(attributes.get('style:name') ?? '', this.#parts);
        break;
      case 'text-properties':
        if (this.#name !== undefined) this.#openTextProperties(this.#name, attributes);
        break;
      case 'table-properties':
        if (this.#name !== undefined && attributes.get('table:display') === 'false')
          this.#hiddenSheets.add(this.#name);
        break;
      default:
        this.#parts?.push(name === 'year' && attributes.get('number:style') !== 'long' ? 'short year' : name);
    }
  }

  text(): void {}

  close(name: string): void {
    if (name === 'style') this.#name = undefined;
    else if (name === 'date-style') this.#parts = undefined;
  }

  #openStyle(attributes: Attributes): void {
    this.#name = attributes.get('style:name') ?? '';
    if (attributes.get('style:family') !== 'table-cell') return;
    const format = attributes.get('style:data-style-name');
    this.#cells.set(this.#name, { format, parent: attributes.get('style:parent-style-name') });
  }

  #openTextProperties(style: string, attributes: Attributes): void {
    if (isRaised(attributes.get('style:text-position') ?? '')) this.#raised.add(style);
    const line =
      attributes.get('style:text-line-through-style') ?? attributes.get('style:text-line-through-type');
    if (line !== undefined) this.#struck.set(style, line !== 'none');
  }

  /** Whether a cell of this style is struck out. */
  strikesOut(style: string | undefined): boolean {
    if (this.#struck.size === 0) return false;
    let at = style;
    for (let steps = 0; at !== undefined && steps < MOST_PARENTS; steps++) {
      const found = this.#struck.get(at);
      if (found !== undefined) return found;
      at = this.#cells.get(at)?.parent;
    }
    return false;
  }

  /** Whether a cell of this style shows the four digits of a date's year and nothing else. */
  showsYear(style: string | undefined): boolean {
    let at = style;
    // A style inherits its date format; a chain of styles that leads back to itself ends here.
    for (let steps = 0; at !== undefined && steps < MOST_PARENTS; steps++) {
      const found = this.#cells.get(at);
      if (found?.format !== undefined) {
        const parts = this.#dateParts.get(found.format);
        return parts?.length === 1 && parts[0] === 'year';
      }
      at = found?.parent;
    }
    return false;
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

/** `super 58%`, `sub 58%`, `33% 58%`; `0% 100%` is the baseline (OpenDocument 1.2 part 1, §20.376). */
const isRaised = (position: string): boolean => /^(super|sub)\b|^-?0*[1-9]/.test(position.trim());
